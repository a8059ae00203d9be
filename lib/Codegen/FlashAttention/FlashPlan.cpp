#include "FlashPlan.h"

using namespace mlir;
using namespace forge;

/// Elements of 16 bits in a panel of 128 bytes, as wgmma reads shared memory.
static constexpr int64_t kPanel = 64;
/// With more, a thread would hold too many sums.
static constexpr int64_t kMostColumns = 256, kMostDepth = 256;
/// Barriers, and what alignment costs.
static constexpr int64_t kOtherBytes = 2048;
/// Of a thread's 255 or more; the others are addresses, and what is computed of scores.
static constexpr int64_t kRegisters = 208;
/// That queries may have of them, and that factors have which are multiplied as they are loaded.
static constexpr int64_t kQueryRegisters = 32, kFactorRegisters = 32;
/// What the chip takes of each block, and the most slots of a ring.
static constexpr int64_t kBytesOfBlock = 1024, kMostSlots = 8;
/// Behind each row of a buffer, so that a column of units is in different banks.
static constexpr int64_t kPadBytes = 16;

static int64_t depthOf(const FlashAttention &flash) {
  return flash.sizeOf(flash.program.depthAxis());
}

static int64_t columnsOf(const FlashAttention &flash) {
  return flash.sizeOf(flash.program.columnAxis());
}

static int64_t bytesOf(Type type) { return type.getIntOrFloatBitWidth() / 8; }

/// [rows, columns] as they are in shared memory.
static int64_t bufferBytes(int64_t rows, int64_t columns, Type type) {
  return rows * (columns * bytesOf(type) + kPadBytes);
}

/// Of keys and values of 16 bits, in panels.
static int64_t slotBytes(const FlashPlan &plan) {
  return 2 * plan.keys * (plan.depth + plan.columns);
}

int64_t forge::sharedBytesOf(const FlashAttention &flash, const FlashPlan &plan) {
  if (plan.byWarpgroups()) {
    int64_t queries = plan.rows * plan.depth;
    int64_t perSlot = plan.keys * (plan.depth + plan.columns);
    return 2 * (queries + 2 * perSlot) + kOtherBytes;
  }
  // What warps or blocks hand to each other: sums of weights and of values.
  int64_t handed =
      plan.sharesKeys() || plan.splits > 1 ? 4 * plan.rows * (plan.columns + plan.keys) : 0;
  if (plan.slots > 0)
    return plan.slots * slotBytes(plan) + handed + kOtherBytes;
  Type scored = flash.scoredType(), weighted = flash.weightedType();
  int64_t bytes = bufferBytes(plan.keys, plan.depth, scored) + handed;
  if (!plan.queriesInRegisters)
    bytes += bufferBytes(plan.rows, plan.depth, scored);
  if (plan.product.isMatrix())
    return bytes + bufferBytes(plan.columns, plan.keys, weighted) + kOtherBytes;
  return bytes + bufferBytes(plan.keys, plan.columns, weighted) +
         bufferBytes(plan.rows, plan.keys, weighted) + kOtherBytes;
}

/// Of 32 bits, that a thread needs at once: both accumulators, the queries, the keys or values on
/// their way, and a factor of one step.
int64_t forge::registersOf(const FlashAttention &flash, const FlashPlan &plan,
                           const GPUChip &chip) {
  int64_t threads = plan.product.warps() * chip.warpSize;
  int64_t registers = plan.rows * (plan.columns + plan.keys) / threads;
  int64_t copied = plan.keys * std::max(plan.depth * bytesOf(flash.keyType()),
                                        plan.columns * bytesOf(flash.factorType()));
  if (plan.slots == 0)
    registers += llvm::divideCeil(copied, 4 * threads);
  if (!plan.product.isMatrix())
    return registers + plan.columns / 4;
  int64_t perTerm = plan.product.lanesPerFactorElement() * bytesOf(flash.scoredType());
  if (plan.queriesInRegisters)
    registers += plan.rows * plan.depth * perTerm / (4 * threads);
  int64_t step = std::max(plan.keys * plan.product.instruction[2], plan.columns * int64_t(16));
  return registers + std::min(step * perTerm / (4 * chip.warpSize), kFactorRegisters);
}

static FlashPlan warpgroupPlan(const FlashAttention &flash, int64_t keys) {
  FlashPlan plan;
  plan.keys = keys;
  plan.product.kind = tile::DotKind::Wgmma;
  plan.depth = llvm::alignTo(depthOf(flash), kPanel);
  plan.columns = llvm::alignTo(columnsOf(flash), kPanel);
  // Conditions take registers, too.
  size_t numLimits = flash.conditions.limits.size() + (flash.keys() % keys != 0);
  plan.queriesInRegisters =
      plan.depth <= 128 && plan.columns <= 128 && numLimits <= 1 && flash.conditions.others.empty();
  return plan;
}

