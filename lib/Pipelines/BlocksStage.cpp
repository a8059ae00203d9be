#include "forge/Codegen/Passes.h"
#include "forge/Pipelines/Phases.h"

#include "mlir/Pass/PassManager.h"

using namespace forge;

void forge::buildBlocksStage(mlir::OpPassManager &pm, const PipelineOptions &options) {
  // Kernels as programs on tiles, where their strategies write them; tile programs that a file
  // holds, and kernels of other strategies, pass through.
  WriteTileProgramsPassOptions write;
  write.chipName = options.target.chip->name.str();
  pm.addPass(createWriteTileProgramsPass(write));
}
