#include "forge/Pipelines/Phases.h"

#include "mlir/Pass/PassManager.h"

using namespace forge;

void forge::buildBlocksStage(mlir::OpPassManager &, const PipelineOptions &) {
  // What a strategy lowers in phase `gpu` passes through, and so do tile programs, which a file
  // holds.
}
