// One element of what an elementwise operation computes, computed where it is wanted.
#include "forge/Codegen/Fusion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace forge {

Value elementAt(linalg::GenericOp producer, unsigned result, ArrayRef<Value> loops, Location loc,
                RewriterBase &rewriter) {
  IRMapping mapping;
  for (OpOperand *input : producer.getDpsInputOperands()) {
    BlockArgument argument = producer.getMatchingBlockArgument(input);
    if (argument.use_empty())
      continue;
    Value value = input->get();
    if (isa<RankedTensorType>(value.getType())) {
      SmallVector<Value> place;
      for (AffineExpr expr : producer.getMatchingIndexingMap(input).getResults())
        place.push_back(loops[cast<AffineDimExpr>(expr).getPosition()]);
      value = tensor::ExtractOp::create(rewriter, loc, value, place);
    }
    mapping.map(argument, value);
  }
  for (Operation &op : producer.getBody()->without_terminator()) {
    if (auto index = dyn_cast<linalg::IndexOp>(op))
      mapping.map(index.getResult(), loops[index.getDim()]);
    else
      rewriter.clone(op, mapping);
  }
  return mapping.lookupOrDefault(producer.getBody()->getTerminator()->getOperand(result));
}

namespace {

/// True if an element of `producer` can be computed by itself: from elements of its inputs.
bool isElementwise(linalg::GenericOp producer) {
  auto plain = [](AffineMap map) { return map.isProjectedPermutation(); };
  Block &body = *producer.getBody();
  return producer.hasPureTensorSemantics() && producer.getNumReductionLoops() == 0 &&
         llvm::all_of(producer.getIndexingMapsArray(), plain) &&
         llvm::all_of(producer.getRegionOutputArgs(),
                      [](BlockArgument argument) { return argument.use_empty(); }) &&
         llvm::all_of(body.without_terminator(), [](Operation &op) {
           return op.getNumRegions() == 0 && isMemoryEffectFree(&op);
         });
}

/// Times that an element may be computed which nothing else reads.
constexpr int64_t kMaxRepeats = 4;

/// True for a body of an operation, a step of a running reduction, or its rest, or a step that the
/// threads of a block share. What the host reads, it reads once.
bool isReader(Operation *op) {
  if (isa<linalg::LinalgOp>(op) || op->hasAttr(kScanAttr) || op->hasAttr(kSharedAttr))
    return true;
  auto loop = dyn_cast<scf::ForOp>(op);
  return loop && llvm::any_of(loop.getOps<scf::ForOp>(),
                              [](scf::ForOp line) { return line->hasAttr(kScanAttr); });
}

/// How often the body of `reader` is computed; none if that is not known.
std::optional<int64_t> stepsOf(Operation *reader) {
  SmallVector<int64_t> ranges;
  if (auto op = dyn_cast<linalg::LinalgOp>(reader))
    ranges = op.getStaticLoopRanges();
  else
    for (auto loop = dyn_cast<scf::ForOp>(reader); loop;
         loop = loop->getParentOfType<scf::ForOp>()) {
      std::optional<APInt> count = loop.getStaticTripCount();
      ranges.push_back(count ? count->getSExtValue() : ShapedType::kDynamic);
    }
  int64_t steps = 1;
  for (int64_t range : ranges)
    if (ShapedType::isDynamic(range) || llvm::MulOverflow(steps, range, steps))
      return std::nullopt;
  return steps;
}

/// True if `user` reads each element of `result` once, as an operand of an operation that fusion
/// can compute it in.
bool readsWhole(Operation *user, Value result) {
  auto op = dyn_cast<linalg::GenericOp>(user);
  return op && op.hasPureTensorSemantics() && !linalg::isaContractionOpInterface(op) &&
         !linalg::isaConvolutionOpInterface(op) &&
         llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
           return operand.get() != result ||
                  (op.isDpsInput(&operand) && op.getMatchingIndexingMap(&operand).isPermutation());
         });
}

