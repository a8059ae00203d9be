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
  // 2. Loops write what they carry where it came from; then results are computed there in the first
  //    place.
  pm.addPass(createCarryInPlacePass());
  pm.addPass(mlir::bufferization::createEmptyTensorEliminationPass());
  // 3. Buffers that have nothing in common but that they start empty stay apart.
  pm.addPass(createSeparateEmptiesPass());
  // 4. The caller's inputs are not ours to write, unless donated.
  pm.addPass(createMarkArgumentsPass());
  // 5. Tensors to buffers, in place where no later reader needs the old value.
  mlir::bufferization::OneShotBufferizePassOptions bufferize;
  bufferize.allowReturnAllocsFromLoops = true;
  bufferize.bufferizeFunctionBoundaries = true;
  bufferize.functionBoundaryTypeConversion =
      mlir::bufferization::LayoutMapOption::IdentityLayoutMap;
  pm.addPass(mlir::bufferization::createOneShotBufferizePass(bufferize));
  // 6. Kernels compute their results in arguments; what a branch of the host hands on is folded
  //    first, so that it is seen to be one.
  if (options.target.isGPU()) {
    pm.addPass(mlir::createCanonicalizerPass());
    pm.addPass(createResultsToArgumentsPass());
  }
  // 7. What bufferization leaves doubled: equal subviews first, then copies of a buffer to itself
  //    vanish.
  pm.addPass(mlir::createCSEPass());
  pm.addPass(mlir::createCanonicalizerPass());
}
