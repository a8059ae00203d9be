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

KeyConditions forge::takeConditions(const AttentionProgram &program, unsigned rowAxis,
                                    AttentionGraph::Place &number, double otherwise) {
  KeyConditions conditions;
  AttentionGraph graph(program);
  Analysis analysis(program, rowAxis);
  auto isOtherwise = [&](Value value) {
    APFloat constant(0.0);
    return matchPattern(value, m_ConstantFloat(&constant)) &&
           constant.convertToDouble() == otherwise;
  };
  while (true) {
    number = graph.unrounded(number);
    auto select = number.value.getDefiningOp<arith::SelectOp>();
    if (!select)
      return conditions;
    bool whenFalse = isOtherwise(select.getFalseValue());
    bool whenTrue = isOtherwise(select.getTrueValue());
    AttentionGraph::Place condition{number.stage, select.getCondition()};
    if (whenFalse == whenTrue || graph.dependsOn(condition, {program.scores}))
      return conditions;
    analysis.add(condition, whenFalse, conditions);
    number.value = whenFalse ? select.getTrueValue() : select.getFalseValue();
  }
}
