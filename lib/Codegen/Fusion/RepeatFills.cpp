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

/// 1. Every operation whose output starts from a fill that others use too,
/// 2. gets a fill of an empty tensor of its own, right before it.
struct RepeatFills : forge::impl::RepeatFillsPassBase<RepeatFills> {
  void runOnOperation() override {
    getOperation()->walk([](linalg::LinalgOp op) {
      for (OpOperand &init : op.getDpsInitsMutable()) {
        auto fill = init.get().getDefiningOp<linalg::FillOp>();
        if (!fill || fill->hasOneUse())
          continue;
        auto empty = fill.getOutputs()[0].getDefiningOp<tensor::EmptyOp>();
        if (!empty)
          continue;
        OpBuilder builder(op);
        auto own = cast<tensor::EmptyOp>(builder.clone(*empty));
        IRMapping mapping;
        mapping.map(fill.getOutputs()[0], own.getResult());
        init.set(builder.clone(*fill, mapping)->getResult(0));
      }
    });
  }
};

} // namespace
