#include "FlatArgument.h"
#include "HostValues.h"
#include "TilePrograms.h"

#include "../Tile/LowerTileProgram.h"

#include "forge/Codegen/Passes.h"
#include "forge/Codegen/Schedule.h"
#include "forge/Codegen/Stamps.h"
#include "forge/Codegen/Strategy.h"
#include "forge/Diagnostics/ErrorKind.h"
#include "forge/Dialect/Tile/IR/Tile.h"
#include "forge/Kernels/Kernel.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace forge {
#define GEN_PASS_DEF_LOWERKERNELSPASS
#include "forge/Codegen/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-lower-kernels"

using namespace mlir;

namespace {
/// 1. The schedule is checked: this may be its first check. The strategy rewrites the body to
/// one thread's work, and says how many there are. A tile program is lowered as it says itself.
/// 2. Temporaries of run-time size that it left become arguments: the host allocates them. So does
///    the memory of time stamps, where there are any.
/// 3. The function becomes a gpu.func whose arguments are pointers and scalars.
/// 4. Every call becomes a launch; the host computes its sizes by a copy of the computation in the
///    kernel.
struct LowerKernelsPass : public forge::impl::LowerKernelsPassBase<LowerKernelsPass> {
  using LowerKernelsPassBase::LowerKernelsPassBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    LowerKernelsPassBase::getDependentDialects(registry);
    registry.insert<amdgpu::AMDGPUDialect, ROCDL::ROCDLDialect, forge::tile::TileDialect,
                    tensor::TensorDialect, ub::UBDialect>();
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    const forge::GPUChip *chip = forge::findChip(chipName);
    if (!chip) {
      module.emitError("unknown chip '") << chipName << "'";
      return signalPassFailure();
    }
    module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(), UnitAttr::get(&getContext()));
    OpBuilder builder(&getContext());
    auto device = gpu::GPUModuleOp::create(builder, module.getLoc(), "kernels");
    // A function of the host may have the same name.
    SymbolTable(module).insert(device, module.getBody()->begin());
    SymbolTableCollection symbols;
    SymbolUserMap users(symbols, module);
    forge::TileProgramWriter writer(*chip);
    for (func::FuncOp kernel : llvm::to_vector(module.getOps<func::FuncOp>()))
      if (forge::isKernel(kernel) &&
          failed(lowerKernel(kernel, users.getUsers(kernel), device, *chip, writer)))
        return signalPassFailure();
    takeFunctionsAlong(module, device);
  }

  LogicalResult lowerKernel(func::FuncOp kernel, ArrayRef<Operation *> users,
                            gpu::GPUModuleOp device, const forge::GPUChip &chip,
                            forge::TileProgramWriter &writer) {
    forge::ScheduleAttr schedule = forge::getSchedule(kernel);
    if (doesNothing(kernel)) {
      for (Operation *user : users)
        user->erase();
      kernel.erase();
      return success();
    }
    if (kernel.getNumResults() > 0)
      return emitError(kernel.getLoc(),
                       "expected a kernel that computes its results in arguments, but it returns ")
             << kernel.getResultTypes().front();
    // A kernel that phase `blocks` has not seen.
    if (forge::TileProgramWriter::applies(kernel) && failed(writer.write(kernel, users)))
      return failure();
    bool isTiles = forge::isTileProgram(kernel);
    const forge::Strategy *strategy = schedule ? forge::findStrategy(schedule.strategy()) : nullptr;
    if (!schedule && !isTiles)
      return forge::emitScheduleError(kernel, "expected a kernel function with ")
             << forge::kScheduleAttr;
    if (schedule && isTiles && !(strategy && strategy->writeTiles))
      return forge::emitScheduleError(kernel, "expected no ")
             << forge::kScheduleAttr << " on a tile program";
    if (!isTiles && failed(forge::verifyKernelSchedule(kernel, schedule, chip)))
      return failure();
    if (stamps)
      kernel->setAttr(forge::kTakesStampsAttr, UnitAttr::get(&getContext()));
    FailureOr<forge::LaunchShape> shape = isTiles
                                              ? lowerTiles(kernel, chip, /*isWritten=*/!schedule)
                                              : strategy->lower(kernel, schedule, chip);
    if (failed(shape))
      return failure();
    FailureOr<SmallVector<Temporary>> temporaries = takeTemporaries(kernel);
    if (failed(temporaries))
      return failure();
    if (std::optional<MemRefType> words = forge::lowerStamps(kernel))
      temporaries->push_back({*words, {}, /*isStamps=*/true});
    gpu::GPUFuncOp function = createDeviceFunction(kernel, device, *shape, temporaries->size());
    if (shape->residentThreads > 0 && chip.dialect == forge::DeviceDialect::NVVM)
      function->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(), residentBlocks(*shape));
    for (Operation *user : users) {
      auto call = dyn_cast<func::CallOp>(user);
      if (!call)
        return user->emitError("expected kernels to be used by calls only");
      if (failed(launch(call, kernel, function, *shape, *temporaries)))
        return failure();
    }
    moveBody(kernel, function);
    kernel.erase();
    return success();
  }

  /// What is wrong with a tile program that is written by hand is the user's mistake.
  FailureOr<forge::LaunchShape> lowerTiles(func::FuncOp kernel, const forge::GPUChip &chip,
                                           bool isWritten) {
    std::optional<forge::UserErrorScope> scope;
    if (isWritten)
      scope.emplace(&getContext());
    return naiveTiles ? forge::lowerTileProgramNaively(kernel)
                      : forge::lowerTileProgram(kernel, chip);
  }

  /// A buffer of run-time size that a kernel works in.
  struct Temporary {
    MemRefType type;
    /// Values of the kernel function.
    SmallVector<Value> sizes;
    /// It is the memory of time stamps.
    bool isStamps = false;
  };

  /// Each of them becomes a new last argument. There is one buffer for all threads: a strategy
  /// leaves one only where they do not share elements; and one for all steps of a loop, whose
  /// content a step must not hand to the next.
  FailureOr<SmallVector<Temporary>> takeTemporaries(func::FuncOp kernel) {
    SmallVector<memref::AllocOp> allocs;
    kernel.walk([&](memref::AllocOp alloc) {
      if (!alloc.getType().hasStaticShape())
        allocs.push_back(alloc);
    });
    SmallVector<Temporary> temporaries;
    for (memref::AllocOp alloc : allocs) {
      if (llvm::any_of(alloc->getUsers(),
                       [](Operation *user) { return user->hasTrait<OpTrait::IsTerminator>(); }))
        return alloc.emitError("expected no temporary of run-time size that a loop or a branch "
                               "hands on, but got ")
               << alloc.getType();
      temporaries.push_back({alloc.getType(), llvm::to_vector(alloc.getDynamicSizes())});
      unsigned number = kernel.getNumArguments();
      (void)kernel.insertArgument(number, alloc.getType(), {}, alloc.getLoc());
      alloc.replaceAllUsesWith(Value(kernel.getArgument(number)));
      alloc.erase();
    }
    return temporaries;
  }

  /// True for what is left of operations on tensors without elements.
  static bool doesNothing(func::FuncOp kernel) {
    return kernel.getNumResults() == 0 &&
           llvm::all_of(kernel.getBody().front().without_terminator(),
                        [](Operation &op) { return isMemoryEffectFree(&op); });
  }

  IntegerAttr residentBlocks(const forge::LaunchShape &shape) {
    int64_t threads = shape.block[0] * shape.block[1] * shape.block[2];
    int64_t blocks = std::max<int64_t>(shape.residentThreads / threads, 1);
    return IntegerAttr::get(IntegerType::get(&getContext(), 32), blocks);
  }

  gpu::GPUFuncOp createDeviceFunction(func::FuncOp kernel, gpu::GPUModuleOp device,
                                      const forge::LaunchShape &shape, size_t numTemporaries) {
    OpBuilder builder = OpBuilder::atBlockEnd(device.getBody());
    SmallVector<Type> types;
    SmallVector<int64_t> byValue;
    size_t firstMap = kernel.getNumArguments() - numTemporaries - shape.maps.size();
    for (auto [number, type] : llvm::enumerate(kernel.getArgumentTypes())) {
      if (number >= firstMap && number < firstMap + shape.maps.size())
        byValue.push_back(static_cast<int64_t>(types.size()));
      llvm::append_range(types, forge::FlatArgument(type).types());
    }
    auto function = gpu::GPUFuncOp::create(builder, kernel.getLoc(), kernel.getName(),
                                           builder.getFunctionType(types, TypeRange()));
    function->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), builder.getUnitAttr());
    SmallVector<int32_t> block(shape.block.begin(), shape.block.end());
    function.setKnownBlockSizeAttr(builder.getDenseI32ArrayAttr(block));
    if (shape.cluster > 1)
      function.setKnownClusterSizeAttr(
          builder.getDenseI32ArrayAttr({static_cast<int32_t>(shape.cluster), 1, 1}));
    if (!byValue.empty())
      function->setAttr(forge::kByValueAttr, builder.getDenseI64ArrayAttr(byValue));
    for (StringRef name : {forge::kScheduleAttr, forge::kStagesAttr, forge::kStageRowsAttr})
      if (Attribute attribute = kernel->getAttr(name))
        function->setAttr(name, attribute);
    return function;
  }

  void moveBody(func::FuncOp kernel, gpu::GPUFuncOp function) {
    Block *body = &kernel.getBody().front(), *entry = &function.getBody().front();
    OpBuilder builder = OpBuilder::atBlockBegin(entry);
    unsigned next = 0;
    for (BlockArgument argument : body->getArguments()) {
      forge::FlatArgument flat(argument.getType());
      size_t count = flat.types().size();
      ValueRange values = ValueRange(entry->getArguments()).slice(next, count);
      argument.replaceAllUsesWith(flat.rebuild(builder, argument.getLoc(), values));
      next += count;
    }
    Operation *terminator = body->getTerminator();
    builder.setInsertionPoint(terminator);
    gpu::ReturnOp::create(builder, terminator->getLoc());
    terminator->erase();
    entry->getOperations().splice(entry->end(), body->getOperations());
    attributeShared(function);
  }

  /// Shared memory of static size is an attribution of the function.
  void attributeShared(gpu::GPUFuncOp function) {
    for (auto alloc : llvm::to_vector(function.getOps<memref::AllocOp>()))
      if (gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(alloc.getType())) {
        alloc.replaceAllUsesWith(
            Value(function.addWorkgroupAttribution(alloc.getType(), alloc.getLoc())));
        if (IntegerAttr alignment = alloc.getAlignmentAttr())
          function.setWorkgroupAttributionAttr(function.getNumWorkgroupAttributions() - 1,
                                               LLVM::LLVMDialect::getAlignAttrName(), alignment);
        alloc.erase();
      }
  }

  LogicalResult launch(func::CallOp call, func::FuncOp kernel, gpu::GPUFuncOp function,
                       const forge::LaunchShape &shape, ArrayRef<Temporary> temporaries) {
    OpBuilder builder(call);
    Location loc = call.getLoc();
    forge::HostValues host(call, kernel);
    SmallVector<Value> sizes;
    for (OpFoldResult size : shape.grid) {
      FailureOr<Value> copied = host.value(size);
      if (failed(copied))
        return failure();
      sizes.push_back(*copied);
    }
    for (int64_t size : shape.block)
      sizes.push_back(arith::ConstantIndexOp::create(builder, loc, size));
    Value shared;
    if (getConstantIntValue(shape.dynamicSharedBytes) != 0) {
      FailureOr<Value> bytes = host.value(shape.dynamicSharedBytes);
      if (failed(bytes))
        return failure();
      shared = builder.createOrFold<arith::IndexCastOp>(loc, builder.getI32Type(), *bytes);
    }
    SmallVector<Value> operands;
    SmallVector<Value> buffers(call.getOperands());
    Value stampWords;
    for (const forge::TensorMap &map : shape.maps) {
      FailureOr<Value> made = makeMap(builder, call, map, host);
      if (failed(made))
        return failure();
      buffers.push_back(*made);
    }
    for (const Temporary &temporary : temporaries) {
      SmallVector<Value> extents;
      for (Value size : temporary.sizes) {
        FailureOr<Value> copied = host.value(size);
        if (failed(copied))
          return failure();
        extents.push_back(*copied);
      }
      buffers.push_back(memref::AllocOp::create(builder, loc, temporary.type, extents));
      if (temporary.isStamps)
        stampWords = buffers.back();
    }
    if (stampWords)
      callWithStamps(builder, loc, "forge_rt_device_begin_stamps", stampWords);
    for (Value operand : buffers)
      llvm::append_range(operands,
                         forge::FlatArgument(operand.getType()).flatten(builder, loc, operand));
    auto launched = gpu::LaunchFuncOp::create(
        builder, loc, function, gpu::KernelDim3{sizes[0], sizes[1], sizes[2]},
        gpu::KernelDim3{sizes[3], sizes[4], sizes[5]}, shared, operands);
    launched->setAttr(forge::kDescriptionAttr, builder.getStringAttr(descriptionOf(kernel, shape)));
    if (Attribute byValue = function->getAttr(forge::kByValueAttr))
      launched->setAttr(forge::kByValueAttr, byValue);
    if (stampWords)
      callWithStamps(builder, loc, "forge_rt_device_end_stamps", stampWords);
    call.erase();
    return success();
  }

  /// A tensor map of an operand of `call`, which the runtime writes to memory on the host's stack.
  FailureOr<Value> makeMap(OpBuilder &builder, func::CallOp call, const forge::TensorMap &map,
                           forge::HostValues &host) {
    Location loc = call.getLoc();
    auto type = MemRefType::get(forge::TensorMap::kBytes, builder.getI8Type());
    Value bytes;
    {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(&call->getParentOfType<func::FuncOp>().getBody().front());
      bytes = memref::AllocaOp::create(builder, loc, type, builder.getI64IntegerAttr(64));
    }
    FailureOr<Value> view = host.view(map.argument);
    if (failed(view))
      return failure();
    SmallVector<Value> operands;
    for (Value memref : {bytes, *view})
      operands.push_back(memref::CastOp::create(
          builder, loc, UnrankedMemRefType::get(getElementTypeOrSelf(memref), Attribute()),
          memref));
    SmallVector<int64_t> numbers = llvm::to_vector_of<int64_t>(map.box);
    numbers.resize(5, 1);
    numbers.push_back(map.swizzleBytes);
    for (int64_t number : numbers)
      operands.push_back(arith::ConstantIntOp::create(builder, loc, number, 64));
    std::string name;
    llvm::raw_string_ostream(name) << kTensorMapFunction << getElementTypeOrSelf(*view);
    callRuntime(builder, loc, name, operands);
    return bytes;
  }

  /// Calls a function of the runtime with `words`, the memory of a launch's time stamps.
  void callWithStamps(OpBuilder &builder, Location loc, StringRef name, Value words) {
    auto type = UnrankedMemRefType::get(builder.getI64Type(), Attribute());
    callRuntime(builder, loc, name, memref::CastOp::create(builder, loc, type, words).getResult());
  }

  void callRuntime(OpBuilder &builder, Location loc, StringRef name, ValueRange operands) {
    if (!getOperation().lookupSymbol(name)) {
      OpBuilder top = OpBuilder::atBlockBegin(getOperation().getBody());
      func::FuncOp::create(top, getOperation().getLoc(), name,
                           top.getFunctionType(operands.getTypes(), TypeRange()))
          .setPrivate();
    }
    func::CallOp::create(builder, loc, name, TypeRange(), operands)
        ->setAttr(forge::kDeviceCallAttr, builder.getUnitAttr());
  }

  /// "generic; threads 256, reduce_threads 1; 4x8xf32, f32", or "tile program; 256 threads;
  /// 4x8xf32, f32".
  static std::string descriptionOf(func::FuncOp kernel, const forge::LaunchShape &shape) {
    forge::ScheduleAttr schedule = forge::getSchedule(kernel);
    std::string text = schedule ? schedule.describe()
                                : "tile program; " + std::to_string(shape.block[0]) + " threads";
    text += "; ";
    llvm::raw_string_ostream stream(text);
    llvm::interleaveComma(kernel.getArgumentTypes(), stream);
    return text;
  }

  /// Functions of scalars that kernels call go with them.
  void takeFunctionsAlong(ModuleOp module, gpu::GPUModuleOp device) {
    SymbolTable outside(module), inside(device);
    SmallVector<func::CallOp> calls;
    device.walk([&](func::CallOp call) { calls.push_back(call); });
    for (func::CallOp call : calls)
      if (auto callee = outside.lookup<func::FuncOp>(call.getCallee()))
        if (!inside.lookup(call.getCallee()))
          inside.insert(callee.clone());
  }
};
} // namespace
