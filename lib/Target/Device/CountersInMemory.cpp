#include "SequenceWork.h"

#include "forge/Codegen/Strategy.h"
#include "forge/Target/Device/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

namespace forge {
#define GEN_PASS_DEF_COUNTERSINMEMORYPASS
#include "forge/Target/Device/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-counters-in-memory"

using namespace mlir;
using namespace forge::sequence;

/// A launch more in each step pays where replaying saves several.
static constexpr int64_t kLeastWork = 4;
/// Steps of which the first is issued and the second captured.
static constexpr int64_t kLeastSteps = 4;

/// A scalar that a step of a loop computes, or its counter.
static bool varies(Value value) {
  if (isa<BaseMemRefType>(value.getType()) || matchPattern(value, m_Constant()))
    return false;
  Operation *owner = value.getParentBlock()->getParentOp();
  return isa<scf::ForOp, scf::WhileOp>(owner) || owner->getParentOfType<scf::ForOp>() ||
         owner->getParentOfType<scf::WhileOp>();
}

/// Whether it takes one of the places of 8 bytes.
static bool fitsPlace(Type type) {
  auto integer = dyn_cast<IntegerType>(type);
  return type.isIndex() || type.isF32() || type.isF64() ||
         (integer && integer.isSignless() && integer.getWidth() <= 64);
}

/// A scalar as the word that its place holds.
static Value wordOf(OpBuilder &builder, Location loc, Value scalar) {
  Type i64 = builder.getI64Type(), type = scalar.getType();
  if (type.isIndex())
    return arith::IndexCastOp::create(builder, loc, i64, scalar);
  if (isa<FloatType>(type))
    scalar = arith::BitcastOp::create(builder, loc,
                                      builder.getIntegerType(type.getIntOrFloatBitWidth()), scalar);
  return scalar.getType() == i64 ? scalar
                                 : arith::ExtUIOp::create(builder, loc, i64, scalar).getResult();
}

/// A scalar of `type` whose place holds `word`.
static Value scalarOf(OpBuilder &builder, Location loc, Value word, Type type) {
  if (type.isIndex())
    return arith::IndexCastOp::create(builder, loc, type, word);
  unsigned width = type.getIntOrFloatBitWidth();
  if (width < 64)
    word = arith::TruncIOp::create(builder, loc, builder.getIntegerType(width), word);
  return isa<FloatType>(type) ? arith::BitcastOp::create(builder, loc, type, word).getResult()
                              : word;
}

namespace {
/// The scalars of one step.
class Step {
public:
  explicit Step(Block &block) : block(block) {
    auto work = llvm::make_filter_range(block, [](Operation &op) { return isWork(&op); });
    if (!work.empty())
      first = &*work.begin();
  }

  /// Whether its work is the same in every step but for scalars that kernels take, and there are
  /// such.
  bool isTheSameButForScalars() {
    int64_t issued = llvm::count_if(block, [](Operation &op) { return isIssued(&op); });
    if (!first || issued < kLeastWork)
      return false;
    for (Operation &op : block)
      if (belongs(&op) && !takeScalars(&op))
        return false;
    return !places.empty() &&
           llvm::all_of(places, [&](auto &entry) { return canHoist(entry.first); });
  }

  void hoistScalars() {
    for (auto &entry : places)
      hoist(entry.first);
  }

  Block &block;
  /// Its first work for the device.
  Operation *first = nullptr;
  /// The place in memory of each scalar.
  llvm::MapVector<Value, int64_t> places;

private:
  /// False if `op`, or a launch inside it, depends on the step in another way.
  bool takeScalars(Operation *op) {
    WalkResult walked = op->walk([&](Operation *inner) {
      return isSame(inner) ? WalkResult::advance() : WalkResult::interrupt();
    });
    return !walked.wasInterrupted();
  }

