#include "forge/Pipelines/Phases.h"

#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Pass/PassManager.h"

using namespace forge;

void forge::buildLowerStage(mlir::OpPassManager &pm, const PipelineOptions &options) {
  pm.addPass(mlir::createConvertLinalgToLoopsPass());
}
