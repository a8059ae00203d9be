// Elementwise fusion on tensors.
#include "forge/Codegen/Fusion.h"
#include "forge/Codegen/Passes.h"
#include "forge/Codegen/Schedule.h"
#include "forge/Kernels/Kernel.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace forge {
#define GEN_PASS_DEF_FUSEELEMENTWISEPASS
#include "forge/Codegen/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-fuse-elementwise"

using namespace mlir;

namespace forge {
namespace {

/// Named operations that compute element by element, or only move data, become linalg.generic;
/// contractions, convolutions and fills keep their names.
struct GeneralizeElementwise : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op, PatternRewriter &rewriter) const override {
    if (isa<linalg::GenericOp, linalg::FillOp>(op.getOperation()))
      return rewriter.notifyMatchFailure(op, "already in the form wanted");
    if (linalg::isaContractionOpInterface(op) || linalg::isaConvolutionOpInterface(op))
      return rewriter.notifyMatchFailure(op, "has a kernel of its own");
    return linalg::generalizeNamedOp(rewriter, op);
  }
};

/// A loop that is known to run no time leaves the outputs as they were. Tiles of it have no size,
/// and slices of dimensions of size 0 do not verify.
struct DropEmptyLoop : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op, PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || !llvm::is_contained(op.getStaticLoopRanges(), 0))
      return rewriter.notifyMatchFailure(op, "may have something to compute");
    rewriter.replaceOp(op, op.getDpsInits());
    return success();
  }
};

/// The loops that neither an input nor an output in `kept` has by itself; none if their sizes are
/// not known.
std::optional<SmallVector<unsigned>> loopsOfNoOther(linalg::GenericOp op, ArrayRef<unsigned> kept) {
  llvm::SmallBitVector known(op.getNumLoops());
  auto add = [&](OpOperand *operand) {
    for (AffineExpr expr : op.getMatchingIndexingMap(operand).getResults())
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        known.set(dim.getPosition());
  };
  for (OpOperand *input : op.getDpsInputOperands())
    add(input);
  for (unsigned number : kept)
    add(op.getDpsInitOperand(number));
  SmallVector<unsigned> loops;
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
    if (!known.test(loop)) {
      if (ShapedType::isDynamic(op.getStaticLoopRanges()[loop]))
        return std::nullopt;
      loops.push_back(loop);
    }
  return loops;
}

/// A result that nothing uses, and that fusion has left because only it says how far a loop runs,
/// becomes an input that nothing reads: what is left writes what it computes and reduces over loops
/// that no output has.
struct ReadSizesFromInput : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op, PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || op->getNumResults() < 2)
      return rewriter.notifyMatchFailure(op, "expected several results");
    SmallVector<unsigned> kept, unused;
    for (auto [number, result] : llvm::enumerate(op->getResults())) {
      bool isUnused =
          result.use_empty() && !op.payloadUsesValueFromOperand(op.getDpsInitOperand(number));
      (isUnused ? unused : kept).push_back(number);
    }
    if (unused.empty() || kept.empty())
      return rewriter.notifyMatchFailure(op, "expected an unused and a used result");
    unsigned numInputs = op.getNumDpsInputs();
    SmallVector<AffineMap> maps = op.getIndexingMapsArray(), newMaps(maps);
    newMaps.truncate(numInputs);
    SmallVector<Value> inputs = op.getDpsInputs(), outputs;
    // Sizes that are known are those of a small empty tensor of the loops that nothing else has.
    std::optional<SmallVector<unsigned>> missing = loopsOfNoOther(op, kept);
    if (missing) {
      SmallVector<AffineExpr> exprs;
      SmallVector<int64_t> shape;
      for (unsigned loop : *missing) {
        exprs.push_back(rewriter.getAffineDimExpr(loop));
        shape.push_back(op.getStaticLoopRanges()[loop]);
      }
      inputs.push_back(tensor::EmptyOp::create(
          rewriter, op.getLoc(), shape, getElementTypeOrSelf(op.getDpsInits()[unused.front()])));
      newMaps.push_back(AffineMap::get(op.getNumLoops(), 0, exprs, rewriter.getContext()));
    }
    for (unsigned number : unused) {
      if (missing)
        break;
      inputs.push_back(op.getDpsInits()[number]);
      newMaps.push_back(maps[numInputs + number]);
    }
    for (unsigned number : kept) {
      outputs.push_back(op.getDpsInits()[number]);
      newMaps.push_back(maps[numInputs + number]);
    }
    auto fewer = linalg::GenericOp::create(rewriter, op.getLoc(), TypeRange(ValueRange(outputs)),
                                           inputs, outputs, newMaps, op.getIteratorTypesArray());
    fewer->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    Block *from = op.getBody();
    SmallVector<Type> types = llvm::map_to_vector(
        fewer->getOperands(), [](Value value) { return getElementTypeOrSelf(value); });
    SmallVector<Location> locations(types.size(), op.getLoc());
    Block *to = rewriter.createBlock(&fewer.getRegion(), {}, types, locations);
    SmallVector<Value> arguments(to->args_begin(), to->args_begin() + numInputs);
    arguments.resize(from->getNumArguments());
    // What is not read has the argument of the sizes.
    unsigned firstOutput = fewer.getNumDpsInputs();
    for (auto [place, number] : llvm::enumerate(unused))
      arguments[numInputs + number] = to->getArgument(numInputs + (missing ? 0 : place));
    for (auto [place, number] : llvm::enumerate(kept))
      arguments[numInputs + number] = to->getArgument(firstOutput + place);
    rewriter.mergeBlocks(from, to, arguments);
    Operation *yield = to->getTerminator();
    rewriter.modifyOpInPlace(yield, [&] {
      for (unsigned number : llvm::reverse(unused))
        yield->eraseOperand(number);
    });
    SmallVector<Value> results(op->getNumResults());
    for (auto [number, result] : llvm::zip_equal(kept, fewer->getResults()))
      results[number] = result;
    for (unsigned number : unused)
      results[number] = op.getDpsInits()[number];
    rewriter.replaceOp(op, results);
    return success();
  }
};

