#include "forge/Codegen/Passes.h"
#include "forge/Kernels/Passes.h"
#include "forge/Pipelines/Phases.h"
#include "forge/Target/CPU/Passes.h"

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
  pm.addPass(createFormKernelsPass());
  // 3. What was taken along is dead on the host; equal bodies have equal texts only when they are
  // in
  //    canonical form.
  pm.addPass(mlir::createCanonicalizerPass());
  pm.addPass(mlir::createCSEPass());
  pm.addPass(createMergeKernelsPass());
  // 4. One schedule for each distinct kernel.
  ScheduleKernelsPassOptions schedule;
  schedule.chipName = options.target.chip->name.str();
  schedule.genericOnly = options.isNaive(Phase::Kernels);
  pm.addPass(createScheduleKernelsPass(schedule));
}
