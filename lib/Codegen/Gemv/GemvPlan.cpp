#include "GemvPlan.h"

#include "llvm/Support/MathExtras.h"

using namespace forge;

/// Accesses to the matrix that a thread has under way at a time, 16 bytes each.
static constexpr int64_t kInFlight = 8;

/// 1. Columns: with several rows each access to x serves more of them; a power of two that divides
///    them, so that no thread asks whether its column exists, while there are two blocks for each
///    multiprocessor.
/// 2. Threads: as many as the sum has accesses for.
/// 3. Depth: the accesses of all columns together are those that a thread has under way.
GemvPlan forge::planGemv(const GemvProduct &product, const GPUChip &chip) {
  bool isRow = product.rows == 1;
  int64_t mostColumns = isRow ? 2 : 4, mostThreads = isRow ? 128 : 256;
  GemvPlan plan;
  while (plan.columns < mostColumns && product.columns % (plan.columns * 2) == 0 &&
         product.columns / (plan.columns * 2) >= 2 * chip.processors)
    plan.columns *= 2;
  plan.threads = chip.warpSize;
  while (plan.threads * 2 <= mostThreads && plan.threads * 2 <= product.accesses())
    plan.threads *= 2;
  int64_t most = llvm::divideCeil(product.accesses(), plan.threads);
  plan.depth = std::min<int64_t>(kInFlight / plan.columns, llvm::bit_floor<uint64_t>(most));
  return plan;
}
