// The float functions of chlo: those of libm by the math dialect, the others by calls of the
// runtime, which evaluates them in double.
#include "ScalarBuilder.h"

#include "forge/Conversion/Utils/TensorUtils.h"
#include "forge/Dialect/StableHLO/IR/Chlo.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace forge;
using arith::CmpFPredicate;
using arith::CmpIPredicate;

/// A call of forge_rt_<name>_f32 or forge_rt_<name>_f64 (include/forge/Runtime/CABI.h).
static Value callFunction(ScalarBuilder &s, StringRef name, ValueRange args) {
  Type type = args.front().getType();
  std::string symbol = ("forge_rt_" + name + (type.isF64() ? "_f64" : "_f32")).str();
  return callRuntime(s.b, s.b.getLoc(), symbol, type, args);
}

Value forge::emitChloOp(ScalarBuilder &s, Operation *op, ValueRange a) {
  using namespace chlo;
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](AcosOp) { return s.op<math::AcosOp>(a[0]); })
      .Case([&](AcoshOp) { return s.op<math::AcoshOp>(a[0]); })
      .Case([&](AsinOp) { return s.op<math::AsinOp>(a[0]); })
      .Case([&](AsinhOp) { return s.op<math::AsinhOp>(a[0]); })
      .Case([&](AtanOp) { return s.op<math::AtanOp>(a[0]); })
      .Case([&](AtanhOp) { return s.op<math::AtanhOp>(a[0]); })
      .Case([&](CoshOp) { return s.op<math::CoshOp>(a[0]); })
      .Case([&](SinhOp) { return s.op<math::SinhOp>(a[0]); })
      .Case([&](TanOp) { return s.op<math::TanOp>(a[0]); })
      .Case([&](ErfOp) { return s.op<math::ErfOp>(a[0]); })
      .Case([&](ErfcOp) { return s.op<math::ErfcOp>(a[0]); })
      .Case([&](SquareOp) { return s.op<arith::MulFOp>(a[0], a[0]); })
      .Case([&](BesselI1eOp) { return callFunction(s, "bessel_i1e", a); })
      .Case([&](DigammaOp) { return callFunction(s, "digamma", a); })
      .Case([&](ErfInvOp) { return callFunction(s, "erf_inv", a); })
      .Case([&](LgammaOp) { return callFunction(s, "lgamma", a); })
      .Case([&](PolygammaOp) { return callFunction(s, "polygamma", a); })
      .Case([&](ZetaOp) { return callFunction(s, "zeta", a); })
      .Default([](Operation *) { return Value(); });
}

/// The float next to `from` toward `to`: one step of the bits, which are in order for floats of one
/// sign. From zero, the least subnormal of the sign of `to`; NaN if either is; `to` if they are
/// equal.
Value forge::emitNextAfter(ScalarBuilder &s, Value from, Value to) {
  Type type = from.getType();
  Value wideFrom = widen(s, from), wideTo = widen(s, to), zero = s.realLike(wideFrom, 0);
  Value bits = s.bits(from), one = s.like(bits, 1);
  Value sign = s.constant(bits.getType(), APInt::getSignMask(s.width(bits)));
  Value down = s.op<arith::SubIOp>(bits, one), up = s.op<arith::AddIOp>(bits, one);
  // Away from zero when `to` lies farther out on the side of `from`.
  Value rising = s.cmp(CmpFPredicate::OLT, wideFrom, wideTo);
  Value positive = s.cmp(CmpFPredicate::OGT, wideFrom, zero);
  Value outward = s.cmp(CmpIPredicate::eq, rising, positive);
  Value step = s.select(outward, up, down);
  Value least = s.op<arith::OrIOp>(s.op<arith::AndIOp>(s.bits(to), sign), one);
  step = s.select(s.cmp(CmpFPredicate::OEQ, wideFrom, zero), least, step);
  Value result = s.select(s.cmp(CmpFPredicate::OEQ, wideFrom, wideTo), to, s.bitcast(step, type));
  Value anyNaN = s.cmp(CmpFPredicate::UNO, wideFrom, wideTo);
  return s.select(anyNaN, s.nan(type), result);
}
