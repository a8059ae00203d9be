// Random bits, linear systems, batch normalisation.
#include "Evaluation.h"

#include "forge/Dialect/StableHLO/IR/DynamicCalls.h"
#include "forge/Reference/BatchNorm.h"
#include "forge/Reference/Elementwise.h"
#include "forge/Reference/LinearSolve.h"
#include "forge/Reference/Random.h"

using namespace mlir;
using namespace forge;
using namespace forge::interpreter;

static reference::RandomAlgorithm algorithmOf(stablehlo::RngAlgorithm algorithm) {
  switch (algorithm) {
  case stablehlo::RngAlgorithm::DEFAULT:
    return reference::RandomAlgorithm::Default;
  case stablehlo::RngAlgorithm::THREE_FRY:
    return reference::RandomAlgorithm::Threefry;
  case stablehlo::RngAlgorithm::PHILOX:
    return reference::RandomAlgorithm::Philox;
  }
  llvm_unreachable("all algorithms are named above");
}

/// rng_bit_generator, and the custom call whose second operand is the shape of the output.
static Outcome evaluateRandomBits(const OpCall &call) {
  auto op = dyn_cast<stablehlo::RngBitGeneratorOp>(call.operation());
  auto custom = dyn_cast<stablehlo::CustomCallOp>(call.operation());
  bool isDynamic = custom && custom.getCallTargetName() == stablehlo::kDynamicRngBitGenerator;
  if (!op && !isDynamic)
    return std::nullopt;
  stablehlo::RngAlgorithm algorithm =
      op ? op.getRngAlgorithm() : stablehlo::getDynamicRngAlgorithm(custom);
  Result<reference::RandomBits> bits = reference::rngBitGenerator(
      algorithmOf(algorithm), call.operand(0), call.declaredResultType(1),
      isDynamic ? call.integers(1) : call.resultDims(1));
  if (!bits)
    return Result<Tensors>(bits.error());
  Result<HostTensor> output = reference::convert(bits->output, call.resultType(1));
  if (!output)
    return Result<Tensors>(output.error());
  Tensors results;
  results.push_back(std::move(bits->state));
  results.push_back(std::move(*output));
  return Result<Tensors>(std::move(results));
}

static Outcome evaluateLinearSolve(const OpCall &call) {
  if (auto op = dyn_cast<stablehlo::TriangularSolveOp>(call.operation())) {
    bool transpose = op.getTransposeA() == stablehlo::Transpose::TRANSPOSE ||
                     op.getTransposeA() == stablehlo::Transpose::ADJOINT;
    return single(reference::triangularSolve(
        call.operand(0), call.operand(1),
        {op.getLeftSide(), op.getLower(), op.getUnitDiagonal(), transpose}));
  }
  if (auto op = dyn_cast<stablehlo::CholeskyOp>(call.operation()))
    return single(reference::cholesky(call.operand(0), op.getLower()));
  return std::nullopt;
}

static Outcome evaluateBatchNorm(const OpCall &call) {
  if (auto op = dyn_cast<stablehlo::BatchNormInferenceOp>(call.operation()))
    return single(reference::batchNormInference(
        call.operand(0), call.operand(1), call.operand(2), call.operand(3), call.operand(4),
        op.getEpsilon().convertToFloat(), op.getFeatureIndex()));
  if (auto op = dyn_cast<stablehlo::BatchNormTrainingOp>(call.operation()))
    return several(reference::batchNormTraining(call.operand(0), call.operand(1), call.operand(2),
                                                op.getEpsilon().convertToFloat(),
                                                op.getFeatureIndex()));
  if (auto op = dyn_cast<stablehlo::BatchNormGradOp>(call.operation()))
    return several(reference::batchNormGrad(
        call.operand(0), call.operand(1), call.operand(2), call.operand(3), call.operand(4),
        op.getEpsilon().convertToFloat(), op.getFeatureIndex()));
  return std::nullopt;
}

Outcome interpreter::evaluateRng(const OpCall &call, int64_t &draws) {
  auto op = dyn_cast<stablehlo::RngOp>(call.operation());
  if (!op)
    return std::nullopt;
  bool isNormal = op.getRngDistribution() == stablehlo::RngDistribution::NORMAL;
  return single(reference::rng(isNormal ? reference::RandomDistribution::Normal
                                        : reference::RandomDistribution::Uniform,
                               call.operand(0), call.operand(1), call.resultType(0),
                               call.integers(2), static_cast<uint64_t>(draws++)));
}

Outcome interpreter::evaluateLibrary(const OpCall &call) {
  for (auto *group : {evaluateRandomBits, evaluateLinearSolve, evaluateBatchNorm})
    if (Outcome outcome = group(call))
      return outcome;
  return std::nullopt;
}
