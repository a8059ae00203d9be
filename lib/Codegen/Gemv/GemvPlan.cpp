#include "GemvPlan.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace forge;

/// Accesses to the matrix that a thread has under way at a time, 16 bytes each.
static constexpr int64_t kInFlight = 8;

/// The same where a thread computes the matrix: of 4 bytes each, mostly.
static constexpr int64_t kComputedInFlight = 16;

/// Threads of a multiprocessor that have as many accesses under way as it takes; as many again of
/// the next launch have room beside them.
static constexpr int64_t kThreadsAtOnce = 512;

/// Products that a thread makes of one access to each of its columns: with more, what they need
/// does not fit the registers.
static constexpr int64_t kMostProducts = 128;

int64_t forge::numGroups(const GemvProduct &product, const GemvPlan &plan) {
  return llvm::divideCeilSigned(product.columns, plan.columns);
}

bool forge::canShareBlocks(const GemvProduct &product) {
  return product.byMatrixUnits || (!product.columnsInside && !product.isComputed());
}

/// The lanes of a matrix instruction's result that have the same columns have every second row:
/// with four numbers between rows they store to different banks.
int64_t forge::strideOfSums(const GemvProduct &product, const GemvPlan &plan) {
  constexpr int64_t kBetween = 4;
  return plan.columns * product.numMatrices() + (product.byMatrixUnits ? kBetween : 0);
}

/// Blocks of a launch: one for each group of columns, so that a block that ends makes room for the
/// next one's accesses. No more than run at once where what precedes the product, which each block
/// computes, would be read more than the matrix; and before a matrix of nibbles, whose bytes are
/// few: on an H100 gate and up take 0.97 of the time so (docs/gpu-h200.md).
static int64_t blocksOf(const GemvProduct &product, const GemvPlan &plan, const GPUChip &chip,
                        ScheduleAttr given) {
  int64_t groups = numGroups(product, plan);
  if (std::optional<int64_t> blocks = givenSize(given, "blocks"))
    return *blocks;
  if (!canShareBlocks(product) || product.prologue.empty())
    return groups;
  std::optional<int64_t> elements = elementsRead(product.prologue);
  bool isReadLess =
      elements && *elements * groups <= product.columns * product.numMatrices() * product.length;
  if (isReadLess && !(product.byMatrixUnits && product.isComputed()))
    return groups;
  return std::min(groups, chip.processors * std::max<int64_t>(kThreadsAtOnce / plan.threads, 1));
}

/// 1. Columns: two accesses side by side are what memory gives at a time, and more only while there
///    are two blocks for each multiprocessor: what a block has to read one after the other decides.
/// 2. Threads: as many as there are runs of rows for.
/// 3. Depth: one run, whose factors of x are one access.
static GemvPlan planInside(const GemvProduct &product, const GPUChip &chip, ScheduleAttr given) {
  GemvPlan plan;
  int64_t accesses = product.columns % (2 * product.vector) == 0 ? 2 : 1;
  while (accesses < kMostGemvAccessesInside &&
         product.columns % (accesses * 2 * product.vector) == 0 &&
         product.columns / (accesses * 2 * product.vector) >= 2 * chip.processors)
    accesses *= 2;
  plan.columns = givenSize(given, "n").value_or(accesses * product.vector);
  plan.depth = givenSize(given, "loads").value_or(product.vector);
  constexpr int64_t kMostThreads = 256;
  int64_t most = product.accesses() * (plan.columns / product.vector);
  plan.threads = chip.warpSize;
  while (plan.threads * 2 <= kMostThreads && plan.threads * 2 <= most)
    plan.threads *= 2;
  plan.threads = givenSize(given, "threads").value_or(plan.threads);
  return plan;
}