  bool isSame(Operation *op) {
    // Scalars may vary; what they are used for is looked at there.
    if (mayMove(op) && llvm::none_of(op->getResultTypes(), llvm::IsaPred<BaseMemRefType>))
      return true;
    auto launch = dyn_cast<gpu::LaunchFuncOp>(op);
    if (!launch)
      return isFallback(op) || llvm::none_of(op->getOperands(), varies);
    SmallVector<Value> scalars = llvm::filter_to_vector(launch.getKernelOperands(), varies);
    size_t varying = llvm::count_if(launch->getOperands(), varies);
    if (varying != scalars.size() ||
        !llvm::all_of(scalars, [](Value scalar) { return fitsPlace(scalar.getType()); }))
      return false;
    for (Value scalar : scalars)
      places.insert({scalar, static_cast<int64_t>(places.size())});
    return true;
  }

  bool isBefore(Value value) {
    Operation *op = value.getDefiningOp();
    return !op || op->getBlock() != &block || op->isBeforeInBlock(first);
  }
  /// Scalars of a branch inside the step are not computed in front of it.
  bool canHoist(Value value) {
    Operation *op = value.getDefiningOp();
    if (!value.getParentRegion()->isAncestor(block.getParent()))
      return false;
    return isBefore(value) || (mayMove(op) && llvm::all_of(op->getOperands(), [&](Value operand) {
                                 return canHoist(operand);
                               }));
  }
  void hoist(Value value) {
    if (isBefore(value))
      return;
    Operation *op = value.getDefiningOp();
    for (Value operand : op->getOperands())
      hoist(operand);
    op->moveBefore(first);
  }
};

/// 1. The steps of loops whose work is the same each time, but for scalars that kernels take: the
///    loop's counter, what is computed from it, what the host has read for its condition.
/// 2. A buffer has a place for each of them. A kernel of one thread writes them at the start of the
///    step; it is issued in front of the graph that the rest of the step becomes.
/// 3. Kernels that take one get a copy that reads it from the buffer.
struct CountersInMemoryPass : public forge::impl::CountersInMemoryPassBase<CountersInMemoryPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto devices = module.getOps<gpu::GPUModuleOp>();
    if (devices.empty())
      return;
    device = *devices.begin();
    SmallVector<Block *> blocks;
    for (func::FuncOp function : module.getOps<func::FuncOp>())
      if (function.isPublic())
        function.walk([&](Operation *op) {
          if (auto loop = dyn_cast<scf::ForOp>(op); loop && !isShort(loop))
            blocks.push_back(loop.getBody());
          if (auto loop = dyn_cast<scf::WhileOp>(op))
            blocks.append({loop.getBeforeBody(), loop.getAfterBody()});
        });
    for (Block *block : blocks)
      if (Step step(*block); step.isTheSameButForScalars())
        rewrite(step);
    eraseUnused();
  }

  static bool isShort(scf::ForOp loop) {
    std::optional<APInt> steps = loop.getStaticTripCount();
    return steps && steps->slt(kLeastSteps);
  }

  void rewrite(Step &step) {
    step.hoistScalars();
    Operation *loop = step.block.getParentOp();
    OpBuilder builder(loop);
    Location loc = loop->getLoc();
    auto type = MemRefType::get(static_cast<int64_t>(step.places.size()), builder.getI64Type());
    Value buffer = memref::AllocOp::create(builder, loc, type);
    builder.setInsertionPointAfter(loop);
    memref::DeallocOp::create(builder, loc, buffer);
    builder.setInsertionPoint(step.first);
    writePlaces(builder, loc, buffer, step);
    step.block.walk([&](gpu::LaunchFuncOp launch) {
      if (!launch->hasAttr(kNotCapturedAttr))
        readPlaces(launch, buffer, step);
    });
  }

  void writePlaces(OpBuilder &builder, Location loc, Value buffer, const Step &step) {
    SmallVector<Value> operands{buffer};
    for (auto &[scalar, place] : step.places)
      operands.push_back(wordOf(builder, loc, scalar));
    Value one = arith::ConstantIndexOp::create(builder, loc, 1);
    gpu::KernelDim3 single{one, one, one};
    auto launch = gpu::LaunchFuncOp::create(builder, loc, writer(loc, operands), single, single,
                                            /*dynamicSharedMemorySize=*/Value(), operands);
    launch->setAttr(kNotCapturedAttr, builder.getUnitAttr());
    launch->setAttr(forge::kDescriptionAttr, builder.getStringAttr("counters; 1 thread"));
  }

