#include "forge/Pipelines/Phases.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace forge;

void forge::buildLinalgStage(mlir::OpPassManager &pm, const PipelineOptions &options) {
  pm.addPass(mlir::createCSEPass());
}
