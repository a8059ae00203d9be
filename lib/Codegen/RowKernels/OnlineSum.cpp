#include "OnlineSum.h"

#include "forge/Codegen/Math.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace forge {
namespace {

/// The one operation of a combiner, if it has one accumulator and is `Op`.
template <typename Op> bool combinesBy(const RowStage &stage) {
  return stage.kind == RowStage::Reduction && stage.reduction.elements.size() == 1 &&
         stage.reduction.combiner.size() == 1 && isa<Op>(stage.reduction.combiner.front());
}

/// The operand of `stage` that `value` is the block argument of, or null.
const RowRead *readOf(const RowStage &stage, Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  return argument && argument.getOwner() == stage.op.getBody()
             ? &stage.reads[argument.getArgNumber()]
             : nullptr;
}

bool isSameRead(const RowRead &a, const RowRead &b) {
  return a.stage == b.stage && a.result == b.result && a.splat == b.splat && a.memref == b.memref &&
         a.map == b.map;
}

/// True if `x` in the body of `a` and `y` in the body of `b` are the same number for every element:
/// the same unary operations on the same operand.
bool isSameElement(const RowStage &a, Value x, const RowStage &b, Value y) {
  const RowRead *readX = readOf(a, x), *readY = readOf(b, y);
  if (readX || readY)
    return readX && readY && isSameRead(*readX, *readY);
  Operation *opX = x.getDefiningOp(), *opY = y.getDefiningOp();
  return opX && opY && opX->getName() == opY->getName() && opX->getNumOperands() == 1 &&
         opX->getNumRegions() == 0 && opX->getAttrDictionary() == opY->getAttrDictionary() &&
         x.getType() == y.getType() && isSameElement(a, opX->getOperand(0), b, opY->getOperand(0));
}

} // namespace

/// The maximum that `value` is, or is where that is finite, being 0 elsewhere; null for another
/// number.
static std::pair<Value, bool> withoutGuard(Value value) {
  auto choice = value.getDefiningOp<arith::SelectOp>();
  auto compare = choice ? choice.getCondition().getDefiningOp<arith::CmpFOp>() : arith::CmpFOp();
  auto absolute = compare ? compare.getLhs().getDefiningOp<math::AbsFOp>() : math::AbsFOp();
  bool isGuard = absolute && compare.getPredicate() == arith::CmpFPredicate::OLT &&
                 matchPattern(compare.getRhs(), m_PosInfFloat()) &&
                 absolute.getOperand() == choice.getTrueValue() &&
                 matchPattern(choice.getFalseValue(), m_AnyZeroFloat());
  return isGuard ? std::pair(choice.getTrueValue(), true) : std::pair(value, false);
}

std::optional<OnlineMaximum> maximumOfSum(const RowProgram &program, unsigned index) {
  const RowStage &sum = program.stages[index];
  if (!combinesBy<arith::AddFOp>(sum) || !sum.reduction.neutral[0])
    return std::nullopt;
  auto exponential = sum.reduction.elements[0].getDefiningOp<math::ExpOp>();
  auto difference =
      exponential ? exponential.getOperand().getDefiningOp<arith::SubFOp>() : arith::SubFOp();
  if (!difference || !exponential.getType().isF32())
    return std::nullopt;
  auto [base, isFinite] = withoutGuard(difference.getRhs());
  const RowRead *below = readOf(sum, base);
  if (!below || below->stage < 0 || !difference.getRhs().hasOneUse())
    return std::nullopt;
  const RowStage &maximum = program.stages[below->stage];
  if (!combinesBy<arith::MaximumFOp>(maximum) ||
      !isSameElement(maximum, maximum.reduction.elements[0], sum, difference.getLhs()))
    return std::nullopt;
  return OnlineMaximum{static_cast<unsigned>(below->stage), isFinite};
}

Value OnlineSum::exponential(Value x) {
  if (!approximates)
    return math::ExpOp::create(b, x);
  auto exponential = math::ExpOp::create(b, x, arith::FastMathFlags::afn);
  exponential->setAttr(kNormalAttr, b.getUnitAttr());
  return exponential;
}

Value OnlineSum::isLowest(Value maximum) {
  Value lowest =
      arith::ConstantOp::create(b, b.getF32FloatAttr(-std::numeric_limits<float>::infinity()));
  return arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, maximum, lowest);
}

Value OnlineSum::shift(Value maximum, bool isFinite) {
  Value zero = arith::ConstantOp::create(b, b.getF32FloatAttr(0));
  if (!isFinite)
    return arith::SelectOp::create(b, isLowest(maximum), zero, maximum);
  Value infinity =
      arith::ConstantOp::create(b, b.getF32FloatAttr(std::numeric_limits<float>::infinity()));
  Value isNumber = arith::CmpFOp::create(b, arith::CmpFPredicate::OLT,
                                         math::AbsFOp::create(b, maximum), infinity);
  return arith::SelectOp::create(b, isNumber, maximum, zero);
}

Value OnlineSum::factor(Value before, Value now, bool isFinite) {
  Value zero = arith::ConstantOp::create(b, b.getF32FloatAttr(0));
  Value growth = exponential(arith::SubFOp::create(b, before, shift(now, isFinite)));
  return arith::SelectOp::create(b, isLowest(before), zero, growth);
}

} // namespace forge
