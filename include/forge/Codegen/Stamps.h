// Time stamps in kernels: which stage each role of a block is in, and since when.
//
// One thread of each role writes 64-bit words to memory that the host hands to the launch: of each
// row of each of the first kStampedBlocks blocks up to kStampsPerRow, in the order they were taken.
// A word has the number of a stage, from 1, in its upper 16 bits, and the lower 48 bits of a time
// in nanoseconds. Words that were not written are 0.
#ifndef FORGE_CODEGEN_STAMPS_H
#define FORGE_CODEGEN_STAMPS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace forge {

inline constexpr int64_t kStampedBlocks = 8, kStampsPerRow = 1024;
inline constexpr int64_t kStampTimeBits = 48;

/// A unit attribute of a kernel function: it is compiled with time stamps.
inline constexpr llvm::StringLiteral kTakesStampsAttr = "forge.takes_stamps";
/// On a kernel function and on gpu.func: the names of stages, by their numbers less 1 (that which
/// has no name is the end of a role), and those of rows.
inline constexpr llvm::StringLiteral kStagesAttr = "forge.stages";
inline constexpr llvm::StringLiteral kStageRowsAttr = "forge.stage_rows";

/// Replaces every tile.stamp in one thread's code of `kernel` by stores to a new last argument,
/// whose type is returned: memref<8x3x1024xi64> for three rows. Nothing where there is no
/// tile.stamp.
std::optional<mlir::MemRefType> lowerStamps(mlir::func::FuncOp kernel);

} // namespace forge

#endif // FORGE_CODEGEN_STAMPS_H
