#include "forge/Codegen/Passes.h"
#include "forge/Pipelines/Phases.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
using namespace forge;

void forge::buildLoopsStage(mlir::OpPassManager &pm, const PipelineOptions &options) {
  if (options.isNaive(Phase::Loops))
    return;
  // 1. Panels are filled from a factor wherever its dimensions are: no copy in another order.
  pm.addNestedPass<mlir::func::FuncOp>(createFoldTransposesPass());
  // 2. Nor of the patches that a convolution multiplies, where they can be read as windows.
  pm.addNestedPass<mlir::func::FuncOp>(createFoldWindowsPass());
  // 3. Attention by tiles first: the rows in each are clusters of their own.
  pm.addNestedPass<mlir::func::FuncOp>(createTileScoresPass());
  // 4. Factors of few bits before rows are scheduled, which would widen them in memory.
  pm.addNestedPass<mlir::func::FuncOp>(createFuseNarrowFactorsPass());
  // 5. Decide, then tile: a schedule written in the file is seen before the heuristics.
  pm.addPass(createScheduleRowsPass());
  pm.addPass(createTileRowsPass());
  // 6. Bounds and slices folded: bufferization allocates what the types say.
  pm.addPass(mlir::createCanonicalizerPass());
  // 7. After the canonicalizer, which merges equal fills again.
  pm.addPass(createRepeatFillsPass());
}