/// True if computing `result` where it is read makes little more work, and nothing of it is in
/// memory then: bodies alone read it, or bodies and one operation that reads the whole.
/// 1. One body, or the bodies of one line, in few more steps than it has elements; twice as many
/// where
///    an operation's body looks several elements up.
/// 2. Several, in no more steps than it has elements: some rows of a softmax that a gather picks.
/// 3. Besides an operation that reads the whole, in at most half as many.
bool isReadAboutOnce(linalg::GenericOp producer, OpResult result, Operation *reader) {
  auto type = cast<RankedTensorType>(result.getType());
  if (!type.hasStaticShape() || producer->getNumResults() != 1)
    return false;
  Operation *line = reader->hasAttr(kScanAttr) ? reader->getParentOp() : reader;
  Operation *whole = nullptr;
  bool isOneReader = true;
  int64_t steps = 0, most;
  for (Operation *user : producer->getUsers()) {
    if (readsWhole(user, result) && (!whole || whole == user)) {
      whole = user;
      continue;
    }
    Operation *parent = user->getParentOp();
    if (!isa<tensor::ExtractOp>(user) || !isReader(parent))
      return false;
    isOneReader &= parent == line || parent->getParentOp() == line;
    std::optional<int64_t> more = stepsOf(parent);
    if (!more || llvm::AddOverflow(steps, *more, steps))
      return false;
  }
  if (whole)
    return steps <= type.getNumElements() / 2;
  if (!isOneReader)
    return steps <= type.getNumElements();
  if (isa<linalg::LinalgOp>(reader) && !producer->hasOneUse())
    return steps / 2 <= type.getNumElements();
  return llvm::MulOverflow(type.getNumElements(), kMaxRepeats, most) || steps <= most;
}

/// tensor.extract of a slice: of what the slice is of.
struct ExtractOfSlice : OpRewritePattern<tensor::ExtractOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExtractOp extract,
                                PatternRewriter &rewriter) const override {
    auto slice = extract.getTensor().getDefiningOp<tensor::ExtractSliceOp>();
    if (!slice || !isReader(extract->getParentOp()))
      return rewriter.notifyMatchFailure(extract, "expected an element of a slice in a body");
    Location loc = extract.getLoc();
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    auto next = extract.getIndices().begin();
    SmallVector<Value> indices;
    for (auto [dim, offset, stride] :
         llvm::enumerate(slice.getMixedOffsets(), slice.getMixedStrides())) {
      Value index = getValueOrCreateConstantIndexOp(rewriter, loc, offset);
      if (!dropped.test(dim)) {
        Value step = getValueOrCreateConstantIndexOp(rewriter, loc, stride);
        Value moved = rewriter.createOrFold<arith::MulIOp>(loc, *next++, step);
        index = rewriter.createOrFold<arith::AddIOp>(loc, moved, index);
      }
      indices.push_back(index);
    }
    rewriter.replaceOpWithNewOp<tensor::ExtractOp>(extract, slice.getSource(), indices);
    return success();
  }
};

/// tensor.extract of a reshape that splits dimensions: of what is reshaped.
struct ExtractOfExpansion : OpRewritePattern<tensor::ExtractOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExtractOp extract,
                                PatternRewriter &rewriter) const override {
    auto expansion = extract.getTensor().getDefiningOp<tensor::ExpandShapeOp>();
    if (!expansion || !isReader(extract->getParentOp()))
      return rewriter.notifyMatchFailure(extract, "expected an element of a reshape in a body");
    RankedTensorType type = expansion.getResultType();
    if (!type.hasStaticShape())
      return rewriter.notifyMatchFailure(extract, "expected static sizes");
    SmallVector<Value> indices;
    for (const ReassociationIndices &group : expansion.getReassociationIndices()) {
      Value index;
      for (int64_t dim : group) {
        int64_t size = type.getDimSize(dim);
        if (size == 1) // its index is 0
          continue;
        Value here = extract.getIndices()[dim];
        if (index) {
          Value extent = arith::ConstantIndexOp::create(rewriter, extract.getLoc(), size);
          index = arith::MulIOp::create(rewriter, extract.getLoc(), index, extent);
          here = arith::AddIOp::create(rewriter, extract.getLoc(), index, here);
        }
        index = here;
      }
      if (!index)
        index = arith::ConstantIndexOp::create(rewriter, extract.getLoc(), 0);
      indices.push_back(index);
    }
    rewriter.replaceOpWithNewOp<tensor::ExtractOp>(extract, expansion.getSrc(), indices);
    return success();
  }
};

