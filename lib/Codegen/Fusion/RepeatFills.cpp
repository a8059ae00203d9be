#include "forge/Codegen/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace forge {
#define GEN_PASS_DEF_REPEATFILLSPASS
#include "forge/Codegen/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-repeat-fills"

using namespace mlir;

namespace {

/// 1. Every operation whose output starts from a fill that others use too, and every slice put into
///    one,
/// 2. gets a fill of an empty tensor of its own, right before it.
/// 3. The shared one goes if nothing else reads it.
struct RepeatFills : forge::impl::RepeatFillsPassBase<RepeatFills> {
  void runOnOperation() override {
    SmallVector<linalg::FillOp> shared;
    getOperation()->walk([&](linalg::FillOp fill) {
      if (!fill->use_empty() && !fill->hasOneUse() && emptyOf(fill.getOutputs()[0]))
        shared.push_back(fill);
    });
    for (linalg::FillOp fill : shared) {
      for (OpOperand &use : llvm::make_early_inc_range(fill->getUses())) {
        if (!startsFrom(use))
          continue;
        OpBuilder builder(use.getOwner());
        IRMapping mapping;
        cloneEmpty(builder, fill.getOutputs()[0], mapping);
        use.set(builder.clone(*fill, mapping)->getResult(0));
      }
      if (fill->use_empty())
        fill->erase();
    }
  }

  /// The empty tensor that `value` is, or a reshape of.
  static tensor::EmptyOp emptyOf(Value value) {
    while (isa_and_nonnull<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(value.getDefiningOp()))
      value = value.getDefiningOp()->getOperand(0);
    return value.getDefiningOp<tensor::EmptyOp>();
  }

  static void cloneEmpty(OpBuilder &builder, Value value, IRMapping &mapping) {
    Operation *maker = value.getDefiningOp();
    if (!isa<tensor::EmptyOp>(maker))
      cloneEmpty(builder, maker->getOperand(0), mapping);
    builder.clone(*maker, mapping);
  }

  /// Whether what `use` is of writes into it.
  static bool startsFrom(OpOperand &use) {
    if (auto op = dyn_cast<linalg::LinalgOp>(use.getOwner()))
      return op.isDpsInit(&use);
    auto insert = dyn_cast<tensor::InsertSliceOp>(use.getOwner());
    return insert && insert.getDest() == use.get();
  }
};

} // namespace
