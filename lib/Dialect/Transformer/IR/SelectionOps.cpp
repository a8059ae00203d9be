#include "ShapeUtils.h"

#include "forge/Dialect/Transformer/IR/Transformer.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace forge::transformer {

/// argmax_c1, top_k_c1, cross_entropy_c1: there is a last dimension.
static LogicalResult checkHasRows(Operation *op, StringRef name, RankedTensorType type) {
  if (type.getRank() >= 1)
    return success();
  return op->emitOpError("expected rank 1 or more for ") << name << ", but got 0";
}

/// The sizes of `value` but for the last, then `more`.
static SmallVector<OpFoldResult> rowSizes(OpBuilder &builder, Location loc, Value value,
                                          ArrayRef<int64_t> more) {
  SmallVector<OpFoldResult> sizes;
  for (int64_t dim = 0; dim + 1 < cast<RankedTensorType>(value.getType()).getRank(); ++dim)
    sizes.push_back(sizeOf(builder, loc, value, dim));
  for (int64_t size : more)
    sizes.push_back(builder.getIndexAttr(size));
  return sizes;
}

//===----------------------------------------------------------------------===//
// argmax
//===----------------------------------------------------------------------===//

LogicalResult ArgmaxOp::verify() {
  RankedTensorType input = getInput().getType();
  // argmax_c1
  if (failed(checkHasRows(*this, "input", input)))
    return failure();
  // argmax_c2
  return checkShape(*this, "result", getResult().getType(), input.getShape().drop_back());
}

LogicalResult ArgmaxOp::reifyResultShapes(OpBuilder &builder, Shapes &shapes) {
  shapes.push_back(rowSizes(builder, getLoc(), getInput(), {}));
  return success();
}

void ArgmaxOp::build(OpBuilder &builder, OperationState &state, Value input) {
  auto type = cast<RankedTensorType>(input.getType());
  build(builder, state, RankedTensorType::get(type.getShape().drop_back(), builder.getI32Type()),
        input);
}

//===----------------------------------------------------------------------===//
// top_k
//===----------------------------------------------------------------------===//

LogicalResult TopKOp::verify() {
  RankedTensorType input = getInput().getType();
  // top_k_c1
  if (failed(checkHasRows(*this, "input", input)))
    return failure();
  // top_k_c2
  int64_t k = getK(), length = input.getShape().back();
  if (k < 1 || (!ShapedType::isDynamic(length) && k > length)) {
    InFlightDiagnostic error = emitOpError("expected k to be 1 or more");
    if (!ShapedType::isDynamic(length))
      error << " and at most " << length;
    return error << ", but got " << k;
  }
  // top_k_c3
  SmallVector<int64_t> shape(input.getShape());
  shape.back() = k;
  if (failed(checkShape(*this, "values", getValues().getType(), shape)) ||
      failed(checkShape(*this, "indices", getIndices().getType(), shape)))
    return failure();
  // top_k_c4
  return checkElementTypes(*this, {getInput(), getValues()});
}

LogicalResult TopKOp::reifyResultShapes(OpBuilder &builder, Shapes &shapes) {
  shapes.assign(2, rowSizes(builder, getLoc(), getInput(), {static_cast<int64_t>(getK())}));
  return success();
}

