#include "forge/Target/Device/Conversion.h"
#include "forge/Target/NVVM/Passes.h"

#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace forge {
#define GEN_PASS_DEF_CONVERTTONVVMPASS
#include "forge/Target/NVVM/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-convert-to-nvvm"

using namespace mlir;

namespace {
struct ConvertToNVVMPass : public forge::impl::ConvertToNVVMPassBase<ConvertToNVVMPass> {
  void runOnOperation() override {
    gpu::GPUModuleOp module = getOperation();
    LowerToLLVMOptions options(&getContext());
    options.useBarePtrCallConv = true;
    LLVMTypeConverter converter(&getContext(), options);
    configureGpuToNVVMTypeConverter(converter);
    RewritePatternSet patterns(&getContext());
    forge::populateDeviceConversionPatterns(converter, patterns);
    populateGpuToNVVMConversionPatterns(converter, patterns);
    if (failed(forge::convertDeviceModule(module, std::move(patterns),
                                          NVVM::NVVMDialect::getDialectNamespace())))
      signalPassFailure();
  }
};
} // namespace
