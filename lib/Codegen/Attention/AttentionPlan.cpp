#include "AttentionPlan.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace forge;

/// Accesses that a thread has under way to keys, and as many to values.
static constexpr int64_t kInFlight = 8;

/// With 256 a block of 16 sequences of 4,096 keys takes 1.25 times as long (H200,
/// docs/gpu-h200.md).
static constexpr int64_t kThreads = 512, kThreadsOfFewKeys = 256;

/// Elements of an access: 16 bytes, or 8 of those that are 8 bits wide where a thread would have so
/// many of the queries, and of the sums, of several rows in registers that they spill.
static int64_t vectorOf(const AttentionProgram &program, const AttentionRead &read) {
  constexpr int64_t most = 32;
  unsigned bits = getElementTypeOrSelf(program.memoryOf(read)).getIntOrFloatBitWidth();
  if (bits < 8)
    return 0;
  return bits == 8 && 16 * program.numRows() > most ? 8 : 128 / bits;
}

AttentionLanes::AttentionLanes(const AttentionProgram &program)
    : keyVector(vectorOf(program, program.key)), valueVector(vectorOf(program, program.value)) {
  keyThreads = keyVector ? program.depth() / keyVector : 0;
  valueThreads = valueVector ? program.columns() / valueVector : 0;
}

/// The groups of threads whose sums of values meet in shared memory.
static int64_t valueGroups(const AttentionLanes &lanes, const AttentionPlan &plan,
                           const GPUChip &chip) {
  return plan.threads / std::max(lanes.valueThreads, chip.warpSize);
}

int64_t forge::sharedBytesOf(const AttentionProgram &program, const AttentionPlan &plan,
                             const GPUChip &chip) {
  AttentionLanes lanes(program);
  int64_t rows = llvm::PowerOf2Ceil(program.numRows());
  int64_t results = program.numRows() * program.columns();
  int64_t numbers = plan.keys * rows + 4 * rows + chip.maxThreads / chip.warpSize +
                    valueGroups(lanes, plan, chip) * results;
  if (plan.pieces > 1)
    numbers += results + 2 * plan.pieces * rows;
  return numbers * 4;
}

const char *forge::whyNoAttention(const AttentionProgram &program, const GPUChip &chip) {
  AttentionLanes lanes(program);
  int64_t rows = program.numRows();
  if (rows < 1 || rows > kMostAttentionRows)
    return "1 to 8 rows";
  for (auto [vector, threads, size] :
       {std::tuple(lanes.keyVector, lanes.keyThreads, program.depth()),
        std::tuple(lanes.valueVector, lanes.valueThreads, program.columns())})
    if (vector < 1 || size % vector != 0 || !llvm::isPowerOf2_64(threads) || threads > kThreads / 2)
      return "a depth and columns of a power of two of 16-byte accesses";
  if (lanes.keyThreads > chip.warpSize ||
      lanes.keyThreads < static_cast<int64_t>(llvm::PowerOf2Ceil(rows)))
    return "a key's accesses to be at most a warp's, and as many as there are rows or more";
  if (sharedBytesOf(program, planAttention(program, chip), chip) > chip.sharedBytes)
    return "results that fit into shared memory";
  for (auto [axis, extent] : llvm::enumerate(program.extents))
    if (extent.size == 0)
      return "axes with elements";
  return nullptr;
}

int64_t forge::numPlaces(const AttentionProgram &program) {
  int64_t places = 1;
  for (auto [axis, row] : llvm::enumerate(program.isRow))
    if (!row && !ShapedType::isDynamic(program.extents[axis].size))
      places *= std::max<int64_t>(program.extents[axis].size, 1);
  return places;
}

/// 1. A chunk is as many keys as keep kInFlight accesses of each thread under way, and a multiple
/// of
///    a warp, which takes the maximum of a row. Fewer threads, where their sums do not fit into
///    shared memory.
/// 2. Blocks share the keys while there are multiprocessors without one, and each has a chunk left
///    (16 sequences of 2,000 tokens, 8 heads of keys, H200: 55 us by 128 blocks, 60 by 256).
AttentionPlan forge::planAttention(const AttentionProgram &program, const GPUChip &chip,
                                   ScheduleAttr given) {
  AttentionLanes lanes(program);
  AttentionPlan plan;
  int64_t most = std::max(lanes.keyThreads, lanes.valueThreads);
  int64_t least = std::min(lanes.keyThreads, lanes.valueThreads);
  auto chunk = [&]() -> int64_t {
    int64_t keys = std::max(plan.threads / most * kInFlight, chip.warpSize);
    return llvm::alignTo(keys, std::max<int64_t>(plan.threads / least, 1));
  };
  std::optional<int64_t> threads = givenSize(given, "threads");
  plan.threads = threads.value_or(kThreads);
  plan.keys = chunk();
  int64_t places = numPlaces(program), keys = program.extents[program.keyAxis()].size;
  if (!threads && !ShapedType::isDynamic(keys) && keys < plan.keys) {
    plan.threads = kThreadsOfFewKeys;
    plan.keys = chunk();
  }
  while (!threads && plan.threads > std::max(chip.warpSize, most) &&
         sharedBytesOf(program, plan, chip) > chip.sharedBytes) {
    plan.threads /= 2;
    plan.keys = chunk();
  }
  plan.keys = givenSize(given, "keys").value_or(plan.keys);
  if (std::optional<int64_t> blocks = givenSize(given, "split_kv")) {
    plan.pieces = *blocks;
    return plan;
  }
  auto isShared = [&](int64_t pieces) {
    AttentionPlan shared = plan;
    shared.pieces = pieces;
    return pieces <= chip.maxCluster && places * pieces <= chip.processors &&
           (ShapedType::isDynamic(keys) || pieces * plan.keys <= keys) &&
           sharedBytesOf(program, shared, chip) <= chip.sharedBytes;
  };
  while (isShared(plan.pieces * 2))
    plan.pieces *= 2;
  return plan;
}
