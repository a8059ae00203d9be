#include "forge/Diagnostics/ErrorKind.h"
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

/// Whether the caller of a kernel knows how large a buffer of `value` is: it has static sizes, or
/// the kernel allocates it with sizes that are its arguments.
static bool isSizeKnownToCaller(Value value) {
  if (cast<MemRefType>(value.getType()).hasStaticShape())
    return true;
  auto alloc = value.getDefiningOp<memref::AllocOp>();
  return alloc && llvm::all_of(alloc.getDynamicSizes(), [](Value size) {
    auto argument = dyn_cast<BlockArgument>(size);
    return argument && isa<func::FuncOp>(argument.getOwner()->getParentOp());
  });
}

/// Fails at the operation that computes a result whose size only the kernel knows.
static LogicalResult checkSizesOfResults(func::FuncOp kernel) {
  for (Block &block : kernel.getBody())
    for (Value result : block.getTerminator()->getOperands())
      if (isa<MemRefType>(result.getType()) && !isSizeKnownToCaller(result)) {
        Operation *op = result.getDefiningOp();
        forge::emitUserError(op ? op->getLoc() : kernel.getLoc())
            << "unsupported buffer of run-time size in a GPU kernel"
            << (op ? " for the result of '" + op->getName().getStringRef().str() + "'" : "")
            << ": expected static sizes, or updates that read nothing they have overwritten";
        return failure();
      }
  return success();
}

namespace {
/// 1. Results that are arguments are the caller's already.
/// 2. The others become last arguments, which the caller allocates: it must know their sizes.
struct ResultsToArgumentsPass
    : public forge::impl::ResultsToArgumentsPassBase<ResultsToArgumentsPass> {
  void runOnOperation() override {
    if (failed(bufferization::dropEquivalentBufferResults(getOperation())))
      return signalPassFailure();
    for (auto kernel : getOperation().getOps<func::FuncOp>())
      if (forge::isKernel(kernel) && failed(checkSizesOfResults(kernel)))
        return signalPassFailure();
    bufferization::BufferResultsToOutParamsOpts options;
    options.filterFn = [](func::FuncOp *function) { return forge::isKernel(*function); };
    options.hoistStaticAllocs = options.hoistDynamicAllocs = true;
    if (failed(bufferization::promoteBufferResultsToOutParams(getOperation(), options)))
      signalPassFailure();
  }
};
} // namespace
