#include "forge/Codegen/Passes.h"
#include "forge/Pipelines/Phases.h"

#include "mlir/Pass/PassManager.h"

using namespace forge;

void forge::buildFuseStage(mlir::OpPassManager &pm, const PipelineOptions &options) {
  if (options.isNaive(Phase::Fuse))
    return;
  // Fusion before tiling: what is one operation needs no temporary, not even one of a tile.
  pm.addPass(createFuseElementwisePass());
}
