// Copies that leave the elements of a tensor in their order are reshapes.
#include "forge/Codegen/Passes.h"
#include "forge/Codegen/Schedule.h"
#include "forge/Kernels/Kernel.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace forge {
#define GEN_PASS_DEF_RESHAPECOPIESPASS
#include "forge/Codegen/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-reshape-copies"

using namespace mlir;

/// Whether `value` is a part of a tensor: a reshape of one may be a copy.
static bool isPart(Value value) {
  while (isa_and_nonnull<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return value.getDefiningOp<tensor::ExtractSliceOp>() != nullptr;
}

/// Whether `op` writes the elements that it reads in the order in which it reads them: only
/// dimensions of one element have other places.
static bool keepsOrder(linalg::GenericOp op) {
  if (!op.hasPureTensorSemantics() || op->hasAttr(forge::kScheduleAttr) ||
      op->hasAttr(forge::kClusterAttr) || op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1 ||
      op.getNumReductionLoops() != 0 ||
      op.getBody()->getTerminator()->getOperand(0) != op.getBody()->getArgument(0))
    return false;
  auto from = dyn_cast<RankedTensorType>(op.getDpsInputs()[0].getType());
  auto to = cast<RankedTensorType>(op->getResult(0).getType());
  // Loops of more than one element, in the order of a tensor's dimensions.
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  auto longLoops = [&](AffineMap map) -> std::optional<SmallVector<unsigned>> {
    SmallVector<unsigned> loops;
    for (AffineExpr expr : map.getResults()) {
      bool isOfOne = llvm::all_of(llvm::seq<unsigned>(0, ranges.size()), [&](unsigned loop) {
        return ranges[loop] == 1 || !expr.isFunctionOfDim(loop);
      });
      auto dim = dyn_cast<AffineDimExpr>(expr);
      if (!dim && !isOfOne)
        return std::nullopt;
      if (!isOfOne)
        loops.push_back(dim.getPosition());
    }
    return loops;
  };
  AffineMap read = op.getIndexingMapsArray()[0], written = op.getIndexingMapsArray()[1];
  return from && from.hasStaticShape() && to.hasStaticShape() &&
         from.getElementType() == to.getElementType() && written.isPermutation() &&
         longLoops(read) && longLoops(read) == longLoops(written) &&
         from.getNumElements() == to.getNumElements() && !isPart(op.getDpsInputs()[0]);
}

/// For each dimension of more than one element, itself with those of one element before it, and
/// after it if it is the last. None for a tensor of one element.
static SmallVector<ReassociationIndices> groupsOf(RankedTensorType type) {
  SmallVector<ReassociationIndices> groups;
  ReassociationIndices group;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    group.push_back(dim);
    if (type.getDimSize(dim) != 1)
      groups.push_back(std::exchange(group, {}));
  }
  if (!groups.empty())
    llvm::append_range(groups.back(), group);
  return groups;
}

static Value reshape(OpBuilder &b, linalg::GenericOp op) {
  Value value = op.getDpsInputs()[0];
  auto from = cast<RankedTensorType>(value.getType());
  auto to = cast<RankedTensorType>(op->getResult(0).getType());
  SmallVector<int64_t> shape =
      llvm::filter_to_vector(from.getShape(), [](int64_t size) { return size != 1; });
  auto plain = RankedTensorType::get(shape, from.getElementType());
  if (plain != from)
    value = tensor::CollapseShapeOp::create(b, op.getLoc(), plain, value, groupsOf(from));
  if (plain != to)
    value = tensor::ExpandShapeOp::create(b, op.getLoc(), to, value, groupsOf(to));
  return value;
}

namespace {
/// Every copy that keeps the order of elements becomes a reshape by way of a tensor without
/// dimensions of one element.
struct ReshapeCopiesPass : public forge::impl::ReshapeCopiesPassBase<ReshapeCopiesPass> {
  void runOnOperation() override {
    if (forge::isKernel(getOperation()))
      return;
    SmallVector<linalg::GenericOp> copies;
    getOperation().walk([&](linalg::GenericOp op) {
      if (keepsOrder(op))
        copies.push_back(op);
    });
    for (linalg::GenericOp op : copies) {
      OpBuilder b(op);
      op->getResult(0).replaceAllUsesWith(reshape(b, op));
      op.erase();
    }
  }
};
} // namespace
