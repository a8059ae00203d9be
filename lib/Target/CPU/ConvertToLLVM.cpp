#include "RuntimeCalls.h"

#include "forge/Target/CPU/Passes.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#define DEBUG_TYPE "forge-convert-to-llvm"

namespace forge {
#define GEN_PASS_DEF_CONVERTTOLLVMPASS
#include "forge/Target/CPU/Passes.h.inc"
} // namespace forge

using namespace mlir;

/// Argument and result attributes of the source (jax.result_info, bufferization.access ...) mean
/// nothing from here on, and would be repeated for every field of a descriptor.
static void dropArgumentAttributes(func::FuncOp function) {
  function.removeArgAttrsAttr();
  function.removeResAttrsAttr();
}

namespace {
/// 1. Functions seen from outside get a C interface; messages of assertions become globals; the
/// runtime is declared.
/// 2. One conversion of all dialects.
/// 3. Assertion functions get their bodies, entries their packed form.
struct ConvertToLLVMPass : public forge::impl::ConvertToLLVMPassBase<ConvertToLLVMPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<std::string> entries;
    unsigned numMessages = 0;
    prepare(module, entries, numMessages);
    if (failed(convert(module)))
      return signalPassFailure();
    forge::defineAssertions(module, numMessages);
    forge::defineLaunchers(module);
    forge::addPackedEntries(module, entries);
  }

  void prepare(ModuleOp module, SmallVectorImpl<std::string> &entries, unsigned &numMessages) {
    forge::declareRuntime(module);
    for (func::FuncOp function : module.getOps<func::FuncOp>()) {
      dropArgumentAttributes(function);
      if (!function.isPublic() || function.isExternal())
        continue;
      function->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(), UnitAttr::get(&getContext()));
      entries.push_back(function.getName().str());
    }
    module.walk([&](cf::AssertOp op) {
      op->setAttr(forge::messageAttrName, forge::addMessage(module, op.getMsg(), numMessages++));
    });
  }

  LogicalResult convert(ModuleOp module) {
    LowerToLLVMOptions options(&getContext());
    LLVMTypeConverter converter(&getContext(), options);
    RewritePatternSet patterns(&getContext());
    forge::populateRuntimeCallPatterns(converter, patterns);
    arith::populateCeilFloorDivExpandOpsPatterns(patterns);
    arith::populateArithToLLVMConversionPatterns(converter, patterns);
    cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
    index::populateIndexToLLVMConversionPatterns(converter, patterns);
    populateFinalizeMemRefToLLVMConversionPatterns(converter, patterns);
    populateFuncToLLVMConversionPatterns(converter, patterns);
    populateMathToLLVMConversionPatterns(converter, patterns, /*approximateLog1p=*/false);
    populateVectorToLLVMConversionPatterns(converter, patterns);
    ub::populateUBToLLVMConversionPatterns(converter, patterns);
    LLVMConversionTarget target(getContext());
    target.addLegalOp<ModuleOp>();
    return applyFullConversion(module, target, std::move(patterns));
  }
};
} // namespace
