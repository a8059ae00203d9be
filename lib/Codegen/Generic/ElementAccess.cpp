#include "ElementAccess.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace forge;

/// What a chain of updates started from; null if that is not one value.
static Value baseOf(Value value) {
  while (value) {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
      if (!loop)
        return isa<func::FuncOp>(argument.getOwner()->getParentOp()) ? value : Value();
      value = loop.getTiedLoopInit(argument)->get();
      continue;
    }
    Operation *op = value.getDefiningOp();
    unsigned number = cast<OpResult>(value).getResultNumber();
    if (auto insert = dyn_cast<tensor::InsertOp>(op))
      value = insert.getDest();
    else if (auto cast = dyn_cast<memref::MemorySpaceCastOp>(op))
      value = cast.getSource();
    else if (auto loop = dyn_cast<scf::ForOp>(op))
      value = loop.getInitArgs()[number];
    else if (auto branch = dyn_cast<scf::IfOp>(op)) {
      Value then = baseOf(branch.thenYield().getOperand(number));
      return then == baseOf(branch.elseYield().getOperand(number)) ? then : Value();
    } else
      return isa<tensor::EmptyOp, memref::AllocOp, memref::AllocaOp>(op) ? value : Value();
  }
  return value;
}

/// Tensors that a loop carries stay in their places.
static bool keepsPlaces(scf::ForOp loop) {
  for (auto [yielded, init] : llvm::zip(loop.getYieldedValues(), loop.getInitArgs()))
    if (isa<ShapedType>(init.getType()) && baseOf(yielded) != baseOf(init))
      return false;
  return true;
}

FailureOr<SmallVector<ElementAccess>> forge::collectAccesses(func::FuncOp kernel) {
  SmallVector<ElementAccess> accesses;
  auto add = [&](Operation *op, Value target, ValueRange indices, bool isWrite) {
    Value base = baseOf(target);
    accesses.push_back({op, base, llvm::to_vector(indices), isWrite});
    return base != nullptr;
  };
  WalkResult result = kernel.walk([&](Operation *op) {
    bool known = true;
    if (auto load = dyn_cast<memref::LoadOp>(op))
      known = add(op, load.getMemRef(), load.getIndices(), false);
    else if (auto store = dyn_cast<memref::StoreOp>(op))
      known = add(op, store.getMemRef(), store.getIndices(), true);
    else if (auto extract = dyn_cast<tensor::ExtractOp>(op))
      known = add(op, extract.getTensor(), extract.getIndices(), false);
    else if (auto insert = dyn_cast<tensor::InsertOp>(op))
      known = add(op, insert.getDest(), insert.getIndices(), true);
    else if (auto loop = dyn_cast<scf::ForOp>(op))
      known = keepsPlaces(loop);
    else
      known = isa<func::FuncOp, func::ReturnOp, func::CallOp, memref::AllocOp, memref::AllocaOp,
                  memref::DeallocOp>(op) ||
              isa_and_nonnull<scf::SCFDialect>(op->getDialect()) || isMemoryEffectFree(op);
    return known ? WalkResult::advance() : WalkResult::interrupt();
  });
  if (result.wasInterrupted())
    return failure();
  return accesses;
}

SmallVector<Value> forge::writtenBases(ArrayRef<ElementAccess> accesses) {
  SmallVector<Value> written;
  for (const ElementAccess &access : accesses)
    if (access.isWrite && !llvm::is_contained(written, access.base))
      written.push_back(access.base);
  return written;
}

scf::ForOp forge::counterLoop(Value index) {
  auto argument = dyn_cast<BlockArgument>(index);
  auto loop = argument ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp()) : scf::ForOp();
  return loop && loop.getInductionVar() == index ? loop : scf::ForOp();
}
