// Conversions of pairs of 8-bit floats.
#include "Lowerings.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace forge;

static Value widened(NVVM::ConvertF8x2ToF16x2Op op, OpBuilder &builder) {
  auto pair = cast<VectorType>(op.getSrc().getType());
  Value numbers =
      arith::BitcastOp::create(builder, op.getLoc(), pair.clone(op.getSrcType()), op.getSrc());
  return arith::ExtFOp::create(builder, op.getLoc(), op.getDst().getType(), numbers);
}

/// 1. What is beyond the finite numbers becomes the nearest of them; NaN stays.
/// 2. NaN has one code, without a sign.
static Value narrowed(NVVM::ConvertF32x2ToF8x2Op op, Value number, OpBuilder &builder) {
  Location loc = op.getLoc();
  auto format = cast<FloatType>(op.getDstTy());
  APFloat largest = APFloat::getLargest(format.getFloatSemantics());
  bool lost = false;
  largest.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &lost);
  auto constant = [&](TypedAttr value) -> Value {
    return arith::ConstantOp::create(builder, loc, value);
  };
  Value high = constant(builder.getFloatAttr(builder.getF32Type(), largest));
  Value low = constant(builder.getFloatAttr(builder.getF32Type(), -largest));
  Value held = arith::MinimumFOp::create(
      builder, loc, arith::MaximumFOp::create(builder, loc, number, low), high);
  Value small = arith::TruncFOp::create(builder, loc, format, held);
  Value code = arith::BitcastOp::create(builder, loc, builder.getI8Type(), small);
  Value isNaN = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNO, number, number);
  return arith::SelectOp::create(builder, loc, isNaN, constant(builder.getI8IntegerAttr(0x7f)),
                                 code);
}

Lowered forge::lowerConversionOp(Operation *op, OpBuilder &builder) {
  if (auto convert = dyn_cast<NVVM::ConvertF8x2ToF16x2Op>(op)) {
    if (convert.getRelu())
      return op->emitError("cannot simulate a conversion with relu");
    op->getResult(0).replaceAllUsesWith(widened(convert, builder));
    op->erase();
    return true;
  }
  auto convert = dyn_cast<NVVM::ConvertF32x2ToF8x2Op>(op);
  if (!convert)
    return false;
  if (convert.getRelu() || !isa<VectorType>(convert.getDst().getType()) ||
      convert.getSat() != NVVM::SaturationMode::SATFINITE ||
      !isa<Float8E4M3FNType, Float8E5M2Type>(convert.getDstTy()))
    return op->emitError("cannot simulate a conversion but one with satfinite to two elements of "
                         "f8E4M3FN or f8E5M2");
  Value low = narrowed(convert, convert.getB(), builder),
        high = narrowed(convert, convert.getA(), builder);
  Value pair = vector::FromElementsOp::create(
      builder, op->getLoc(), cast<VectorType>(convert.getDst().getType()), ValueRange{low, high});
  op->getResult(0).replaceAllUsesWith(pair);
  op->erase();
  return true;
}
