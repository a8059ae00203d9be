#include "Emit.h"

#include "forge/Codegen/Math.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace forge::emit {

template <typename Op, typename... Args> static Val create(Val like, Args... args) {
  return like.wrap(Op::create(*like.builder, like.loc, args...));
}

bool Val::isFloat() const { return isa<FloatType>(getElementTypeOrSelf(type())); }

unsigned Val::width() const { return getElementTypeOrSelf(type()).getIntOrFloatBitWidth(); }

Type Val::withElement(Type element) const {
  if (auto vector = dyn_cast<VectorType>(type()))
    return vector.cloneWith(std::nullopt, element);
  return element;
}

static Val splat(Val like, TypedAttr scalar) {
  TypedAttr attr = scalar;
  if (auto vector = dyn_cast<VectorType>(like.type()))
    attr = DenseElementsAttr::get(vector, scalar);
  return create<arith::ConstantOp>(like, attr);
}

Val constant(Val like, double number) {
  Type element = getElementTypeOrSelf(like.type());
  if (auto type = dyn_cast<FloatType>(element))
    return splat(like, like.builder->getFloatAttr(type, number));
  return splat(like, like.builder->getIntegerAttr(element, static_cast<int64_t>(number)));
}

Val constantBits(Val like, uint64_t bits) {
  Type element = getElementTypeOrSelf(like.type());
  return splat(like, like.builder->getIntegerAttr(element, APInt(64, bits).trunc(like.width())));
}

template <typename FloatOp, typename IntOp> static Val binary(Val a, Val b) {
  return a.isFloat() ? create<FloatOp>(a, a.value, b.value) : create<IntOp>(a, a.value, b.value);
}
Val operator+(Val a, Val b) { return binary<arith::AddFOp, arith::AddIOp>(a, b); }
Val operator-(Val a, Val b) { return binary<arith::SubFOp, arith::SubIOp>(a, b); }
Val operator*(Val a, Val b) { return binary<arith::MulFOp, arith::MulIOp>(a, b); }
Val operator/(Val a, Val b) { return create<arith::DivFOp>(a, a.value, b.value); }
Val operator&(Val a, Val b) { return create<arith::AndIOp>(a, a.value, b.value); }
Val operator|(Val a, Val b) { return create<arith::OrIOp>(a, a.value, b.value); }
Val operator^(Val a, Val b) { return create<arith::XOrIOp>(a, a.value, b.value); }

Val operator<<(Val a, unsigned amount) {
  return create<arith::ShLIOp>(a, a.value, constantBits(a, amount).value);
}
Val shiftRightSigned(Val a, unsigned amount) {
  return create<arith::ShRSIOp>(a, a.value, constantBits(a, amount).value);
}
Val shiftRightUnsigned(Val a, unsigned amount) {
  return create<arith::ShRUIOp>(a, a.value, constantBits(a, amount).value);
}

Val fma(Val a, Val b, Val c) { return create<math::FmaOp>(a, a.value, b.value, c.value); }
Val operator-(Val a) { return a.wrap(arith::NegFOp::create(*a.builder, a.loc, a.value)); }

Val minimum(Val a, Val b) {
  return a.wrap(arith::MinimumFOp::create(*a.builder, a.loc, a.value, b.value));
}

Val maximum(Val a, Val b) {
  return a.wrap(arith::MaximumFOp::create(*a.builder, a.loc, a.value, b.value));
}

Val approximateQuotient(Val a, Val b) {
  return a.wrap(
      arith::DivFOp::create(*a.builder, a.loc, a.value, b.value, arith::FastMathFlags::afn));
}

Val hardwareExp2(Val a) {
  return a.wrap(math::Exp2Op::create(*a.builder, a.loc, a.value, arith::FastMathFlags::afn));
}

/// Marks an operation of the processor that has a form without subnormals.
static Val withoutSubnormals(Val a) {
  Operation *op = a.value.getDefiningOp();
  op->setAttr(kNormalAttr, UnitAttr::get(op->getContext()));
  return a;
}

