#include "forge/Pipelines/Phases.h"

#include "forge/Conversion/ForgeToLinalg/Passes.h"
#include "forge/Conversion/RegisterToLinalg/Passes.h"
#include "forge/Conversion/StableHLOToLinalg/Passes.h"
#include "forge/Conversion/TransformerToLinalg/Passes.h"
#include "forge/Target/CPU/Passes.h"

#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace forge;

void forge::buildLinalgStage(mlir::OpPassManager &pm, const PipelineOptions &options) {
  // 1. The conversions drop the signs of integers, which callers need to know.
  pm.addPass(createRecordSignaturesPass());
  // 2. A device goes along a line once where a module has a tree.
  if (options.target.isGPU() && options.tier != Tier::Correctness &&
      !options.isNaive(Phase::Linalg))
    pm.addPass(createRaiseScansPass());
  // 3. Dialects may be mixed in one module. On a GPU the host does not see what tensors hold.
  pm.addPass(createConvertRegisterToLinalgPass());
  ConvertTransformerToLinalgPassOptions transformer;
  transformer.hostLoops = !options.target.isGPU();
  transformer.chunkedSorts = options.target.isGPU();
  pm.addPass(createConvertTransformerToLinalgPass(transformer));
  ConvertStableHLOToLinalgPassOptions stablehlo;
  stablehlo.chunkedSorts = options.target.isGPU();
  stablehlo.windows = readsWindows(options);
  stablehlo.blockBytes = matrixBytes(options);
  pm.addPass(createConvertStableHLOToLinalgPass(stablehlo));
  // 4. Slices of what a transform gives are slices of tensors by now.
  ConvertForgeToLinalgPassOptions transforms;
  if (options.target.isGPU())
    transforms.blockBytes = options.target.chip->maxSharedBytes;
  pm.addPass(createConvertForgeToLinalgPass(transforms));
  // 5. Arithmetic of arith and math on whole tensors joins the fusion.
  pm.addPass(mlir::createConvertElementwiseToLinalgPass());
  // 6. What conversion leaves behind: scalars packed into tensors and unpacked again, equal
  //    constants.
  pm.addPass(mlir::createCanonicalizerPass());
  pm.addPass(mlir::createCSEPass());
}
