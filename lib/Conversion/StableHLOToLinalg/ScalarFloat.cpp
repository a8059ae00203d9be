// Float arithmetic. Narrow types arrive here already widened to f32 (see ScalarOps.cpp).
#include "ScalarBuilder.h"

#include "forge/Dialect/StableHLO/IR/StableHLO.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace forge;
using arith::CmpFPredicate;

/// 1 / (1 + exp(-x)).
static Value emitLogistic(ScalarBuilder &s, Value x) {
  Value one = s.realLike(x, 1);
  Value e = s.op<math::ExpOp>(s.op<arith::NegFOp>(x));
  return s.op<arith::DivFOp>(one, s.op<arith::AddFOp>(one, e));
}

Value forge::emitFloatOp(ScalarBuilder &s, Operation *op, ValueRange a) {
  using namespace stablehlo;
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](AddOp) { return s.op<arith::AddFOp>(a[0], a[1]); })
      .Case([&](SubtractOp) { return s.op<arith::SubFOp>(a[0], a[1]); })
      .Case([&](MulOp) { return s.op<arith::MulFOp>(a[0], a[1]); })
      .Case([&](DivOp) { return s.op<arith::DivFOp>(a[0], a[1]); })
      .Case([&](RemOp) { return s.op<arith::RemFOp>(a[0], a[1]); })
      // These propagate NaN and order -0 before +0, as StableHLO asks.
      .Case([&](MaxOp) { return s.op<arith::MaximumFOp>(a[0], a[1]); })
      .Case([&](MinOp) { return s.op<arith::MinimumFOp>(a[0], a[1]); })
      .Case([&](PowOp) { return s.op<math::PowFOp>(a[0], a[1]); })
      .Case([&](Atan2Op) { return s.op<math::Atan2Op>(a[0], a[1]); })
      .Case([&](AbsOp) { return s.op<math::AbsFOp>(a[0]); })
      .Case([&](NegOp) { return s.op<arith::NegFOp>(a[0]); })
      .Case([&](SignOp) { return emitSign(s, a[0], false); })
      .Case([&](CbrtOp) { return s.op<math::CbrtOp>(a[0]); })
      .Case([&](CeilOp) { return s.op<math::CeilOp>(a[0]); })
      .Case([&](FloorOp) { return s.op<math::FloorOp>(a[0]); })
      .Case([&](RoundOp) { return s.op<math::RoundOp>(a[0]); })
      .Case([&](RoundNearestEvenOp) { return s.op<math::RoundEvenOp>(a[0]); })
      .Case([&](CosineOp) { return s.op<math::CosOp>(a[0]); })
      .Case([&](SineOp) { return s.op<math::SinOp>(a[0]); })
      .Case([&](TanOp) { return s.op<math::TanOp>(a[0]); })
      .Case([&](TanhOp) { return s.op<math::TanhOp>(a[0]); })
      .Case([&](ExpOp) { return s.op<math::ExpOp>(a[0]); })
      .Case([&](Expm1Op) { return s.op<math::ExpM1Op>(a[0]); })
      .Case([&](LogOp) { return s.op<math::LogOp>(a[0]); })
      .Case([&](Log1pOp) { return s.op<math::Log1pOp>(a[0]); })
      .Case([&](LogisticOp) { return emitLogistic(s, a[0]); })
      .Case([&](SqrtOp) { return s.op<math::SqrtOp>(a[0]); })
      .Case([&](RsqrtOp) { return s.op<math::RsqrtOp>(a[0]); })
      .Default([](Operation *) { return Value(); });
}
