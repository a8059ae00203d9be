#include "forge/Pipelines/Phases.h"

#include "forge/Conversion/StableHLOToLinalg/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace forge;

void forge::buildLinalgStage(mlir::OpPassManager &pm, const PipelineOptions &options) {
  pm.addPass(createConvertStableHLOToLinalgPass());
  // What conversion leaves behind: scalars packed into tensors and unpacked again, equal constants.
  pm.addPass(mlir::createCanonicalizerPass());
  pm.addPass(mlir::createCSEPass());
}
