#include "Lowerings.h"

#include "forge/Simulator/Passes.h"
#include "forge/Target/CPU/RuntimeCalls.h"

#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
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
    forge::populateHostToLLVMPatterns(converter, patterns);
    LLVMConversionTarget target(getContext());
    target.addLegalOp<ModuleOp, UnrealizedConversionCastOp>();
    return applyFullConversion(module, target, std::move(patterns));
  }
};
} // namespace
