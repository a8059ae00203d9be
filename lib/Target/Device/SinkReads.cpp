#include "BufferAccesses.h"
#include "SequenceWork.h"

#include "forge/Target/Device/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace forge {
#define GEN_PASS_DEF_SINKREADSPASS
#include "forge/Target/Device/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-sink-reads"

using namespace mlir;
using namespace forge;

/// A read by the host of memory of the device; all others are inside kernels.
static bool isRead(Operation *op) {
  auto load = dyn_cast<memref::LoadOp>(op);
  if (!load)
    return false;
  Operation *maker = load.getMemref().getDefiningOp();
  return maker && sequence::isDeviceAlloc(maker);
}

static bool uses(Operation *op, const SetVector<Operation *> &moving) {
  WalkResult walked = op->walk([&](Operation *inner) {
    bool isUser = llvm::any_of(inner->getOperands(), [&](Value operand) {
      return operand.getDefiningOp() && moving.contains(operand.getDefiningOp());
    });
    return isUser ? WalkResult::interrupt() : WalkResult::advance();
  });
  return walked.wasInterrupted();
}

namespace {
struct SinkReadsPass : public forge::impl::SinkReadsPassBase<SinkReadsPass> {
  void runOnOperation() override {
    SmallVector<memref::LoadOp> reads;
    for (func::FuncOp function : getOperation().getOps<func::FuncOp>())
      function.walk([&](memref::LoadOp load) {
        if (isRead(load))
          reads.push_back(load);
      });
    BufferAccesses accesses;
    // From the last on: they keep their order.
    for (memref::LoadOp read : llvm::reverse(reads))
      sink(read, accesses);
  }

  /// Moves `read`, with the scalars that are computed of it, behind the work that does not wait for
  /// either.
  static void sink(memref::LoadOp read, BufferAccesses &accesses) {
    std::optional<SmallVector<BufferAccess>> own = accesses.of(read);
    if (!own)
      return;
    SetVector<Operation *> moving;
    moving.insert(read);
    bool passesWork = false;
    Operation *next = read->getNextNode();
    for (; !next->hasTrait<OpTrait::IsTerminator>(); next = next->getNextNode()) {
      if (uses(next, moving)) {
        if (!sequence::mayMove(next))
          break;
        moving.insert(next);
        continue;
      }
      if (sequence::mayMove(next) || sequence::isDeviceAlloc(next))
        continue;
      std::optional<SmallVector<BufferAccess>> others = accesses.of(next);
      bool frees = isa<memref::DeallocOp>(next) && next->getOperand(0) == read.getMemref();
      if (isRead(next) || frees || !others || mayConflict(*own, *others))
        break;
      passesWork |= sequence::isWork(next);
    }
    if (passesWork)
      for (Operation *op : moving)
        op->moveBefore(next);
  }
};
} // namespace
