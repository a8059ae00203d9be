#include "Lowerings.h"

#include "forge/Simulator/Passes.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

#define DEBUG_TYPE "forge-convert-simulation-to-llvm"

namespace forge {
#define GEN_PASS_DEF_CONVERTSIMULATIONTOLLVMPASS
#include "forge/Simulator/Passes.h.inc"
} // namespace forge

using namespace mlir;

namespace {
struct ConvertSimulationToLLVMPass
    : forge::impl::ConvertSimulationToLLVMPassBase<ConvertSimulationToLLVMPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    WalkResult allocations = module.walk([](Operation *op) {
      if (!isa<memref::AllocOp, memref::DeallocOp>(op))
        return WalkResult::advance();
      op->emitOpError("expected no allocation of memory in a kernel");
      return WalkResult::interrupt();
    });
    if (allocations.wasInterrupted() || failed(convert(module)))
      return signalPassFailure();
    forge::declareCalls(module);
  }

  LogicalResult convert(ModuleOp module) {
    LowerToLLVMOptions options(&getContext());
    LLVMTypeConverter converter(&getContext(), options);
    forge::addAddressSpaces(converter);
    RewritePatternSet patterns(&getContext());
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
    target.addLegalOp<ModuleOp, UnrealizedConversionCastOp>();
    return applyFullConversion(module, target, std::move(patterns));
  }
};
} // namespace
