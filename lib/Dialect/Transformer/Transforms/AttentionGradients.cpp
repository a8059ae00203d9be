// Gradients of attention, rotary positions and the cache.
#include "GradientBuilders.h"
#include "ScoreSlope.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace forge::transformer {

/// Where the score region reads an element of a tensor that depends on a chosen argument. Fails
/// where such a tensor is read in another way.
static FailureOr<SmallVector<tensor::ExtractOp>> scoreReads(AttentionOp op, Cotangents &c) {
  SmallVector<tensor::ExtractOp> reads;
  WalkResult result = op.getScore().walk([&](Operation *inner) {
    auto differentiable = dyn_cast<DifferentiableOpInterface>(inner);
    bool isConstant = differentiable && differentiable.isLocallyConstant(); // a size
    if (isConstant ||
        llvm::none_of(inner->getOperands(), [&](Value value) { return c.isActive(value); }))
      return WalkResult::advance();
    auto extract = dyn_cast<tensor::ExtractOp>(inner);
    if (extract && isFloatTensor(extract.getTensor().getType())) {
      reads.push_back(extract);
      return WalkResult::advance();
    }
    inner->emitError("'") << inner->getName()
                          << "' in a score region is not differentiable by what it reads from "
                             "outside: expected 'tensor.extract' of a tensor of floats";
    return WalkResult::interrupt();
  });
  if (result.wasInterrupted())
    return failure();
  return reads;
}

static LogicalResult attentionGradients(AttentionOp op, ImplicitLocOpBuilder &b, Cotangents &c) {
  FailureOr<SmallVector<tensor::ExtractOp>> reads = scoreReads(op, c);
  if (failed(reads))
    return failure();
  Value cotangent = c.lookup(op.getResult());
  if (!cotangent)
    cotangent = zerosLike(b, op.getResult());
  Value lse = op.getLse() ? c.lookup(op.getLse()) : Value();
  bool maskHasGrad = op.getMask() && isFloatTensor(op.getMask().getType());
  SmallVector<Type> more;
  if (maskHasGrad)
    more.push_back(op.getMask().getType());
  if (op.getSinks())
    more.push_back(op.getSinks().getType());
  SmallVector<Value> tables;
  for (tensor::ExtractOp read : *reads) {
    tables.push_back(read.getTensor());
    more.push_back(read.getTensor().getType());
  }
  auto grad = AttentionGradOp::create(
      b, op.getQuery().getType(), op.getKey().getType(), op.getValue().getType(), more, cotangent,
      op.getQuery(), op.getKey(), op.getValue(), lse, op.getMask(), op.getLengths(),
      op.getOffsets(), op.getSinks(), tables, op.getScaleAttr(), op.getCausalAttr(),
      op.getWindowAttr(), op.getSoftCapAttr(), op.getAccumulateAttr());
  if (!op.getScore().empty()) {
    IRMapping mapping;
    op.getScore().cloneInto(&grad.getScore(), mapping);
    if (failed(buildSlope(op.getScore(), grad.getSlope(), *reads)))
      return failure();
  }
  c.add(b, op.getQuery(), grad.getQueryGrad());
  c.add(b, op.getKey(), grad.getKeyGrad());
  c.add(b, op.getValue(), grad.getValueGrad());
  if (maskHasGrad)
    c.add(b, op.getMask(), grad.getMaskGrad());
  if (op.getSinks())
    c.add(b, op.getSinks(), grad.getSinksGrad());
  for (auto [table, gradient] : llvm::zip_equal(tables, grad.getTableGrads()))
    c.add(b, table, gradient);
  return success();
}

