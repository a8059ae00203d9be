#include "StepsTogether.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

/// Each step has registers of its own.
static constexpr int64_t kMostOperations = 64;

namespace {
/// Values that differ between the steps.
class Varying {
public:
  explicit Varying(Value counter) { values.insert(counter); }

  bool reach(Operation *op) const {
    return llvm::any_of(op->getOperands(), [&](Value operand) { return values.contains(operand); });
  }
  void add(Operation *op) { values.insert(op->result_begin(), op->result_end()); }

private:
  llvm::DenseSet<Value> values;
};
} // namespace

static bool canJoin(Block &block, Varying &varying, int64_t &operations) {
  for (Operation &op : block.without_terminator()) {
    if (++operations > kMostOperations)
      return false;
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      if (branch.elseBlock() || branch->getNumResults() > 0 || varying.reach(branch) ||
          !canJoin(*branch.thenBlock(), varying, operations))
        return false;
      continue;
    }
    bool isPlain = isa<memref::LoadOp, memref::StoreOp>(op) ||
                   (op.getNumRegions() == 0 && isMemoryEffectFree(&op));
    // What all steps store alike would be stored once.
    if (!isPlain || (isa<memref::StoreOp>(op) && !varying.reach(&op)))
      return false;
    if (varying.reach(&op))
      varying.add(&op);
  }
  return true;
}

/// The steps that make 16 bytes of what each store in `loop` writes, each at the loop's counter as
/// the last index; nothing if there is another store.
static std::optional<int64_t> stepsOfAccess(scf::ForOp loop) {
  constexpr int64_t accessBytes = 16;
  int64_t bytes = 0;
  bool isAlong = true;
  loop.walk([&](memref::StoreOp store) {
    ValueRange indices = store.getIndices();
    isAlong &= !indices.empty() && indices.back() == loop.getInductionVar();
    bytes = std::max<int64_t>(
        bytes,
        llvm::divideCeil(getElementTypeOrSelf(store.getMemRef()).getIntOrFloatBitWidth(), 8));
  });
  if (!isAlong || bytes == 0 || accessBytes % bytes != 0)
    return std::nullopt;
  return accessBytes / bytes;
}

static bool canJoinSteps(scf::ForOp loop, int64_t count) {
  std::optional<int64_t> steps = getConstantIntValue(loop.getUpperBound());
  Varying varying(loop.getInductionVar());
  int64_t operations = 0;
  return steps && *steps > 0 && *steps % count == 0 && loop.getNumResults() == 0 &&
         isConstantIntValue(loop.getLowerBound(), 0) && isConstantIntValue(loop.getStep(), 1) &&
         canJoin(*loop.getBody(), varying, operations);
}

/// `others`: of each other step, its own values for those that vary. The operations `counters` are
/// not of a step.
static void join(Block &block, Varying &varying, MutableArrayRef<IRMapping> others,
                 ArrayRef<Operation *> counters) {
  SmallVector<Operation *> ops;
  for (Operation &op : block.without_terminator())
    if (!llvm::is_contained(counters, &op))
      ops.push_back(&op);
  for (Operation *op : ops) {
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      join(*branch.thenBlock(), varying, others, counters);
      continue;
    }
    if (!varying.reach(op))
      continue;
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op);
    for (IRMapping &other : others)
      builder.clone(*op, other);
    varying.add(op);
  }
}

void forge::joinSteps(Slices &slices) {
  constexpr int64_t fewestSlices = int64_t(1) << 17;
  int64_t total = 1;
  for (const SliceDim &dim : slices.dims) {
    scf::ForOp loop = dim.loops.front();
    total = llvm::SaturatingMultiply<uint64_t>(
        total, getConstantIntValue(loop.getUpperBound()).value_or(0));
    if (!dim.places.empty())
      return;
  }
  if (slices.dims.empty() || !slices.chunkLoops.empty() || slices.dims.back().loops.size() != 1)
    return;
  scf::ForOp loop = slices.dims.back().loops.front();
  std::optional<int64_t> count = stepsOfAccess(loop);
  if (!count || *count < 2 || total / *count < fewestSlices || !canJoinSteps(loop, *count))
    return;
  // The counters of the steps, and what is done with them.
  OpBuilder builder = OpBuilder::atBlockBegin(loop.getBody());
  Location loc = loop.getLoc();
  Value counter = loop.getInductionVar();
  SmallVector<Operation *> counters;
  SmallVector<IRMapping> others(*count - 1);
  Value width = arith::ConstantIndexOp::create(builder, loc, *count);
  auto first = arith::MulIOp::create(builder, loc, counter, width);
  counter.replaceAllUsesExcept(first, first);
  counters.push_back(first);
  for (auto [number, other] : llvm::enumerate(others)) {
    Value offset = arith::ConstantIndexOp::create(builder, loc, number + 1);
    auto sum = arith::AddIOp::create(builder, loc, first, offset);
    other.map(first.getResult(), sum.getResult());
    counters.push_back(sum);
  }
  Varying varying(first.getResult());
  join(*loop.getBody(), varying, others, counters);
  builder.setInsertionPoint(loop);
  loop.setUpperBound(arith::ConstantIndexOp::create(
      builder, loc, *getConstantIntValue(loop.getUpperBound()) / *count));
}
