#include "FusedKernel.h"

#include "forge/Codegen/Schedule.h"
#include "forge/Codegen/Strategy.h"
#include "forge/Target/Device/HostCode.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace forge;

/// Of one buffer in shared memory.
static int64_t bytesOf(MemRefType type) {
  Type element = type.getElementType();
  // An index has 8 bytes in memory.
  int64_t bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64;
  return type.getNumElements() * llvm::divideCeil(bits, 8);
}

int64_t forge::sharedBytes(ArrayRef<gpu::GPUFuncOp> kernels) {
  llvm::MapVector<Type, int64_t> most;
  for (gpu::GPUFuncOp kernel : kernels) {
    llvm::MapVector<Type, int64_t> own;
    for (BlockArgument buffer : kernel.getWorkgroupAttributions())
      ++own[buffer.getType()];
    for (auto [type, count] : own)
      most[type] = std::max(most[type], count);
  }
  int64_t bytes = 0;
  for (auto [type, count] : most)
    bytes += count * bytesOf(cast<MemRefType>(type));
  return bytes;
}

DictionaryAttr forge::sharedAttributes(gpu::GPUFuncOp kernel) {
  NamedAttrList attributes(kernel->getDiscardableAttrDictionary());
  for (StringRef own : {StringRef(forge::kScheduleAttr), StringRef(forge::kPartsAttr),
                        StringRef(forge::kByValueAttr), StringRef(SymbolTable::getSymbolAttrName()),
                        gpu::GPUFuncOp::getNumWorkgroupAttributionsAttrName()})
    attributes.erase(own);
  return attributes.getDictionary(kernel.getContext());
}

/// Whether the threads of a block do not meet, so that more threads, which do nothing, can be with
/// them. Only a call might meet others unseen.
static bool isByThread(gpu::GPUFuncOp kernel) {
  if (kernel.getNumWorkgroupAttributions() > 0)
    return false;
  return !kernel
              .walk([](Operation *op) {
                Dialect *dialect = op->getDialect();
                bool isOwn =
                    isa_and_nonnull<arith::ArithDialect, memref::MemRefDialect, scf::SCFDialect,
                                    math::MathDialect, ub::UBDialect, vector::VectorDialect>(
                        dialect) ||
                    isa<gpu::GPUFuncOp, gpu::ReturnOp, gpu::ThreadIdOp, gpu::BlockIdOp,
                        gpu::GridDimOp>(op);
                return isOwn ? WalkResult::advance() : WalkResult::interrupt();
              })
              .wasInterrupted();
}

bool forge::canHaveOneBlockSize(const LaunchPart &part, const LaunchPart &other) {
  auto sizeOf = [](const LaunchPart &of) {
    return gpu::GPUFuncOp(of.kernel).getKnownBlockSizeAttr().asArrayRef();
  };
  if (part.threads == other.threads)
    return sizeOf(part) == sizeOf(other);
  const LaunchPart &smaller = part.threads < other.threads ? part : other;
  return sizeOf(part)[0] == part.threads && sizeOf(other)[0] == other.threads &&
         isByThread(smaller.kernel);
}

const LaunchPart &forge::largestPart(ArrayRef<LaunchPart> parts) {
  return *llvm::max_element(
      parts, [](const LaunchPart &a, const LaunchPart &b) { return a.threads < b.threads; });
}

/// Maps the shared memory of `source` to that of `kernel`. A block does one part only: parts
/// share what they have alike.
static void shareBuffers(gpu::GPUFuncOp kernel, gpu::GPUFuncOp source, IRMapping &map) {
  StringRef align = LLVM::LLVMDialect::getAlignAttrName();
  llvm::SmallBitVector taken(kernel.getNumWorkgroupAttributions());
  for (auto [number, buffer] : llvm::enumerate(source.getWorkgroupAttributions())) {
    Attribute alignment = source.getWorkgroupAttributionAttr(number, align);
    unsigned found = 0;
    while (found < taken.size() &&
           (taken.test(found) ||
            kernel.getWorkgroupAttributions()[found].getType() != buffer.getType() ||
            kernel.getWorkgroupAttributionAttr(found, align) != alignment))
      ++found;
    if (found == taken.size()) {
      kernel.addWorkgroupAttribution(buffer.getType(), buffer.getLoc());
      if (alignment)
        kernel.setWorkgroupAttributionAttr(found, align, alignment);
      taken.resize(found + 1);
    }
    taken.set(found);
    map.map(buffer, kernel.getWorkgroupAttributions()[found]);
  }
}

