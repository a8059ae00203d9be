#include "forge/Dialect/Tile/IR/Tile.h"
#include "forge/Target/Device/Conversion.h"
#include "forge/Target/ROCDL/Passes.h"

#include "mlir/Conversion/AMDGPUToROCDL/AMDGPUToROCDL.h"
#include "mlir/Conversion/GPUCommon/GPUCommonPass.h"
#include "mlir/Conversion/GPUToROCDL/GPUToROCDLPass.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/AMDGPU/Utils/Chipset.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"

namespace forge {
#define GEN_PASS_DEF_CONVERTTOROCDLPASS
#include "forge/Target/ROCDL/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-convert-to-rocdl"

using namespace mlir;

/// The numbers of address spaces: LLVM, "User Guide for AMDGPU Backend".
static unsigned addressSpaceOf(gpu::AddressSpace space) {
  switch (space) {
  case gpu::AddressSpace::Global:
    return 1;
  case gpu::AddressSpace::Workgroup:
    return 3;
  case gpu::AddressSpace::Private:
    return 5;
  default:
    return 0;
  }
}

/// A kernel that requires one size of a block is also compiled for that many threads. Without this
/// attribute the translation to LLVM IR gives it at most 256: HIP refuses to launch more, and
/// registers are allotted as if there were no more.
static void setFlatWorkGroupSizes(gpu::GPUModuleOp module) {
  MLIRContext *context = module.getContext();
  ROCDL::ROCDLDialect::ReqdWorkGroupSizeAttrHelper required(context);
  ROCDL::ROCDLDialect::FlatWorkGroupSizeAttrHelper flat(context);
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    if (!required.isAttrPresent(function))
      continue;
    int64_t threads = 1;
    for (int32_t size : required.getAttr(function).asArrayRef())
      threads *= size;
    flat.setAttr(function, StringAttr::get(context, Twine(threads) + "," + Twine(threads)));
  }
}

namespace {
/// Nanoseconds of a tick of the constant clock: of 25 MHz up to CDNA 2 and of 100 MHz since (AMD,
/// "CDNA2 ISA" and "CDNA3 ISA", S_MEMREALTIME).
int64_t tickOf(const amdgpu::Chipset &chipset) {
  return chipset < amdgpu::Chipset(9, 4, 0) ? 40 : 10;
}

/// tile.time is the constant clock.
struct LowerTime : public ConvertOpToLLVMPattern<forge::tile::TimeOp> {
  LowerTime(const LLVMTypeConverter &converter, int64_t tick)
      : ConvertOpToLLVMPattern(converter), tick(tick) {}

  LogicalResult matchAndRewrite(forge::tile::TimeOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value ticks = LLVM::CallIntrinsicOp::create(rewriter, op.getLoc(), op.getType(),
                                                rewriter.getStringAttr("llvm.readsteadycounter"),
                                                ValueRange())
                      .getResult(0);
    Value nanoseconds = LLVM::ConstantOp::create(rewriter, op.getLoc(), op.getType(), tick);
    rewriter.replaceOpWithNewOp<LLVM::MulOp>(op, ticks, nanoseconds);
    return success();
  }

  int64_t tick;
};

/// 1. Everything is converted to the LLVM dialect with ROCDL.
/// 2. Kernels of known block size are said to run with exactly that many threads.
struct ConvertToROCDLPass : public forge::impl::ConvertToROCDLPassBase<ConvertToROCDLPass> {
  using ConvertToROCDLPassBase::ConvertToROCDLPassBase;

  void runOnOperation() override {
    gpu::GPUModuleOp module = getOperation();
    FailureOr<amdgpu::Chipset> chipset = amdgpu::Chipset::parse(chipName);
    if (failed(chipset)) {
      module.emitError("unknown chip '") << chipName << "'";
      return signalPassFailure();
    }
    LowerToLLVMOptions options(&getContext());
    options.useBarePtrCallConv = true;
    LLVMTypeConverter converter(&getContext(), options);
    populateGpuMemorySpaceAttributeConversions(converter, addressSpaceOf);
    RewritePatternSet patterns(&getContext());
    forge::populateDeviceConversionPatterns(converter, patterns);
    populateGpuToROCDLConversionPatterns(converter, patterns, gpu::amd::Runtime::HIP, *chipset);
    populateAMDGPUToROCDLConversionPatterns(converter, patterns, *chipset);
    patterns.add<LowerTime>(converter, tickOf(*chipset));
    if (failed(forge::convertDeviceModule(module, std::move(patterns),
                                          ROCDL::ROCDLDialect::getDialectNamespace())))
      return signalPassFailure();
    setFlatWorkGroupSizes(module);
  }
};
} // namespace
