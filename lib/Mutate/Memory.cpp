// Mistakes in memory: updates that are lost, or seen too early.
#include "Families.h"

#include "forge/Dialect/StableHLO/IR/StableHLO.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace forge;
using namespace forge::mutate;

namespace {
struct DropStore : Mutator {
  DropStore() : Mutator("drop-store", "a store or copy does not happen") {}
  unsigned sites(Operation *op) const override {
    return isa<memref::StoreOp, memref::CopyOp, vector::StoreOp, vector::MaskedStoreOp>(op) ||
           (isa<vector::TransferWriteOp>(op) && op->getNumResults() == 0);
  }
  void plant(Operation *op, unsigned) const override { op->erase(); }
  StringRef excuse() const override { return "what is stored may be there already"; }
};

/// A cache that keeps its old row.
struct DropUpdate : Mutator {
  DropUpdate()
      : Mutator("drop-update", "an update of a part leaves the old values: a stale cache") {}
  unsigned sites(Operation *op) const override {
    return isa<stablehlo::DynamicUpdateSliceOp, tensor::InsertSliceOp>(op);
  }
  void plant(Operation *op, unsigned) const override {
    replaceBy(op, op->getOperand(isa<tensor::InsertSliceOp>(op) ? 1 : 0));
  }
};

/// The copy before an update in place is not made: whoever reads the original sees the update.
struct AliasCopy : Mutator {
  AliasCopy()
      : Mutator("alias-copy", "a buffer stands for its copy, and is written in its place") {}
  unsigned sites(Operation *op) const override {
    auto copy = dyn_cast<memref::CopyOp>(op);
    return copy && copy.getTarget().getDefiningOp<memref::AllocOp>() &&
           copy.getSource().getType() == copy.getTarget().getType();
  }
  void plant(Operation *op, unsigned) const override {
    auto copy = cast<memref::CopyOp>(op);
    Value source = copy.getSource(), target = copy.getTarget();
    op->erase();
    target.replaceUsesWithIf(
        source, [](OpOperand &use) { return !isa<memref::DeallocOp>(use.getOwner()); });
  }
  StringRef excuse() const override { return "the original may not be read again"; }
};

/// Threads of a GPU's block that do not wait for each other.
struct DropBarrier : Mutator {
  DropBarrier() : Mutator("drop-barrier", "threads do not wait for what others write: a race") {}
  unsigned sites(Operation *op) const override { return isNamed(op, "gpu.barrier"); }
  void plant(Operation *op, unsigned) const override { op->erase(); }
};
} // namespace

void mutate::addMemory(Mutators &mutators) {
  add<DropStore>(mutators);
  add<DropUpdate>(mutators);
  add<AliasCopy>(mutators);
  add<DropBarrier>(mutators);
}
