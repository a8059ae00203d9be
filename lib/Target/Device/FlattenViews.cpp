#include "forge/Target/Device/Passes.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace forge {
#define GEN_PASS_DEF_FLATTENVIEWSPASS
#include "forge/Target/Device/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-flatten-views"

using namespace mlir;

static OpFoldResult multiply(OpBuilder &builder, Location loc, OpFoldResult a, OpFoldResult b) {
  auto x = getConstantIntValue(a), y = getConstantIntValue(b);
  if (x && y)
    return builder.getIndexAttr(*x * *y);
  return arith::MulIOp::create(builder, loc, getValueOrCreateConstantIndexOp(builder, loc, a),
                               getValueOrCreateConstantIndexOp(builder, loc, b))
      .getResult();
}

/// The same elements, row-major, with other sizes.
static void replaceBySizes(OpBuilder &builder, Operation *op, Value source, MemRefType type,
                           ArrayRef<OpFoldResult> sizes) {
  SmallVector<OpFoldResult> strides(sizes.size());
  OpFoldResult stride = builder.getIndexAttr(1);
  for (size_t dim = sizes.size(); dim-- > 0;) {
    strides[dim] = stride;
    if (dim > 0)
      stride = multiply(builder, op->getLoc(), stride, sizes[dim]);
  }
  auto view = memref::ReinterpretCastOp::create(builder, op->getLoc(), type, source,
                                                builder.getIndexAttr(0), sizes, strides);
  op->getResult(0).replaceAllUsesWith(view);
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
        size = multiply(builder, loc, size, from[dim]);
      sizes.push_back(size);
    }
    return sizes;
  }
};
} // namespace
