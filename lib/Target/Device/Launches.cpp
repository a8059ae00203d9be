// gpu.launch_func as a call of the runtime.
#include "DeviceCalls.h"

#include "forge/Codegen/Strategy.h"
#include "forge/Target/CPU/RuntimeCalls.h"
#include "forge/Target/Device/HostCode.h"

#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

/// On a launch: the globals with the kernel's name and description.
static constexpr llvm::StringLiteral kNameSymbolAttr = "forge.name_symbol";
static constexpr llvm::StringLiteral kDescriptionSymbolAttr = "forge.description_symbol";

void forge::declareDeviceRuntime(OpBuilder &builder, ModuleOp module) {
  Type pointer = LLVM::LLVMPointerType::get(module.getContext());
  Type none = LLVM::LLVMVoidType::get(module.getContext());
  Type i64 = builder.getI64Type();
  declareFunction(builder, module, "forge_rt_device_alloc", pointer, {i64});
  declareFunction(builder, module, "forge_rt_device_free", none, {pointer});
  declareFunction(builder, module, "forge_rt_device_copy", none, {pointer, pointer, i64});
  declareFunction(builder, module, "forge_rt_device_copy_strided", none,
                  {i64, i64, pointer, i64, pointer});
  declareFunction(builder, module, "forge_rt_device_read", none, {pointer, pointer, i64});
  declareFunction(builder, module, "forge_rt_device_write", none, {pointer, pointer, i64});
  declareFunction(builder, module, "forge_rt_device_module", pointer, {pointer, i64, pointer});
  declareFunction(builder, module, "forge_rt_device_kernel", pointer, {pointer, pointer});
  declareFunction(builder, module, "forge_rt_device_constant", pointer, {pointer, i64});
  for (StringRef launch : {"forge_rt_launch", "forge_rt_launch_dependent"})
    declareFunction(builder, module, launch, none,
                    {pointer, i64, i64, i64, i64, i64, i64, i64, pointer, i64, pointer});
}

void forge::addLaunchTexts(ModuleOp module) {
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  llvm::StringMap<FlatSymbolRefAttr> symbols;
  auto symbolOf = [&](StringRef text) {
    auto [entry, isNew] = symbols.try_emplace(text);
    if (isNew) {
      std::string bytes = text.str() + '\0';
      auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size());
      auto global = LLVM::GlobalOp::create(
          builder, module.getLoc(), type, /*isConstant=*/true, LLVM::Linkage::Private,
          "forge_text_" + std::to_string(symbols.size()), builder.getStringAttr(bytes));
      entry->second = FlatSymbolRefAttr::get(global.getSymNameAttr());
    }
    return entry->second;
  };
  module.walk([&](gpu::LaunchFuncOp launch) {
    auto description = launch->getAttrOfType<StringAttr>(kDescriptionAttr);
    launch->setAttr(kNameSymbolAttr, symbolOf(launch.getKernelName().getValue()));
    launch->setAttr(kDescriptionSymbolAttr,
                    symbolOf(description ? description.getValue() : StringRef()));
  });
}

