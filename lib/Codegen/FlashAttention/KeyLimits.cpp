#include "KeyLimits.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace forge;

/// Beyond it, arithmetic in 32 bits could wrap: indices are below it too.
static constexpr int64_t kLargest = int64_t(1) << 29;

namespace {
/// row * perRow + key * perKey + constant + terms.
struct LinearIndex {
  int64_t perRow = 0, perKey = 0, constant = 0;
  SmallVector<std::pair<AttentionGraph::Place, int64_t>, 2> terms;

  LinearIndex times(int64_t factor) const {
    LinearIndex result = *this;
    result.perRow *= factor;
    result.perKey *= factor;
    result.constant *= factor;
    for (auto &[place, count] : result.terms)
      count *= factor;
    return result;
  }
  LinearIndex plus(const LinearIndex &other) const {
    LinearIndex result = *this;
    result.perRow += other.perRow;
    result.perKey += other.perKey;
    result.constant += other.constant;
    llvm::append_range(result.terms, other.terms);
    return result;
  }
  bool isSmall() const {
    return std::abs(perRow) <= 1 && std::abs(perKey) <= 1 && std::abs(constant) < kLargest;
  }
  /// Of indices alone, and never negative.
  bool isNatural() const { return terms.empty() && perRow >= 0 && perKey >= 0 && constant >= 0; }
};

class Analysis {
public:
  Analysis(const AttentionProgram &program, unsigned rowAxis)
      : program(program), graph(program), rowAxis(rowAxis) {}

  /// Adds what `condition` says where it is `expected`: of a conjunction each part.
  void add(AttentionGraph::Place condition, bool expected, KeyConditions &to) const {
    condition = graph.resolve(condition);
    Operation *op = condition.value.getDefiningOp();
    auto part = [&](Value value) { return AttentionGraph::Place{condition.stage, value}; };
    if ((expected && isa_and_nonnull<arith::AndIOp>(op)) ||
        (!expected && isa_and_nonnull<arith::OrIOp>(op))) {
      add(part(op->getOperand(0)), expected, to);
      add(part(op->getOperand(1)), expected, to);
      return;
    }
    if (auto flip = dyn_cast_or_null<arith::XOrIOp>(op);
        flip && matchPattern(flip.getRhs(), m_One()))
      return add(part(flip.getLhs()), !expected, to);
    if (auto compare = dyn_cast_or_null<arith::CmpIOp>(op))
      if (std::optional<KeyLimit> limit = limitOf(condition.stage, compare, expected)) {
        to.limits.push_back(std::move(*limit));
        return;
      }
    to.others.push_back({condition, expected});
  }

private:
  std::optional<KeyLimit> limitOf(int stage, arith::CmpIOp compare, bool expected) const {
    std::optional<LinearIndex> left = linear({stage, compare.getLhs()}),
                               right = linear({stage, compare.getRhs()});
    if (!left || !right || !left->isSmall() || !right->isSmall())
      return std::nullopt;
    arith::CmpIPredicate predicate = compare.getPredicate();
    if (!expected)
      predicate = arith::invertPredicate(predicate);
    if (predicate == arith::CmpIPredicate::eq || predicate == arith::CmpIPredicate::ne)
      return std::nullopt;
    bool isUnsigned = llvm::is_contained({arith::CmpIPredicate::ult, arith::CmpIPredicate::ule,
                                          arith::CmpIPredicate::ugt, arith::CmpIPredicate::uge},
                                         predicate);
    if (isUnsigned && !(left->isNatural() && right->isNatural()))
      return std::nullopt;
    bool isLess = llvm::is_contained({arith::CmpIPredicate::slt, arith::CmpIPredicate::sle,
                                      arith::CmpIPredicate::ult, arith::CmpIPredicate::ule},
                                     predicate);
    bool isStrict = llvm::is_contained({arith::CmpIPredicate::slt, arith::CmpIPredicate::sgt,
                                        arith::CmpIPredicate::ult, arith::CmpIPredicate::ugt},
                                       predicate);
    // left - right <= 0, or >= 0.
    LinearIndex difference = left->plus(right->times(-1));
    if (isStrict)
      difference.constant += isLess ? 1 : -1;
    if (std::abs(difference.perKey) != 1)
      return std::nullopt;
    // perKey * key <= -(the rest).
    LinearIndex rest = difference.times(-difference.perKey);
    return KeyLimit{isLess == (difference.perKey > 0), rest.perRow, rest.constant, rest.terms};
  }

