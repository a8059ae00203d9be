#include "forge/Codegen/Passes.h"
#include "forge/Codegen/Schedule.h"
#include "forge/Kernels/Kernel.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace forge {
#define GEN_PASS_DEF_COLLAPSETRANSPOSESPASS
#include "forge/Codegen/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-collapse-transposes"

using namespace mlir;

/// The loop of the innermost dimension of `map`.
static std::optional<unsigned> innermost(AffineMap map) {
  if (map.getNumResults() == 0)
    return std::nullopt;
  return map.getDimPosition(map.getNumResults() - 1);
}

/// Whether `op` is elementwise, of known sizes, each operand a permutation of some of its loops,
/// and reads an operand across the memory of its result.
static bool readsAcross(linalg::GenericOp op) {
  if (!op.hasPureTensorSemantics() || op.getNumReductionLoops() > 0 || op.getNumDpsInits() != 1 ||
      op->hasAttr(forge::kClusterAttr) || op->hasAttr(forge::kScheduleAttr) ||
      op.hasIndexSemantics() || op.hasDynamicShape() ||
      !llvm::all_of(op.getIndexingMapsArray(),
                    [](AffineMap map) { return map.isProjectedPermutation(); }))
    return false;
  AffineMap result = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  std::optional<unsigned> along = innermost(result);
  return result.isPermutation() && along &&
         llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *input) {
           AffineMap map = op.getMatchingIndexingMap(input);
           return map.isFunctionOfDim(*along) && innermost(map) != along;
         });
}

/// Whether nothing is copied for it if operands and result of `op` are collapsed: operands are
/// contiguous, and the result is not computed in a part of another tensor.
static bool isContiguousAround(linalg::GenericOp op) {
  if (op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)) ||
      !op.getDpsInits().front().getDefiningOp<tensor::EmptyOp>())
    return false;
  return llvm::none_of(op.getInputs(),
                       [](Value input) {
                         return input.getDefiningOp<tensor::ExtractSliceOp>() != nullptr;
                       }) &&
         llvm::none_of(op->getUsers(), [](Operation *user) {
           return isa<tensor::InsertSliceOp, tensor::ConcatOp>(user);
         });
}

/// Runs of two loops and more, one behind the other, that each operand has side by side in this
/// order or not at all.
static SmallVector<ReassociationIndices> runsOf(linalg::GenericOp op) {
  auto areSideBySide = [&](unsigned loop) {
    return llvm::all_of(op.getIndexingMapsArray(), [&](AffineMap map) {
      MLIRContext *context = op.getContext();
      std::optional<unsigned> first = map.getResultPosition(getAffineDimExpr(loop, context)),
                              second = map.getResultPosition(getAffineDimExpr(loop + 1, context));
      return first ? second && *second == *first + 1 : !second;
    });
  };
  SmallVector<ReassociationIndices> runs;
  for (unsigned loop = 0; loop + 1 < op.getNumLoops(); ++loop) {
    if (!areSideBySide(loop))
      continue;
    if (runs.empty() || runs.back().back() != loop)
      runs.push_back({loop});
    runs.back().push_back(loop + 1);
  }
  return runs;
}

namespace {
/// 1. Elementwise operations that read an operand across their result's memory, and are in no
///    cluster.
/// 2. Loops that all operands have side by side become one.
struct CollapseTransposesPass
    : public forge::impl::CollapseTransposesPassBase<CollapseTransposesPass> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (forge::isKernel(function))
      return;
    SmallVector<linalg::GenericOp> candidates;
    function.walk([&](linalg::GenericOp op) {
      if (readsAcross(op) && isContiguousAround(op))
        candidates.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (linalg::GenericOp op : candidates) {
      SmallVector<ReassociationIndices> runs = runsOf(op);
      if (runs.empty())
        continue;
      rewriter.setInsertionPoint(op);
      FailureOr<linalg::CollapseResult> collapsed =
          linalg::collapseOpIterationDims(op, runs, rewriter);
      if (succeeded(collapsed))
        rewriter.replaceOp(op, collapsed->results);
    }
  }
};
} // namespace
