#include "Lowerings.h"

#include "forge/Simulator/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/DenseSet.h"

#define DEBUG_TYPE "forge-count-steps"

namespace forge {
#define GEN_PASS_DEF_COUNTSTEPSPASS
#include "forge/Simulator/Passes.h.inc"
} // namespace forge

using namespace mlir;

/// The blocks that lead back to one of which they are a successor, found by a walk in depth:
/// without these edges there is no way round, whether the loops have one entry or several.
static SmallVector<Block *> latchesOf(Region &region) {
  struct Visit {
    Block *block;
    unsigned next;
  };
  SmallVector<Block *> latches;
  llvm::DenseSet<Block *> seen{&region.front()}, open{&region.front()};
  SmallVector<Visit> path{{&region.front(), 0}};
  while (!path.empty()) {
    auto &[block, next] = path.back();
    if (next == block->getNumSuccessors()) {
      open.erase(block);
      path.pop_back();
      continue;
    }
    Block *successor = block->getSuccessor(next++);
    if (open.contains(successor)) {
      if (latches.empty() || latches.back() != block)
        latches.push_back(block);
    } else if (seen.insert(successor).second) {
      open.insert(successor);
      path.push_back({successor, 0});
    }
  }
  return latches;
}

namespace {
/// 1. A walk over each function's blocks finds the edges that close loops.
/// 2. In front of each such branch stands a call, which counts, and ends a thread that never ends.
struct CountStepsPass : forge::impl::CountStepsPassBase<CountStepsPass> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>()) {
      if (function.isExternal())
        continue;
      for (Block *latch : latchesOf(function.getBody())) {
        Operation *branch = latch->getTerminator();
        OpBuilder builder(branch);
        forge::CallBuilder calls(builder, branch->getLoc());
        forge::markInvisible(calls.callSite("forge_sim_step", "loop", {}));
      }
    }
    forge::declareCalls(getOperation());
  }
};
} // namespace
