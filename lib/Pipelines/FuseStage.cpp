#include "forge/Codegen/Passes.h"
#include "forge/Pipelines/Phases.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"

using namespace forge;

void forge::buildFuseStage(mlir::OpPassManager &pm, const PipelineOptions &options) {
  if (options.isNaive(Phase::Fuse))
    return;
  // 1. On a GPU each step of a loop has launches of its own. Unused operations are removed.
  if (options.target.isGPU())
    pm.addNestedPass<mlir::func::FuncOp>(createUnrollLoopsPass());
  pm.addNestedPass<mlir::func::FuncOp>(createSliceProducersPass());
  // 2. On a GPU a concatenation is computed where it is read, and what tensor maps read in padded
  // rows is written in such. The CPU writes its parts with vectors.
  if (options.target.isGPU()) {
    PadFactorsPassOptions pad;
    pad.chipName = options.target.chip->name.str();
    pm.addNestedPass<mlir::func::FuncOp>(createPadFactorsPass(pad));
    pm.addNestedPass<mlir::func::FuncOp>(createIndexPartsPass());
  }
  // 3. Fusion before tiling: what is one operation needs no temporary, not even one of a tile.
  pm.addNestedPass<mlir::func::FuncOp>(createFuseElementwisePass());
  // 4. A GPU computes again in less time than it reads; what loops over lines make is reduced
  // there: fusion has put into them what they read.
  if (options.target.isGPU()) {
    pm.addNestedPass<mlir::func::FuncOp>(createFuseExpansionsPass());
    pm.addNestedPass<mlir::func::FuncOp>(createFuseScansPass());
  }
  // 5. Contractions that read what a broadcast repeats.
  pm.addNestedPass<mlir::func::FuncOp>(createSumRepeatedFactorsPass());
  // 6. What fusion left in a loop by itself and does not change there.
  pm.addNestedPass<mlir::func::FuncOp>(createHoistInvariantsPass());
}