  /// The kernel that writes its scalars to the buffer.
  gpu::GPUFuncOp writer(Location loc, ArrayRef<Value> operands) {
    OpBuilder builder = OpBuilder::atBlockEnd(device.getBody());
    auto kernel = gpu::GPUFuncOp::create(
        builder, loc, "counters",
        builder.getFunctionType(ValueRange(operands).getTypes(), TypeRange()));
    SymbolTable(device).insert(kernel);
    kernel->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), builder.getUnitAttr());
    kernel.setKnownBlockSizeAttr(builder.getDenseI32ArrayAttr({1, 1, 1}));
    Block *entry = &kernel.getBody().front();
    builder.setInsertionPointToStart(entry);
    for (auto [place, scalar] : llvm::enumerate(entry->getArguments().drop_front())) {
      Value at = arith::ConstantIndexOp::create(builder, loc, static_cast<int64_t>(place));
      memref::StoreOp::create(builder, loc, scalar, entry->getArgument(0), at);
    }
    gpu::ReturnOp::create(builder, loc);
    return kernel;
  }

  void readPlaces(gpu::LaunchFuncOp launch, Value buffer, const Step &step) {
    SmallVector<int64_t> places;
    for (Value operand : launch.getKernelOperands()) {
      auto found = step.places.find(operand);
      places.push_back(found == step.places.end() ? -1 : found->second);
    }
    if (llvm::all_of(places, [](int64_t place) { return place < 0; }))
      return;
    gpu::GPUFuncOp kernel = reader(launch, places, cast<MemRefType>(buffer.getType()));
    launch.setKernelAttr(
        SymbolRefAttr::get(device.getNameAttr(), {FlatSymbolRefAttr::get(kernel.getNameAttr())}));
    for (auto [operand, place] : llvm::zip_equal(launch.getKernelOperandsMutable(), places))
      if (place >= 0)
        operand.set(buffer);
  }

  /// The launched kernel, with the arguments that have a place read from there.
  gpu::GPUFuncOp reader(gpu::LaunchFuncOp launch, ArrayRef<int64_t> places, MemRefType buffer) {
    auto kernel = cast<gpu::GPUFuncOp>(SymbolTable::lookupSymbolIn(device, launch.getKernelName()));
    OpBuilder builder(&getContext());
    auto key = std::make_tuple(kernel.getOperation(),
                               Attribute(builder.getDenseI64ArrayAttr(places)), Type(buffer));
    gpu::GPUFuncOp &copy = readers[key];
    if (copy)
      return copy;
    copied.insert(kernel);
    copy = kernel.clone();
    SymbolTable(device).insert(copy, std::next(Block::iterator(kernel)));
    Block *entry = &copy.getBody().front();
    builder.setInsertionPointToStart(entry);
    Location loc = copy.getLoc();
    SmallVector<Type> types(copy.getArgumentTypes());
    for (auto [number, place] : llvm::enumerate(places)) {
      if (place < 0)
        continue;
      BlockArgument argument = entry->getArgument(static_cast<unsigned>(number));
      Type type = argument.getType();
      types[number] = buffer;
      argument.setType(buffer);
      Value at = arith::ConstantIndexOp::create(builder, loc, place);
      Operation *word = memref::LoadOp::create(builder, loc, argument, at);
      argument.replaceAllUsesExcept(scalarOf(builder, loc, word->getResult(0), type), word);
    }
    copy.setFunctionType(builder.getFunctionType(types, TypeRange()));
    return copy;
  }

  /// Kernels of which only copies are launched.
  void eraseUnused() {
    for (Operation *kernel : copied)
      if (SymbolTable::symbolKnownUseEmpty(kernel, getOperation()))
        kernel->erase();
  }

  gpu::GPUModuleOp device;
  llvm::MapVector<std::tuple<Operation *, Attribute, Type>, gpu::GPUFuncOp> readers;
  llvm::SetVector<Operation *> copied;
};
} // namespace
