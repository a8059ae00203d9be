#include "forge/Pipelines/Phases.h"

#include "mlir/Pass/PassManager.h"

using namespace forge;

void forge::buildTileStage(mlir::OpPassManager &pm, const PipelineOptions &options) {
  if (options.isNaive(Phase::Tile))
    return;
}
