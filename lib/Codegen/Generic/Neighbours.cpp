#include "Neighbours.h"

#include "forge/Support/TensorBytes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace forge;

//===----------------------------------------------------------------------===//
// Steps together
//===----------------------------------------------------------------------===//

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

/// Makes the step i of `loop`, whose steps are independent, do the steps count * i, count * i + 1
/// ... count * i + count - 1, operation by operation.
static void doTogether(scf::ForOp loop, int64_t count) {
  OpBuilder builder = OpBuilder::atBlockBegin(loop.getBody());
  Location loc = loop.getLoc();
  Value counter = loop.getInductionVar();
  SmallVector<Operation *> counters;
  SmallVector<IRMapping> others(count - 1);
  Value width = arith::ConstantIndexOp::create(builder, loc, count);
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
  // Who divides the steps among threads does so in front of all loops.
  builder.setInsertionPointToStart(&loop->getParentOfType<func::FuncOp>().getBody().front());
  loop.setUpperBound(arith::ConstantIndexOp::create(
      builder, loc, *getConstantIntValue(loop.getUpperBound()) / count));
}

//===----------------------------------------------------------------------===//
// All of a dimension
//===----------------------------------------------------------------------===//

/// The most neighbours that are one thread's, and the fewest threads to be left.
static constexpr int64_t kMostNeighbours = 4, kFewestSlices = int64_t(1) << 15;

/// Whether `loop`, without loops and branches in it, reads an element at a place that is computed,
/// but not from its counter, which is the last index.
static bool readsRows(scf::ForOp loop) {
  bool found = false;
  WalkResult walked = loop.walk([&](Operation *op) {
    if (op != loop && op->getNumRegions() > 0)
      return WalkResult::interrupt();
    ValueRange indices;
    if (auto load = dyn_cast<memref::LoadOp>(op))
      indices = load.getIndices();
    else if (auto extract = dyn_cast<tensor::ExtractOp>(op))
      indices = extract.getIndices();
    found |= !indices.empty() && indices.back() == loop.getInductionVar() &&
             llvm::any_of(indices.drop_back(), [&](Value index) {
               Operation *maker = index.getDefiningOp();
               return maker && loop->isAncestor(maker);
             });
    return WalkResult::advance();
  });
  return found && !walked.wasInterrupted();
}

Slices forge::joinNeighbours(Slices slices) {
  if (slices.dims.size() < 2 || !slices.chunkLoops.empty())
    return slices;
  int64_t left = 1;
  auto sizeOf = [](const SliceDim &dim) {
    scf::ForOp loop = dim.loops.front();
    return getConstantIntValue(loop.getUpperBound()).value_or(0);
  };
  for (const SliceDim &dim : ArrayRef(slices.dims).drop_back())
    left = saturatingMul(left, sizeOf(dim));
  const SliceDim &last = slices.dims.back();
  bool isLastInMemory = llvm::all_of(last.places, [](const auto &place) {
    return place.second == cast<ShapedType>(place.first.getType()).getRank() - 1;
  });
  scf::ForOp loop = last.loops.front();
  if (last.loops.size() == 1 && isLastInMemory && isConstantIntValue(loop.getLowerBound(), 0) &&
      sizeOf(last) <= kMostNeighbours && left >= kFewestSlices && readsRows(loop))
    slices.dims.pop_back();
  return slices;
}

/// Replaces `loop`, of a dimension that joinNeighbours left out, by its steps, done together.
static void unroll(scf::ForOp loop) {
  doTogether(loop, *getConstantIntValue(loop.getUpperBound()));
  OpBuilder builder(loop);
  loop.getInductionVar().replaceAllUsesWith(
      arith::ConstantIndexOp::create(builder, loop.getLoc(), 0));
  // Stores of a step are to elements that no other step reads: they come last.
  SmallVector<Operation *> stores;
  for (Operation &op : llvm::make_early_inc_range(loop.getBody()->without_terminator())) {
    op.moveBefore(loop);
    if (isa<memref::StoreOp>(op))
      stores.push_back(&op);
  }
  for (Operation *store : stores)
    store->moveBefore(loop);
  loop.erase();
}

//===----------------------------------------------------------------------===//
// An access of a long one
//===----------------------------------------------------------------------===//

/// The loop whose steps are the last dimension of `slices`, and how many of them make an access;
/// nothing where threads keep one each.
static std::optional<std::pair<scf::ForOp, int64_t>> stepsOfThread(const Slices &slices) {
  constexpr int64_t fewestSlices = int64_t(1) << 17;
  if (slices.dims.empty() || !slices.chunkLoops.empty() || slices.dims.back().loops.size() != 1)
    return std::nullopt;
  int64_t total = 1;
  for (const SliceDim &dim : slices.dims) {
    scf::ForOp loop = dim.loops.front();
    total = saturatingMul(total, getConstantIntValue(loop.getUpperBound()).value_or(0));
    if (!dim.places.empty())
      return std::nullopt;
  }
  scf::ForOp loop = slices.dims.back().loops.front();
  std::optional<int64_t> count = stepsOfAccess(loop);
  if (!count || *count < 2 || total / *count < fewestSlices || !canJoinSteps(loop, *count))
    return std::nullopt;
  return std::pair(loop, *count);
}

Slices forge::assignNeighbours(Slices slices) {
  Slices joined = joinNeighbours(slices);
  if (joined.dims.size() < slices.dims.size())
    unroll(slices.dims.back().loops.front());
  else if (auto together = stepsOfThread(joined))
    doTogether(together->first, together->second);
  return joined;
}
