// How a product of a few rows is spread over threads.
#ifndef FORGE_LIB_CODEGEN_GEMV_GEMVPLAN_H
#define FORGE_LIB_CODEGEN_GEMV_GEMVPLAN_H

#include "GemvProduct.h"

#include "forge/Codegen/Schedule.h"

namespace forge {

/// A block computes `columns` neighbouring columns of the result, all rows of them. Its threads
/// share the sum: thread t takes the accesses t, t + threads, t + 2 threads ... of each row of w,
/// `depth` of each row at a time.
struct GemvPlan {
  int64_t columns = 1;
  int64_t depth = 1;
  /// A multiple of the warp's size.
  int64_t threads = 32;
};

/// Sums that one thread holds at most.
inline constexpr int64_t kMostGemvSums = 32;

GemvPlan planGemv(const GemvProduct &product, const GPUChip &chip, ScheduleAttr given = {});

} // namespace forge

#endif // FORGE_LIB_CODEGEN_GEMV_GEMVPLAN_H