/// Whether dimension `dim` is one of several that a reshape makes of one, or one of.
bool isGrouped(ArrayRef<ReassociationIndices> groups, int64_t dim) {
  return llvm::any_of(groups, [&](const ReassociationIndices &group) {
    return group.size() > 1 && llvm::is_contained(group, dim);
  });
}

/// Whether only reshapes add dimension `dim` of an operand, and take it away from its result.
bool isReshapedDim(OpOperand &operand, int64_t dim) {
  auto op = cast<linalg::GenericOp>(operand.getOwner());
  if (op.isDpsInput(&operand)) {
    auto expand = operand.get().getDefiningOp<tensor::ExpandShapeOp>();
    return expand && isGrouped(expand.getReassociationIndices(), dim);
  }
  return llvm::all_of(op.getTiedOpResult(&operand).getUsers(), [&](Operation *user) {
    auto collapse = dyn_cast<tensor::CollapseShapeOp>(user);
    return collapse && isGrouped(collapse.getReassociationIndices(), dim);
  });
}

/// The loops of a contraction that reshapes alone are for. Others of one time stay: strategies know
/// products of one row.
SmallVector<unsigned> reshapedLoops(linalg::GenericOp op) {
  SmallVector<unsigned> loops;
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop) {
    if (ranges[loop] != 1)
      continue;
    AffineExpr dim = getAffineDimExpr(loop, op.getContext());
    bool isReshaped = llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
      std::optional<unsigned> at = op.getMatchingIndexingMap(&operand).getResultPosition(dim);
      return !at || isReshapedDim(operand, *at);
    });
    if (isReshaped)
      loops.push_back(loop);
  }
  return loops;
}

SmallVector<unsigned> unitDimsToDrop(Operation *op) {
  auto generic = dyn_cast_or_null<linalg::GenericOp>(op);
  if (!generic || generic->hasAttr(kScheduleAttr) || linalg::isaConvolutionOpInterface(generic))
    return {};
  if (linalg::isaContractionOpInterface(generic))
    return reshapedLoops(generic);
  // A window (d0 * 2 + d1) may leave the end of its operand unread; without d0 it would have to
  // read all of it.
  if (!llvm::all_of(generic.getIndexingMapsArray(), [](AffineMap map) {
        return map.isProjectedPermutation(/*allowZeroInResults=*/true);
      }))
    return {};
  return llvm::to_vector(llvm::seq<unsigned>(0, generic.getNumLoops()));
}

/// A schedule in the file goes with its operation where that is replaced by one with the same
/// loops: the general form of it, or one without operands that are constants.
struct KeepSchedules : RewriterBase::Listener {
  void notifyOperationReplaced(Operation *op, ValueRange replacement) override {
    Attribute schedule = op->getDiscardableAttr(kScheduleAttr);
    auto before = dyn_cast<linalg::LinalgOp>(op);
    auto after = schedule && !replacement.empty()
                     ? replacement.front().getDefiningOp<linalg::LinalgOp>()
                     : linalg::LinalgOp();
    if (before && after && before.getNumLoops() == after.getNumLoops())
      after->setDiscardableAttr(kScheduleAttr, schedule);
  }
};

