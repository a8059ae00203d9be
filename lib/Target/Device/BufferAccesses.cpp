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

/// The part of its source that `view` is, if its dimensions are dimensions of the source, whose
/// shape is static, and others are at one place.
static std::optional<BufferRegion> regionOf(memref::ReinterpretCastOp view) {
  auto source = dyn_cast<MemRefType>(view.getSource().getType());
  MemRefType type = view.getType();
  auto [strides, offset] = type.getStridesAndOffset();
  if (!source || !source.hasStaticShape() || !source.getLayout().isIdentity() ||
      !type.hasStaticShape() || ShapedType::isDynamic(offset) ||
      ShapedType::isDynamicShape(strides))
    return std::nullopt;
  BufferRegion region;
  SmallVector<int64_t> sourceStrides = source.getStridesAndOffset().first;
  for (auto [stride, size] : llvm::zip_equal(sourceStrides, source.getShape())) {
    if (stride == 0)
      return std::nullopt;
    // Along dimensions of one element the stride is that of others, too.
    region.begin.push_back(size == 1 ? 0 : offset / stride);
    region.size.push_back(1);
    offset -= region.begin.back() * stride;
  }
  for (auto [stride, size] : llvm::zip_equal(strides, type.getShape())) {
    if (size == 1)
      continue;
    int64_t dim = 0, rank = source.getRank();
    while (dim < rank && (sourceStrides[dim] != stride || source.getDimSize(dim) == 1))
      ++dim;
    if (dim == rank || region.size[dim] != 1 || region.begin[dim] + size > source.getDimSize(dim))
      return std::nullopt;
    region.size[dim] = size;
  }
  return offset == 0 ? std::optional<BufferRegion>(region) : std::nullopt;
}

/// Whether two boxes of one buffer have no element in common.
static bool areApart(const BufferRegion &a, const BufferRegion &b) {
  if (a.begin.size() != b.begin.size())
    return false;
  for (size_t dim = 0; dim < a.begin.size(); ++dim)
    if (a.begin[dim] + a.size[dim] <= b.begin[dim] || b.begin[dim] + b.size[dim] <= a.begin[dim])
      return true;
  return false;
}

/// The region of all that is done to `argument`: that of the one view through which it is done.
static std::optional<BufferRegion> regionOf(BlockArgument argument) {
  std::optional<BufferRegion> region;
  for (Operation *user : argument.getUsers()) {
    auto view = dyn_cast<memref::ReinterpretCastOp>(user);
    if (!view || region)
      return std::nullopt;
    region = regionOf(view);
    if (!region)
      return std::nullopt;
  }
  return region;
}

/// What a kernel does to an argument, through views of it.
static BufferAccess accessOf(BlockArgument argument) {
  BufferAccess access{argument};
  if (!isa<BaseMemRefType>(argument.getType()))
    return access;
  access.region = regionOf(argument);
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
  if (!isNew)
    return entry->second;
  entry->second = llvm::map_to_vector(
      kernel.getBody().getArguments().take_front(kernel.getFunctionType().getNumInputs()),
      accessOf);
  // What tensor maps are of is read through them alone.
  if (kernel->hasAttr(kByValueAttr))
    for (BufferAccess &access : entry->second)
      if (isa<BaseMemRefType>(access.buffer.getType()) && !access.writes)
        access.reads = true;
  return entry->second;
}

//===--- the host ---===//

static Value viewedBuffer(Value memory) {
  while (auto view = memory.getDefiningOp<ViewLikeOpInterface>())
    memory = view.getViewSource();
  return memory;
}

/// `op`, if it makes a tensor map.
static func::CallOp mapCall(Operation *op) {
  auto call = dyn_cast<func::CallOp>(op);
  return call && call.getCallee().starts_with(kTensorMapFunction) ? call : func::CallOp();
}

bool forge::makesTensorMapFor(Operation *op, const llvm::SmallPtrSetImpl<Operation *> &memories) {
  func::CallOp call = mapCall(op);
  return call && memories.contains(viewedBuffer(call.getOperand(0)).getDefiningOp());
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
      if (access.reads || access.writes) {
        Value buffer = viewedBuffer(operand);
        accesses.push_back({buffer, access.reads, access.writes,
                            buffer == operand ? access.region : std::nullopt});
      }
    return accesses;
  }
  // A tensor map is made of where a buffer is, and not of what it holds.
  if (auto call = mapCall(op)) {
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
      return (a.writes || b.writes) && mayBeEqual(a.buffer, b.buffer) &&
             !(a.buffer == b.buffer && a.region && b.region && areApart(*a.region, *b.region));
    });
  });
}
