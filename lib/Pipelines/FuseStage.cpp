#include "forge/Pipelines/Phases.h"

#include "mlir/Pass/PassManager.h"

using namespace forge;

void forge::buildFuseStage(mlir::OpPassManager &pm, const PipelineOptions &options) {
  if (options.isNaive(Phase::Fuse))
    return;
}
