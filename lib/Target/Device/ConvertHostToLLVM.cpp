#include "DeviceCalls.h"

#include "forge/Target/CPU/RuntimeCalls.h"
#include "forge/Target/Device/HostCode.h"
#include "forge/Target/Device/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace forge {
#define GEN_PASS_DEF_CONVERTHOSTTOLLVMPASS
#include "forge/Target/Device/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-convert-host-to-llvm"

using namespace mlir;

/// A constant global; `initial` null: defined elsewhere.
static void addGlobal(OpBuilder &builder, ModuleOp module, Type type, StringRef name,
                      Attribute initial, uint64_t alignment) {
  LLVM::GlobalOp::create(builder, module.getLoc(), type, /*isConstant=*/true,
                         initial ? LLVM::Linkage::Internal : LLVM::Linkage::External, name, initial,
                         alignment);
}

void forge::embedDeviceCode(ModuleOp module, StringRef code) {
  for (auto device : llvm::make_early_inc_range(module.getOps<gpu::GPUModuleOp>()))
    device.erase();
  for (StringRef name : {StringRef(kDeviceCode), StringRef(kDeviceCodeSize)})
    if (auto old = module.lookupSymbol<LLVM::GlobalOp>(name))
      old.erase();
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  // PTX is text: a zero after it costs nothing.
  std::string bytes = code.str() + '\0';
  addGlobal(builder, module, LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size()),
            kDeviceCode, builder.getStringAttr(bytes), 64);
  addGlobal(builder, module, builder.getI64Type(), kDeviceCodeSize,
            builder.getI64IntegerAttr(code.size()), 8);
}

namespace {
/// 1. Names and descriptions of kernels become globals; the runtime's functions and the device code
///    are declared.
/// 2. The conversion of the CPU, with every operation on memory as a call for the device.
struct ConvertHostToLLVMPass
    : public forge::impl::ConvertHostToLLVMPassBase<ConvertHostToLLVMPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
    forge::declareDeviceRuntime(builder, module);
    addGlobal(builder, module, LLVM::LLVMArrayType::get(builder.getI8Type(), 0), forge::kDeviceCode,
              Attribute(), 64);
    addGlobal(builder, module, builder.getI64Type(), forge::kDeviceCodeSize, Attribute(), 8);
    forge::addLaunchTexts(module);
    if (failed(forge::convertHostModule(module, forge::populateDeviceCallPatterns)))
      signalPassFailure();
  }
};
} // namespace