  bool isUniform(AttentionGraph::Place place) const {
    return !graph.dependsOnAxis(place, rowAxis) && !graph.dependsOnAxis(place, program.keyAxis()) &&
           !graph.dependsOn(place, {program.scores});
  }

  /// Whether a sum of it and indices fits into 64 bits.
  bool isBounded(AttentionGraph::Place place, unsigned depth = 0) const {
    place = graph.resolve(place);
    Type type = place.value.getType();
    if (type.isInteger() && type.getIntOrFloatBitWidth() <= 32)
      return true;
    Operation *op = place.value.getDefiningOp();
    if (!op || depth > 8)
      return false;
    if (isa<linalg::IndexOp>(op) || op->hasTrait<OpTrait::ConstantLike>())
      return true;
    return isa<arith::IndexCastOp, arith::ExtSIOp, arith::ExtUIOp, arith::MaxSIOp, arith::MinSIOp,
               arith::AddIOp, arith::SubIOp>(op) &&
           llvm::all_of(op->getOperands(), [&](Value operand) {
             return isBounded({place.stage, operand}, depth + 1);
           });
  }

  std::optional<LinearIndex> linear(AttentionGraph::Place place) const {
    place = graph.resolve(place);
    LinearIndex result;
    APInt constant;
    if (matchPattern(place.value, m_ConstantInt(&constant))) {
      if (constant.getSignificantBits() > 32)
        return std::nullopt;
      result.constant = constant.getSExtValue();
      return result;
    }
    if (isUniform(place)) {
      if (!isBounded(place))
        return std::nullopt;
      result.terms.push_back({place, 1});
      return result;
    }
    Operation *op = place.value.getDefiningOp();
    if (!op)
      return std::nullopt;
    auto operand = [&](unsigned i) { return linear({place.stage, op->getOperand(i)}); };
    if (auto index = dyn_cast<linalg::IndexOp>(op)) {
      unsigned axis = program.stages[place.stage].axes[index.getDim()];
      (axis == rowAxis ? result.perRow : result.perKey) = 1;
      return result;
    }
    Type type = place.value.getType();
    bool isWide = type.isIndex() || type.getIntOrFloatBitWidth() >= 64;
    bool isWideEnough = isWide || type.getIntOrFloatBitWidth() >= 32;
    std::optional<LinearIndex> made;
    if (isa<arith::AddIOp, arith::SubIOp>(op)) {
      std::optional<LinearIndex> a = operand(0), b = operand(1);
      if (a && b)
        made = a->plus(isa<arith::SubIOp>(op) ? b->times(-1) : *b);
    } else if (isa<arith::IndexCastOp, arith::ExtSIOp, arith::TruncIOp>(op)) {
      made = operand(0);
    }
    // In fewer than 64 bits a sum with what is not known might wrap.
    if (!made || !isWideEnough || !made->isSmall() || (!isWide && !made->terms.empty()))
      return std::nullopt;
    return made;
  }

  const AttentionProgram &program;
  AttentionGraph graph;
  unsigned rowAxis;
};
} // namespace

/// Whether `value` is the constant for which `isOtherwise` holds.
static bool isConstant(Value value, llvm::function_ref<bool(double)> isOtherwise) {
  APFloat constant(0.0);
  return matchPattern(value, m_ConstantFloat(&constant)) && isOtherwise(constant.convertToDouble());
}

