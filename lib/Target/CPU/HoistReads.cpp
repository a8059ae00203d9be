#include "forge/Target/CPU/Passes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

#define DEBUG_TYPE "forge-hoist-reads"

namespace forge {
#define GEN_PASS_DEF_HOISTREADSPASS
#include "forge/Target/CPU/Passes.h.inc"
} // namespace forge

using namespace mlir;

/// The buffer that a view is of.
static Value bufferOf(Value value) {
  while (auto view = value.getDefiningOp<ViewLikeOpInterface>())
    value = view.getViewSource();
  return value;
}

/// Whether the innermost dimension has two iterations or more, by its bounds.
static bool isRepeated(scf::ParallelOp loop) {
  unsigned last = loop.getNumLoops() - 1;
  std::optional<int64_t> from = getConstantIntValue(loop.getLowerBound()[last]),
                         to = getConstantIntValue(loop.getUpperBound()[last]),
                         step = getConstantIntValue(loop.getStep()[last]);
  return from && to && step && *step > 0 && *to - *from > *step;
}

/// Operations of the body that do the same in each iteration of the innermost dimension, in order.
/// None where the body does more than read, compute and write, or where no read is among them: LLVM
/// hoists computations.
static llvm::SetVector<Operation *> repeatedOps(scf::ParallelOp loop) {
  llvm::SmallDenseSet<Value> written;
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (auto store = dyn_cast<memref::StoreOp>(op))
      written.insert(bufferOf(store.getMemRef()));
    else if (op.getNumRegions() != 0 || !(isa<memref::LoadOp>(op) || isMemoryEffectFree(&op)))
      return {};
  }
  Value innermost = loop.getInductionVars().back();
  llvm::SetVector<Operation *> repeated;
  bool reads = false;
  for (Operation &op : loop.getBody()->without_terminator()) {
    auto isSame = [&](Value operand) {
      Operation *made = operand.getDefiningOp();
      bool isInside = made && made->getBlock() == loop.getBody();
      return operand != innermost && (!isInside || repeated.contains(made));
    };
    auto load = dyn_cast<memref::LoadOp>(op);
    if (isa<memref::StoreOp>(op) || !llvm::all_of(op.getOperands(), isSame) ||
        (load && written.contains(bufferOf(load.getMemRef()))))
      continue;
    repeated.insert(&op);
    reads |= static_cast<bool>(load);
  }
  return reads ? repeated : llvm::SetVector<Operation *>();
}

/// Makes the innermost dimension a loop of its own, with `repeated` in front of it.
static void split(scf::ParallelOp loop, const llvm::SetVector<Operation *> &repeated) {
  unsigned last = loop.getNumLoops() - 1;
  OpBuilder b(loop);
  auto outer = scf::ParallelOp::create(b, loop.getLoc(), loop.getLowerBound().take_front(last),
                                       loop.getUpperBound().take_front(last),
                                       loop.getStep().take_front(last));
  IRMapping mapping;
  for (auto [old, made] : llvm::zip(loop.getInductionVars(), outer.getInductionVars()))
    mapping.map(old, made);
  b.setInsertionPointToStart(outer.getBody());
  for (Operation *op : repeated)
    b.clone(*op, mapping);
  auto inner = scf::ForOp::create(b, loop.getLoc(), loop.getLowerBound()[last],
                                  loop.getUpperBound()[last], loop.getStep()[last]);
  mapping.map(loop.getInductionVars()[last], inner.getInductionVar());
  b.setInsertionPointToStart(inner.getBody());
  for (Operation &op : loop.getBody()->without_terminator())
    if (!repeated.contains(&op))
      b.clone(op, mapping);
  loop.erase();
}

namespace {
/// 1. Parallel loops of two dimensions or more whose bodies read, compute and write.
/// 2. What their bodies read and compute alike in each iteration of the innermost dimension comes
///    in front of it.
struct HoistReadsPass : public forge::impl::HoistReadsPassBase<HoistReadsPass> {
  void runOnOperation() override {
    SmallVector<scf::ParallelOp> loops;
    getOperation()->walk([&](scf::ParallelOp loop) {
      if (loop.getNumLoops() > 1 && loop.getInitVals().empty() && isRepeated(loop))
        loops.push_back(loop);
    });
    for (scf::ParallelOp loop : loops)
      if (llvm::SetVector<Operation *> repeated = repeatedOps(loop); !repeated.empty())
        split(loop, repeated);
  }
};
} // namespace
