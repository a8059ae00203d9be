#include "ForwardMode.h"

#include "GradientBuilders.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace forge::transformer {

static bool isOne(Value x) { return matchPattern(x, m_OneFloat()); }

ForwardMode::ForwardMode(Block &block, ValueRange roots, ImplicitLocOpBuilder &b,
                         IRMapping &mapping, StringRef where)
    : b(b), where(where) {
  SmallPtrSet<Operation *, 16> needed;
  for (Value root : roots)
    if (Operation *producer = root.getDefiningOp())
      needed.insert(producer);
  for (Operation &op : llvm::reverse(block))
    if (needed.contains(&op))
      for (Value operand : op.getOperands())
        if (Operation *producer = operand.getDefiningOp())
          needed.insert(producer);
  for (Operation &op : block)
    if (needed.contains(&op))
      copies.emplace_back(&op, b.clone(op, mapping));
}

FailureOr<Value> ForwardMode::derivative(Value y, Value x) {
  tangents.clear();
  tangents[x] = number(x.getType(), 1.0);
  for (auto [op, copy] : copies) {
    if (llvm::none_of(op->getOperands(), [&](Value v) { return tangents.contains(v); }))
      continue;
    // Truth values and whole numbers only select.
    auto differentiable = dyn_cast<DifferentiableOpInterface>(op);
    if ((op->getNumResults() == 1 && !isa<FloatType>(op->getResult(0).getType())) ||
        (differentiable && differentiable.isLocallyConstant()))
      continue;
    b.setLoc(op->getLoc());
    Value tangent = tangentOf(*op, copy);
    if (!tangent)
      return op->emitError("'") << op->getName() << "' " << where << " is not differentiable";
    tangents[op->getResult(0)] = tangent;
  }
  Value tangent = tangents.lookup(y);
  return tangent ? tangent : number(y.getType(), 0.0);
}

Value ForwardMode::number(Type type, double value) {
  return arith::ConstantOp::create(b, b.getFloatAttr(type, value));
}
Value ForwardMode::add(Value x, Value y) { return arith::AddFOp::create(b, x, y); }
Value ForwardMode::subtract(Value x, Value y) { return arith::SubFOp::create(b, x, y); }
Value ForwardMode::multiply(Value x, Value y) {
  return isOne(x) ? y : isOne(y) ? x : Value(arith::MulFOp::create(b, x, y));
}
Value ForwardMode::negate(Value x) { return arith::NegFOp::create(b, x); }

Value ForwardMode::tangent(Operation &op, unsigned i) { return tangents.lookup(op.getOperand(i)); }
Value ForwardMode::tangentOrZero(Operation &op, unsigned i) {
  Value known = tangent(op, i);
  return known ? known : number(op.getOperand(i).getType(), 0.0);
}

Value ForwardMode::tangentOf(Operation &op, Operation *copy) {
  if (isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp>(op))
    return binaryTangent(op, copy);
  return TypeSwitch<Operation *, Value>(copy)
      .Case([&](arith::NegFOp) { return negate(tangent(op, 0)); })
      .Case([&](arith::ExtFOp ext) -> Value {
        return isOne(tangent(op, 0)) ? number(ext.getType(), 1.0)
                                     : arith::ExtFOp::create(b, ext.getType(), tangent(op, 0));
      })
      .Case([&](arith::TruncFOp trunc) -> Value {
        return arith::TruncFOp::create(b, trunc.getType(), tangent(op, 0));
      })
      .Case([&](arith::SelectOp select) -> Value {
        return arith::SelectOp::create(b, select.getCondition(), tangentOrZero(op, 1),
                                       tangentOrZero(op, 2));
      })
      .Case([&](arith::MaximumFOp) { return chosen(op, copy, arith::CmpFPredicate::OGE); })
      .Case([&](arith::MinimumFOp) { return chosen(op, copy, arith::CmpFPredicate::OLE); })
      .Case<arith::MaxNumFOp>([&](auto) { return chosen(op, copy, arith::CmpFPredicate::OGE); })
      .Case<arith::MinNumFOp>([&](auto) { return chosen(op, copy, arith::CmpFPredicate::OLE); })
      .Default([&](Operation *) { return bySlopes(op, copy); });
}

Value ForwardMode::bySlopes(Operation &op, Operation *copy) {
  Value sum;
  for (unsigned i = 0; i < op.getNumOperands(); ++i)
    if (Value known = tangent(op, i)) {
      Value slope = slopeAt(b, copy, i);
      if (!slope)
        return {};
      Value term = multiply(known, slope);
      sum = sum ? add(sum, term) : term;
    }
  return sum;
}

Value ForwardMode::binaryTangent(Operation &op, Operation *copy) {
  Value x = tangent(op, 0), y = tangent(op, 1), left = copy->getOperand(0),
        right = copy->getOperand(1);
  bool isDifference = isa<arith::SubFOp>(op);
  if (isDifference || isa<arith::AddFOp>(op)) {
    if (x && y)
      return isDifference ? subtract(x, y) : add(x, y);
    return x ? x : isDifference ? negate(y) : y;
  }
  if (isa<arith::MulFOp>(op)) {
    if (x && y)
      return add(multiply(x, right), multiply(left, y));
    return x ? multiply(x, right) : multiply(left, y);
  }
  // (x / y)' = (x' - (x / y) y') / y
  Value change = y ? multiply(copy->getResult(0), y) : Value();
  Value above = x && y ? subtract(x, change) : x ? x : negate(change);
  return arith::DivFOp::create(b, above, right);
}

Value ForwardMode::chosen(Operation &op, Operation *copy, arith::CmpFPredicate predicate) {
  Value first = arith::CmpFOp::create(b, predicate, copy->getOperand(0), copy->getOperand(1));
  return arith::SelectOp::create(b, first, tangentOrZero(op, 0), tangentOrZero(op, 1));
}

} // namespace forge::transformer