void TopKOp::build(OpBuilder &builder, OperationState &state, Value input, int64_t k) {
  auto type = cast<RankedTensorType>(input.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.back() = k;
  build(builder, state, type.clone(shape), RankedTensorType::get(shape, builder.getI32Type()),
        input, builder.getI64IntegerAttr(k));
}

//===----------------------------------------------------------------------===//
// sample
//===----------------------------------------------------------------------===//

LogicalResult SampleOp::verify() {
  RankedTensorType logits = getLogits().getType();
  // sample_c1
  if (logits.getRank() != 2)
    return emitOpError("expected rank 2 for logits, but got ") << logits.getRank();
  if (logits.getDimSize(1) == 0)
    return emitOpError("expected 1 token or more, but got 0");
  // sample_c2, sample_c3
  for (auto [name, vector] : {std::pair<StringRef, Value>("seeds", getSeeds()),
                              {"steps", getSteps()},
                              {"temperature", getTemperature()},
                              {"top_k", getTopK()},
                              {"top_p", getTopP()},
                              {"result", getResult()}})
    if (vector && failed(checkShape(*this, name, cast<RankedTensorType>(vector.getType()),
                                    {logits.getDimSize(0)})))
      return failure();
  return success();
}

LogicalResult SampleOp::reifyResultShapes(OpBuilder &builder, Shapes &shapes) {
  shapes.push_back(rowSizes(builder, getLoc(), getLogits(), {}));
  return success();
}

/// A temperature that is 0 in every row draws nothing: the token is the argmax.
LogicalResult SampleOp::canonicalize(SampleOp op, PatternRewriter &rewriter) {
  if (!op.getTemperature() || !matchPattern(op.getTemperature(), m_AnyZeroFloat()))
    return rewriter.notifyMatchFailure(op, "its temperature is not known to be 0");
  rewriter.replaceOpWithNewOp<ArgmaxOp>(op, op.getResult().getType(), op.getLogits());
  return success();
}

//===----------------------------------------------------------------------===//
// cross_entropy
//===----------------------------------------------------------------------===//

LogicalResult CrossEntropyOp::verify() {
  RankedTensorType logits = getLogits().getType(), result = getResult().getType();
  // cross_entropy_c1
  if (failed(checkHasRows(*this, "logits", logits)))
    return failure();
  if (logits.getShape().back() == 0)
    return emitOpError("expected 1 class or more, but got 0");
  // cross_entropy_c2
  ArrayRef<int64_t> rows = logits.getShape().drop_back();
  if (failed(checkShape(*this, "targets", getTargets().getType(), rows)))
    return failure();
  // cross_entropy_c3
  bool isSingle = getReduction() != LossReduction::None;
  if (failed(checkShape(*this, "result", result, isSingle ? ArrayRef<int64_t>() : rows)))
    return failure();
  // cross_entropy_c4
  if (result.getElementType() != getAccumulationType())
    return emitOpError("expected element type ")
           << getAccumulationType() << " for result, but got " << result.getElementType();
  // cross_entropy_c5
  if (getLabelSmoothing()) {
    double share = getLabelSmoothing()->convertToDouble();
    if (!(share >= 0 && share <= 1))
      return emitOpError("expected a label_smoothing from 0 to 1, but got ") << share;
  }
  // cross_entropy_c6
  return checkAccumulation(*this, logits.getElementType(), getAccumulate());
}

LogicalResult CrossEntropyOp::reifyResultShapes(OpBuilder &builder, Shapes &shapes) {
  if (getReduction() == LossReduction::None)
    shapes.push_back(rowSizes(builder, getLoc(), getLogits(), {}));
  else
    shapes.emplace_back();
  return success();
}

Type CrossEntropyOp::getAccumulationType() {
  return accumulationType(getLogits().getType().getElementType(), getAccumulate());
}

int64_t CrossEntropyOp::getReductionLength() {
  RankedTensorType logits = getLogits().getType();
  if (getReduction() == LossReduction::None)
    return logits.getShape().back();
  return logits.hasStaticShape() ? logits.getNumElements() : ShapedType::kDynamic;
}

void CrossEntropyOp::build(OpBuilder &builder, OperationState &state, LossReduction reduction,
                           Value logits, Value targets) {
  auto type = cast<RankedTensorType>(logits.getType());
  ArrayRef<int64_t> shape;
  if (reduction == LossReduction::None)
    shape = type.getShape().drop_back();
  build(builder, state,
        RankedTensorType::get(shape, accumulationType(type.getElementType(), std::nullopt)),
        reduction, logits, targets, /*ignore_index=*/IntegerAttr(),
        /*label_smoothing=*/FloatAttr(), /*accumulate=*/TypeAttr());
}

} // namespace forge::transformer
