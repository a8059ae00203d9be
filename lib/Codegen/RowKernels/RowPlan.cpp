#include "RowPlan.h"

#include "RowLevels.h"

using namespace mlir;

namespace forge {

/// Bytes of one memory access at most.
static constexpr int64_t kAccessBytes = 16;
/// Elements that a thread keeps in registers: as many as it should have where many rows keep the
/// chip busy, where few do, and at most.
static constexpr int64_t kElementsWanted = 32, kElementsOfFewRows = 16, kElementsMost = 32;
/// Rows for each multiprocessor that are many.
static constexpr int64_t kManyRows = 8;
/// Threads of a block whose rows need fewer, and of one that loops over one of many rows; of one
/// of a cluster: few, so that several blocks, at different points of their rows, share a
/// multiprocessor, but not where there are few rows.
static constexpr int64_t kBlockThreads = 256, kClusterThreads = 128, kClusterThreadsOfFewRows = 512;
/// Bytes of shared memory left to exchanges by what is kept of a row.
static constexpr int64_t kExchangeBytes = 4096;

/// Bytes of an element of `memory`, if neighbouring columns lie side by side in it; nothing
/// otherwise.
static std::optional<int64_t> bytesAlongColumn(const RowProgram &program, Value memory,
                                               AffineMap map) {
  if (!memory || map.getNumResults() == 0 ||
      map.getResults().back() != getAffineDimExpr(program.columnAxis(), map.getContext()))
    return std::nullopt;
  Type element = getElementTypeOrSelf(memory.getType());
  if (!element.isIntOrFloat() || element.getIntOrFloatBitWidth() < 8)
    return std::nullopt;
  return element.getIntOrFloatBitWidth() / 8;
}

/// Elements of an access: 16 bytes of the largest element that is written along the column, so that
/// threads side by side write 16 bytes side by side; where nothing is, 16 bytes of the smallest
/// element that is read.
static int64_t elementsOfAccess(const RowProgram &program) {
  int64_t written = 0, read = 8;
  for (const RowWrite &write : program.writes) {
    Value target = program.stages[write.value.stage].op.getDpsInits()[write.value.result];
    written = std::max(written, bytesAlongColumn(program, target, write.map).value_or(0));
  }
  for (const RowStage &stage : program.stages)
    for (const RowRead &operand : stage.reads)
      read = std::min(read, bytesAlongColumn(program, operand.memref, operand.map).value_or(8));
  return kAccessBytes / (written > 0 ? written : read);
}

int64_t keptBytes(const RowProgram &program, const RowPlan &plan, const RowPlanLimits &limits) {
  if (!plan.loops() || ShapedType::isDynamic(program.column.size) ||
      plan.threads <= limits.warpSize)
    return 0;
  int64_t bytes = 0;
  for (const RowRead &read : readAgain(program, RowLevels(program, /*online=*/true)))
    bytes += getElementTypeOrSelf(read.memref.getType()).getIntOrFloatBitWidth() / 8;
  bytes *= plan.span(program.column.size);
  return bytes > limits.sharedBytes - kExchangeBytes ? 0 : bytes;
}

bool canExchangeInCluster(const RowProgram &program) {
  return llvm::all_of(program.stages, [](const RowStage &stage) {
    return llvm::all_of(stage.reduction.elements, [](Value element) {
      Type type = element.getType();
      return type.isIndex() || (type.isIntOrFloat() && type.getIntOrFloatBitWidth() >= 8);
    });
  });
}

/// Rows of static sizes; 0 if some size is not known.
static int64_t knownRows(const RowProgram &program) {
  int64_t known = 1;
  for (const RowProgram::Extent &extent : program.rows)
    known *= ShapedType::isDynamic(extent.size) ? 0 : extent.size;
  return known;
}

/// As few blocks as can keep their part of the row in shared memory, of a size that lets several
/// blocks share a multiprocessor.
static void formCluster(const RowProgram &program, const RowPlanLimits &limits, bool isMany,
                        RowPlan &plan) {
  if (!canExchangeInCluster(program))
    return;
  RowPlan cluster = plan;
  cluster.threads = isMany ? kClusterThreads : kClusterThreadsOfFewRows;
  for (cluster.pieces = 2; cluster.pieces <= limits.maxCluster; cluster.pieces *= 2)
    if (keptBytes(program, cluster, limits) > 0) {
      plan = cluster;
      return;
    }
}

/// Threads and accesses for rows that are reduced.
static void planReduction(const RowProgram &program, const RowPlanLimits &limits, RowPlan &plan) {
  bool isMany = knownRows(program) >= kManyRows * limits.processors;
  int64_t accesses = std::max<int64_t>(program.column.size / plan.vector, 1);
  int64_t wanted =
      std::max<int64_t>((isMany ? kElementsWanted : kElementsOfFewRows) / plan.vector, 1);
  plan.threads =
      std::min<int64_t>(llvm::PowerOf2Ceil(llvm::divideCeil(accesses, wanted)), limits.maxThreads);
  plan.chunks = llvm::divideCeil(accesses, plan.threads);
  if (plan.chunks * plan.vector <= kElementsMost)
    return;
  plan.chunks = 0;
  if (isMany)
    plan.threads = std::min(plan.threads, kBlockThreads);
  if (keptBytes(program, plan, limits) == 0)
    formCluster(program, limits, isMany, plan);
}

/// 1. The widest access that divides the row, so that every row starts aligned.
/// 2. Where nothing is reduced, a thread has one access of each operand, and a row as many blocks
///    as it takes.
/// 3. Else threads so that each has a few accesses in flight. Rows longer than registers hold are
///    looped over: by a cluster of blocks where that saves reading them again.
/// 4. Rows that need no more threads than a warp share a block.
RowPlan planRows(const RowProgram &program, const RowPlanLimits &limits) {
  RowPlan plan;
  int64_t size = program.column.size;
  if (ShapedType::isDynamic(size)) {
    plan.chunks = 0;
    plan.threads = kBlockThreads;
    return plan;
  }
  plan.vector = elementsOfAccess(program);
  while (size % plan.vector != 0)
    plan.vector /= 2;
  if (program.hasReduction()) {
    planReduction(program, limits, plan);
  } else {
    int64_t accesses = std::max<int64_t>(size / plan.vector, 1);
    plan.threads = std::min<int64_t>(llvm::PowerOf2Ceil(accesses), kBlockThreads);
    plan.pieces = llvm::divideCeil(size, plan.span(size));
  }
  if (plan.threads <= limits.warpSize)
    plan.rows = kBlockThreads / plan.threads;
  return plan;
}

} // namespace forge