/// The first `count` threads of a block go on.
static void enterThreads(OpBuilder &builder, Location loc, int64_t count) {
  Value thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
  Value end = arith::ConstantIndexOp::create(builder, loc, count);
  Value isOne = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, thread, end);
  auto branch = scf::IfOp::create(builder, loc, isOne, /*withElseRegion=*/false);
  builder.setInsertionPointToStart(branch.thenBlock());
}

static void clone(OpBuilder &builder, gpu::GPUFuncOp kernel, const LaunchPart &part,
                  unsigned firstArgument, int64_t firstBlock, Value block) {
  gpu::GPUFuncOp source = part.kernel;
  Location loc = source.getLoc();
  IRMapping map;
  unsigned numArguments = source.getFunctionType().getNumInputs();
  for (unsigned number = 0; number < numArguments; ++number)
    map.map(source.getArgument(number), kernel.getArgument(firstArgument + number));
  shareBuffers(kernel, source, map);
  Value number = block;
  if (firstBlock > 0)
    number = arith::SubIOp::create(builder, loc, block,
                                   arith::ConstantIndexOp::create(builder, loc, firstBlock));
  Value blocks = arith::ConstantIndexOp::create(builder, loc, part.blocks);
  SmallVector<Operation *> numbers;
  for (Operation &op : source.getBody().front().without_terminator())
    builder.clone(op, map)->walk([&](Operation *cloned) {
      if (isa<gpu::BlockIdOp, gpu::GridDimOp>(cloned))
        numbers.push_back(cloned);
    });
  for (Operation *op : numbers) {
    auto id = dyn_cast<gpu::BlockIdOp>(op);
    auto size = dyn_cast<gpu::GridDimOp>(op);
    if ((id ? id.getDimension() : size.getDimension()) != gpu::Dimension::x)
      continue;
    op->getResult(0).replaceAllUsesWith(id ? number : blocks);
    op->erase();
  }
}

static void fillBody(gpu::GPUFuncOp kernel, ArrayRef<LaunchPart> parts) {
  Location loc = kernel.getLoc();
  OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
  Value block = gpu::BlockIdOp::create(builder, loc, gpu::Dimension::x);
  gpu::ReturnOp::create(builder, loc);
  builder.setInsertionPointAfterValue(block);
  int64_t firstBlock = 0, threads = largestPart(parts).threads;
  unsigned firstArgument = 0;
  for (const LaunchPart &part : parts) {
    // A part is what is left behind the ones before it, and the last one has the rest.
    scf::IfOp branch;
    if (&part != &parts.back()) {
      Value end = arith::ConstantIndexOp::create(builder, loc, firstBlock + part.blocks);
      Value isPart = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, block, end);
      branch = scf::IfOp::create(builder, loc, isPart, /*withElseRegion=*/true);
      builder.setInsertionPointToStart(branch.thenBlock());
    }
    {
      OpBuilder::InsertionGuard guard(builder);
      if (part.threads < threads)
        enterThreads(builder, loc, part.threads);
      clone(builder, kernel, part, firstArgument, firstBlock, block);
    }
    firstBlock += part.blocks;
    firstArgument += gpu::LaunchFuncOp(part.launch).getNumKernelOperands();
    if (branch)
      builder.setInsertionPointToStart(branch.elseBlock());
  }
}

/// Has the threads of a part that is smaller than its block meet each other alone.
static void meetAlone(scf::IfOp part, int64_t threads) {
  SmallVector<gpu::BarrierOp> barriers;
  part->walk([&](gpu::BarrierOp barrier) { barriers.push_back(barrier); });
  for (gpu::BarrierOp barrier : barriers) {
    OpBuilder builder(barrier);
    Location loc = barrier.getLoc();
    Value id = arith::ConstantIntOp::create(builder, loc, 1, 32);
    Value count = arith::ConstantIntOp::create(builder, loc, threads, 32);
    NVVM::BarrierOp::create(builder, loc, TypeRange(), id, count, NVVM::BarrierReductionAttr(),
                            Value());
    barrier.erase();
  }
}

