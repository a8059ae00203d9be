// The body of a kernel of strategy "wgmma".
#ifndef FORGE_LIB_CODEGEN_WGMMA_WGMMAKERNEL_H
#define FORGE_LIB_CODEGEN_WGMMA_WGMMAKERNEL_H

#include "WgmmaTile.h"

#include "../Hopper/ThreadBuilder.h"

namespace forge {

/// Sizes of a product, as i32 values of the kernel function.
struct ProductSizes {
  /// Of each axis.
  llvm::SmallVector<mlir::Value> axes;
  /// Matrices; columns that tiles divide, those of each part.
  mlir::Value batch, columns;
};

/// Where a tile begins, in i32: its column, and, of each axis that is not of columns or of the
/// terms of a stage, its index there.
struct TilePlace {
  mlir::Value column;
  llvm::SmallVector<mlir::Value> indices;
};

/// One row of a tile: of each axis that rows of tiles span its index, of the others null; and
/// whether it is one of the result.
struct RowPlace {
  llvm::SmallVector<mlir::Value> indices;
  mlir::Value isInside;
};

/// Emits one thread's work at the builder's insertion point. `maps`: the tensor maps of `factors`,
/// the left one and each part's right one.
void emitWgmmaKernel(ThreadBuilder &b, mlir::func::FuncOp kernel, const WgmmaProduct &product,
                     const WgmmaTile &tile, const ProductSizes &sizes,
                     llvm::ArrayRef<FactorMap> factors, mlir::ValueRange maps);

/// Emits what one consumer thread does with its sums, a struct of f32 as wgmma leaves them (PTX
/// ISA, "Register Fragments and Shared Memory Matrix Layouts" of wgmma: D): what follows, and
/// stores. `warpgroup`: 0 or 1; `thread`: of the warpgroup.
void emitWgmmaStore(ThreadBuilder &b, const WgmmaProduct &product, const WgmmaTile &tile,
                    const ProductSizes &sizes, const TilePlace &place, mlir::Value warpgroup,
                    mlir::Value thread, mlir::Value sums, llvm::function_ref<void()> waitForSums);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_WGMMA_WGMMAKERNEL_H
