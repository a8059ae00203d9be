#include "ColumnsRead.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace forge;

int StepsReads::slotOf(Value value) {
  auto [found, isNew] = slots.try_emplace(value, static_cast<int>(known.size()));
  if (isNew) {
    llvm::APInt constant;
    bool isKnown = matchPattern(value, m_ConstantInt(&constant));
    known.push_back(isKnown ? std::optional(constant.getSExtValue()) : std::nullopt);
  }
  return found->second;
}

/// The operations of `block` and of branches in it, in their order. Values of branches count as
/// used if the branch's results are.
void StepsReads::addBlock(Block &block, Value values) {
  for (Operation &op : block) {
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        addBlock(inner, values);
    auto add = [&](ValueRange indices) {
      Read read{slotOf(op.getResult(0)), {}};
      for (Value index : indices)
        read.indices.push_back(slotOf(index));
      reads.push_back(read);
    };
    if (auto load = dyn_cast<memref::LoadOp>(op); load && load.getMemRef() == values)
      add(load.getIndices());
    if (auto extract = dyn_cast<tensor::ExtractOp>(op); extract && extract.getTensor() == values)
      add(extract.getIndices());
    Step step{&op, {}, {}};
    for (Value operand : op.getOperands())
      step.operands.push_back(slotOf(operand));
    for (Value result : op.getResults())
      step.results.push_back(slotOf(result));
    steps.push_back(step);
  }
}

std::optional<StepsReads> StepsReads::of(ArrayRef<scf::ForOp> loops, Value values) {
  auto type = cast<ShapedType>(values.getType());
  if (!type.hasStaticShape())
    return std::nullopt;
  StepsReads found;
  found.shape.assign(type.getShape().begin(), type.getShape().end());
  for (scf::ForOp loop : loops)
    found.counterSlots.push_back(found.slotOf(loop.getInductionVar()));
  found.addBlock(*scf::ForOp(loops.back()).getBody(), values);
  found.used.resize(found.known.size());
  return found;
}

bool StepsReads::isShiftedBy(size_t counter, int64_t extent, int64_t weight) const {
  int own = counterSlots[counter];
  llvm::DenseSet<int> dependent{own};
  for (const Step &step : steps) {
    // What is loaded is not known in any step.
    if (isa<memref::LoadOp, tensor::ExtractOp>(step.op) ||
        !llvm::any_of(step.operands, [&](int operand) { return dependent.contains(operand); }))
      continue;
    if (isa<arith::SelectOp>(step.op) && dependent.contains(step.operands[0]))
      return false;
    dependent.insert(step.results.begin(), step.results.end());
  }
  return llvm::all_of(reads, [&](const Read &read) {
    int64_t moved = 0, stride = 1;
    for (auto [index, size] : llvm::reverse(llvm::zip_equal(read.indices, shape))) {
      if (index == own) {
        moved += stride;
        if (extent > size)
          return false;
      } else if (dependent.contains(index)) {
        return false;
      }
      stride *= size;
    }
    return moved == weight;
  });
}

