// Elements that loops put to their places, computed there.
#include "PlacedElements.h"

#include "forge/Codegen/Passes.h"
#include "forge/Kernels/Kernel.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace forge {
#define GEN_PASS_DEF_PLACEELEMENTSPASS
#include "forge/Codegen/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-place-elements"

using namespace mlir;
using namespace forge;

/// Whether the steps of `root`, a nest of loops, only put elements of other tensors to places.
static bool onlyPlaces(scf::ForOp root) {
  if (!forge::isKernelRoot(root))
    return false;
  return !root->walk([&](Operation *op) {
                bool isFine = true;
                if (auto loop = dyn_cast<scf::ForOp>(op))
                  isFine = llvm::all_of(loop.getResultTypes(), llvm::IsaPred<RankedTensorType>);
                else if (auto extract = dyn_cast<tensor::ExtractOp>(op))
                  isFine = extract.use_empty() || root.isDefinedOutsideOfLoop(extract.getTensor());
                else
                  isFine = !isa<scf::WhileOp>(op);
                return isFine ? WalkResult::advance() : WalkResult::interrupt();
              })
              .wasInterrupted();
}

/// Whether `extract` reads no element twice in the steps of `root`: all loops around it count one
/// of its indices.
static bool readsOnce(tensor::ExtractOp extract, scf::ForOp root) {
  for (Operation *op = extract->getParentOp();; op = op->getParentOp()) {
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      if (!llvm::is_contained(extract.getIndices(), loop.getInductionVar()))
        return false;
    } else if (!isa<scf::IfOp>(op)) {
      return false;
    }
    if (op == root)
      return true;
  }
}

/// Whether `tensor` is a part of another one, perhaps in another shape: where that is not all in
/// one place, it would be copied.
static bool isSlice(Value tensor) {
  for (Operation *view = tensor.getDefiningOp(); view && isElementView(view);
       view = view->getOperand(0).getDefiningOp())
    if (isa<tensor::ExtractSliceOp>(view))
      return true;
  return false;
}

/// Computes in `root` what it places, where it can; parts of other tensors it reads where they are.
static void computeInside(scf::ForOp root) {
  if (!onlyPlaces(root))
    return;
  SmallVector<tensor::ExtractOp> extracts;
  root->walk([&](tensor::ExtractOp extract) { extracts.push_back(extract); });
  for (tensor::ExtractOp extract : extracts) {
    std::optional<PlacedElements> elements = PlacedElements::of(extract.getTensor());
    if (!elements || !readsOnce(extract, root) || !elements->canMoveTo(root, root.getInitArgs())) {
      if (isSlice(extract.getTensor()))
        readThroughViews(extract);
      continue;
    }
    OpBuilder builder(extract);
    SmallVector<Value> indices(extract.getIndices());
    Value element = elements->at(builder, extract.getLoc(), indices);
    extract.replaceAllUsesWith(element);
    extract.erase();
    elements->eraseUnused();
  }
}

/// Replaces the insertion of computed elements by loops that put each to its place.
static void placeByElement(tensor::InsertSliceOp insert) {
  std::optional<PlacedElements> elements = PlacedElements::of(insert.getSource());
  if (!elements || !elements->canMoveTo(insert, insert.getDest()))
    return;
  OpBuilder builder(insert);
  scf::ForOp nest = elements->place(builder, insert.getLoc(), insert.getDest(),
                                    {insert.getMixedOffsets(), insert.getMixedSizes(),
                                     insert.getMixedStrides(), insert.getDroppedDims()});
  if (!nest)
    return;
  insert.replaceAllUsesWith(nest.getResult(0));
  insert.erase();
  elements->eraseUnused();
}

/// The most elements that are computed one by one in the place of a copy.
static constexpr int64_t kMostElements = int64_t(1) << 14;

/// Whether `op` reads a part of a tensor in another shape, which would be a copy.
static bool readsReshapedSlice(linalg::GenericOp op) {
  return llvm::any_of(op.getDpsInputs(), [](Value input) {
    Operation *view = input.getDefiningOp();
    return view && isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(view) && isSlice(input);
  });
}

/// Computes few elements of parts of tensors one by one, from where those are.
static void computeFromParts(linalg::GenericOp op) {
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type || !type.hasStaticShape() || type.getNumElements() > kMostElements ||
      !readsReshapedSlice(op))
    return;
  scf::ForOp loops = asLoops(op);
  if (!loops)
    return;
  SmallVector<tensor::ExtractOp> extracts;
  loops->walk([&](tensor::ExtractOp extract) { extracts.push_back(extract); });
  llvm::for_each(extracts, readThroughViews);
  op->replaceAllUsesWith(loops->getResults());
  op->erase();
}

/// Times that an element may be computed which a body looks up.
static constexpr int64_t kMostRepeats = 2;

/// Computes in the body of `op`, which is in no cluster, the elements that it looks up of what
/// another operation computes for it alone, if it looks up few more than there are: a padded image.
static void computeLookUps(linalg::GenericOp op) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  if (!op.hasPureTensorSemantics() || op->hasAttr(kClusterAttr) || op->hasAttr(kScheduleAttr) ||
      op.getNumReductionLoops() != 0 || llvm::any_of(ranges, ShapedType::isDynamic))
    return;
  int64_t steps = 1;
  for (int64_t range : ranges)
    steps = llvm::SaturatingMultiply<uint64_t>(steps, range);
  for (auto extract : llvm::make_early_inc_range(op.getBody()->getOps<tensor::ExtractOp>())) {
    std::optional<PlacedElements> elements = PlacedElements::of(extract.getTensor());
    RankedTensorType type = extract.getTensor().getType();
    if (!elements || !type.hasStaticShape() || steps / kMostRepeats > type.getNumElements() ||
        !elements->canMoveTo(op, op.getDpsInits()))
      continue;
    OpBuilder builder(extract);
    SmallVector<Value> indices(extract.getIndices());
    extract.replaceAllUsesWith(elements->at(builder, extract.getLoc(), indices));
    extract.erase();
    elements->eraseUnused();
  }
}

namespace {
/// 1. Insertions of what an elementwise operation computes for nothing else become loops over its
///    elements.
/// 2. Loops that put elements of other tensors to places compute those elements there, where an
///    elementwise operation does it for nothing else, and they read each of them once. Parts of
///    tensors, as keys are of the product with all of queries, keys and values, are not copied.
/// 3. So do elementwise operations with what they look up: images are padded as they are computed.
struct PlaceElementsPass : public forge::impl::PlaceElementsPassBase<PlaceElementsPass> {
  void runOnOperation() override {
    if (forge::isKernel(getOperation()))
      return;
    SmallVector<tensor::InsertSliceOp> insertions;
    SmallVector<scf::ForOp> loops;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
        insertions.push_back(insert);
      if (!forge::isKernelRoot(op))
        return WalkResult::advance();
      if (auto loop = dyn_cast<scf::ForOp>(op))
        loops.push_back(loop);
      return WalkResult::skip();
    });
    for (tensor::InsertSliceOp insert : insertions)
      placeByElement(insert);
    for (scf::ForOp loop : loops)
      computeInside(loop);
    SmallVector<linalg::GenericOp> operations;
    getOperation().walk([&](linalg::GenericOp op) {
      if (op->getNumResults() == 1)
        operations.push_back(op);
    });
    llvm::for_each(operations, computeLookUps);
    operations.clear();
    getOperation().walk([&](linalg::GenericOp op) {
      if (op->getNumResults() == 1)
        operations.push_back(op);
    });
    llvm::for_each(operations, computeFromParts);
  }
};
} // namespace
