#include "forge/Pipelines/Phases.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Pass/PassManager.h"

using namespace forge;

void forge::buildLLVMStage(mlir::OpPassManager &pm, const PipelineOptions &options) {
  pm.addPass(mlir::createSCFToControlFlowPass());
}
