#include "RowPlan.h"

#include "RowLevels.h"

using namespace mlir;

namespace forge {

/// Elements that a thread keeps in registers: as many as it should have where many rows keep the
/// chip busy, where few do, and at most.
static constexpr int64_t kElementsWanted = 32, kElementsOfFewRows = 16, kElementsMost = 32;
/// Registers of a block at most, and those of a thread that hold no elements.
static constexpr int64_t kBlockRegisters = 65536, kOtherRegisters = 24;
/// Rows for each multiprocessor that are many; and its threads that hide what a thread waits for.
static constexpr int64_t kManyRows = 8, kBusyThreads = 512;
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

/// What a schedule has fixed of a plan.
struct FixedRows {
  explicit FixedRows(ScheduleAttr given)
      : vector(givenSize(given, "vector")), loads(givenSize(given, "loads")),
        rows(givenSize(given, "rows")), blocks(givenSize(given, "blocks")),
        threads(givenSize(given, "threads")) {
    if (threads && rows)
      rowThreads = std::max<int64_t>(*threads / *rows, 1);
  }

  std::optional<int64_t> vector, loads, rows, blocks, threads;
  /// Of one row.
  std::optional<int64_t> rowThreads;
};

/// As few blocks as can keep their part of the row in shared memory, of a size that lets several
/// blocks share a multiprocessor.
static void formCluster(const RowProgram &program, const RowPlanLimits &limits, bool isMany,
                        const FixedRows &fixed, RowPlan &plan) {
  if (!canExchangeInCluster(program))
    return;
  RowPlan cluster = plan;
  cluster.threads = fixed.rowThreads.value_or(isMany ? kClusterThreads : kClusterThreadsOfFewRows);
  for (cluster.pieces = 2; cluster.pieces <= limits.maxCluster; cluster.pieces *= 2)
    if (keptBytes(program, cluster, limits) > 0) {
      plan = cluster;
      return;
    }
}

/// The fewest elements that a block of a cluster is worth.
static constexpr int64_t kLeastPiece = 4096;

/// Rows too few for the chip: as many blocks of a cluster share one as leave no multiprocessor two
/// of them. Those of rows that are read again, from the L2 cache, wait for it in each pass, and
/// have as many threads as there may be.
static void spreadFewRows(const RowProgram &program, const RowPlanLimits &limits,
                          const FixedRows &fixed, RowPlan &plan) {
  int64_t rows = knownRows(program);
  if (rows == 0 || !canExchangeInCluster(program))
    return;
  bool isReadOnce = readAgain(program, RowLevels(program, /*online=*/true)).empty();
  for (int64_t pieces = 2; pieces <= limits.maxCluster && rows * pieces <= limits.processors &&
                           program.column.size / pieces >= kLeastPiece;
       pieces *= 2) {
    plan.pieces = pieces;
    if (isReadOnce)
      plan.threads = fixed.rowThreads.value_or(kClusterThreadsOfFewRows);
  }
}

/// Whether registers hold `elements` of each operand that a thread needs at once.
static bool fitsRegisters(const RowProgram &program, int64_t elements, int64_t threads) {
  int64_t operands = rowsAtOnce(program, RowLevels(program, /*online=*/true));
  return elements <= kElementsMost &&
         elements * operands <= kBlockRegisters / threads - kOtherRegisters;
}

/// Threads and accesses for rows that are reduced.
static void planReduction(const RowProgram &program, const RowPlanLimits &limits,
                          const FixedRows &fixed, RowPlan &plan) {
  bool isMany = knownRows(program) >= kManyRows * limits.processors;
  int64_t accesses = std::max<int64_t>(program.column.size / plan.vector, 1);
  int64_t wanted =
      std::max<int64_t>((isMany ? kElementsWanted : kElementsOfFewRows) / plan.vector, 1);
  int64_t threads =
      std::min<int64_t>(llvm::PowerOf2Ceil(llvm::divideCeil(accesses, wanted)), limits.maxThreads);
  // Short rows, of which a thread could keep a whole one, keep more threads busy together.
  while (isMany && 2 * threads <= std::min(accesses, limits.warpSize) &&
         knownRows(program) * threads < kBusyThreads * limits.processors)
    threads *= 2;
  plan.threads = fixed.rowThreads.value_or(threads);
  plan.chunks = fixed.loads.value_or(llvm::divideCeil(accesses, plan.threads));
  if (fixed.loads ? plan.chunks > 0
                  : fitsRegisters(program, plan.chunks * plan.vector, plan.threads))
    return;
  plan.chunks = 0;
  if (isMany && !fixed.rowThreads)
    plan.threads = std::min(plan.threads, kBlockThreads);
  if (!fixed.blocks && keptBytes(program, plan, limits) == 0)
    formCluster(program, limits, isMany, fixed, plan);
  if (!fixed.blocks && plan.pieces == 1 && !isMany)
    spreadFewRows(program, limits, fixed, plan);
}

/// Of rows of known size: all but how many share a block.
static RowPlan planRow(const RowProgram &program, const RowPlanLimits &limits,
                       const FixedRows &fixed) {
  RowPlan plan;
  int64_t size = program.column.size;
  plan.vector = elementsOfAccess(program);
  while (size % plan.vector != 0)
    plan.vector /= 2;
  plan.vector = fixed.vector.value_or(plan.vector);
  if (program.hasReduction()) {
    planReduction(program, limits, fixed, plan);
  } else {
    int64_t accesses = std::max<int64_t>(size / plan.vector, 1);
    plan.threads =
        fixed.rowThreads.value_or(std::min<int64_t>(llvm::PowerOf2Ceil(accesses), kBlockThreads));
    plan.chunks = fixed.loads.value_or(plan.chunks);
    if (plan.chunks > 0)
      plan.pieces = llvm::divideCeil(size, plan.span(size));
  }
  plan.pieces = fixed.blocks.value_or(plan.pieces);
  return plan;
}

/// Whether rows without reductions, of which the threads need not meet, are so many that blocks of
/// several of them keep all multiprocessors busy.
static bool sharesLargerBlock(const RowProgram &program, const RowPlanLimits &limits,
                              const RowPlan &plan) {
  return !program.hasReduction() && plan.pieces == 1 && 2 * plan.threads <= kBlockThreads &&
         knownRows(program) * plan.threads >= kBusyThreads * limits.processors;
}

/// 1. The widest access that divides the row, so that every row starts aligned.
/// 2. Where nothing is reduced, a thread has one access of each operand, and a row as many blocks
///    as it takes.
/// 3. Else threads so that each has a few accesses in flight. Rows longer than registers hold are
///    looped over: by a cluster of blocks where that saves reading them again.
/// 4. Rows that need at most one warp share a block. So do longer rows of an elementwise kernel, if
///    there are many.
RowPlan planRows(const RowProgram &program, const RowPlanLimits &limits, ScheduleAttr given) {
  FixedRows fixed(given);
  if (ShapedType::isDynamic(program.column.size)) {
    RowPlan plan;
    plan.vector = fixed.vector.value_or(plan.vector);
    plan.chunks = fixed.loads.value_or(0);
    plan.rows = fixed.rows.value_or(1);
    plan.pieces = fixed.blocks.value_or(plan.pieces);
    plan.threads = fixed.rowThreads.value_or(fixed.threads.value_or(kBlockThreads));
    return plan;
  }
  RowPlan plan = planRow(program, limits, fixed);
  bool sharesBlock = plan.threads <= limits.warpSize || sharesLargerBlock(program, limits, plan);
  // A block of a fixed size has as many rows as it has threads for, or one.
  if (fixed.threads && !fixed.rows && (!sharesBlock || *fixed.threads < plan.threads)) {
    fixed.rowThreads = fixed.threads;
    plan = planRow(program, limits, fixed);
    sharesBlock = false;
  }
  if (sharesBlock)
    plan.rows = std::max<int64_t>(fixed.threads.value_or(kBlockThreads) / plan.threads, 1);
  plan.rows = fixed.rows.value_or(plan.rows);
  return plan;
}

} // namespace forge
