// Matrices that the threads of a GPU's block factor together, or solve systems with, in its memory.
#ifndef FORGE_DIALECT_STABLEHLO_IR_BLOCKMATRICES_H
#define FORGE_DIALECT_STABLEHLO_IR_BLOCKMATRICES_H

#include "forge/Dialect/StableHLO/IR/StableHLO.h"

namespace forge::stablehlo {

/// Rows of such a matrix: fewer are soon done by one thread, more are blocks of rows.
inline constexpr int64_t kLeastBlockRows = 8, kMostBlockRows = 128;

/// Rows and columns of a panel, whose block on the diagonal a thread has in registers.
inline constexpr int64_t kPanelRows = 8;

/// Right-hand sides of a block, a thread each, at most.
inline constexpr int64_t kBlockColumns = 32;

/// After a row there are as many numbers that are not used: threads of neighbouring rows find
/// theirs in different banks of the memory, and still at multiples of 16 bytes.
inline constexpr int64_t kBankPadding = 4;

/// Whether a block with `blockBytes` of memory factors each matrix, of `rows` rows and elements of
/// `type`, or solves with it. Elements of 16 bits take 4 bytes there. `rows` may be dynamic.
bool canBlockFactor(int64_t rows, mlir::Type type, int64_t blockBytes);
bool canBlockSolve(int64_t rows, mlir::Type type, int64_t blockBytes);

} // namespace forge::stablehlo

#endif // FORGE_DIALECT_STABLEHLO_IR_BLOCKMATRICES_H
