// Products, convolutions, gather and scatter.
#include "Evaluation.h"

#include "forge/Dialect/StableHLO/IR/Chlo.h"
#include "forge/Dialect/StableHLO/IR/StableHLO.h"
#include "forge/Reference/Contraction.h"
#include "forge/Reference/Convolution.h"
#include "forge/Reference/GatherScatter.h"

using namespace mlir;
using namespace forge;
using namespace forge::interpreter;

static Outcome evaluateDot(const OpCall &call) {
  if (auto op = dyn_cast<stablehlo::DotGeneralOp>(call.operation())) {
    stablehlo::DotDimensionNumbersAttr numbers = op.getDotDimensionNumbers();
    reference::DotDimensions dimensions{dimsOf(numbers.getLhsBatchingDimensions()),
                                        dimsOf(numbers.getRhsBatchingDimensions()),
                                        dimsOf(numbers.getLhsContractingDimensions()),
                                        dimsOf(numbers.getRhsContractingDimensions())};
    return single(
        reference::dotGeneral(call.operand(0), call.operand(1), dimensions, call.resultType(0)));
  }
  if (isa<stablehlo::DotOp>(call.operation())) {
    reference::DotDimensions dimensions{{}, {}, {call.operand(0).rank() - 1}, {0}};
    return single(
        reference::dotGeneral(call.operand(0), call.operand(1), dimensions, call.resultType(0)));
  }
  return std::nullopt;
}

static Outcome evaluateRaggedDot(const OpCall &call) {
  auto op = dyn_cast<chlo::RaggedDotOp>(call.operation());
  if (!op)
    return std::nullopt;
  chlo::RaggedDotDimensionNumbersAttr numbers = op.getRaggedDotDimensionNumbers();
  reference::DotDimensions dot{
      dimsOf(numbers.getLhsBatchingDimensions()), dimsOf(numbers.getRhsBatchingDimensions()),
      dimsOf(numbers.getLhsContractingDimensions()), dimsOf(numbers.getRhsContractingDimensions())};
  ArrayRef<int64_t> group = numbers.getRhsGroupDimensions();
  reference::RaggedDimensions ragged{op.getLhsRaggedDimension(), group.empty() ? -1 : group.front(),
                                     dimsOf(op.getLhsPrefix())};
  return single(reference::raggedDot(call.operand(0), call.operand(1), call.operand(2), dot, ragged,
                                     call.resultType(0)));
}

/// What convolution and dynamic_conv have in common; `padding` holds low and high in turn.
template <typename ConvOp>
static reference::ConvolutionDimensions convolutionDimensions(ConvOp op, const Dims &padding) {
  stablehlo::ConvDimensionNumbersAttr numbers = op.getDimensionNumbers();
  reference::ConvolutionDimensions c;
  c.inputBatch = numbers.getInputBatchDimension();
  c.inputFeature = numbers.getInputFeatureDimension();
  c.inputSpatial = dimsOf(numbers.getInputSpatialDimensions());
  c.kernelInputFeature = numbers.getKernelInputFeatureDimension();
  c.kernelOutputFeature = numbers.getKernelOutputFeatureDimension();
  c.kernelSpatial = dimsOf(numbers.getKernelSpatialDimensions());
  c.outputBatch = numbers.getOutputBatchDimension();
  c.outputFeature = numbers.getOutputFeatureDimension();
  c.outputSpatial = dimsOf(numbers.getOutputSpatialDimensions());
  size_t spatial = c.inputSpatial.size();
  auto orOnes = [&](std::optional<ArrayRef<int64_t>> list) {
    return list ? dimsOf(*list) : Dims(spatial, 1);
  };
  c.strides = orOnes(op.getWindowStrides());
  c.lhsDilation = orOnes(op.getLhsDilation());
  c.rhsDilation = orOnes(op.getRhsDilation());
  c.low = c.high = Dims(spatial, 0);
  for (size_t d = 0; d < spatial && 2 * d + 1 < padding.size(); ++d) {
    c.low[d] = padding[2 * d];
    c.high[d] = padding[2 * d + 1];
  }
  c.reversed.assign(spatial, false);
  if (std::optional<ArrayRef<bool>> reversal = op.getWindowReversal())
    c.reversed.assign(reversal->begin(), reversal->end());
  c.featureGroups = op.getFeatureGroupCount();
  c.batchGroups = op.getBatchGroupCount();
  return c;
}

static Outcome evaluateConvolution(const OpCall &call) {
  if (auto op = dyn_cast<stablehlo::ConvolutionOp>(call.operation())) {
    Dims padding;
    if (op.getPadding())
      for (const APInt &value : op.getPadding()->getValues<APInt>())
        padding.push_back(value.getSExtValue());
    return single(reference::convolution(call.operand(0), call.operand(1),
                                         convolutionDimensions(op, padding), call.resultType(0)));
  }
  if (auto op = dyn_cast<stablehlo::DynamicConvOp>(call.operation()))
    return single(reference::convolution(call.operand(0), call.operand(1),
                                         convolutionDimensions(op, call.integers(2)),
                                         call.resultType(0)));
  return std::nullopt;
}

static reference::GatherDimensions gatherDimensions(stablehlo::GatherDimensionNumbersAttr numbers) {
  return {dimsOf(numbers.getOffsetDims()),          dimsOf(numbers.getCollapsedSliceDims()),
          dimsOf(numbers.getOperandBatchingDims()), dimsOf(numbers.getStartIndicesBatchingDims()),
          dimsOf(numbers.getStartIndexMap()),       numbers.getIndexVectorDim()};
}

static Outcome evaluateGather(const OpCall &call) {
  if (auto op = dyn_cast<stablehlo::GatherOp>(call.operation()))
    return single(reference::gather(call.operand(0), call.operand(1),
                                    gatherDimensions(op.getDimensionNumbers()),
                                    dimsOf(op.getSliceSizes())));
  if (auto op = dyn_cast<stablehlo::DynamicGatherOp>(call.operation()))
    return single(reference::gather(call.operand(0), call.operand(1),
                                    gatherDimensions(op.getDimensionNumbers()), call.integers(2)));
  return std::nullopt;
}

static Outcome evaluateScatter(const OpCall &call) {
  auto op = dyn_cast<stablehlo::ScatterOp>(call.operation());
  if (!op)
    return std::nullopt;
  stablehlo::ScatterDimensionNumbersAttr numbers = op.getScatterDimensionNumbers();
  reference::GatherDimensions dimensions{dimsOf(numbers.getUpdateWindowDims()),
                                         dimsOf(numbers.getInsertedWindowDims()),
                                         dimsOf(numbers.getInputBatchingDims()),
                                         dimsOf(numbers.getScatterIndicesBatchingDims()),
                                         dimsOf(numbers.getScatterDimsToOperandDims()),
                                         numbers.getIndexVectorDim()};
  size_t count = op.getInputs().size();
  auto body = [&](const Tensors &arguments) { return call.region(0, arguments, call.isDouble()); };
  return several(reference::scatter(call.operands(0, count), call.operand(count),
                                    call.operands(count + 1, count), dimensions, body));
}

Outcome interpreter::evaluateStructured(const OpCall &call) {
  for (auto *group :
       {evaluateDot, evaluateRaggedDot, evaluateConvolution, evaluateGather, evaluateScatter})
    if (Outcome outcome = group(call))
      return outcome;
  return std::nullopt;
}
