#include "forge/Pipelines/Phases.h"
#include "forge/Target/CPU/Passes.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace forge;

void forge::buildLLVMStage(mlir::OpPassManager &pm, const PipelineOptions &options) {
  // 1. The types of entries, of modules that enter here or at a phase before.
  pm.addPass(createRecordSignaturesPass());
  // 2. Vectors first, as long as the loops around them stand.
  pm.addNestedPass<mlir::func::FuncOp>(createLowerVectorsPass());
  // 3. Views become offsets and strides, index arithmetic plain; loops become branches last, when
  //    no pass wants to see them any more.
  pm.addPass(createLowerExpansionsPass());
  pm.addPass(mlir::memref::createExpandStridedMetadataPass());
  pm.addPass(mlir::createLowerAffinePass());
  pm.addPass(mlir::createSCFToControlFlowPass());
  // 4. Accurate calls before the conversion, which would take LLVM's inaccurate forms.
  pm.addPass(createMathToLibmPass());
  // 5. Everything at once, then what the conversion leaves doubled.
  pm.addPass(createConvertToLLVMPass());
  pm.addPass(mlir::createReconcileUnrealizedCastsPass());
}
