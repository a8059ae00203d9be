#include "forge/Kernels/Kernel.h"
#include "forge/Kernels/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace forge {
#define GEN_PASS_DEF_ALTERNATEBUFFERSPASS
#include "forge/Kernels/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-alternate-buffers"

using namespace mlir;

/// Fewer steps are not worth the code.
static constexpr int64_t kLeastSteps = 4;
/// Calls of kernels in a body that is repeated.
static constexpr int64_t kMostCalls = 32;

static func::FuncOp kernelOf(func::CallOp call) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr());
  return callee && forge::isKernel(callee) ? callee : func::FuncOp();
}

/// True if a kernel reads `argument` to compute `next`, of the same type, in a buffer of its own.
static bool isComputedAnew(Value next, BlockArgument argument) {
  auto call = next.getDefiningOp<func::CallOp>();
  if (!call || !isa<RankedTensorType>(next.getType()) || !kernelOf(call))
    return false;
  return llvm::is_contained(call.getOperands(), argument) &&
         llvm::any_of(call.getOperands(), [&](Value operand) {
           return operand.getType() == next.getType() && operand.getDefiningOp<tensor::EmptyOp>();
         });
}

static bool copiesWhatItCarries(scf::ForOp loop) {
  return llvm::any_of(
      llvm::zip_equal(loop.getYieldedValues(), loop.getRegionIterArgs()),
      [](auto pair) { return isComputedAnew(std::get<0>(pair), std::get<1>(pair)); });
}

static bool isWorthwhile(scf::ForOp loop) {
  std::optional<APInt> steps = loop.getStaticTripCount();
  if (!steps || steps->slt(kLeastSteps))
    return false;
  int64_t calls = 0;
  WalkResult walked = loop.getBody()->walk([&](Operation *op) {
    calls += isa<func::CallOp>(op);
    return isa<LoopLikeOpInterface>(op) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return !walked.wasInterrupted() && calls <= kMostCalls && copiesWhatItCarries(loop);
}

namespace {
struct AlternateBuffersPass : public forge::impl::AlternateBuffersPassBase<AlternateBuffersPass> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation()->walk([&](scf::ForOp loop) {
      auto function = loop->getParentOfType<func::FuncOp>();
      if (function && !forge::isKernel(function) && isWorthwhile(loop))
        loops.push_back(loop);
    });
    for (scf::ForOp loop : loops)
      if (failed(loopUnrollByFactor(loop, /*unrollFactor=*/2)))
        return signalPassFailure();
  }
};
} // namespace