static void fillPhases(gpu::GPUFuncOp kernel, ArrayRef<LaunchPart> phases, int64_t cluster) {
  Location loc = kernel.getLoc();
  OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
  Value block = gpu::BlockIdOp::create(builder, loc, gpu::Dimension::x);
  gpu::ReturnOp end = gpu::ReturnOp::create(builder, loc);
  int64_t threads = largestPart(phases).threads;
  unsigned firstArgument = 0;
  for (const LaunchPart &phase : phases) {
    builder.setInsertionPoint(end);
    if (firstArgument > 0) {
      NVVM::ClusterArriveOp::create(builder, loc, /*aligned=*/builder.getUnitAttr());
      NVVM::ClusterWaitOp::create(builder, loc, /*aligned=*/builder.getUnitAttr());
    }
    if (phase.blocks < cluster) {
      Value blocks = arith::ConstantIndexOp::create(builder, loc, phase.blocks);
      Value has = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, block, blocks);
      auto branch = scf::IfOp::create(builder, loc, has, /*withElseRegion=*/false);
      builder.setInsertionPointToStart(branch.thenBlock());
    }
    bool isSmaller = phase.threads < threads;
    if (isSmaller)
      enterThreads(builder, loc, phase.threads);
    clone(builder, kernel, phase, firstArgument, /*firstBlock=*/0, block);
    if (isSmaller)
      meetAlone(cast<scf::IfOp>(builder.getInsertionBlock()->getParentOp()), phase.threads);
    firstArgument += gpu::LaunchFuncOp(phase.launch).getNumKernelOperands();
  }
}

SmallVector<int64_t> forge::argumentsByValue(ArrayRef<LaunchPart> parts) {
  SmallVector<int64_t> numbers;
  int64_t first = 0;
  for (const LaunchPart &part : parts) {
    gpu::GPUFuncOp kernel = part.kernel;
    if (auto own = kernel->getAttrOfType<DenseI64ArrayAttr>(kByValueAttr))
      for (int64_t number : own.asArrayRef())
        numbers.push_back(first + number);
    first += kernel.getFunctionType().getNumInputs();
  }
  return numbers;
}

/// A kernel without a body, next to those of `parts` and with their arguments.
static gpu::GPUFuncOp declareKernel(ArrayRef<LaunchPart> parts, StringRef separator) {
  SmallVector<Type> types;
  SmallVector<std::string> names, madeOf;
  SmallVector<Location> locations;
  for (const LaunchPart &part : parts) {
    gpu::GPUFuncOp source = part.kernel;
    llvm::append_range(types, source.getFunctionType().getInputs());
    names.push_back(source.getName().str());
    if (auto own = source->getAttrOfType<ArrayAttr>(forge::kPartsAttr))
      for (StringRef name : own.getAsValueRange<StringAttr>())
        madeOf.push_back(name.str());
    else
      madeOf.push_back(names.back());
    locations.push_back(source.getLoc());
  }
  gpu::GPUFuncOp first = parts.front().kernel;
  OpBuilder builder(first);
  SmallVector<int64_t> byValue = argumentsByValue(parts);
  auto kernel = gpu::GPUFuncOp::create(builder, FusedLoc::get(first.getContext(), locations),
                                       llvm::join(names, separator),
                                       builder.getFunctionType(types, TypeRange()));
  for (NamedAttribute attribute : sharedAttributes(first))
    kernel->setDiscardableAttr(attribute.getName(), attribute.getValue());
  kernel.setKnownBlockSizeAttr(gpu::GPUFuncOp(largestPart(parts).kernel).getKnownBlockSizeAttr());
  kernel->setAttr(forge::kPartsAttr,
                  builder.getStrArrayAttr(SmallVector<StringRef>(madeOf.begin(), madeOf.end())));
  if (!byValue.empty())
    kernel->setAttr(forge::kByValueAttr, builder.getDenseI64ArrayAttr(byValue));
  SymbolTable(first->getParentOp()).insert(kernel);
  return kernel;
}

gpu::GPUFuncOp forge::fuseKernels(ArrayRef<LaunchPart> parts) {
  gpu::GPUFuncOp kernel = declareKernel(parts, "_and_");
  // All are of one strategy, or compute element by element.
  kernel->setAttr(forge::kScheduleAttr, forge::getSchedule(gpu::GPUFuncOp(parts.front().kernel)));
  fillBody(kernel, parts);
  return kernel;
}

gpu::GPUFuncOp forge::chainKernels(ArrayRef<LaunchPart> phases, int64_t cluster) {
  gpu::GPUFuncOp kernel = declareKernel(phases, "_then_");
  kernel->setAttr(forge::kScheduleAttr, forge::getSchedule(gpu::GPUFuncOp(phases.front().kernel)));
  kernel.setKnownClusterSizeAttr(
      Builder(kernel.getContext()).getDenseI32ArrayAttr({static_cast<int32_t>(cluster), 1, 1}));
  fillPhases(kernel, phases, cluster);
  return kernel;
}
