// A choice between computations that are equal but for constant places, as of stacked channels: one
// computation at a place that is chosen.
#include "forge/Codegen/Fusion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace forge {
namespace {

/// Operations of a computation that are compared, and loops whose indices are looked at one by one.
constexpr size_t kMostOperations = 128;
constexpr int64_t kMostSteps = 16;

/// The computations of two values of a body, told apart by constant places alone.
class Pairing {
public:
  explicit Pairing(arith::SelectOp select) : select(select) {}

  /// Whether both sides are equal but for places, and read an element at one.
  bool match() {
    return matches(select.getTrueValue(), select.getFalseValue()) && readsElement &&
           !leaves.empty();
  }

  /// The computation at the chosen places, in front of the choice.
  Value emit() {
    OpBuilder builder(select);
    return emit(builder, select.getTrueValue(), select.getFalseValue());
  }

private:
  using Pair = std::pair<Value, Value>;

  static bool isPlace(Value value) {
    return value.getType().isIndex() &&
           (matchPattern(value, m_Constant()) || value.getDefiningOp<arith::SelectOp>());
  }

  bool matches(Value first, Value second) {
    if (first == second || leaves.contains({first, second}) || pairs.contains({first, second}))
      return true;
    if (first.getType() != second.getType())
      return false;
    if (isPlace(first) && isPlace(second)) {
      leaves.insert({{first, second}, Value()});
      return true;
    }
    Operation *one = first.getDefiningOp(), *other = second.getDefiningOp();
    if (!one || !other || one->getBlock() != select->getBlock() ||
        other->getBlock() != select->getBlock() || one->getName() != other->getName() ||
        one->getNumResults() != 1 || one->getNumOperands() != other->getNumOperands() ||
        one->getAttrDictionary() != other->getAttrDictionary() || one->getNumRegions() > 0 ||
        !isMemoryEffectFree(one) || isa<linalg::IndexOp>(one) || pairs.size() == kMostOperations)
      return false;
    for (auto [left, right] : llvm::zip_equal(one->getOperands(), other->getOperands()))
      if (!matches(left, right))
        return false;
    readsElement |= isa<tensor::ExtractOp>(one);
    pairs.insert({{first, second}, Value()});
    return true;
  }

  Value emit(OpBuilder &builder, Value first, Value second) {
    if (first == second)
      return first;
    auto leaf = leaves.find({first, second});
    Value &made = leaf == leaves.end() ? pairs[{first, second}] : leaf->second;
    if (made)
      return made;
    if (leaf != leaves.end())
      return made = arith::SelectOp::create(builder, select.getLoc(), select.getCondition(), first,
                                            second);
    SmallVector<Value> operands;
    for (auto [left, right] : llvm::zip_equal(first.getDefiningOp()->getOperands(),
                                              second.getDefiningOp()->getOperands()))
      operands.push_back(emit(builder, left, right));
    Operation *copy = builder.clone(*first.getDefiningOp());
    copy->setOperands(operands);
    return pairs[{first, second}] = copy->getResult(0);
  }

  arith::SelectOp select;
  bool readsElement = false;
  llvm::MapVector<Pair, Value> leaves, pairs;
};

} // namespace

/// What a value is where the loop that it is computed from is at a step; nothing if it is computed
/// from anything else.
static std::optional<APInt> valueAt(Value value, linalg::IndexOp loop, int64_t step) {
  APInt number;
  if (value == loop.getResult())
    return APInt(64, step);
  if (matchPattern(value, m_ConstantInt(&number)))
    return number.getBitWidth() == 1 ? number : number.sextOrTrunc(64);
  Operation *op = value.getDefiningOp();
  if (!op || !isa<arith::SelectOp, arith::CmpIOp, arith::AndIOp>(op))
    return std::nullopt;
  SmallVector<APInt> operands;
  for (Value operand : op->getOperands()) {
    std::optional<APInt> known = valueAt(operand, loop, step);
    if (!known)
      return std::nullopt;
    operands.push_back(*known);
  }
  if (isa<arith::SelectOp>(op))
    return operands[0].isZero() ? operands[2] : operands[1];
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    return APInt(1, arith::applyCmpPredicate(compare.getPredicate(), operands[0], operands[1]));
  return operands[0] & operands[1];
}

/// The only loop index that `value` is computed from, through choices and comparisons; null if
/// there is none or another.
static linalg::IndexOp loopOf(Value value) {
  linalg::IndexOp found;
  SmallVector<Value> open = {value};
  while (!open.empty()) {
    Value next = open.pop_back_val();
    Operation *op = next.getDefiningOp();
    if (auto index = dyn_cast_or_null<linalg::IndexOp>(op)) {
      if (found && found != index)
        return {};
      found = index;
    } else if (isa_and_nonnull<arith::SelectOp, arith::CmpIOp, arith::AndIOp>(op)) {
      llvm::append_range(open, op->getOperands());
    }
  }
  return found;
}

/// Whether a choice of places is the index of a short loop.
static linalg::IndexOp isIndex(arith::SelectOp select, linalg::GenericOp op) {
  linalg::IndexOp loop =
      select.getType().isIndex() ? loopOf(select.getResult()) : linalg::IndexOp();
  if (!loop)
    return {};
  int64_t steps = op.getStaticLoopRanges()[loop.getDim()];
  if (ShapedType::isDynamic(steps) || steps > kMostSteps)
    return {};
  for (int64_t step = 0; step < steps; ++step) {
    std::optional<APInt> known = valueAt(select.getResult(), loop, step);
    if (!known || *known != APInt(64, step))
      return {};
  }
  return loop;
}

bool selectPlaces(Operation *root) {
  bool isChanged = false;
  root->walk([&](linalg::GenericOp op) {
    bool isHere = false;
    for (Operation &inner : llvm::make_early_inc_range(op.getBody()->without_terminator())) {
      auto select = dyn_cast<arith::SelectOp>(inner);
      if (!select)
        continue;
      if (linalg::IndexOp index = isIndex(select, op)) {
        select.replaceAllUsesWith(index.getResult());
        isHere = true;
      } else if (Pairing pairing(select);
                 !select.getType().isIndex() && loopOf(select.getCondition()) && pairing.match()) {
        select.replaceAllUsesWith(pairing.emit());
        isHere = true;
      }
    }
    // Choices of places that were made on the way.
    for (Operation &inner : op.getBody()->without_terminator())
      if (auto select = dyn_cast<arith::SelectOp>(inner); select && isHere)
        if (linalg::IndexOp index = isIndex(select, op))
          select.replaceAllUsesWith(index.getResult());
    if (isHere)
      for (Operation &inner : llvm::make_early_inc_range(llvm::reverse(*op.getBody())))
        if (isOpTriviallyDead(&inner))
          inner.erase();
    isChanged |= isHere;
  });
  return isChanged;
}

} // namespace forge
