// Ops that move elements, with static and with run-time shapes.
#include "Evaluation.h"

#include "forge/Dialect/StableHLO/IR/Chlo.h"
#include "forge/Dialect/StableHLO/IR/StableHLO.h"
#include "forge/Reference/Elementwise.h"
#include "forge/Reference/Shape.h"

using namespace mlir;
using namespace forge;
using namespace forge::interpreter;

/// One start index per operand from `begin` on.
static Dims startIndices(const OpCall &call, size_t begin) {
  Dims start;
  for (size_t i = begin; i < call.numOperands(); ++i)
    start.push_back(call.integers(i)[0]);
  return start;
}

static Outcome evaluateStatic(const OpCall &call) {
  Operation *operation = call.operation();
  if (auto op = dyn_cast<stablehlo::IotaOp>(operation))
    return single(reference::iota(call.resultType(0), call.resultDims(0), op.getIotaDimension()));
  if (auto op = dyn_cast<stablehlo::BroadcastInDimOp>(operation))
    return single(reference::broadcastInDim(call.operand(0), dimsOf(op.getBroadcastDimensions()),
                                            call.resultDims(0)));
  if (auto op = dyn_cast<stablehlo::BroadcastOp>(operation)) {
    Dims dims = dimsOf(op.getBroadcastSizes()), places;
    for (int64_t size : call.operand(0).dims()) {
      places.push_back(static_cast<int64_t>(dims.size()));
      dims.push_back(size);
    }
    return single(reference::broadcastInDim(call.operand(0), places, dims));
  }
  if (isa<stablehlo::ReshapeOp>(operation))
    return single(reference::reshape(call.operand(0), call.resultDims(0)));
  if (auto op = dyn_cast<stablehlo::TransposeOp>(operation))
    return single(reference::transpose(call.operand(0), dimsOf(op.getPermutation())));
  if (auto op = dyn_cast<stablehlo::SliceOp>(operation))
    return single(reference::slice(call.operand(0), dimsOf(op.getStartIndices()),
                                   dimsOf(op.getLimitIndices()), dimsOf(op.getStrides())));
  if (auto op = dyn_cast<stablehlo::DynamicSliceOp>(operation))
    return single(reference::dynamicSlice(call.operand(0), startIndices(call, 1),
                                          dimsOf(op.getSliceSizes())));
  if (isa<stablehlo::DynamicUpdateSliceOp>(operation))
    return single(
        reference::dynamicUpdateSlice(call.operand(0), call.operand(1), startIndices(call, 2)));
  if (auto op = dyn_cast<stablehlo::ConcatenateOp>(operation))
    return single(reference::concatenate(call.operands(0, call.numOperands()), op.getDimension()));
  if (auto op = dyn_cast<stablehlo::PadOp>(operation))
    return single(reference::pad(call.operand(0), call.operand(1), dimsOf(op.getEdgePaddingLow()),
                                 dimsOf(op.getEdgePaddingHigh()), dimsOf(op.getInteriorPadding())));
  if (auto op = dyn_cast<stablehlo::ReverseOp>(operation))
    return single(reference::reverse(call.operand(0), dimsOf(op.getDimensions())));
  return std::nullopt;
}

static Outcome evaluateDynamic(const OpCall &call) {
  Operation *operation = call.operation();
  if (auto op = dyn_cast<stablehlo::GetDimensionSizeOp>(operation)) {
    Result<HostTensor> size = HostTensor::create(DType::I32, {});
    if (size)
      reference::setInteger(*size, 0, call.operand(0).dims()[op.getDimension()]);
    return single(std::move(size));
  }
  if (auto op = dyn_cast<stablehlo::DynamicIotaOp>(operation))
    return single(reference::iota(call.resultType(0), call.integers(0), op.getIotaDimension()));
  if (isa<stablehlo::DynamicReshapeOp>(operation))
    return single(reference::reshape(call.operand(0), call.integers(1)));
  if (auto op = dyn_cast<stablehlo::DynamicBroadcastInDimOp>(operation))
    return single(reference::broadcastInDim(call.operand(0), dimsOf(op.getBroadcastDimensions()),
                                            call.integers(1)));
  if (isa<stablehlo::DynamicPadOp>(operation))
    return single(reference::pad(call.operand(0), call.operand(1), call.integers(2),
                                 call.integers(3), call.integers(4)));
  if (isa<stablehlo::RealDynamicSliceOp>(operation))
    return single(
        reference::slice(call.operand(0), call.integers(1), call.integers(2), call.integers(3)));
  return std::nullopt;
}

/// chlo.constant_like: a splat of an attribute.
static Outcome evaluateConstantLike(const OpCall &call) {
  auto op = dyn_cast<chlo::ConstantLikeOp>(call.operation());
  if (!op)
    return std::nullopt;
  TypedAttr value = op.getValue();
  auto splat = DenseElementsAttr::get(RankedTensorType::get({}, value.getType()), Attribute(value));
  Result<HostTensor> scalar = tensorOf(splat);
  if (scalar)
    scalar = reference::convert(*scalar, call.resultType(0));
  return single(scalar ? reference::broadcastInDim(*scalar, {}, call.operand(0).dims())
                       : std::move(scalar));
}

Outcome interpreter::evaluateShape(const OpCall &call) {
  for (auto *group : {evaluateStatic, evaluateDynamic, evaluateConstantLike})
    if (Outcome outcome = group(call))
      return outcome;
  return std::nullopt;
}
