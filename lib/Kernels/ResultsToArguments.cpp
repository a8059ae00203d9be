#include "forge/Kernels/Kernel.h"
#include "forge/Kernels/Passes.h"

#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace forge {
#define GEN_PASS_DEF_RESULTSTOARGUMENTSPASS
#include "forge/Kernels/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-results-to-arguments"

using namespace mlir;

namespace {
/// 1. Results that are arguments are the caller's already.
/// 2. The others become last arguments, which the caller allocates.
struct ResultsToArgumentsPass
    : public forge::impl::ResultsToArgumentsPassBase<ResultsToArgumentsPass> {
  void runOnOperation() override {
    if (failed(bufferization::dropEquivalentBufferResults(getOperation())))
      return signalPassFailure();
    bufferization::BufferResultsToOutParamsOpts options;
    options.filterFn = [](func::FuncOp *function) { return forge::isKernel(*function); };
    options.hoistStaticAllocs = options.hoistDynamicAllocs = true;
    if (failed(bufferization::promoteBufferResultsToOutParams(getOperation(), options)))
      signalPassFailure();
  }
};
} // namespace
