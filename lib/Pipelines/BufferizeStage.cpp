#include "forge/Kernels/Passes.h"
#include "forge/Pipelines/Phases.h"
#include "forge/Target/CPU/Passes.h"

#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace forge;

void forge::buildBufferizeStage(mlir::OpPassManager &pm, const PipelineOptions &options) {
  // 1. Counters first: a loop over scalars needs no buffers for them, and scf.for bufferizes better
  //    than scf.while.
  if (!options.target.isGPU() && !options.isNaive(Phase::Bufferize))
    pm.addPass(createScalarizeLoopsPass());
  // 2. Branches whose results are known to share buffers with what they hand on.
  pm.addPass(createSwitchesToIfsPass());
  // 3. Loops write what they carry where it came from: on a GPU two buffers serve two steps, in
  //    loops that are not repeated kernels do.
  if (options.target.isGPU() && !options.isNaive(Phase::Bufferize)) {
    pm.addPass(createAlternateBuffersPass());
    pm.addPass(createUpdateInPlacePass());
  }
  pm.addPass(createCarryInPlacePass());
  // 4. Each function has few updates of one buffer and few loops within each other, so that the
  //    analyses take time in proportion to the number of operations.
  pm.addPass(createOutlinePartsPass());
  // 5. Buffers that have nothing in common but that they start empty stay apart.
  pm.addPass(createSeparateEmptiesPass());
  // 6. Results are computed where they are written in the first place.
  pm.addPass(mlir::bufferization::createEmptyTensorEliminationPass());
  // 7. The caller's inputs are not ours to write, unless donated.
  pm.addPass(createMarkArgumentsPass());
  // 8. Tensors to buffers, in place where no later reader needs the old value.
  mlir::bufferization::OneShotBufferizePassOptions bufferize;
  bufferize.allowReturnAllocsFromLoops = true;
  bufferize.bufferizeFunctionBoundaries = true;
  bufferize.functionBoundaryTypeConversion =
      mlir::bufferization::LayoutMapOption::IdentityLayoutMap;
  pm.addPass(mlir::bufferization::createOneShotBufferizePass(bufferize));
  pm.addPass(createInlinePartsPass());
  // 9. Kernels compute their results in arguments; what a branch of the host hands on is folded
  //    first, so that it is seen to be one.
  if (options.target.isGPU()) {
    pm.addPass(mlir::createCanonicalizerPass());
    pm.addPass(createResultsToArgumentsPass());
  }
  // 10. What bufferization leaves doubled: equal subviews first, then copies of a buffer to itself
  //     vanish.
  pm.addPass(mlir::createCSEPass());
  pm.addPass(mlir::createCanonicalizerPass());
}