/// tensor.extract, at places that are known along the dimensions that it does not fill, of an
/// insertion: of what was inserted or of what that was inserted into. So the parts of an index
/// vector, which a gather reads one by one, are not put together.
struct ExtractOfInsertion : OpRewritePattern<tensor::ExtractOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExtractOp extract,
                                PatternRewriter &rewriter) const override {
    auto insertion = extract.getTensor().getDefiningOp<tensor::InsertSliceOp>();
    if (!insertion || !isReader(extract->getParentOp()))
      return rewriter.notifyMatchFailure(extract, "expected an element of an insertion in a body");
    ArrayRef<int64_t> offsets = insertion.getStaticOffsets(), sizes = insertion.getStaticSizes();
    if (!insertion.hasUnitStride() || ShapedType::isDynamicShape(offsets) ||
        ShapedType::isDynamicShape(sizes) || !insertion.getType().hasStaticShape())
      return rewriter.notifyMatchFailure(extract, "expected known places");
    // What computes the part may be repeated where it is read.
    std::optional<int64_t> steps = stepsOf(extract->getParentOp());
    if (!steps || *steps / kMaxRepeats > insertion.getSourceType().getNumElements())
      return rewriter.notifyMatchFailure(extract, "expected elements that are read about once");
    llvm::SmallBitVector dropped = insertion.getDroppedDims();
    SmallVector<Value> indices;
    for (auto [dim, index] : llvm::enumerate(extract.getIndices())) {
      if (sizes[dim] != insertion.getType().getDimSize(dim)) {
        std::optional<int64_t> at = getConstantIntValue(index);
        if (!at)
          return rewriter.notifyMatchFailure(extract, "expected a known place in the insertion");
        if (*at < offsets[dim] || *at >= offsets[dim] + sizes[dim]) {
          rewriter.replaceOpWithNewOp<tensor::ExtractOp>(extract, insertion.getDest(),
                                                         extract.getIndices());
          return success();
        }
        index = arith::ConstantIndexOp::create(rewriter, extract.getLoc(), *at - offsets[dim]);
      }
      if (!dropped.test(dim))
        indices.push_back(index);
    }
    rewriter.replaceOpWithNewOp<tensor::ExtractOp>(extract, insertion.getSource(), indices);
    return success();
  }
};

/// tensor.extract, in the body of an operation, of a result of a cheap elementwise linalg.generic:
/// the body of that on elements that are
/// extracted from its inputs. Nothing then needs the whole result (the logit of the target, under
/// the conversion of all logits).
struct ExtractOfElementwise : OpRewritePattern<tensor::ExtractOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExtractOp extract,
                                PatternRewriter &rewriter) const override {
    auto result = dyn_cast<OpResult>(extract.getTensor());
    auto producer = result ? dyn_cast<linalg::GenericOp>(result.getOwner()) : linalg::GenericOp();
    if (!producer || !isElementwise(producer))
      return rewriter.notifyMatchFailure(extract, "expected an elementwise producer");
    Operation *reader = extract->getParentOp();
    if (!isReader(reader))
      return rewriter.notifyMatchFailure(extract, "expected a body of an operation");
    if (!isCheapToRepeat(producer) &&
        (!isReadAboutOnce(producer, result, reader) || narrowsSums(producer)))
      return rewriter.notifyMatchFailure(extract, "expected a producer that is cheap to repeat");
    Operation *consumer = producer->getBlock()->findAncestorOpInBlock(*extract);
    if (!consumer || wouldReadOverwritten(producer, consumer))
      return rewriter.notifyMatchFailure(extract, "an input is overwritten in between");
    AffineMap written =
        producer.getMatchingIndexingMap(producer.getDpsInitOperand(result.getResultNumber()));
    if (!written.isPermutation())
      return rewriter.notifyMatchFailure(extract, "expected a result with all loops");
    SmallVector<Value> loops(producer.getNumLoops());
    for (auto [expr, index] : llvm::zip_equal(written.getResults(), extract.getIndices()))
      loops[cast<AffineDimExpr>(expr).getPosition()] = index;
    rewriter.replaceOp(
        extract, elementAt(producer, result.getResultNumber(), loops, extract.getLoc(), rewriter));
    return success();
  }
};

} // namespace

void populateExtractOfElementwisePatterns(RewritePatternSet &patterns) {
  patterns.add<ExtractOfElementwise, ExtractOfExpansion, ExtractOfInsertion, ExtractOfSlice>(
      patterns.getContext());
}

} // namespace forge
