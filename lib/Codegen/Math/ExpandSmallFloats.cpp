#include "Emit.h"
#include "SmallFloats.h"

#include "forge/Codegen/Math.h"
#include "forge/Codegen/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace forge {
#define GEN_PASS_DEF_EXPANDSMALLFLOATSPASS
#include "forge/Codegen/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-expand-small-floats"

using namespace mlir;
using namespace forge::emit;

const forge::SmallFormat *forge::smallFormatOf(Type type) {
  Type element = getElementTypeOrSelf(type);
  if (isa<Float8E4M3FNType>(element))
    return &kE4M3FN;
  return isa<Float8E5M2Type>(element) ? &kE5M2 : nullptr;
}

namespace {
using Format = forge::SmallFormat;
using forge::smallFormatOf;

// Both formats are f16 with fewer bits:
// 1. e5m2 is the upper half of an f16. e4m3fn without sign, moved left by 7, is an f16 whose
//    exponent is biased by 15 instead of 7: 2^8 too small.
// 2. The conversion from f16 is exact, denormals included, and so is the product with 2^8.
// 3. In e4m3fn the greatest code is NaN.
Val decode(Val bits8, const Format &format, FloatType target) {
  FloatType f32 = bits8.builder->getF32Type();
  FloatType wide = target.isF64() ? target : f32;
  Val bits = resizeInt(bits8, 16);
  if (format.mantissa == forge::kE5M2.mantissa)
    return convertFloat(convertFloat(floatOf(bits << 8), wide), target);
  Val magnitude = bits & constantBits(bits, 0x7f);
  Val sign = (bits & constantBits(bits, 0x80)) << 8;
  Val value = convertFloat(floatOf(sign | (magnitude << 7)), wide) * 256.0;
  value = select(equal(magnitude, constantBits(bits, 0x7f)), __builtin_nan(""), value);
  return convertFloat(value, target);
}

// For f32 and f64, on the bits without sign:
// 1. Normal results: add half of the last kept bit, less one unless the kept part is odd (ties to
//    even), shift the rest out and rebias the exponent; a carry into the exponent is right as it
//    is.
// 2. Denormal results: adding 2^m steps makes the processor round to a multiple of the step, and
//    leaves the multiple in the low bits.
// 3. Above the limit stands infinity or, without one, NaN; at the limit step 1 does what ties to
//    even asks for.
Val encode(Val x, const Format &format) {
  bool isDouble = x.width() == 64;
  unsigned mantissa = isDouble ? 52 : 23, bias = isDouble ? 1023 : 127;
  unsigned dropped = mantissa - format.mantissa;
  Val bits = bitsOf(x);
  auto constantOf = [&](uint64_t value) { return constantBits(bits, value); };
  Val magnitude = abs(x);
  Val magnitudeBits = bitsOf(magnitude);

  Val lastKept = shiftRightUnsigned(magnitudeBits, dropped) & constantOf(1);
  Val rounded = magnitudeBits + lastKept + constantOf((1ull << (dropped - 1)) - 1);
  uint64_t rebias = uint64_t(bias - format.bias) << format.mantissa;
  Val normal = shiftRightUnsigned(rounded, dropped) - constantOf(rebias);

  Val magic = constant(x, format.smallestStep * (isDouble ? 0x1p52 : 0x1p23));
  Val denormal = bitsOf(magnitude + magic) - bitsOf(magic);

  Val result = select(less(magnitude, format.smallestNormal), denormal, normal);
  result = select(less(format.limit, magnitude), constantOf(format.overflow), result);
  result = select(isNaN(x), constantOf(format.nan), result);
  Val sign = shiftRightUnsigned(bits, isDouble ? 56 : 24) & constantOf(0x80);
  return resizeInt(result | sign, 8);
}

bool isScalarOrVector(Type type) { return !isa<ShapedType>(type) || isa<VectorType>(type); }

struct ExpandExtF : OpRewritePattern<arith::ExtFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::ExtFOp op, PatternRewriter &rewriter) const override {
    const Format *format = smallFormatOf(op.getIn().getType());
    if (!format || !isScalarOrVector(op.getType()))
      return rewriter.notifyMatchFailure(op, "expected a scalar or vector of f8E4M3FN or f8E5M2");
    Val x{&rewriter, op.getLoc(), op.getIn()};
    Val result = decode(bitsOf(x), *format, cast<FloatType>(getElementTypeOrSelf(op.getType())));
    rewriter.replaceOp(op, result.value);
    return success();
  }
};

