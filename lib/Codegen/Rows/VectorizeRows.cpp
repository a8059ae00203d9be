// Vector loops for linalg operations on buffers.
#include "RowVectorizer.h"

#include "forge/Codegen/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace forge {
#define GEN_PASS_DEF_VECTORIZEROWSPASS
#include "forge/Codegen/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-vectorize-rows"

using namespace mlir;

namespace forge {
namespace {

/// Neighbouring loops that every operand walks as one (or not at all), and that lie without gaps in
/// memory.
SmallVector<ReassociationIndices> collapsibleLoops(linalg::GenericOp op) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  auto types = op.getIteratorTypesArray();
  auto isOneWalk = [&](int64_t first, int64_t second) {
    if (types[first] != types[second])
      return false;
    return llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
      AffineMap map = op.getMatchingIndexingMap(&operand);
      auto a = map.getResultPosition(getAffineDimExpr(first, op.getContext()));
      auto b = map.getResultPosition(getAffineDimExpr(second, op.getContext()));
      if (!a || !b)
        return !a && !b;
      auto type = cast<MemRefType>(operand.get().getType());
      SmallVector<ReassociationIndices> groups;
      for (unsigned i = 0; i < map.getNumResults(); ++i)
        if (i == *b && *b == *a + 1)
          groups.back().push_back(i);
        else
          groups.push_back({static_cast<int64_t>(i)});
      return *b == *a + 1 && memref::CollapseShapeOp::isGuaranteedCollapsible(type, groups);
    });
  };
  SmallVector<ReassociationIndices> groups;
  for (int64_t loop = 0; loop < static_cast<int64_t>(op.getNumLoops()); ++loop)
    if (loop > 0 && isOneWalk(loop - 1, loop))
      groups.back().push_back(loop);
    else
      groups.push_back({loop});
  llvm::erase_if(groups, [](const ReassociationIndices &group) { return group.size() < 2; });
  return groups;
}

void expandAffineOps(RewriterBase &rewriter, linalg::GenericOp op) {
  for (auto apply : llvm::make_early_inc_range(op.getBody()->getOps<affine::AffineApplyOp>())) {
    rewriter.setInsertionPoint(apply);
    auto values = affine::expandAffineMap(rewriter, apply.getLoc(), apply.getAffineMap(),
                                          llvm::to_vector(apply.getOperands()));
    if (values)
      rewriter.replaceOp(apply, *values);
  }
}

/// 1. Give fills and other named operations on buffers the general form.
/// 2. Make one loop of neighbouring loops where memory allows, so that the vector loop is long.
/// 3. Choose the vector loop; leave the operation alone where there is none.
/// 4. Emit: outer loops, the vector loop, a masked rest; reductions in vector accumulators.
struct VectorizeRows : impl::VectorizeRowsPassBase<VectorizeRows> {
  using VectorizeRowsPassBase::VectorizeRowsPassBase;

  linalg::GenericOp collapse(RewriterBase &rewriter, linalg::GenericOp op) {
    // The indices of loops seen by the body would have to be recomputed by division.
    // Windows (d0 + d1) and constants do not collapse.
    if (op.hasIndexSemantics() ||
        !llvm::all_of(op->getOperandTypes(), llvm::IsaPred<MemRefType>) ||
        !llvm::all_of(op.getIndexingMapsArray(),
                      [](AffineMap map) { return map.isProjectedPermutation(); }))
      return op;
    SmallVector<ReassociationIndices> groups = collapsibleLoops(op);
    if (groups.empty())
      return op;
    rewriter.setInsertionPoint(op);
    auto collapsed = linalg::collapseOpIterationDims(cast<linalg::LinalgOp>(op.getOperation()),
                                                     groups, rewriter);
    if (failed(collapsed))
      return op;
    rewriter.eraseOp(op);
    return cast<linalg::GenericOp>(collapsed->collapsedOp.getOperation());
  }

  void vectorize(RewriterBase &rewriter, linalg::LinalgOp op) {
    if (!op.hasPureBufferSemantics() || linalg::isaContractionOpInterface(op) ||
        linalg::isaConvolutionOpInterface(op))
      return;
    auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
    if (!generic) {
      rewriter.setInsertionPoint(op);
      FailureOr<linalg::GenericOp> general = linalg::generalizeNamedOp(rewriter, op);
      if (failed(general))
        return;
      generic = *general;
    }
    expandAffineOps(rewriter, generic);
    generic = collapse(rewriter, generic);
    auto plan = planVectorCode(generic, vectorBytes);
    if (auto *chosen = std::get_if<VectorPlan>(&plan))
      emitVectorCode(rewriter, generic, *chosen);
  }

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<linalg::LinalgOp> ops;
    getOperation()->walk([&](linalg::LinalgOp op) { ops.push_back(op); });
    for (linalg::LinalgOp op : ops)
      vectorize(rewriter, op);
  }
};

} // namespace
} // namespace forge
