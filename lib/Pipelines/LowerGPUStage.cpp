#include "forge/Codegen/Passes.h"
#include "forge/Pipelines/Phases.h"
#include "forge/Target/CPU/Passes.h"
#include "forge/Target/Device/Passes.h"
#include "forge/Target/NVVM/Passes.h"
#include "forge/Target/ROCDL/Passes.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/NVVMToLLVM/NVVMToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace forge;

static void lowerDevice(mlir::OpPassManager &device, const GPUChip &chip) {
  // Loops become branches last, when no pass wants to see them any more.
  device.addPass(mlir::createSCFToControlFlowPass());
  switch (chip.dialect) {
  case DeviceDialect::NVVM:
    device.addPass(createConvertToNVVMPass());
    device.addPass(createPackRoundingsPass());
    // Instructions that LLVM has no intrinsic for, as inline PTX.
    device.addPass(mlir::createConvertNVVMToLLVMPass());
    break;
  case DeviceDialect::ROCDL: {
    ConvertToROCDLPassOptions options;
    options.chipName = chip.name.str();
    device.addPass(createConvertToROCDLPass(options));
    break;
  }
  }
  device.addPass(mlir::createReconcileUnrealizedCastsPass());
  device.addPass(mlir::createCanonicalizerPass());
}

void forge::buildLowerGPUStage(mlir::OpPassManager &pm, const PipelineOptions &options) {
  // 1. The device, while launches are still launches: first what host and device agree on. The
  // simulator runs its kernels as they are.
  if (!options.isNaive(Phase::Lower)) {
    pm.addPass(createSinkReadsPass());
    pm.addPass(createCountersInMemoryPass());
  }
  if (options.target.driver != "sim") {
    if (options.target.chip->dependentLaunches && !options.isNaive(Phase::Lower)) {
      DependentLaunchesPassOptions launches;
      launches.processors = options.target.chip->processors;
      pm.addPass(createDependentLaunchesPass(launches));
    }
    lowerDevice(pm.nest<mlir::gpu::GPUModuleOp>(), *options.target.chip);
  }
  // 2. Sequences while launches are still launches.
  if (!options.isNaive(Phase::Lower))
    pm.addPass(createCaptureSequencesPass());
  // 3. The host: types of entries, of modules that enter at a phase before; views as offsets and
  // strides, loops as branches, 8-bit floats and math of scalars
  //    (a condition of a loop) as on the CPU, then everything at once.
  pm.addPass(createRecordSignaturesPass());
  mlir::OpPassManager &host = pm.nest<mlir::func::FuncOp>();
  host.addPass(createExpandSmallFloatsPass());
  host.addPass(createFlattenViewsPass());
  host.addPass(createLowerExpansionsPass());
  host.addPass(mlir::memref::createExpandStridedMetadataPass());
  host.addPass(mlir::createLowerAffinePass());
  host.addPass(mlir::createSCFToControlFlowPass());
  pm.addPass(createMathToLibmPass());
  pm.addPass(createConvertHostToLLVMPass());
  pm.addPass(mlir::createReconcileUnrealizedCastsPass());
}