Val normalExp2(Val a) { return withoutSubnormals(hardwareExp2(a)); }

Val normalReciprocal(Val a) { return withoutSubnormals(approximateQuotient(constant(a, 1.0), a)); }

Val sqrt(Val a) { return create<math::SqrtOp>(a, a.value); }
Val trunc(Val a) { return create<math::TruncOp>(a, a.value); }
Val abs(Val a) { return create<math::AbsFOp>(a, a.value); }
Val copySign(Val a, Val b) { return create<math::CopySignOp>(a, a.value, b.value); }

static Val compare(Val a, Val b, arith::CmpFPredicate floats, arith::CmpIPredicate ints) {
  return a.isFloat() ? create<arith::CmpFOp>(a, floats, a.value, b.value)
                     : create<arith::CmpIOp>(a, ints, a.value, b.value);
}
Val less(Val a, Val b) {
  return compare(a, b, arith::CmpFPredicate::OLT, arith::CmpIPredicate::slt);
}
Val equal(Val a, Val b) {
  return compare(a, b, arith::CmpFPredicate::OEQ, arith::CmpIPredicate::eq);
}
Val isNaN(Val a) { return compare(a, a, arith::CmpFPredicate::UNO, arith::CmpIPredicate::ne); }
Val below(Val a, Val b) {
  return create<arith::CmpIOp>(a, arith::CmpIPredicate::ult, a.value, b.value);
}
Val logicalNot(Val a) { return a ^ constantBits(a, 1); }
Val select(Val condition, Val a, Val b) {
  return create<arith::SelectOp>(a, condition.value, a.value, b.value);
}
Val clamp(Val a, double low, double high) {
  Val atLeast = select(less(a, low), low, a);
  return select(less(high, atLeast), high, atLeast);
}

Val bitsOf(Val a) {
  Type type = a.withElement(a.builder->getIntegerType(a.width()));
  return create<arith::BitcastOp>(a, type, a.value);
}
static FloatType floatOfWidth(Val a) {
  switch (a.width()) {
  case 16:
    return a.builder->getF16Type();
  case 32:
    return a.builder->getF32Type();
  default:
    return a.builder->getF64Type();
  }
}
Val floatOf(Val bits) {
  return create<arith::BitcastOp>(bits, bits.withElement(floatOfWidth(bits)), bits.value);
}
Val toFloat(Val a) { return create<arith::SIToFPOp>(a, a.withElement(floatOfWidth(a)), a.value); }
Val convertFloat(Val a, Type element) {
  unsigned width = element.getIntOrFloatBitWidth();
  if (getElementTypeOrSelf(a.type()) == element)
    return a;
  if (width > a.width())
    return create<arith::ExtFOp>(a, a.withElement(element), a.value);
  return create<arith::TruncFOp>(a, a.withElement(element), a.value);
}
Val toDouble(Val a) { return convertFloat(a, a.builder->getF64Type()); }
Val toSingle(Val a) { return convertFloat(a, a.builder->getF32Type()); }
Val resizeInt(Val a, unsigned width) {
  Type type = a.withElement(a.builder->getIntegerType(width));
  if (width == a.width())
    return a;
  return width > a.width() ? create<arith::ExtUIOp>(a, type, a.value)
                           : create<arith::TruncIOp>(a, type, a.value);
}

Val polynomial(Val x, std::initializer_list<double> coefficients) {
  const double *next = coefficients.end() - 1;
  Val sum = constant(x, *next);
  while (next != coefficients.begin())
    sum = fma(sum, x, constant(x, *--next));
  return sum;
}

Rounded roundProduct(Val x, double factor) {
  Val magic = constant(x, x.width() == 64 ? 0x1.8p52 : 0x1.8p23);
  Val shifted = fma(x, factor, magic);
  return {shifted - magic, bitsOf(shifted) - bitsOf(magic)};
}

Val powerOfTwo(Val n) {
  bool wide = n.width() == 64;
  return floatOf((n + constantBits(n, wide ? 1023 : 127)) << (wide ? 52 : 23));
}

} // namespace forge::emit