/// Each warp has as many rows as the instruction; `sharing` warps have the same rows, and other
/// keys and columns.
static FlashPlan warpPlan(const FlashAttention &flash, const GPUChip &chip, int64_t rows,
                          int64_t keys, int64_t sharing = 1) {
  FlashPlan plan;
  plan.rows = rows;
  plan.keys = keys;
  int64_t perWarp = 16;
  if (flash.unit != FlashUnit::Threads) {
    chooseInstruction(plan.product, matrixUnitOf(chip), /*isWide=*/rows >= 128);
    perWarp = plan.product.instruction[0];
    plan.rowsLast = plan.product.kind != tile::DotKind::Mma;
    plan.depth = llvm::alignTo(depthOf(flash), 16);
    int64_t columnsOfWarp = plan.product.instruction[plan.rowsLast ? 0 : 1];
    plan.columns =
        llvm::alignTo(columnsOf(flash), std::max({perWarp, int64_t(32), columnsOfWarp * sharing}));
    // Not where lanes have each of them twice.
    int64_t registers = perWarp * plan.depth * 2 / (4 * chip.warpSize);
    plan.queriesInRegisters =
        plan.product.lanesPerFactorElement() == 1 && registers <= kQueryRegisters;
  } else {
    plan.depth = llvm::alignTo(depthOf(flash), 16 / bytesOf(flash.scoredType()));
    plan.columns = llvm::alignTo(columnsOf(flash), 16);
  }
  for (int64_t warps = 1; warps < rows / perWarp; warps *= 2)
    plan.product.warpDims.push_back(plan.rowsLast ? 1 : 0);
  for (int64_t warps = 1; warps < sharing; warps *= 2)
    plan.product.warpDims.push_back(plan.rowsLast ? 0 : 1);
  return plan;
}

/// By rank, of 0 to 2, and as they were among those of one rank.
template <typename T, typename RankT>
static SmallVector<T> sortedBy(ArrayRef<T> list, const RankT &rank) {
  SmallVector<T> sorted;
  for (int each : {0, 1, 2})
    llvm::copy_if(list, std::back_inserter(sorted), [&](const T &it) { return rank(it) == each; });
  return sorted;
}

static bool fits(const FlashAttention &flash, const FlashPlan &plan, const GPUChip &chip) {
  return sharedBytesOf(flash, plan) <= chip.maxSharedBytes &&
         (plan.byWarpgroups() || registersOf(flash, plan, chip) <= kRegisters);
}

/// Blocks of 4 or 8 warps that a processor runs at once: then accesses to memory are under way all
/// the time.
static int64_t blocksAtOnce(const FlashPlan &plan) { return 8 / plan.product.warps(); }

int64_t forge::numTiles(const FlashAttention &flash, const FlashPlan &plan) {
  return llvm::divideCeil(flash.rows(), plan.rows) * flash.numPlaces();
}

int64_t forge::splitsOf(const FlashAttention &flash, const FlashPlan &plan, const GPUChip &chip) {
  int64_t splits = 1, blocks = llvm::divideCeil(flash.keys(), plan.keys);
  FlashPlan split = plan;
  split.splits = 2;
  if (plan.byWarpgroups() || sharedBytesOf(flash, split) > chip.maxSharedBytes)
    return splits;
  // With a ring one block keeps enough of memory's accesses under way.
  int64_t atOnce = plan.slots > 0 ? 1 : blocksAtOnce(plan);
  while (2 * splits <= chip.maxCluster && 4 * splits <= blocks &&
         2 * splits * numTiles(flash, plan) <= chip.processors * atOnce)
    splits *= 2;
  return splits;
}

/// Keys and values go through a ring, of as many slots as fit where as many blocks as may share the
/// processor. With less than two nothing would be under way.
static bool addRing(const FlashAttention &flash, FlashPlan &plan, const GPUChip &chip) {
  plan.depth = llvm::alignTo(plan.depth, kPanel);
  plan.columns = llvm::alignTo(plan.columns, kPanel);
  plan.queriesInRegisters = true;
  plan.slots = 1;
  int64_t others = sharedBytesOf(flash, plan) - slotBytes(plan);
  for (int64_t blocks = blocksAtOnce(plan);
       blocks > 0 && (blocks == blocksAtOnce(plan) || plan.slots < 2); blocks /= 2) {
    int64_t room = chip.maxSharedBytes / blocks - kBytesOfBlock - others;
    plan.slots = std::clamp<int64_t>(room / slotBytes(plan), 1, kMostSlots);
  }
  return plan.slots >= 2;
}

