#include "forge/Codegen/Passes.h"
#include "forge/Kernels/Passes.h"
#include "forge/Pipelines/Phases.h"
#include "forge/Target/CPU/Passes.h"
#include "forge/Target/Device/Passes.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace forge;

void forge::buildGPUStage(mlir::OpPassManager &pm, const PipelineOptions &options) {
  // 1. What only verification runs; products by the vendor's library; kernels by their strategies,
  // calls as launches.
  pm.addPass(createDropReferencesPass());
  pm.addPass(createCallLibraryPass());
  LowerKernelsPassOptions lower;
  lower.chipName = options.target.chip->name.str();
  lower.naiveTiles = options.isNaive(Phase::GPU);
  lower.stamps = options.stamps;
  pm.addPass(createLowerKernelsPass(lower));
  // 2. On the device: views as offsets and strides, index arithmetic plain; then math as
  //    arithmetic, or as calls of our own functions: no vendor's library is linked.
  mlir::OpPassManager &device = pm.nest<mlir::gpu::GPUModuleOp>();
  device.addPass(createLowerExpansionsPass());
  device.addPass(mlir::memref::createExpandStridedMetadataPass());
  device.addPass(mlir::createLowerAffinePass());
  ExpandMathPassOptions math;
  math.hardwareExp2 = options.target.chip->hardwareExp2;
  device.addPass(createExpandMathPass(math));
  device.addPass(createCallDeviceMathPass());
  // sm_89 and newer have the instructions; of the chips known here, those with warpgroup products.
  ExpandSmallFloatsPassOptions smallFloats;
  smallFloats.instructions = options.target.chip->warpgroupProducts;
  device.addPass(createExpandSmallFloatsPass(smallFloats));
  device.addPass(mlir::createCanonicalizerPass());
  device.addPass(mlir::createCSEPass());
  //    Small kernels that do not need each other are one launch; before buffers are freed, which
  //    would order them.
  if (!options.isNaive(Phase::GPU)) {
    FuseLaunchesPassOptions fuse;
    fuse.processors = options.target.chip->processors;
    fuse.sharedBytes = options.target.chip->maxSharedBytes;
    pm.addPass(createFuseLaunchesPass(fuse));
    //    Small ones that do are, too.
    if (options.target.chip->maxCluster > 1) {
      ChainLaunchesPassOptions chain;
      chain.cluster = options.target.chip->maxCluster;
      pm.addPass(createChainLaunchesPass(chain));
    }
  }
  // 3. Checks run on the host.
  pm.addNestedPass<mlir::func::FuncOp>(createStageChecksPass());
  // 4. Buffers of the host are freed after their last use, which is a launch; none of them stands
  //    on a stack.
  FreeBuffersPassOptions free;
  free.stackBytes = 0;
  pm.addNestedPass<mlir::func::FuncOp>(createFreeBuffersPass(free));
  pm.addPass(mlir::createCanonicalizerPass());
  pm.addPass(mlir::createCSEPass());
}
