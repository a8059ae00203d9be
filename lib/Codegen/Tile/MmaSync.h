// The matrix instruction of one warp on NVIDIA's chips from sm_80 on.
#ifndef FORGE_LIB_CODEGEN_TILE_MMASYNC_H
#define FORGE_LIB_CODEGEN_TILE_MMASYNC_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace forge {

/// What mma.sync m16n8k16 adds to four sums in f32: `left` are four words of pairs of `element`
/// (bf16 or f16), `right` two, all i32.
llvm::SmallVector<mlir::Value> mmaSync(mlir::ImplicitLocOpBuilder &b,
                                       llvm::ArrayRef<mlir::Value> left,
                                       llvm::ArrayRef<mlir::Value> right,
                                       llvm::ArrayRef<mlir::Value> sums, mlir::Type element);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_TILE_MMASYNC_H
