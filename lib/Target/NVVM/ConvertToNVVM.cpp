#include "forge/Target/Device/Conversion.h"
#include "forge/Target/NVVM/Passes.h"

#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace forge {
#define GEN_PASS_DEF_CONVERTTONVVMPASS
#include "forge/Target/NVVM/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-convert-to-nvvm"

using namespace mlir;

namespace {
/// math.exp2 with fastmath<afn> is the instruction (PTX ISA, "ex2": within 2 units in the last
/// place, subnormals kept).
struct LowerHardwareExp2 : public ConvertOpToLLVMPattern<math::Exp2Op> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(math::Exp2Op op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!op.getType().isF32() || !bitEnumContainsAll(op.getFastmath(), arith::FastMathFlags::afn))
      return rewriter.notifyMatchFailure(op, "not the instruction");
    auto name = rewriter.getStringAttr("llvm.nvvm.ex2.approx");
    rewriter.replaceOpWithNewOp<LLVM::CallIntrinsicOp>(op, op.getType(), name,
                                                       adaptor.getOperand());
    return success();
  }
};

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
    patterns.add<LowerHardwareExp2>(converter, /*benefit=*/2);
    if (failed(forge::convertDeviceModule(module, std::move(patterns),
                                          NVVM::NVVMDialect::getDialectNamespace())))
      signalPassFailure();
  }
};
} // namespace
