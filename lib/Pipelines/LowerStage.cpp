#include "forge/Codegen/Passes.h"
#include "forge/Kernels/Passes.h"
#include "forge/Pipelines/Phases.h"
#include "forge/Target/CPU/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace forge;

void forge::buildLowerStage(mlir::OpPassManager &pm, const PipelineOptions &options) {
  bool naive = options.isNaive(Phase::Lower);
  // 1. Tile programs of a file are loops here.
  pm.addPass(createDropReferencesPass());
  pm.addPass(createTileToLoopsPass());
  // What the runtime computes, before the last uses of buffers are looked for.
  pm.addPass(createLowerFftPass());
  // 2. Copies with strides are elementwise operations like others.
  pm.addNestedPass<mlir::func::FuncOp>(createLowerCopiesPass());
  // 3. Contractions to their kernels, rows to vector loops, before the rest of linalg is gone.
  if (!naive) {
    pm.addPass(createLowerContractionsPass());
    pm.addPass(createVectorizeRowsPass());
  }
  // 4. What no strategy has taken becomes plain loops, sums in blocks, and large parallel ones are
  //    shared out to the cores.
  LowerSumsPassOptions sums;
  sums.parallel = !naive;
  pm.addPass(createLowerSumsPass(sums));
  if (naive) {
    pm.addPass(mlir::createConvertLinalgToLoopsPass());
  } else {
    pm.addPass(mlir::createConvertLinalgToParallelLoopsPass());
    // While it is known that iterations are independent.
    pm.addPass(createHoistReadsPass());
    pm.addPass(createOutlineParallelPass());
  }
  // 5. Math as arithmetic that vectorises; 8-bit floats in any tier, since LLVM has none.
  if (!naive)
    pm.addPass(createExpandMathPass());
  pm.addPass(createExpandSmallFloatsPass());
  // 6. Buffers have their last uses only now.
  pm.addNestedPass<mlir::func::FuncOp>(createFreeBuffersPass());
  // 7. Buffers first: their lives are seen only where all of their uses are in one function.
  pm.addPass(createOutlineLoopsPass());
  pm.addPass(mlir::createCSEPass());
}