/// 1. Drop unit dimensions: they hide equal iteration spaces, and reshapes that only add them stand
///    between operations.
/// 2. Give every elementwise operation the general form; fuse producers into consumers, moving
///    reshapes out of the way, to a fixed point.
/// 3. Merge equal operations, then siblings over the same tensors; their results may fuse again.
/// 4. What a stack of channels computes for each of them is computed once, at the channel.
struct FuseElementwise : impl::FuseElementwisePassBase<FuseElementwise> {
  LogicalResult fuse() {
    RewritePatternSet patterns(&getContext());
    populateFuseElementwisePatterns(patterns);
    KeepSchedules listener;
    return applyPatternsGreedily(
        getOperation(), std::move(patterns),
        GreedyRewriteConfig().setUseTopDownTraversal(true).setListener(&listener));
  }

  LogicalResult dropUnitDims() {
    linalg::ControlDropUnitDims options;
    options.controlFn = unitDimsToDrop;
    RewritePatternSet patterns(&getContext());
    linalg::populateFoldUnitExtentDimsPatterns(patterns, options);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
    // A reduction over a dimension of one element is elementwise now, and still adds to its init.
    // It must read it as an input: fused into a larger iteration space it would add to it again and
    // again.
    RewritePatternSet cleanup(&getContext());
    linalg::populateMoveInitOperandsToInputPattern(cleanup);
    linalg::populateFoldUnitExtentDimsCanonicalizationPatterns(cleanup, options);
    return applyPatternsGreedily(getOperation(), std::move(cleanup));
  }

  bool hasReshapedLoops() {
    return getOperation()
        ->walk([](linalg::GenericOp op) {
          return linalg::isaContractionOpInterface(op) && !unitDimsToDrop(op).empty()
                     ? WalkResult::interrupt()
                     : WalkResult::advance();
        })
        .wasInterrupted();
  }

  bool hasLongBody() {
    constexpr size_t kLong = 128;
    return getOperation()
        ->walk([](linalg::GenericOp op) {
          return op.getBody()->getOperations().size() > kLong ? WalkResult::interrupt()
                                                              : WalkResult::advance();
        })
        .wasInterrupted();
  }

  void mergeEqualOperations() {
    IRRewriter rewriter(&getContext());
    DominanceInfo dominance(getOperation());
    eliminateCommonSubExpressions(rewriter, dominance, getOperation());
  }

  void runOnOperation() override {
    if (auto function = dyn_cast<func::FuncOp>(getOperation()); function && isKernel(function))
      return;
    mergeEqualOperations();
    // What fusion has moved together may have unit dimensions in common, and reshapes that it has
    // moved to contractions may be what a loop of them is for.
    constexpr int mostRounds = 4;
    for (int round = 0; round < 2 || (round < mostRounds && hasReshapedLoops()); ++round)
      if (failed(dropUnitDims()) || failed(fuse()))
        return signalPassFailure();
    // A long body that computes the same again and again, as a hash of several corners does,
    // becomes one that has room for more.
    bool mayBeShorter = hasLongBody();
    mergeEqualOperations();
    if (mayBeShorter && failed(fuse()))
      return signalPassFailure();
    if (fuseGeneratedFactors(getOperation()) && failed(fuse()))
      return signalPassFailure();
    if (fuseSiblings(getOperation()) && failed(fuse()))
      return signalPassFailure();
    mergeScalarCalls(getOperation());
    mergeEqualOperations();
    if (mayBeShorter) {
      if (failed(fuse()))
        return signalPassFailure();
      mergeEqualOperations();
    }
    if (selectPlaces(getOperation()))
      mergeEqualOperations();
  }
};

} // namespace

void populateFuseElementwisePatterns(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<DropEmptyLoop, GeneralizeElementwise, ReadSizesFromInput>(context);
  populateExtractOfElementwisePatterns(patterns);
  populateSlicesOfReshapesPatterns(patterns);
  populateSmallPowersPatterns(patterns);
  linalg::populateElementwiseOpsFusionPatterns(patterns, shouldFuseProducer);
  linalg::populateFoldReshapeOpsByExpansionPatterns(patterns, shouldFuseProducer);
  linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
  linalg::populateInlineConstantOperandsPatterns(patterns);
  tensor::populateBubbleUpExpandShapePatterns(patterns);
  affine::AffineApplyOp::getCanonicalizationPatterns(patterns, context);
  linalg::GenericOp::getCanonicalizationPatterns(patterns, context);
  tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, context);
  tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns, context);
  tensor::DimOp::getCanonicalizationPatterns(patterns, context);
  context->getLoadedDialect<linalg::LinalgDialect>()->getCanonicalizationPatterns(patterns);
}

} // namespace forge
