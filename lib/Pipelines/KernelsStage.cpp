#include "forge/Codegen/Passes.h"
#include "forge/Kernels/Passes.h"
#include "forge/Pipelines/Phases.h"
#include "forge/Target/CPU/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

#include <string>

using namespace forge;

/// When products are the vendor's library's. The simulator has none: there, tier production is what
/// runs on a machine without one.
static std::string libraryUse(const PipelineOptions &options) {
  if (options.isNaive(Phase::Kernels))
    return "never";
  if (options.tier == Tier::Production)
    return "prefer";
  return options.tier == Tier::Hybrid && options.target.driver != "sim" ? "cost" : "never";
}

void forge::buildKernelsStage(mlir::OpPassManager &pm, const PipelineOptions &options) {
  // 1. Counters and sizes are the host's; after this what is a tensor is the device's.
  ScalarizeLoopsPassOptions scalarize;
  scalarize.integersOnly = true;
  pm.addPass(createScalarizeLoopsPass(scalarize));
  // 2. Attention is one kernel; marked before its reductions are split. A row's product and what
  //    follows it have one form first, and products read their factors where they were before they
  //    were transposed.
  if (!options.isNaive(Phase::Kernels)) {
    //  Convolutions read their input by windows rather than patches of it.
    FoldWindowsPassOptions windows;
    windows.chipName = options.target.chip->name.str();
    pm.addNestedPass<mlir::func::FuncOp>(createFoldWindowsPass(windows));
    if (options.tier != Tier::Production)
      pm.addNestedPass<mlir::func::FuncOp>(createJoinScoresPass());
    pm.addNestedPass<mlir::func::FuncOp>(createDropUnitRowsPass());
    // Products of one row read one reshape of it.
    pm.addNestedPass<mlir::func::FuncOp>(mlir::createCSEPass());
    pm.addNestedPass<mlir::func::FuncOp>(createSinkReshapesPass());
    pm.addNestedPass<mlir::func::FuncOp>(createFoldTransposesPass());
  }
  if (!options.isNaive(Phase::Kernels) && options.tier != Tier::Production) {
    ClusterAttentionPassOptions attention;
    attention.chipName = options.target.chip->name.str();
    pm.addNestedPass<mlir::func::FuncOp>(createClusterAttentionPass(attention));
  }
  //    Matrix units take 8-bit factors as they are, or as bf16.
  if (!options.isNaive(Phase::Kernels)) {
    WidenFactorsPassOptions widen;
    widen.chipName = options.target.chip->name.str();
    pm.addNestedPass<mlir::func::FuncOp>(createWidenFactorsPass(widen));
  }
  //    Other products read copies of their factors where neither matrix units nor the library take
  //    them as they are.
  std::string library = libraryUse(options);
  if (!options.isNaive(Phase::Kernels)) {
    PackProductsPassOptions pack;
    pack.library = library;
    pack.chipName = options.target.chip->name.str();
    pm.addNestedPass<mlir::func::FuncOp>(createPackProductsPass(pack));
    //  f32 factors as bf16 pieces, where matrix units multiply those in less time.
    SplitFactorsPassOptions split;
    split.library = library;
    split.chipName = options.target.chip->name.str();
    pm.addNestedPass<mlir::func::FuncOp>(createSplitFactorsPass(split));
    //  Long sums with few tiles are divided among multiprocessors.
    SplitTermsPassOptions terms;
    terms.library = library;
    terms.chipName = options.target.chip->name.str();
    pm.addNestedPass<mlir::func::FuncOp>(createSplitTermsPass(terms));
    //  Depthwise convolutions that are left have the order of what is around them, which is known.
    pm.addNestedPass<mlir::func::FuncOp>(createFeaturesInnermostPass());
    //  What all this has only given another shape.
    pm.addNestedPass<mlir::func::FuncOp>(createReshapeCopiesPass());
    pm.addNestedPass<mlir::func::FuncOp>(mlir::createCSEPass());
  }
  //    Threads share one reduced dimension, and many blocks a long one.
  if (!options.isNaive(Phase::Kernels)) {
    pm.addNestedPass<mlir::func::FuncOp>(createCollapseReductionsPass());
    pm.addNestedPass<mlir::func::FuncOp>(createSplitReductionsPass());
  }
  //    A fill belongs to the operation that starts from it, and becomes part of its kernel.
  pm.addPass(createRepeatFillsPass());
  // 3. What one kernel can compute together is marked before kernels are formed.
  //    Products and what follows them first: a row kernel may leave an elementwise operation out.
  if (!options.isNaive(Phase::Kernels)) {
    ClusterProductsPassOptions cluster;
    cluster.library = library;
    cluster.chipName = options.target.chip->name.str();
    pm.addNestedPass<mlir::func::FuncOp>(createClusterProductsPass(cluster));
    //    What a single row's reductions give is an operand, as it is with several rows.
    pm.addNestedPass<mlir::func::FuncOp>(createScalarOperandsPass());
    //    What products of a few rows compute themselves, before it becomes row kernels.
    ClusterProloguesPassOptions prologues;
    prologues.library = library;
    prologues.chipName = cluster.chipName;
    pm.addNestedPass<mlir::func::FuncOp>(createClusterProloguesPass(prologues));
    pm.addNestedPass<mlir::func::FuncOp>(createClusterRowsPass());
    pm.addNestedPass<mlir::func::FuncOp>(createRecomputeResultsPass());
    //    Sums along columns have kernels of their own, and are not taken for rows.
    ClusterColumnsPassOptions columns;
    columns.chipName = options.target.chip->name.str();
    pm.addNestedPass<mlir::func::FuncOp>(createClusterColumnsPass(columns));
    //    What is left and only computed to be put somewhere: rotated keys, into their cache.
    pm.addNestedPass<mlir::func::FuncOp>(createPlaceElementsPass());
    ClusterPlacementsPassOptions placements;
    placements.library = library;
    placements.chipName = cluster.chipName;
    pm.addNestedPass<mlir::func::FuncOp>(createClusterPlacementsPass(placements));
    //    Transposes that are kernels of their own, in as few loops as they have.
    pm.addNestedPass<mlir::func::FuncOp>(createCollapseTransposesPass());
    //    Scalars that the threads of several kernels would compute again have a kernel. Behind it
    //    no pattern may run before kernels are formed that reads a fill's value in its place.
    pm.addNestedPass<mlir::func::FuncOp>(createShareScalarsPass());
  }
  pm.addPass(createFormKernelsPass());
  // 4. What was taken along is dead on the host; equal bodies have equal texts only when they are
  //    in canonical form. Two sums of one kernel start each from a fill of their own, again.
  pm.addPass(mlir::createCanonicalizerPass());
  pm.addPass(mlir::createCSEPass());
  pm.addPass(createRepeatFillsPass());
  pm.addPass(createMergeKernelsPass());
  // 5. One schedule for each distinct kernel.
  ScheduleKernelsPassOptions schedule;
  schedule.chipName = options.target.chip->name.str();
  schedule.genericOnly = options.isNaive(Phase::Kernels);
  schedule.library = library;
  pm.addPass(createScheduleKernelsPass(schedule));
}
