#include "forge/Simulator/Passes.h"

#include "forge/Codegen/Passes.h"
#include "forge/Target/CPU/Passes.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/NVGPUToNVVM/NVGPUToNVVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace forge;

void forge::buildSimulationPipeline(mlir::OpPassManager &pm, unsigned warpSize) {
  // 1. Compound operations first, while there still are kernels.
  ExpandGpuReductionsPassOptions reductions;
  reductions.warpSize = warpSize;
  pm.addPass(createExpandGpuReductionsPass(reductions));
  pm.addPass(mlir::createConvertNVGPUToNVVMPass());
  // 2. Kernels to functions of a thread, GPU operations to calls.
  pm.addPass(createSimulateGpuPass());
  // 3. From here on as for the CPU.
  pm.addNestedPass<mlir::func::FuncOp>(createLowerCopiesPass());
  pm.addPass(mlir::createConvertLinalgToLoopsPass());
  pm.addPass(createExpandSmallFloatsPass());
  pm.addNestedPass<mlir::func::FuncOp>(createLowerVectorsPass());
  pm.addPass(mlir::memref::createExpandStridedMetadataPass());
  pm.addPass(mlir::createLowerAffinePass());
  pm.addPass(mlir::createSCFToControlFlowPass());
  pm.addPass(createMathToLibmPass());
  pm.addPass(createConvertSimulationToLLVMPass());
  pm.addPass(mlir::createReconcileUnrealizedCastsPass());
  // 4. When loops are branches and every access is a load or a store; the second numbers all sites.
  pm.addPass(createCountStepsPass());
  pm.addPass(createInstrumentAccessesPass());
}