/// Of every rotated pair of `value`, the first (`second` false) or the second elements,
/// [B, H, S, R / 2].
static Value elementsOfPairs(RopeOp op, ImplicitLocOpBuilder &b, Value value, bool second) {
  int64_t half = op.getNumRotated() / 2, begin = !second ? 0 : op.getInterleaved() ? 1 : half;
  SmallVector<OpFoldResult> offsets(4, b.getIndexAttr(0)), strides(4, b.getIndexAttr(1)),
      sizes = tensor::getMixedSizes(b, b.getLoc(), value);
  offsets[3] = b.getIndexAttr(begin);
  sizes[3] = b.getIndexAttr(half);
  strides[3] = b.getIndexAttr(op.getInterleaved() ? 2 : 1);
  return tensor::ExtractSliceOp::create(b, value, offsets, sizes, strides);
}

/// By the angle of a pair, its first element changes by minus the second, and that by the first:
/// dfrequency[i] = sum over b, h, s, or of a sequence's own over h, s, of p * (d2 * y1 - d1 * y2),
/// where y is the rotation, which is computed again in the type of the frequencies. (A table of
/// frequencies goes with no factor of yarn.)
static Value frequencyGradient(RopeOp op, ImplicitLocOpBuilder &b, Value dy) {
  Type element = typeOf(op.getFrequencies()).getElementType();
  Value input = convertTo(b, op.getInput(), element);
  auto rotation = cast<RopeOp>(b.clone(*op));
  rotation.getInputMutable().assign(input);
  Value y = rotation.getResult();
  y.setType(typeOf(y).clone(element));
  dy = convertTo(b, dy, element);
  auto product = [&](bool second) -> Value {
    return arith::MulFOp::create(b, elementsOfPairs(op, b, dy, second),
                                 elementsOfPairs(op, b, y, !second));
  };
  Value forwards = product(true), backwards = product(false);
  if (op.getInverse())
    std::swap(forwards, backwards);
  Value change = arith::SubFOp::create(b, forwards, backwards);
  RankedTensorType positions = typeOf(op.getPositions());
  Value numbers = arith::SIToFPOp::create(b, positions.clone(element), op.getPositions());
  SmallVector<int64_t> missing =
      positions.getRank() == 1 ? SmallVector<int64_t>{0, 1, 3} : SmallVector<int64_t>{1, 3};
  change = arith::MulFOp::create(b, change, broadcastLike(b, numbers, change, missing));
  return typeOf(op.getFrequencies()).getRank() == 2 ? sumOver(b, change, {1, 2})
                                                    : sumOver(b, change, {0, 1, 2});
}

/// A rotation is undone by that with the negated angle; its transpose keeps the factor of yarn.
static LogicalResult ropeGradients(RopeOp op, ImplicitLocOpBuilder &b, Cotangents &c) {
  Value dy = c.lookup(op.getResult());
  if (op.getFrequencies() && c.isActive(op.getFrequencies()))
    c.add(b, op.getFrequencies(), frequencyGradient(op, b, dy));
  if (!c.isActive(op.getInput()))
    return success();
  auto grad = cast<RopeOp>(b.clone(*op));
  grad.getInputMutable().assign(dy);
  grad.setInverse(!op.getInverse());
  c.add(b, op.getInput(), grad.getResult());
  return success();
}

/// Rows get what is where they were written; the cache gets the rest, with zeros there.
static LogicalResult appendGradients(KvAppendOp op, ImplicitLocOpBuilder &b, Cotangents &c) {
  Value dy = c.lookup(op.getResult());
  if (c.isActive(op.getRows()))
    c.add(b, op.getRows(),
          KvAppendGradOp::create(b, op.getRows().getType(), dy, op.getRows(), op.getPositions(),
                                 op.getBlockTable()));
  if (c.isActive(op.getCache()))
    c.add(b, op.getCache(),
          KvAppendOp::create(b, op.getResult().getType(), zerosLike(b, op.getRows()), dy,
                             op.getPositions(), op.getBlockTable()));
  return success();
}

void attachAttentionModels(MLIRContext *context) {
  attachGradient<AttentionOp, attentionGradients>(context);
  attachGradient<KvAppendOp, appendGradients>(context);
  attachGradient<RopeOp, ropeGradients>(context);
}

} // namespace forge::transformer
