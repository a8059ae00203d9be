#include "forge/Pipelines/Phases.h"

#include "forge/Dialect/StableHLO/Transforms/Passes.h"
#include "forge/Kernels/Kernel.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace forge;

void forge::buildSimplifyStage(mlir::OpPassManager &pm, const PipelineOptions &options) {
  // 1. Complex numbers first, after what makes operations of them: no other pass knows them.
  pm.addPass(createExpandLinearAlgebraPass());
  SplitComplexPassOptions complexNumbers;
  complexNumbers.forGPU = options.target.isGPU();
  pm.addPass(createSplitComplexPass(complexNumbers));
  //    Large systems of real numbers are products of matrices; on a CPU one column is faster by
  //    substitution (docs/benchmarks-cpu.md).
  BlockLinearAlgebraPassOptions systems;
  systems.leastColumns = options.target.isGPU() ? 1 : 8;
  systems.blockBytes = matrixBytes(options);
  if (!options.isNaive(Phase::Fuse))
    pm.addPass(createBlockLinearAlgebraPass(systems));
  // 2. What is known by its name is not called.
  pm.addPass(createRaiseCompositesPass());
  if (options.fftLibrary && !options.target.isGPU() &&
      (options.tier == Tier::Hybrid || options.tier == Tier::Production))
    pm.addPass(createCallFftPass());
  if (options.target.isGPU()) {
    FftToLinesPassOptions transforms;
    transforms.blockBytes = options.target.chip->maxSharedBytes;
    pm.addPass(createFftToLinesPass(transforms));
  }
  // 3. One function first: what follows sees through calls. Kernel functions of a file are only a
  //    GPU's.
  InlineCallsPassOptions calls;
  if (options.target.isGPU())
    calls.keep = kKernelAttr.str();
  pm.addPass(createInlineCallsPass(calls));
  // 4. Broadcasts of chlo before folding: they are where the shape arithmetic of dynamic modules
  // is.
  pm.addPass(createLegalizeChloPass());
  // 5. Draws before anything may drop or repeat them: loops of scans and calls are known by now.
  pm.addPass(createExpandRngPass());
  // 6. Convolutions by the smaller of image and kernel.
  if (options.target.isGPU() && !options.isNaive(Phase::Kernels))
    pm.addPass(createSwapConvolutionsPass());
  //    Tensor maps read windows of images whose features are innermost.
  if (readsWindows(options))
    pm.addPass(createChannelsLastPass());
  pm.addPass(mlir::createCanonicalizerPass());
  pm.addPass(mlir::createCSEPass());
  // 7. Tables are multiplied instead of the many rows that are looked up in them.
  if (!options.isNaive(Phase::Fuse)) {
    pm.addPass(createMultiplyTablesPass());
    pm.addPass(mlir::createCSEPass());
  }
  // 8. What one element of each row is written to is computed where it is read. GPUs sort updates,
  //    in some launches for each scatter.
  if (options.target.isGPU() && !options.isNaive(Phase::Kernels))
    pm.addPass(createJoinScattersPass());
  pm.addPass(createSelectScattersPass());
  // 9. Matrix units multiply 16 bits; the correctness tier rounds as the module says.
  if (options.target.isGPU() && !options.isNaive(Phase::Kernels))
    pm.addPass(createNarrowFactorsPass());
}