/// 1. Columns: those of one instruction, or of two where each has several rows of x, which every
///    block reads, while there are blocks for most multiprocessors. With the columns inside as many
///    as a lane can read at once, because neighbouring columns are what memory gives at a time.
/// 2. Warps: eight, or sixteen with few columns inside, as far as the sum has terms for. (On an
/// H200
///    4096 x 4096 with 8 rows takes 0.103 ms for ten products with 512 threads, 0.127 with 256.)
/// 3. Depth: the accesses of all columns together are those that a thread has under way.
static GemvPlan planByMatrixUnits(const GemvProduct &product, const GPUChip &chip,
                                  ScheduleAttr given) {
  constexpr int64_t kMatrixInFlight = 8;
  int64_t matrices = product.numMatrices(), columnsAtOnce = 2 * kGemvMatrixHalf;
  // A matrix of nibbles is of fewer bytes, so that the prologue, which each block computes, counts
  // more.
  bool hasPrologue = product.isComputed() && !product.prologue.empty();
  int64_t most = hasPrologue || product.rows > kGemvMatrixHalf ? 2 * columnsAtOnce : columnsAtOnce;
  // A prologue takes shared memory, too.
  if (product.columnsInside)
    most = product.prologue.empty() ? kMostGemvMatrixColumns : 2 * columnsAtOnce;
  int64_t fewestBlocks = chip.processors * 3 / 4;
  GemvPlan plan;
  plan.columns = kGemvMatrixHalf;
  while (plan.columns < product.columns &&
         (!product.canHaveColumns(plan.columns) ||
          (plan.columns * matrices < most && product.canHaveColumns(plan.columns * 2) &&
           product.columns / (plan.columns * 2) >= fewestBlocks)))
    plan.columns *= 2;
  plan.columns = givenSize(given, "n").value_or(plan.columns);
  int64_t groups = product.length / product.matrixTerms;
  plan.threads = chip.warpSize;
  // All warps' sums are in shared memory together.
  bool isNarrow = product.columnsInside && product.prologue.empty() &&
                  plan.columns * matrices <= 2 * columnsAtOnce;
  int64_t mostThreads = isNarrow ? 512 : 256;
  while (plan.threads * 2 <= mostThreads && plan.threads * 2 <= groups * chip.warpSize)
    plan.threads *= 2;
  plan.threads = givenSize(given, "threads").value_or(plan.threads);
  int64_t halves = std::max<int64_t>(plan.columns * matrices / kGemvMatrixHalf, 1);
  int64_t rounds = std::max<int64_t>(groups * chip.warpSize / plan.threads, 1);
  plan.depth = std::clamp<int64_t>(kMatrixInFlight / halves, 1, llvm::bit_floor<uint64_t>(rounds));
  plan.depth = givenSize(given, "loads").value_or(plan.depth);
  return plan;
}

/// 1. Columns: with several rows each access to x serves more of them; a power of two,
///    while there are two blocks for each multiprocessor; of those that are read together, all.
/// 2. Threads: as many as the sum has accesses for.
/// 3. Depth: the accesses of all columns together are those that a thread has under way.
static GemvPlan planByThreads(const GemvProduct &product, const GPUChip &chip, ScheduleAttr given) {
  // Each block computes the prologue: fewer blocks do it less often. A computed matrix is of fewer
  // bytes, so that what a thread does besides counts more.
  bool hasPrologue = !product.prologue.empty(), isComputed = product.isComputed();
  int64_t mostColumns = (product.rows == 1 && !hasPrologue ? 2 : 4) * (isComputed ? 4 : 1);
  int64_t fewestBlocks = (hasPrologue ? 1 : 2) * chip.processors, matrices = product.numMatrices();
  GemvPlan plan;
  if (product.placement)
    plan.columns = product.placement->group;
  while (plan.columns * matrices < mostColumns && product.canHaveColumns(plan.columns * 2) &&
         product.columns / (plan.columns * 2) >= fewestBlocks &&
         product.rows * plan.columns * matrices * 2 * product.vector <= kMostProducts)
    plan.columns *= 2;
  plan.columns = givenSize(given, "n").value_or(plan.columns);
  // A thread has less of the prologue, too, where a block has more.
  int64_t mostThreads = !isComputed && (plan.columns * matrices > 2 || hasPrologue) ? 256 : 128;
  plan.threads = chip.warpSize;
  while (plan.threads * 2 <= mostThreads && plan.threads * 2 <= product.accesses())
    plan.threads *= 2;
  plan.threads = givenSize(given, "threads").value_or(plan.threads);
  int64_t most = llvm::divideCeil(product.accesses(), plan.threads);
  plan.depth = std::min<int64_t>(
      std::max<int64_t>((isComputed ? kComputedInFlight : kInFlight) / (plan.columns * matrices),
                        1),
      llvm::bit_floor<uint64_t>(most));
  plan.depth = givenSize(given, "loads").value_or(plan.depth);
  return plan;
}

GemvPlan forge::planGemv(const GemvProduct &product, const GPUChip &chip, ScheduleAttr given) {
  GemvPlan plan = product.byMatrixUnits   ? planByMatrixUnits(product, chip, given)
                  : product.columnsInside ? planInside(product, chip, given)
                                          : planByThreads(product, chip, given);
  plan.blocks = blocksOf(product, plan, chip, given);
  // The next group's accesses are under way, too.
  if (product.byMatrixUnits && plan.blocks < numGroups(product, plan))
    plan.depth = givenSize(given, "loads").value_or(1);
  return plan;
}
