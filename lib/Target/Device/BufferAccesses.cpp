#include "BufferAccesses.h"

#include "forge/Codegen/Strategy.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace forge;

//===--- kernels ---===//

/// Adds what `op` does to `memory`, an operand of it. What says nothing may do anything.
static void addEffects(Operation *op, Value memory, BufferAccess &access) {
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  SmallVector<MemoryEffects::EffectInstance> effects;
  if (interface)
    interface.getEffectsOnValue(memory, effects);
  if (effects.empty())
    access.reads = access.writes = true;
  for (const MemoryEffects::EffectInstance &effect : effects) {
    bool isRead = isa<MemoryEffects::Read>(effect.getEffect());
    access.reads |= isRead;
    access.writes |= !isRead;
  }
}

/// What a kernel does to an argument, through views of it.
static BufferAccess accessOf(BlockArgument argument) {
  BufferAccess access{argument};
  if (!isa<BaseMemRefType>(argument.getType()))
    return access;
  SmallVector<Value> views = {argument};
  while (!views.empty()) {
    Value memory = views.pop_back_val();
    for (OpOperand &use : memory.getUses()) {
      auto view = dyn_cast<ViewLikeOpInterface>(use.getOwner());
      if (view && view.getViewSource() == memory)
        llvm::append_range(views, llvm::make_filter_range(view->getResults(), [](Value result) {
                             return isa<BaseMemRefType>(result.getType());
                           }));
      else
        addEffects(use.getOwner(), memory, access);
    }
  }
  return access;
}

gpu::GPUFuncOp BufferAccesses::kernelOf(gpu::LaunchFuncOp launch) {
  return symbols.lookupNearestSymbolFrom<gpu::GPUFuncOp>(launch, launch.getKernel());
}

ArrayRef<BufferAccess> BufferAccesses::ofArguments(gpu::GPUFuncOp kernel) {
  auto [entry, isNew] = kernels.try_emplace(kernel);
  if (isNew)
    entry->second = llvm::map_to_vector(
        kernel.getBody().getArguments().take_front(kernel.getFunctionType().getNumInputs()),
        accessOf);
  return entry->second;
}

//===--- the host ---===//

static Value viewedBuffer(Value memory) {
  while (auto view = memory.getDefiningOp<ViewLikeOpInterface>())
    memory = view.getViewSource();
  return memory;
}

std::optional<SmallVector<BufferAccess>> BufferAccesses::of(Operation *op) {
  SmallVector<BufferAccess> accesses;
  if (isa<memref::AllocOp>(op) || (op->getNumRegions() == 0 && isPure(op)))
    return accesses;
  if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op)) {
    gpu::GPUFuncOp kernel = kernelOf(launch);
    if (!kernel || kernel.isExternal())
      return std::nullopt;
    for (auto [access, operand] : llvm::zip_equal(ofArguments(kernel), launch.getKernelOperands()))
      if (access.reads || access.writes)
        accesses.push_back({viewedBuffer(operand), access.reads, access.writes});
    return accesses;
  }
  // A tensor map is made of where a buffer is, and not of what it holds.
  if (auto call = dyn_cast<func::CallOp>(op);
      call && call.getCallee().starts_with(kTensorMapFunction)) {
    accesses.push_back({viewedBuffer(call.getOperand(0)), /*reads=*/false, /*writes=*/true});
    return accesses;
  }
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface || op->getNumRegions() > 0)
    return std::nullopt;
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  for (const MemoryEffects::EffectInstance &effect : effects) {
    if (!effect.getValue())
      return std::nullopt;
    bool isRead = isa<MemoryEffects::Read>(effect.getEffect());
    accesses.push_back({viewedBuffer(effect.getValue()), isRead, !isRead});
  }
  return accesses;
}

static bool isArgumentOfFunction(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  return argument && argument.getOwner()->isEntryBlock() &&
         isa<FunctionOpInterface>(argument.getOwner()->getParentOp());
}

/// Whether `argument` had its value before `alloc` made a buffer.
static bool isFromBefore(Value argument, memref::AllocOp alloc) {
  auto blockArgument = dyn_cast<BlockArgument>(argument);
  return blockArgument && blockArgument.getOwner()->getParentOp()->isProperAncestor(alloc);
}

static bool mayBeEqual(Value a, Value b) {
  if (a == b)
    return true;
  auto allocA = a.getDefiningOp<memref::AllocOp>(), allocB = b.getDefiningOp<memref::AllocOp>();
  auto globalA = a.getDefiningOp<memref::GetGlobalOp>(),
       globalB = b.getDefiningOp<memref::GetGlobalOp>();
  if (globalA && globalB)
    return globalA.getName() == globalB.getName();
  auto isKnown = [](Value value, Operation *alloc, Operation *global) {
    return alloc || global || isArgumentOfFunction(value) ||
           value.getDefiningOp<memref::AllocaOp>();
  };
  if (isKnown(a, allocA, globalA) && isKnown(b, allocB, globalB))
    return false;
  return !(allocA && isFromBefore(b, allocA)) && !(allocB && isFromBefore(a, allocB));
}

bool forge::mayConflict(ArrayRef<BufferAccess> some, ArrayRef<BufferAccess> others) {
  return llvm::any_of(some, [&](const BufferAccess &a) {
    return llvm::any_of(others, [&](const BufferAccess &b) {
      return (a.writes || b.writes) && mayBeEqual(a.buffer, b.buffer);
    });
  });
}
