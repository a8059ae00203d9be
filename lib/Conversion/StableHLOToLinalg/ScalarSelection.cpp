// compare, select, clamp and the classification of floats.
#include "ScalarBuilder.h"

#include "forge/Dialect/StableHLO/IR/Chlo.h"
#include "forge/Dialect/StableHLO/IR/StableHLO.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace forge;
using arith::CmpFPredicate;
using arith::CmpIPredicate;
using stablehlo::ComparisonDirection;
using stablehlo::ComparisonType;

static CmpIPredicate getIntegerPredicate(ComparisonDirection direction, bool isUnsigned) {
  switch (direction) {
  case ComparisonDirection::EQ:
    return CmpIPredicate::eq;
  case ComparisonDirection::NE:
    return CmpIPredicate::ne;
  case ComparisonDirection::GE:
    return isUnsigned ? CmpIPredicate::uge : CmpIPredicate::sge;
  case ComparisonDirection::GT:
    return isUnsigned ? CmpIPredicate::ugt : CmpIPredicate::sgt;
  case ComparisonDirection::LE:
    return isUnsigned ? CmpIPredicate::ule : CmpIPredicate::sle;
  case ComparisonDirection::LT:
    return isUnsigned ? CmpIPredicate::ult : CmpIPredicate::slt;
  }
  llvm_unreachable("all directions are handled");
}

/// False with a NaN on either side, except for NE: IEEE-754.
static CmpFPredicate getFloatPredicate(ComparisonDirection direction) {
  switch (direction) {
  case ComparisonDirection::EQ:
    return CmpFPredicate::OEQ;
  case ComparisonDirection::NE:
    return CmpFPredicate::UNE;
  case ComparisonDirection::GE:
    return CmpFPredicate::OGE;
  case ComparisonDirection::GT:
    return CmpFPredicate::OGT;
  case ComparisonDirection::LE:
    return CmpFPredicate::OLE;
  case ComparisonDirection::LT:
    return CmpFPredicate::OLT;
  }
  llvm_unreachable("all directions are handled");
}

/// An integer that orders floats as IEEE-754 totalOrder does: the bits as they are for the positive
/// ones, all but the sign inverted for the negative ones.
static Value emitTotalOrderKey(ScalarBuilder &s, Value x) {
  Value bits = s.bits(x);
  Value sign = s.op<arith::ShRSIOp>(bits, s.like(bits, s.width(bits) - 1));
  Value mask = s.op<arith::ShRUIOp>(sign, s.like(bits, 1));
  return s.op<arith::XOrIOp>(bits, mask);
}

static Value emitCompare(ScalarBuilder &s, stablehlo::CompareOp op, Value x, Value y,
                         const ScalarContext &context) {
  ComparisonDirection direction = op.getComparisonDirection();
  if (isa<IntegerType>(x.getType()))
    return s.cmp(getIntegerPredicate(direction, context.isUnsigned()), x, y);
  if (op.getCompareType() == ComparisonType::TOTALORDER)
    return s.cmp(getIntegerPredicate(direction, false), emitTotalOrderKey(s, x),
                 emitTotalOrderKey(s, y));
  return s.cmp(getFloatPredicate(direction), widen(s, x), widen(s, y));
}

/// min(max(x, low), high).
static Value emitClamp(ScalarBuilder &s, Value low, Value x, Value high, bool isUnsigned) {
  if (isa<FloatType>(x.getType())) {
    Value raised = s.op<arith::MaximumFOp>(widen(s, x), widen(s, low));
    return narrow(s, s.op<arith::MinimumFOp>(raised, widen(s, high)), x.getType());
  }
  if (isUnsigned)
    return s.op<arith::MinUIOp>(s.op<arith::MaxUIOp>(x, low), high);
  return s.op<arith::MinSIOp>(s.op<arith::MaxSIOp>(x, low), high);
}

Value forge::emitSelectionOp(ScalarBuilder &s, Operation *op, ValueRange a,
                             const ScalarContext &context) {
  using namespace stablehlo;
  auto equals = [&](Value x, Value y) { return s.cmp(CmpFPredicate::OEQ, x, y); };
  auto infinite = [&](Value x) { return equals(s.op<math::AbsFOp>(x), s.infinity(x.getType())); };
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](CompareOp compare) { return emitCompare(s, compare, a[0], a[1], context); })
      .Case([&](SelectOp) { return s.select(a[0], a[1], a[2]); })
      .Case([&](ClampOp) {
        return emitClamp(s, a[0], a[1], a[2], isUnsignedType(context.resultType));
      })
      .Case([&](IsFiniteOp) {
        Value x = s.op<math::AbsFOp>(widen(s, a[0]));
        return s.cmp(CmpFPredicate::OLT, x, s.infinity(x.getType()));
      })
      .Case([&](chlo::IsInfOp) { return infinite(widen(s, a[0])); })
      .Case([&](chlo::IsPosInfOp) {
        Value x = widen(s, a[0]);
        return equals(x, s.infinity(x.getType()));
      })
      .Case([&](chlo::IsNegInfOp) {
        Value x = s.op<arith::NegFOp>(widen(s, a[0]));
        return equals(x, s.infinity(x.getType()));
      })
      .Default([](Operation *) { return Value(); });
}
