#include "DotWaits.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace forge;

static void setLesser(llvm::DenseMap<Value, unsigned> &ages, Value value, unsigned age) {
  auto [entry, isNew] = ages.try_emplace(value, age);
  entry->second = std::min(entry->second, age);
}

bool forge::isAccumulator(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !(type.getElementType().isF32() || type.getElementType().isInteger(32)))
    return false;
  return llvm::any_of(value.getUses(), [](OpOperand &use) {
    auto dot = dyn_cast<tile::DotOp>(use.getOwner());
    return dot && dot.getKind() == tile::DotKind::Wgmma && use.get() == dot.getAcc();
  });
}

/// Whether a product reads `value` from registers, until it has ended.
static bool isLeftInRegisters(Value value) {
  return isa<RankedTensorType>(value.getType()) &&
         llvm::any_of(value.getUses(), [&](OpOperand &use) {
           auto dot = dyn_cast<tile::DotOp>(use.getOwner());
           return dot && dot.getKind() == tile::DotKind::Wgmma && dot.getLhs() == value;
         });
}

DotWaits::DotWaits(Region &region) {
  Ages ages;
  for (Block &block : region)
    visit(block, ages);
}

std::optional<unsigned> DotWaits::before(Operation *op) const {
  auto found = waits.find(op);
  return found == waits.end() ? std::nullopt : std::optional(found->second);
}

void DotWaits::need(Operation *op, Value value, Ages &ages) {
  auto found = ages.find(value);
  if (found == ages.end())
    return;
  unsigned age = found->second;
  auto [entry, isNew] = waits.try_emplace(op, age);
  entry->second = std::min(entry->second, age);
  Ages rest;
  for (auto [known, knownAge] : ages)
    if (knownAge < age)
      rest[known] = knownAge;
  ages = std::move(rest);
}

void DotWaits::visit(tile::DotOp dot, Ages &ages) {
  // A copy of an accumulator is made of what it holds.
  if (!dot.getAcc().hasOneUse())
    need(dot, dot.getAcc(), ages);
  need(dot, dot.getLhs(), ages);
  for (auto &known : ages)
    ++known.second;
  ages.erase(dot.getAcc());
  ages[dot.getResult()] = 0;
  if (isa<RankedTensorType>(dot.getLhs().getType()))
    ages[dot.getLhs()] = 0;
  for (Value factor : {dot.getLhs(), dot.getRhs()})
    if (auto get = factor.getDefiningOp<tile::GetOp>())
      ages[get.getSlot()] = 0;
}

/// What ways through a region hand on to `targets`.
static void handOn(const llvm::DenseMap<Value, unsigned> &from, ValueRange values,
                   ValueRange targets, llvm::DenseMap<Value, unsigned> &to) {
  for (auto [value, target] : llvm::zip_equal(values, targets))
    if (auto found = from.find(value); found != from.end())
      setLesser(to, target, found->second);
}

void DotWaits::visitLoop(Operation *op, Ages &ages) {
  auto loop = cast<scf::ForOp>(op);
  Block *body = loop.getBody();
  auto yield = cast<scf::YieldOp>(body->getTerminator());
  // What a loop carries as registers is copied.
  auto needCopied = [&](Operation *at, ValueRange values, Ages &known) {
    for (auto [value, argument] : llvm::zip_equal(values, loop.getRegionIterArgs()))
      if (isa<RankedTensorType>(value.getType()) && !isAccumulator(argument))
        need(at, value, known);
  };
  needCopied(op, loop.getInitArgs(), ages);
  Ages head = ages;
  handOn(ages, loop.getInitArgs(), loop.getRegionIterArgs(), head);
  while (true) {
    Ages end = head;
    visit(*body, end);
    needCopied(yield, yield.getOperands(), end);
    for (Value argument : loop.getRegionIterArgs())
      if (isLeftInRegisters(argument))
        need(yield, argument, end);
    Ages next = head;
    for (auto [value, age] : end)
      if (isLeftInRegisters(value) ||
          (!op->isProperAncestor(value.getParentBlock()->getParentOp()) &&
           value.getParentBlock() != body))
        setLesser(next, value, age);
    handOn(end, yield.getOperands(), loop.getRegionIterArgs(), next);
    if (next == head)
      break;
    head = std::move(next);
  }
  // A loop that is not entered hands its initial values on: they are in the head.
  handOn(head, loop.getRegionIterArgs(), loop.getResults(), head);
  ages = std::move(head);
}

void DotWaits::visitBranches(Operation *op, Ages &ages) {
  Ages after;
  bool coversAll = true;
  for (Region &region : op->getRegions()) {
    if (region.empty()) {
      coversAll = false;
      continue;
    }
    Ages branch = ages;
    visit(region.front(), branch);
    Operation *yield = region.front().getTerminator();
    for (Value value : yield->getOperands())
      if (isa<RankedTensorType>(value.getType()))
        need(yield, value, branch);
    handOn(branch, yield->getOperands(), op->getResults(), branch);
    for (auto [value, age] : branch)
      setLesser(after, value, age);
  }
  if (!coversAll)
    for (auto [value, age] : ages)
      setLesser(after, value, age);
  ages = std::move(after);
}

void DotWaits::visit(Block &block, Ages &ages) {
  for (Operation &op : block) {
    if (auto dot = dyn_cast<tile::DotOp>(op); dot && dot.getKind() == tile::DotKind::Wgmma) {
      visit(dot, ages);
      continue;
    }
    if (isa<scf::YieldOp>(op))
      continue;
    // Registers that a product of the iteration before reads are written again.
    for (Value result : op.getResults())
      if (isLeftInRegisters(result))
        need(&op, result, ages);
    if (isa<scf::ForOp>(op)) {
      visitLoop(&op, ages);
      continue;
    }
    for (Value operand : op.getOperands())
      need(&op, operand, ages);
    if (isa<tile::WhenOp>(op)) {
      // Not every warp runs the region.
      op.walk([&](Operation *inner) {
        for (Value operand : inner->getOperands())
          need(&op, operand, ages);
      });
      continue;
    }
    if (isa<scf::IfOp>(op))
      visitBranches(&op, ages);
    else
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          visit(inner, ages);
  }
}
