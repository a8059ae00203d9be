// The effect of summing in the accumulator's type, put on the terms instead.
#include "Evaluation.h"

#include "forge/Dialect/StableHLO/IR/StableHLO.h"
#include "forge/Dialect/Transformer/IR/Transformer.h"

using namespace mlir;
using namespace forge;
using namespace forge::interpreter;

bool interpreter::isSum(Operation *op) {
  if (isa<transformer::AccumulationOpInterface>(op))
    return true;
  return isa<stablehlo::ReduceOp, stablehlo::ReduceWindowOp, stablehlo::DotGeneralOp,
             stablehlo::DotOp, stablehlo::ConvolutionOp, stablehlo::DynamicConvOp,
             stablehlo::ScatterOp, stablehlo::SelectAndScatterOp, stablehlo::BatchNormTrainingOp,
             stablehlo::BatchNormGradOp, stablehlo::TriangularSolveOp, stablehlo::CholeskyOp>(op);
}

/// One bit per element, from a linear congruential generator's top (Knuth's MMIX constants).
static bool coin(uint64_t &state) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return state >> 63;
}

TensorRef interpreter::perturbed(const TensorRef &tensor, uint64_t seed) {
  if (!tensor || !isFloat(tensor->type()))
    return tensor;
  auto result = std::make_shared<HostTensor>(*tensor);
  double unit = tensor->type() == DType::F64 ? 0x1p-53 : 0x1p-24;
  uint64_t state = seed;
  // Rounding to f32 would take half a unit back for half of the values: whole units, for half of
  // the elements.
  for (int64_t i = 0; i < result->numElements(); ++i)
    if (coin(state))
      result->setDouble(i, result->getDouble(i) * (1 + (coin(state) ? 2 : -2) * unit));
  return result;
}
