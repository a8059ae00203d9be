#include "forge/Pipelines/Phases.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace forge;

void forge::buildSimplifyStage(mlir::OpPassManager &pm, const PipelineOptions &options) {
  // 1. One function first: what follows sees through calls.
  pm.addPass(mlir::createInlinerPass());
  pm.addPass(mlir::createSymbolDCEPass());
}