namespace {
/// forge_rt_launch(kernel, grid, block, shared bytes, arguments, count, description); arguments is
/// an array of pointers to the values, which are on the stack.
struct LowerLaunch : public ConvertOpToLLVMPattern<gpu::LaunchFuncOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(gpu::LaunchFuncOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto name = op->getAttrOfType<FlatSymbolRefAttr>(kNameSymbolAttr);
    auto description = op->getAttrOfType<FlatSymbolRefAttr>(kDescriptionSymbolAttr);
    if (!name || !description)
      return rewriter.notifyMatchFailure(op, "its texts were not made globals");
    Location loc = op.getLoc();
    Type pointer = LLVM::LLVMPointerType::get(getContext()), i64 = rewriter.getI64Type();
    auto address = [&](StringRef symbol) -> Value {
      return LLVM::AddressOfOp::create(rewriter, loc, pointer, symbol);
    };
    auto callPointer = [&](StringRef function, ValueRange operands) {
      return LLVM::CallOp::create(rewriter, loc, TypeRange{pointer}, function, operands)
          .getResult();
    };
    Value size = LLVM::LoadOp::create(rewriter, loc, i64, address(forge::kDeviceCodeSize));
    Value module =
        callPointer("forge_rt_device_module",
                    ValueRange{address(forge::kDeviceCode), size, address(name.getValue())});
    Value kernel =
        callPointer("forge_rt_device_kernel", ValueRange{module, address(name.getValue())});
    Value shared = LLVM::ConstantOp::create(rewriter, loc, i64, int64_t(0));
    if (adaptor.getDynamicSharedMemorySize())
      shared = LLVM::SExtOp::create(rewriter, loc, i64, adaptor.getDynamicSharedMemorySize());
    Value count = LLVM::ConstantOp::create(rewriter, loc, i64, int64_t(op.getNumKernelOperands()));
    SmallVector<Value> operands{kernel,
                                adaptor.getGridSizeX(),
                                adaptor.getGridSizeY(),
                                adaptor.getGridSizeZ(),
                                adaptor.getBlockSizeX(),
                                adaptor.getBlockSizeY(),
                                adaptor.getBlockSizeZ(),
                                shared,
                                packArguments(op, adaptor, rewriter),
                                count,
                                address(description.getValue())};
    StringRef launch =
        op->hasAttr(forge::kDependentLaunchAttr) ? "forge_rt_launch_dependent" : "forge_rt_launch";
    LLVM::CallOp::create(rewriter, loc, TypeRange(), launch, operands);
    rewriter.eraseOp(op);
    return success();
  }

  static Value packArguments(gpu::LaunchFuncOp op, OpAdaptor adaptor,
                             ConversionPatternRewriter &rewriter) {
    Location loc = op.getLoc();
    Type pointer = LLVM::LLVMPointerType::get(rewriter.getContext());
    auto byValue = op->getAttrOfType<DenseI64ArrayAttr>(forge::kByValueAttr);
    Value array =
        forge::stackSlot(rewriter, op, pointer, std::max<int64_t>(op.getNumKernelOperands(), 1));
    for (auto [number, old, value] :
         llvm::enumerate(op.getKernelOperands(), adaptor.getKernelOperands())) {
      Value passed = value;
      Value place = LLVM::GEPOp::create(rewriter, loc, pointer, pointer, array,
                                        LLVM::GEPArg(static_cast<int32_t>(number)));
      // What is passed by value is in memory already.
      if (byValue && llvm::is_contained(byValue.asArrayRef(), static_cast<int64_t>(number))) {
        Value memory = MemRefDescriptor(value).alignedPtr(rewriter, loc);
        LLVM::StoreOp::create(rewriter, loc, memory, place);
        continue;
      }
      if (isa<MemRefType>(old.getType()))
        passed = MemRefDescriptor(value).alignedPtr(rewriter, loc);
      else if (auto integer = dyn_cast<IntegerType>(value.getType());
               integer && integer.getWidth() < 8)
        passed = LLVM::ZExtOp::create(rewriter, loc, rewriter.getI8Type(), value);
      Value slot = forge::stackSlot(rewriter, op, passed.getType());
      LLVM::StoreOp::create(rewriter, loc, passed, slot);
      LLVM::StoreOp::create(rewriter, loc, slot, place);
    }
    return array;
  }
};
} // namespace

void forge::populateLaunchPatterns(const LLVMTypeConverter &converter,
                                   RewritePatternSet &patterns) {
  patterns.add<LowerLaunch>(converter, PatternBenefit(20));
}

void forge::populateDeviceCallPatterns(const LLVMTypeConverter &converter,
                                       RewritePatternSet &patterns) {
  populateDeviceMemoryPatterns(converter, patterns);
  populateLaunchPatterns(converter, patterns);
}
