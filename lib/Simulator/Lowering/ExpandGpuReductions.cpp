#include "forge/Simulator/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#define DEBUG_TYPE "forge-expand-gpu-reductions"

namespace forge {
#define GEN_PASS_DEF_EXPANDGPUREDUCTIONSPASS
#include "forge/Simulator/Passes.h.inc"
} // namespace forge

using namespace mlir;

namespace {
struct ExpandGpuReductionsPass : forge::impl::ExpandGpuReductionsPassBase<ExpandGpuReductionsPass> {
  using ExpandGpuReductionsPassBase::ExpandGpuReductionsPassBase;

  void runOnOperation() override {
    // Most kernels have none: nothing to build patterns for.
    bool found = false;
    getOperation()->walk(
        [&](Operation *op) { found |= isa<gpu::SubgroupReduceOp, gpu::GlobalIdOp>(op); });
    if (!found)
      return;
    RewritePatternSet patterns(&getContext());
    populateGpuGlobalIdPatterns(patterns);
    populateGpuBreakDownSubgroupReducePatterns(patterns, 64);
    populateGpuLowerSubgroupReduceToShufflePatterns(patterns, warpSize, 64);
    populateGpuLowerClusteredSubgroupReduceToShufflePatterns(patterns, warpSize, 64);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
