#include "forge/Codegen/Passes.h"
#include "forge/Pipelines/Phases.h"

#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace forge;

void forge::buildLowerStage(mlir::OpPassManager &pm, const PipelineOptions &options) {
  // 1. Elementwise operations and reductions as vector loops; before the plain loops take what is left.
  if (!options.isNaive(Phase::Lower))
    pm.addPass(createVectorizeRowsPass());
  // 2. What no strategy has taken becomes plain loops.
  pm.addPass(mlir::createConvertLinalgToLoopsPass());
  // 3. Math as arithmetic that vectorises; 8-bit floats in any tier, since LLVM has none.
  if (!options.isNaive(Phase::Lower))
    pm.addPass(createExpandMathPass());
  pm.addPass(createExpandSmallFloatsPass());
  pm.addPass(mlir::createCSEPass());
}
