// Random bits.
#include "Evaluation.h"

#include "forge/Dialect/StableHLO/IR/StableHLO.h"
#include "forge/Reference/Elementwise.h"
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

Outcome interpreter::evaluateLibrary(const OpCall &call) {
  auto op = dyn_cast<stablehlo::RngBitGeneratorOp>(call.operation());
  if (!op)
    return std::nullopt;
  Result<reference::RandomBits> bits =
      reference::rngBitGenerator(algorithmOf(op.getRngAlgorithm()), call.operand(0),
                                 call.declaredResultType(1), call.resultDims(1));
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
