// How a product of a few rows is spread over threads.
#ifndef FORGE_LIB_CODEGEN_GEMV_GEMVPLAN_H
#define FORGE_LIB_CODEGEN_GEMV_GEMVPLAN_H

#include "GemvProduct.h"

#include "forge/Codegen/Schedule.h"

namespace forge {

/// Where w has k inside, a block computes `columns` neighbouring columns of the result, or as many
/// in groups of neighbours that a placement reads together, all rows of them. Its threads share the
/// sum: thread t takes the accesses t, t + threads, t + 2 threads ... of each row of w, `depth` of
/// each row at a time.
///
/// By matrix instructions the warps share the sum: warp w takes groups of 32 terms w, w + warps
/// ..., `depth` of them at a time, all columns and rows of each. Where w has its columns inside a
/// lane has columns / 8 neighbours in 8 rows of w for each group.
///
/// Without them, where w has its columns inside, neighbouring threads take the accesses of
/// `columns` side by side in a row of w, and groups of them share the rows: group g takes the runs
/// of an access' length g, g + groups, ... of rows, `depth` rows at a time.
struct GemvPlan {
  int64_t columns = 1;
  int64_t depth = 1;
  /// A multiple of the warp's size.
  int64_t threads = 32;
  /// Of the launch. Block i computes the groups of `columns` columns i, i + blocks, ..., and
  /// what precedes the product once.
  int64_t blocks = 1;
};

/// Groups of columns of `product`, of which the last one may be a part.
int64_t numGroups(const GemvProduct &product, const GemvPlan &plan);

/// Whether a block can compute several groups of columns of `product`.
bool canShareBlocks(const GemvProduct &product);

/// Sums in shared memory from one row of x to the next.
int64_t strideOfSums(const GemvProduct &product, const GemvPlan &plan);

/// Sums that one thread holds at most, where w has k inside.
inline constexpr int64_t kMostGemvSums = 32;
/// Accesses side by side in a row of w that a block takes at most, with the columns inside.
inline constexpr int64_t kMostGemvAccessesInside = 8;

GemvPlan planGemv(const GemvProduct &product, const GPUChip &chip, ScheduleAttr given = {});

} // namespace forge

#endif // FORGE_LIB_CODEGEN_GEMV_GEMVPLAN_H
