#include "SteadyMemory.h"

#include "../Device/BufferAccesses.h"

#include "forge/Codegen/Strategy.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace forge;

static Value viewedBuffer(Value memory) {
  while (auto view = memory.getDefiningOp<ViewLikeOpInterface>())
    memory = view.getViewSource();
  return memory;
}

static gpu::LaunchFuncOp firstLaunchOf(func::FuncOp function) {
  gpu::LaunchFuncOp first;
  function.walk<WalkOrder::PreOrder>([&](gpu::LaunchFuncOp launch) {
    first = launch;
    return WalkResult::interrupt();
  });
  return first;
}

/// Removes from `buffers` what `op` may write. Where that is not known, it is all that it takes.
static void removeWritten(Operation *op, BufferAccesses &accesses, llvm::DenseSet<Value> &buffers) {
  if (isa<ViewLikeOpInterface>(op))
    return;
  if (std::optional<SmallVector<BufferAccess>> known = accesses.of(op)) {
    for (const BufferAccess &access : *known)
      if (access.writes)
        buffers.erase(access.buffer);
    return;
  }
  for (Value operand : op->getOperands())
    buffers.erase(viewedBuffer(operand));
}

SteadyMemory::SteadyMemory(ModuleOp module) {
  module.walk([&](func::CallOp call) {
    if (call.getCallee().starts_with(kTensorMapFunction))
      mapped[viewedBuffer(call.getOperand(0))].push_back(viewedBuffer(call.getOperand(1)));
  });
  llvm::DenseSet<StringAttr> called;
  module.walk([&](func::CallOp call) { called.insert(call.getCalleeAttr().getAttr()); });
  BufferAccesses accesses;
  for (auto function : module.getOps<func::FuncOp>()) {
    gpu::LaunchFuncOp first = firstLaunchOf(function);
    if (!first)
      continue;
    // What a caller launches before is not seen here.
    if (called.contains(function.getSymNameAttr())) {
      buffers.clear();
      firstLaunches.clear();
      return;
    }
    if (!function.isPublic() || first->getBlock() != &function.front())
      continue;
    firstLaunches.push_back(first);
    for (BlockArgument argument : function.getArguments())
      if (isa<BaseMemRefType>(argument.getType()))
        buffers.insert(argument);
    function.walk([&](Operation *op) {
      if (op != function)
        removeWritten(op, accesses, buffers);
    });
  }
}

bool SteadyMemory::isSteady(Value operand) const {
  Value buffer = viewedBuffer(operand);
  auto maps = mapped.find(buffer);
  if (maps == mapped.end())
    return buffers.contains(buffer);
  return llvm::all_of(maps->second, [&](Value of) { return buffers.contains(of); });
}

llvm::DenseSet<Value> SteadyMemory::argumentsOf(gpu::GPUFuncOp kernel,
                                                ArrayRef<gpu::LaunchFuncOp> launches) const {
  llvm::DenseSet<Value> arguments;
  for (unsigned number = 0; number < kernel.getFunctionType().getNumInputs(); ++number)
    if (llvm::all_of(launches, [&](gpu::LaunchFuncOp launch) {
          return isSteady(launch.getKernelOperand(number));
        }))
      arguments.insert(kernel.getArgument(number));
  return arguments;
}

/// Barriers of a block, in shared memory.
static bool isBarrier(Operation *op) {
  return isa<gpu::BarrierOp, NVVM::MBarrierInitOp, NVVM::MBarrierArriveExpectTxOp,
             NVVM::MBarrierTryWaitParityOp, NVVM::FenceMbarrierInitOp>(op);
}

/// The kernel's argument that a tensor map is, whose address is a number before it is a pointer.
static Value tensorMapOf(NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp copy) {
  Value address = copy.getTmaDescriptor();
  while (Operation *op = address.getDefiningOp()) {
    if (auto pointer = dyn_cast<memref::ExtractAlignedPointerAsIndexOp>(op))
      return viewedBuffer(pointer.getSource());
    if (!isa<LLVM::IntToPtrOp, arith::IndexCastOp>(op))
      return {};
    address = op->getOperand(0);
  }
  return {};
}

/// Whether all that `op` does to global memory is to read what is in `steady`.
static bool readsSteady(Operation *op, const llvm::DenseSet<Value> &steady) {
  if (isMemoryEffectFree(op) || isBarrier(op))
    return true;
  if (auto copy = dyn_cast<NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp>(op))
    return steady.contains(tensorMapOf(copy));
  if (op->getNumRegions() > 0)
    return llvm::all_of(op->getRegions(), [&](Region &region) {
      return llvm::all_of(region.getOps(),
                          [&](Operation &inner) { return readsSteady(&inner, steady); });
    });
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface)
    return false;
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  return llvm::all_of(effects, [&](const MemoryEffects::EffectInstance &effect) {
    return isa<MemoryEffects::Read>(effect.getEffect()) && effect.getValue() &&
           steady.contains(viewedBuffer(effect.getValue()));
  });
}

void forge::forEachFirstAccess(Block &block, const llvm::DenseSet<Value> &steady,
                               function_ref<void(OpBuilder &)> emit) {
  for (Operation &op : block) {
    if (!op.hasTrait<OpTrait::IsTerminator>() && readsSteady(&op, steady))
      continue;
    OpBuilder builder(&op);
    auto branch = dyn_cast<scf::IfOp>(op);
    if (!branch)
      return emit(builder);
    // One of the two is executed.
    if (branch.getElseRegion().empty()) {
      builder.createBlock(&branch.getElseRegion());
      scf::YieldOp::create(builder, branch.getLoc());
    }
    forEachFirstAccess(*branch.thenBlock(), steady, emit);
    forEachFirstAccess(*branch.elseBlock(), steady, emit);
    return;
  }
}
