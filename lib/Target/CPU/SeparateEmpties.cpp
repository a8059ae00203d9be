// forge-separate-empties
#include "forge/Target/CPU/Passes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace forge {
#define GEN_PASS_DEF_SEPARATEEMPTIESPASS
#include "forge/Target/CPU/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-separate-empties"

using namespace mlir;

namespace {
/// 1. Every use of a tensor.empty but the first gets an empty tensor of its own, next to the shared
///    one.
struct SeparateEmptiesPass : forge::impl::SeparateEmptiesPassBase<SeparateEmptiesPass> {
  void runOnOperation() final {
    SmallVector<tensor::EmptyOp> shared;
    getOperation()->walk([&](tensor::EmptyOp op) {
      if (!op->use_empty() && !op->hasOneUse())
        shared.push_back(op);
    });
    for (tensor::EmptyOp op : shared) {
      OpBuilder builder(op);
      for (OpOperand &use : llvm::make_early_inc_range(llvm::drop_begin(op->getUses())))
        use.set(builder.clone(*op)->getResult(0));
    }
  }
};
} // namespace
