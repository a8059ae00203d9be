#include "forge/Codegen/ContiguousView.h"
#include "forge/Target/Device/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace forge {
#define GEN_PASS_DEF_FLATTENVIEWSPASS
#include "forge/Target/Device/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-flatten-views"

using namespace mlir;

/// The same elements, row-major, with other sizes.
static void replaceBySizes(OpBuilder &builder, Operation *op, Value source, MemRefType type,
                           ArrayRef<OpFoldResult> sizes) {
  op->getResult(0).replaceAllUsesWith(forge::viewAs(builder, op->getLoc(), source, type, sizes));
  op->erase();
}

static bool isContiguous(Value value) {
  return cast<MemRefType>(value.getType()).getLayout().isIdentity();
}

namespace {
struct FlattenViewsPass : public forge::impl::FlattenViewsPassBase<FlattenViewsPass> {
  void runOnOperation() override {
    getOperation()->walk([](Operation *op) {
      OpBuilder builder(op);
      if (auto expand = dyn_cast<memref::ExpandShapeOp>(op)) {
        if (isContiguous(expand.getSrc()) && isContiguous(expand.getResult()))
          replaceBySizes(builder, op, expand.getSrc(), expand.getResultType(),
                         expand.getMixedOutputShape());
      } else if (auto collapse = dyn_cast<memref::CollapseShapeOp>(op)) {
        if (isContiguous(collapse.getSrc()) && isContiguous(collapse.getResult()))
          replaceBySizes(builder, op, collapse.getSrc(), collapse.getResultType(),
                         collapsedSizes(builder, collapse));
      }
    });
  }

  static SmallVector<OpFoldResult> collapsedSizes(OpBuilder &builder,
                                                  memref::CollapseShapeOp collapse) {
    Location loc = collapse.getLoc();
    SmallVector<OpFoldResult> from = memref::getMixedSizes(builder, loc, collapse.getSrc()), sizes;
    for (const ReassociationIndices &group : collapse.getReassociationIndices()) {
      OpFoldResult size = builder.getIndexAttr(1);
      for (int64_t dim : group)
        size = forge::multiplySizes(builder, loc, size, from[dim]);
      sizes.push_back(size);
    }
    return sizes;
  }
};
} // namespace
