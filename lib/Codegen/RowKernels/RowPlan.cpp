#include "RowPlan.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace forge {

/// Bytes of one memory access at most.
static constexpr int64_t kAccessBytes = 16;
/// Elements that a thread keeps in registers: as many as it should have, and at most.
static constexpr int64_t kElementsWanted = 16, kElementsMost = 32;
/// Threads of a block whose rows need fewer.
static constexpr int64_t kBlockThreads = 256;

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

/// Bytes of the smallest element that is read or written along the column: it sets the vector
/// width.
static int64_t smallestElement(const RowProgram &program) {
  int64_t bytes = 8;
  for (const RowStage &stage : program.stages)
    for (const RowRead &read : stage.reads)
      bytes = std::min(bytes, bytesAlongColumn(program, read.memref, read.map).value_or(8));
  for (const RowWrite &write : program.writes) {
    Value target = program.stages[write.value.stage].op.getDpsInits()[write.value.result];
    bytes = std::min(bytes, bytesAlongColumn(program, target, write.map).value_or(8));
  }
  return bytes;
}

/// 1. The widest access that divides the row, so that every row starts aligned. 2. Threads so that
/// each has a few accesses in flight. 3. Rows that need fewer threads than a warp share a block. 4.
/// Rows longer than registers hold are cut into pieces where nothing is reduced, and are looped
/// over otherwise.
RowPlan planRows(const RowProgram &program, const RowPlanLimits &limits) {
  RowPlan plan;
  int64_t size = program.column.size;
  bool reduces = program.hasReduction();
  if (ShapedType::isDynamic(size)) {
    plan.chunks = 0;
    plan.threads = kBlockThreads;
    return plan;
  }
  plan.vector = std::max<int64_t>(kAccessBytes / smallestElement(program), 1);
  while (size % plan.vector != 0)
    plan.vector /= 2;
  int64_t accesses = std::max<int64_t>(size / plan.vector, 1);
  int64_t wanted = std::max<int64_t>(kElementsWanted / plan.vector, 1);
  if (!reduces) {
    plan.threads = std::min<int64_t>(
        llvm::PowerOf2Ceil(llvm::divideCeil(accesses, std::min<int64_t>(wanted, 2))),
        kBlockThreads);
    plan.chunks =
        std::min<int64_t>(llvm::divideCeil(accesses, plan.threads), std::min<int64_t>(wanted, 2));
    plan.pieces = llvm::divideCeil(size, plan.span());
  } else {
    plan.threads = std::min<int64_t>(llvm::PowerOf2Ceil(llvm::divideCeil(accesses, wanted)),
                                     limits.maxThreads);
    plan.chunks = llvm::divideCeil(accesses, plan.threads);
    if (plan.chunks * plan.vector > kElementsMost)
      plan.chunks = 0;
  }
  if (plan.threads <= limits.warpSize)
    plan.rows = kBlockThreads / plan.threads;
  return plan;
}

} // namespace forge
