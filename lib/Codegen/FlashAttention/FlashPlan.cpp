#include "FlashPlan.h"

using namespace mlir;
using namespace forge;

/// Elements of 16 bits in a panel.
static constexpr int64_t kPanel = 64;
/// A thread holds half a result's columns of a row, and half a block's scores.
static constexpr int64_t kMostColumns = 256, kMostDepth = 256;
/// Barriers, and what alignment costs.
static constexpr int64_t kOtherBytes = 2048;

int64_t forge::paddedDepth(const FlashAttention &flash) {
  return llvm::alignTo(flash.sizeOf(flash.program.depthAxis()), kPanel);
}

int64_t forge::paddedColumns(const FlashAttention &flash) {
  return llvm::alignTo(flash.sizeOf(flash.program.columnAxis()), kPanel);
}

int64_t forge::sharedBytesOf(const FlashAttention &flash, const FlashPlan &plan) {
  int64_t queries = plan.rows * paddedDepth(flash);
  int64_t perSlot = plan.keys * (paddedDepth(flash) + paddedColumns(flash));
  return 2 * (queries + 2 * perSlot) + kOtherBytes;
}

std::optional<FlashPlan> forge::planFlash(const FlashAttention &flash, const GPUChip &chip) {
  FlashPlan plan;
  if (paddedDepth(flash) > kMostDepth || paddedColumns(flash) > kMostColumns)
    return std::nullopt;
  // Registers of the sums and the scores together; compilers keep what a thread adds to indices
  // too.
  if (paddedColumns(flash) > 128 || flash.usesKeyIndex ||
      sharedBytesOf(flash, plan) > chip.maxSharedBytes)
    plan.keys = 64;
  if (sharedBytesOf(flash, plan) > chip.maxSharedBytes)
    return std::nullopt;
  return plan;
}
