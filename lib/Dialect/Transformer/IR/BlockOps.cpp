#include "ShapeUtils.h"

#include "forge/Dialect/Transformer/IR/Transformer.h"

using namespace mlir;

namespace forge::transformer {

namespace {
/// The sizes of one weight, in the order [into, out of] for any layout.
struct Layer {
  Layer(RankedTensorType type, bool transposed)
      : in(type.getDimSize(transposed ? 1 : 0)), out(type.getDimSize(transposed ? 0 : 1)) {}
  int64_t in, out;
};
} // namespace

/// c1: ranks.
static LogicalResult verifyRanks(Operation *op, RankedTensorType input,
                                 ArrayRef<std::pair<StringRef, RankedTensorType>> weights) {
  if (input.getRank() < 2)
    return op->emitOpError("expected rank 2 or more for input, but got ") << input.getRank();
  for (auto [name, type] : weights)
    if (type.getRank() != 2)
      return op->emitOpError("expected rank 2 for ") << name << ", but got " << type.getRank();
  return success();
}

/// c2 of one weight into the hidden features.
static LogicalResult verifyInto(Operation *op, StringRef name, const Layer &layer, int64_t features,
                                int64_t hidden, bool transposed) {
  if (failed(checkDim(op, "dimension " + Twine(transposed ? 1 : 0) + " of " + name, features,
                      layer.in)))
    return failure();
  return checkDim(op, "dimension " + Twine(transposed ? 0 : 1) + " of " + name, hidden, layer.out);
}

/// What both blocks share: c2 of `down`, c3 of its bias, c4 and c6.
template <typename OpTy> static LogicalResult verifyOut(OpTy op, int64_t hidden) {
  bool transposed = op.getTransposeWeights();
  Layer down(op.getDown().getType(), transposed);
  if (failed(checkDim(op, "dimension " + Twine(transposed ? 1 : 0) + " of down", hidden, down.in)))
    return failure();
  if (op.getDownBias() &&
      failed(checkShape(op, "bias of down", op.getDownBias().getType(), {down.out})))
    return failure();
  RankedTensorType input = op.getInput().getType();
  SmallVector<int64_t> shape(input.getShape());
  shape.back() = down.out;
  if (failed(checkShape(op, "result", op.getResult().getType(), shape)))
    return failure();
  if (op.getResidual() && failed(checkShape(op, "residual", op.getResidual().getType(), shape)))
    return failure();
  return checkAccumulation(op, input.getElementType(), op.getAccumulate());
}

LogicalResult MlpOp::verify() {
  RankedTensorType input = getInput().getType();
  // mlp_c1
  if (failed(verifyRanks(*this, input, {{"up", getUp().getType()}, {"down", getDown().getType()}})))
    return failure();
  // mlp_c2
  bool transposed = getTransposeWeights();
  Layer up(getUp().getType(), transposed);
  if (failed(verifyInto(*this, "up", up, input.getShape().back(), up.out, transposed)))
    return failure();
  // mlp_c3
  if (getUpBias() && failed(checkShape(*this, "bias of up", getUpBias().getType(), {up.out})))
    return failure();
  // mlp_c4, mlp_c6
  if (failed(verifyOut(*this, up.out)))
    return failure();
  // mlp_c5
  return checkElementTypes(*this, {getInput(), getUp(), getUpBias(), getDown(), getDownBias(),
                                   getResidual(), getResult()});
}

LogicalResult MlpOp::reifyResultShapes(OpBuilder &builder, Shapes &shapes) {
  return reifyWithLast(builder, getInput(), getDown(), getTransposeWeights() ? 0 : 1, shapes);
}

Type MlpOp::getAccumulationType() {
  return accumulationType(getInput().getType().getElementType(), getAccumulate());
}

LogicalResult GatedMlpOp::verify() {
  RankedTensorType input = getInput().getType();
  // gated_mlp_c1
  if (failed(verifyRanks(*this, input,
                         {{"gate", getGate().getType()},
                          {"up", getUp().getType()},
                          {"down", getDown().getType()}})))
    return failure();
  // gated_mlp_c2
  bool transposed = getTransposeWeights();
  Layer gate(getGate().getType(), transposed), up(getUp().getType(), transposed);
  int64_t features = input.getShape().back();
  if (failed(verifyInto(*this, "gate", gate, features, gate.out, transposed)) ||
      failed(verifyInto(*this, "up", up, features, gate.out, transposed)))
    return failure();
  // gated_mlp_c3
  if (getGateBias() &&
      failed(checkShape(*this, "bias of gate", getGateBias().getType(), {gate.out})))
    return failure();
  if (getUpBias() && failed(checkShape(*this, "bias of up", getUpBias().getType(), {gate.out})))
    return failure();
  // gated_mlp_c4, gated_mlp_c6
  if (failed(verifyOut(*this, gate.out)))
    return failure();
  // gated_mlp_c5
  return checkElementTypes(*this, {getInput(), getGate(), getGateBias(), getUp(), getUpBias(),
                                   getDown(), getDownBias(), getResidual(), getResult()});
}

LogicalResult GatedMlpOp::reifyResultShapes(OpBuilder &builder, Shapes &shapes) {
  return reifyWithLast(builder, getInput(), getDown(), getTransposeWeights() ? 0 : 1, shapes);
}

Type GatedMlpOp::getAccumulationType() {
  return accumulationType(getInput().getType().getElementType(), getAccumulate());
}

/// The longer of both sums: over the input's features and over the hidden ones.
template <typename OpTy> static int64_t longerSum(OpTy op) {
  Layer up(op.getUp().getType(), op.getTransposeWeights());
  int64_t features = op.getInput().getType().getShape().back();
  if (ShapedType::isDynamic(features) || ShapedType::isDynamic(up.out))
    return ShapedType::kDynamic;
  return std::max(features, up.out);
}

int64_t MlpOp::getReductionLength() { return longerSum(*this); }
int64_t GatedMlpOp::getReductionLength() { return longerSum(*this); }

} // namespace forge::transformer
