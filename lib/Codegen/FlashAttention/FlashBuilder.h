// What all ways of building the tile program of attention share: memory, and the order of tiles.
#ifndef FORGE_LIB_CODEGEN_FLASHATTENTION_FLASHBUILDER_H
#define FORGE_LIB_CODEGEN_FLASHATTENTION_FLASHBUILDER_H

#include "OnlineSoftmax.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace forge {

class FlashBuilder {
public:
  FlashBuilder(mlir::func::FuncOp kernel, const FlashAttention &flash, const FlashPlan &plan,
               const GPUChip &chip, tile::LayoutAttr sums)
      : b(kernel.getLoc(), kernel.getContext()), kernel(kernel), flash(flash),
        program(flash.program), plan(plan), chip(chip), order(b, flash, plan),
        softmax(b, flash, plan, sums) {
    b.setInsertionPoint(kernel.getBody().front().getTerminator());
  }

protected:
  /// A factor as memory of the places that it has and two dimensions, along these axes.
  mlir::Value castFactor(const AxisAccess &access, unsigned first, unsigned second);
  /// The indices of a part of it.
  llvm::SmallVector<mlir::Value> indicesOf(const AxisAccess &access, const QueryTile &tile,
                                           mlir::Value first, mlir::Value second);
  mlir::Value firstKey(mlir::Value block);

  mlir::Value index(int64_t value) { return mlir::arith::ConstantIndexOp::create(b, value); }
  mlir::Value i32(int64_t value) {
    return mlir::arith::ConstantOp::create(b, b.getI32IntegerAttr(static_cast<int32_t>(value)));
  }

  mlir::ImplicitLocOpBuilder b;
  mlir::func::FuncOp kernel;
  const FlashAttention &flash;
  const AttentionProgram &program;
  const FlashPlan &plan;
  const GPUChip &chip;
  TileOrder order;
  OnlineSoftmax softmax;
};

/// By roles, one of which copies by tensor maps, and wgmma. Whether blocks take tiles from a
/// counter, which has become the last argument.
bool buildWarpgroupFlash(mlir::func::FuncOp kernel, const FlashAttention &flash,
                         const FlashPlan &plan, const GPUChip &chip);
/// One tile a block, keys and values through registers; products by each warp.
void buildWarpFlash(mlir::func::FuncOp kernel, const FlashAttention &flash, const FlashPlan &plan,
                    const GPUChip &chip);
/// One tile of a few rows a block, keys and values through a ring that tensor maps fill; products
/// by each warp.
void buildRingFlash(mlir::func::FuncOp kernel, const FlashAttention &flash, const FlashPlan &plan,
                    const GPUChip &chip);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_FLASHATTENTION_FLASHBUILDER_H
