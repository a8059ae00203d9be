#include "SortOrder.h"

#include "forge/Dialect/StableHLO/IR/StableHLO.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace forge;
using stablehlo::AndOp;
using stablehlo::CompareOp;
using stablehlo::ComparisonDirection;
using stablehlo::ComparisonType;
using stablehlo::OrOp;
using stablehlo::SelectOp;

namespace {
/// Whether two values are computed alike from their arguments.
class Alike {
public:
  /// `arguments` says which arguments correspond.
  explicit Alike(llvm::function_ref<bool(BlockArgument, BlockArgument)> arguments)
      : arguments(arguments) {}

  bool operator()(Value x, Value y) {
    auto left = dyn_cast<BlockArgument>(x), right = dyn_cast<BlockArgument>(y);
    if (left || right)
      return left && right && arguments(left, right);
    Operation *a = x.getDefiningOp(), *b = y.getDefiningOp();
    if (++steps > kMaxSteps || a->getName() != b->getName() ||
        a->getAttrDictionary() != b->getAttrDictionary() || a->getNumRegions() > 0 ||
        !isMemoryEffectFree(a) || a->getNumOperands() != b->getNumOperands() ||
        x.getType() != y.getType() ||
        cast<OpResult>(x).getResultNumber() != cast<OpResult>(y).getResultNumber())
      return false;
    return llvm::all_of(llvm::zip(a->getOperands(), b->getOperands()),
                        [&](auto pair) { return (*this)(std::get<0>(pair), std::get<1>(pair)); });
  }

private:
  /// Comparators are a few operations; values shared by many paths must not take for ever.
  static constexpr int kMaxSteps = 256;

  llvm::function_ref<bool(BlockArgument, BlockArgument)> arguments;
  int steps = 0;
};

/// A comparison of a key of one side with the same key of the other: the key of the left side, or
/// null.
Value keyOf(CompareOp compare) {
  if (!compare)
    return Value();
  Type element = getElementTypeOrSelf(compare.getLhs());
  bool isTotal = compare.getCompareType() == ComparisonType::TOTALORDER;
  if (!isTotal && !element.isIntOrIndex())
    return Value();
  // Of arguments 2i and 2i + 1 the first is the left side's.
  auto across = [](BlockArgument x, BlockArgument y) {
    return x.getOwner() == y.getOwner() && x.getArgNumber() % 2 == 0 &&
           y.getArgNumber() == x.getArgNumber() + 1;
  };
  Value lhs = compare.getLhs(), rhs = compare.getRhs();
  return Alike(across)(lhs, rhs) ? lhs : Alike(across)(rhs, lhs) ? rhs : Value();
}

bool isSame(Value x, Value y) {
  return Alike([](BlockArgument a, BlockArgument b) { return a == b; })(x, y);
}

bool isOrder(Value value);

/// Whether `before` orders by a key of which `equal` says that it is the same, and `rest` is an
/// order.
bool isLexicographic(Value before, Value equal, Value rest) {
  auto strict = before.getDefiningOp<CompareOp>(), tie = equal.getDefiningOp<CompareOp>();
  if (!strict || !tie || tie.getComparisonDirection() != ComparisonDirection::EQ)
    return false;
  Value key = keyOf(strict), same = keyOf(tie);
  return key && same && isSame(key, same) && isOrder(before) && isOrder(rest);
}

bool isOrder(Value value) {
  if (auto compare = value.getDefiningOp<CompareOp>()) {
    ComparisonDirection direction = compare.getComparisonDirection();
    return (direction == ComparisonDirection::LT || direction == ComparisonDirection::GT) &&
           keyOf(compare);
  }
  if (auto select = value.getDefiningOp<SelectOp>())
    return isLexicographic(select.getOnFalse(), select.getPred(), select.getOnTrue());
  auto either = value.getDefiningOp<OrOp>();
  if (!either)
    return false;
  for (auto [before, rest] :
       {std::pair(either.getLhs(), either.getRhs()), std::pair(either.getRhs(), either.getLhs())})
    if (auto both = rest.getDefiningOp<AndOp>())
      if (isLexicographic(before, both.getLhs(), both.getRhs()) ||
          isLexicographic(before, both.getRhs(), both.getLhs()))
        return true;
  return false;
}
} // namespace

bool forge::isStrictWeakOrder(Region &comparator) {
  Operation *terminator = comparator.front().getTerminator();
  return terminator->getNumOperands() == 1 && isOrder(terminator->getOperand(0));
}