std::optional<int64_t> StepsReads::compute(const Step &step) const {
  if (step.results.size() != 1)
    return std::nullopt;
  auto operand = [&](size_t number) { return known[step.operands[number]]; };
  if (isa<arith::ConstantOp>(step.op))
    return known[step.results.front()];
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp>(step.op))
    return operand(0);
  if (isa<arith::SelectOp>(step.op))
    return operand(0) ? operand(*operand(0) != 0 ? 1 : 2) : std::nullopt;
  if (step.operands.size() != 2 || !operand(0) || !operand(1) ||
      !step.op->getOperand(0).getType().isIntOrIndex())
    return std::nullopt;
  int64_t x = *operand(0), y = *operand(1);
  // Numbers of elements, far from where a type ends; what is not among them is not known.
  bool isNatural = x >= 0 && y >= 0;
  using Result = std::optional<int64_t>;
  return llvm::TypeSwitch<Operation *, Result>(step.op)
      .Case<arith::AddIOp>([&](auto) { return llvm::checkedAdd(x, y); })
      .Case<arith::SubIOp>([&](auto) { return llvm::checkedSub(x, y); })
      .Case<arith::MulIOp>([&](auto) { return llvm::checkedMul(x, y); })
      .Case<arith::DivUIOp, arith::DivSIOp, arith::FloorDivSIOp>(
          [&](auto) { return isNatural && y > 0 ? Result(x / y) : std::nullopt; })
      .Case<arith::RemUIOp, arith::RemSIOp>(
          [&](auto) { return isNatural && y > 0 ? Result(x % y) : std::nullopt; })
      .Case<arith::MinSIOp>([&](auto) { return std::min(x, y); })
      .Case<arith::MaxSIOp>([&](auto) { return std::max(x, y); })
      .Case<arith::MinUIOp>([&](auto) { return isNatural ? Result(std::min(x, y)) : std::nullopt; })
      .Case<arith::MaxUIOp>([&](auto) { return isNatural ? Result(std::max(x, y)) : std::nullopt; })
      .Case<arith::AndIOp>([&](auto) { return x & y; })
      .Case<arith::OrIOp>([&](auto) { return x | y; })
      .Case<arith::XOrIOp>([&](auto) { return x ^ y; })
      .Case([&](arith::CmpIOp cmp) -> Result {
        switch (cmp.getPredicate()) {
        case arith::CmpIPredicate::eq:
          return x == y;
        case arith::CmpIPredicate::ne:
          return x != y;
        case arith::CmpIPredicate::slt:
          return x < y;
        case arith::CmpIPredicate::sle:
          return x <= y;
        case arith::CmpIPredicate::sgt:
          return x > y;
        case arith::CmpIPredicate::sge:
          return x >= y;
        case arith::CmpIPredicate::ult:
          return isNatural ? Result(x < y) : std::nullopt;
        case arith::CmpIPredicate::ule:
          return isNatural ? Result(x <= y) : std::nullopt;
        case arith::CmpIPredicate::ugt:
          return isNatural ? Result(x > y) : std::nullopt;
        case arith::CmpIPredicate::uge:
          return isNatural ? Result(x >= y) : std::nullopt;
        }
        return std::nullopt;
      })
      .Default([](Operation *) { return Result(); });
}

LogicalResult StepsReads::run(ArrayRef<int64_t> counters,
                              SmallVectorImpl<std::optional<int64_t>> &elements) {
  // 1. What can be computed, forwards.
  for (auto [slot, counter] : llvm::zip_equal(counterSlots, counters))
    known[slot] = counter;
  for (const Step &step : steps)
    for (int result : step.results)
      known[result] = compute(step);
  // 2. What is used, backwards, from all that is done to memory and what decides about that.
  used.assign(used.size(), false);
  for (const Step &step : llvm::reverse(steps)) {
    bool isUsed = step.results.empty() || step.op->getNumRegions() > 0 ||
                  llvm::any_of(step.results, [&](int result) { return used[result]; });
    if (!isUsed)
      continue;
    auto select = dyn_cast<arith::SelectOp>(step.op);
    std::optional<int64_t> condition = select ? known[step.operands[0]] : std::nullopt;
    if (condition) {
      used[step.operands[*condition != 0 ? 1 : 2]] = true;
      continue;
    }
    for (int operand : step.operands)
      used[operand] = true;
  }
  // 3. The elements.
  elements.clear();
  for (const Read &read : reads) {
    if (!used[read.result]) {
      elements.push_back(std::nullopt);
      continue;
    }
    int64_t element = 0;
    for (auto [index, size] : llvm::zip_equal(read.indices, shape)) {
      if (!known[index] || *known[index] < 0 || *known[index] >= size)
        return failure();
      element = element * size + *known[index];
    }
    elements.push_back(element);
  }
  return success();
}
