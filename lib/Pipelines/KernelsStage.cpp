#include "forge/Codegen/Passes.h"
#include "forge/Kernels/Passes.h"
#include "forge/Pipelines/Phases.h"
#include "forge/Target/CPU/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace forge;

void forge::buildKernelsStage(mlir::OpPassManager &pm, const PipelineOptions &options) {
  // 1. Counters and sizes are the host's; after this what is a tensor is the device's.
  ScalarizeLoopsPassOptions scalarize;
  scalarize.integersOnly = true;
  pm.addPass(createScalarizeLoopsPass(scalarize));
  // 2. A fill belongs to the operation that starts from it, and becomes part of its kernel.
  pm.addPass(createRepeatFillsPass());
  // 3. What one kernel can compute together is marked before kernels are formed.
  if (!options.isNaive(Phase::Kernels))
    pm.addNestedPass<mlir::func::FuncOp>(createClusterRowsPass());
  pm.addPass(createFormKernelsPass());
  // 4. What was taken along is dead on the host; equal bodies have equal texts only when they are
  // in
  //    canonical form.
  pm.addPass(mlir::createCanonicalizerPass());
  pm.addPass(mlir::createCSEPass());
  pm.addPass(createMergeKernelsPass());
  // 5. One schedule for each distinct kernel.
  ScheduleKernelsPassOptions schedule;
  schedule.chipName = options.target.chip->name.str();
  schedule.genericOnly = options.isNaive(Phase::Kernels);
  // The simulator has no vendor, and so no library.
  schedule.libraryCalls = options.tier == Tier::Production && options.target.driver != "sim";
  pm.addPass(createScheduleKernelsPass(schedule));
}