/// Of a few rows: each warp has 16 keys, or a share of the columns. More warps where blocks are
/// fewer than processors; fewer where shared memory has room for no more.
static SmallVector<FlashPlan> fewRowsPlans(const FlashAttention &flash, const GPUChip &chip) {
  SmallVector<FlashPlan> plans;
  for (int64_t keys : {64, 128, 32}) {
    FlashPlan plan = warpPlan(flash, chip, kRowsOfInstruction, keys, keys / 16);
    bool hasRing = flash.unit == FlashUnit::Warpgroups && addRing(flash, plan, chip);
    if ((hasRing || flash.unit != FlashUnit::Warpgroups) && fits(flash, plan, chip))
      plans.push_back(plan);
  }
  if (plans.size() == 3 &&
      splitsOf(flash, plans[0], chip) * numTiles(flash, plans[0]) <= chip.processors)
    std::swap(plans[0], plans[1]);
  return plans;
}

/// By matrix instructions of warps.
/// 1. Those of 32 rows read shared memory half as often, where there are tiles for all processors.
/// 2. Many keys, but two blocks to a processor, so that one multiplies while the other computes
///    exponentials.
static SmallVector<FlashPlan> matrixPlans(const FlashAttention &flash, const GPUChip &chip) {
  SmallVector<FlashPlan> plans;
  SmallVector<int64_t> allRows = {64};
  if (matrixUnitOf(chip) == MatrixUnit::Mfma) {
    bool isEnough =
        llvm::divideCeil(flash.rows(), 128) * flash.numPlaces() >= uint64_t(chip.processors);
    allRows.insert(isEnough ? allRows.begin() : allRows.end(), 128);
  }
  for (int64_t rows : allRows)
    for (int64_t keys : {64, 32, 16}) {
      FlashPlan plan = warpPlan(flash, chip, rows, keys);
      if (keys % plan.product.instruction[0] == 0 && fits(flash, plan, chip))
        plans.push_back(plan);
    }
  return sortedBy(ArrayRef<FlashPlan>(plans), [&](const FlashPlan &plan) {
    bool isAlone = 2 * sharedBytesOf(flash, plan) > chip.maxSharedBytes;
    return plan.keys < 32 ? 2 : isAlone ? 1 : 0;
  });
}

/// By fma: no more rows than there are, and fewer where tiles are fewer than processors (8 heads of
/// 512 rows, D 128: 0.067 ms on an H200 with 32 rows, 0.077 with 64; of many tiles 1.00 to 1.05).
static SmallVector<FlashPlan> threadPlans(const FlashAttention &flash, const GPUChip &chip) {
  SmallVector<FlashPlan> plans;
  for (int64_t rows : {64, 32, 16})
    for (int64_t keys : {32, 16})
      if (FlashPlan plan = warpPlan(flash, chip, rows, keys); fits(flash, plan, chip))
        plans.push_back(plan);
  return sortedBy(ArrayRef<FlashPlan>(plans), [&](const FlashPlan &plan) {
    bool isTooLarge = plan.rows > 16 && plan.rows >= 2 * flash.rows();
    return isTooLarge || (plan.rows > 32 && numTiles(flash, plan) < chip.processors) ? 1 : 0;
  });
}

SmallVector<FlashPlan> forge::plansOf(const FlashAttention &flash, const GPUChip &chip) {
  if (depthOf(flash) > kMostDepth || columnsOf(flash) > kMostColumns)
    return {};
  if (flash.isOfFewRows())
    if (SmallVector<FlashPlan> plans = fewRowsPlans(flash, chip); !plans.empty())
      return plans;
  if (flash.unit == FlashUnit::Warps)
    return matrixPlans(flash, chip);
  if (flash.unit == FlashUnit::Threads)
    return threadPlans(flash, chip);
  // Registers of the sums and the scores together; compilers keep what a thread adds to indices
  // too.
  SmallVector<FlashPlan> plans;
  bool isFew = columnsOf(flash) <= 128 && !flash.usesKeyIndex;
  for (int64_t keys : {128, 64})
    if (FlashPlan plan = warpgroupPlan(flash, keys);
        (keys == 64 || isFew) && fits(flash, plan, chip))
      plans.push_back(plan);
  return plans;
}