/// Takes selections off `number` while they are between a number and a constant for which
/// `isOtherwise` holds.
static void takeSelections(const AttentionProgram &program, unsigned rowAxis,
                           AttentionGraph::Place &number,
                           llvm::function_ref<bool(double)> isOtherwise, KeyConditions &to) {
  AttentionGraph graph(program);
  Analysis analysis(program, rowAxis);
  while (true) {
    number = graph.unrounded(number);
    auto select = number.value.getDefiningOp<arith::SelectOp>();
    if (!select)
      return;
    bool whenFalse = isConstant(select.getFalseValue(), isOtherwise);
    bool whenTrue = isConstant(select.getTrueValue(), isOtherwise);
    AttentionGraph::Place condition{number.stage, select.getCondition()};
    if (whenFalse == whenTrue || graph.dependsOn(condition, {program.scores}))
      return;
    analysis.add(condition, whenFalse, to);
    number.value = whenFalse ? select.getTrueValue() : select.getFalseValue();
  }
}

/// Whether each row has a key within `limits`, whatever memory holds. How many it has is a concave
/// function of the row, so that the first and the last row tell.
static bool allRowsHaveKeys(const AttentionProgram &program, unsigned rowAxis,
                            ArrayRef<KeyLimit> limits) {
  int64_t rows = program.extents[rowAxis].size, keys = program.extents[program.keyAxis()].size;
  if (ShapedType::isDynamic(rows) || ShapedType::isDynamic(keys) || keys == 0)
    return false;
  return llvm::all_of(ArrayRef<int64_t>{0, rows - 1}, [&](int64_t row) {
    int64_t first = 0, last = keys - 1;
    for (const KeyLimit &limit : limits) {
      int64_t key = limit.perRow * row + limit.constant;
      (limit.isUpper ? last : first) = limit.isUpper ? std::min(last, key) : std::max(first, key);
    }
    return first <= last &&
           llvm::all_of(limits, [](const auto &each) { return each.terms.empty(); });
  });
}

/// Whether `place` follows from scores, indices and constants alone.
static bool readsNoMemory(const AttentionProgram &program, AttentionGraph::Place place) {
  AttentionGraph graph(program);
  place = graph.resolve(place);
  if (graph.isResultOf(place, program.scores))
    return true;
  Operation *op = place.value.getDefiningOp();
  if (!op || op->getBlock() != program.stages[place.stage].op.getBody())
    return op && op->hasTrait<OpTrait::ConstantLike>();
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    return readsNoMemory(program, {place.stage, operand});
  });
}

/// Masks by large negative numbers instead of -inf: where each row has a key whose score counts,
/// weights of others are 0 too.
static void takeFiniteMasks(const AttentionProgram &program, unsigned rowAxis,
                            AttentionGraph::Place &number, KeyConditions &conditions) {
  if (!conditions.others.empty())
    return;
  // What frameworks and models write for -inf is -1e9, perhaps rounded to bf16, or less; no score
  // is.
  constexpr double kLargest = -0.99e9;
  KeyConditions all = conditions;
  AttentionGraph::Place score = number;
  takeSelections(
      program, rowAxis, score, [](double constant) { return constant <= kLargest; }, all);
  if (!all.others.empty() || all.limits.size() == conditions.limits.size() ||
      !allRowsHaveKeys(program, rowAxis, all.limits) || !readsNoMemory(program, score))
    return;
  conditions = std::move(all);
  number = score;
}

KeyConditions forge::takeConditions(const AttentionProgram &program, unsigned rowAxis,
                                    AttentionGraph::Place &number, double otherwise) {
  KeyConditions conditions;
  takeSelections(
      program, rowAxis, number, [&](double constant) { return constant == otherwise; }, conditions);
  if (otherwise == -std::numeric_limits<double>::infinity())
    takeFiniteMasks(program, rowAxis, number, conditions);
  return conditions;
}