struct ExpandTruncF : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::TruncFOp op, PatternRewriter &rewriter) const override {
    const Format *format = smallFormatOf(op.getType());
    if (!format || !isScalarOrVector(op.getType()))
      return rewriter.notifyMatchFailure(op, "expected a scalar or vector of f8E4M3FN or f8E5M2");
    auto mode = op.getRoundingmode();
    if (mode && *mode != arith::RoundingMode::to_nearest_even)
      return rewriter.notifyMatchFailure(op, "expected rounding to nearest, ties to even");
    Val x{&rewriter, op.getLoc(), op.getIn()};
    if (x.width() < 32)
      x = toSingle(x);
    Val code = encode(x, *format);
    rewriter.replaceOpWithNewOp<arith::BitcastOp>(op, op.getType(), code.value);
    return success();
  }
};

// An integer of more bits than f32 holds exactly is first brought into [-2^17, 2^17]: what is
// beyond overflows in both formats, so that the conversion to f32 rounds nothing.
Val narrowInteger(Val x, bool isUnsigned) {
  if (x.width() <= 24)
    return x;
  Val high = constantBits(x, 1u << 17);
  if (isUnsigned)
    return select(below(high, x), high, x);
  Val low = constantBits(x, -(uint64_t(1) << 17));
  Val atLeast = select(less(x, low), low, x);
  return select(less(high, atLeast), high, atLeast);
}

// Folding joins the conversion between an integer and f32 with the one between f32 and 8 bits.
template <typename Op> struct ExpandFromInteger : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    const Format *format = smallFormatOf(op.getType());
    if (!format || !isScalarOrVector(op.getType()))
      return rewriter.notifyMatchFailure(op, "expected a scalar or vector of f8E4M3FN or f8E5M2");
    Val x{&rewriter, op.getLoc(), op.getIn()};
    x = narrowInteger(x, std::is_same_v<Op, arith::UIToFPOp>);
    Val number =
        x.wrap(Op::create(rewriter, op.getLoc(), x.withElement(rewriter.getF32Type()), x.value));
    Val code = encode(number, *format);
    rewriter.replaceOpWithNewOp<arith::BitcastOp>(op, op.getType(), code.value);
    return success();
  }
};

template <typename Op> struct ExpandToInteger : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    const Format *format = smallFormatOf(op.getIn().getType());
    if (!format || !isScalarOrVector(op.getType()))
      return rewriter.notifyMatchFailure(op, "expected a scalar or vector of f8E4M3FN or f8E5M2");
    Val x{&rewriter, op.getLoc(), op.getIn()};
    Val number = decode(bitsOf(x), *format, rewriter.getF32Type());
    rewriter.replaceOpWithNewOp<Op>(op, op.getType(), number.value);
    return success();
  }
};

struct ExpandSmallFloats : forge::impl::ExpandSmallFloatsPassBase<ExpandSmallFloats> {
  using ExpandSmallFloatsPassBase::ExpandSmallFloatsPassBase;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    if (instructions)
      forge::populateSmallFloatInstructionPatterns(patterns);
    forge::populateExpandSmallFloatsPatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace

void forge::populateExpandSmallFloatsPatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandExtF, ExpandTruncF, ExpandFromInteger<arith::SIToFPOp>,
               ExpandFromInteger<arith::UIToFPOp>, ExpandToInteger<arith::FPToSIOp>,
               ExpandToInteger<arith::FPToUIOp>>(patterns.getContext());
}
