// Conversions of 8-bit floats by instructions that convert two numbers at once. Those of one number
// convert it beside itself: still fewer than operations on its bits.
#include "Emit.h"
#include "SmallFloats.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace forge;

/// Before patterns of integer operations.
static constexpr unsigned kBenefit = 2;

/// Scalars, and vectors of one dimension and an even number of elements.
static bool isConvertible(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return !isa<ShapedType>(type) ||
         (vector && !vector.isScalable() && vector.getRank() == 1 && vector.getDimSize(0) % 2 == 0);
}

/// The elements of a vector, or the number itself.
static SmallVector<Value> elementsOf(ImplicitLocOpBuilder &b, Value value) {
  auto type = dyn_cast<VectorType>(value.getType());
  if (!type)
    return {value};
  SmallVector<Value> elements;
  for (int64_t i = 0; i < type.getDimSize(0); ++i)
    elements.push_back(vector::ExtractOp::create(b, value, i));
  return elements;
}

/// `elements` as a value of `type`.
static Value joined(ImplicitLocOpBuilder &b, ArrayRef<Value> elements, Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector::FromElementsOp::create(b, vector, elements);
  return elements.front();
}

/// A float of `from` bits or more in another type; each step rounds nothing, or once.
static Value converted(ImplicitLocOpBuilder &b, Value value, Type type) {
  return emit::convertFloat({&static_cast<OpBuilder &>(b), b.getLoc(), value}, type).value;
}

namespace {

/// Two numbers to f16, which holds them all; bf16 through f32.
struct ConvertFromSmall : OpRewritePattern<arith::ExtFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::ExtFOp op, PatternRewriter &rewriter) const override {
    Type from = op.getIn().getType(), element = getElementTypeOrSelf(op.getType());
    if (!smallFormatOf(from) || !isConvertible(from))
      return rewriter.notifyMatchFailure(op, "expected a scalar or pairs of f8E4M3FN or f8E5M2");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Type bitsType = b.getI8Type();
    if (auto vector = dyn_cast<VectorType>(from))
      bitsType = vector.clone(bitsType);
    SmallVector<Value> bits = elementsOf(b, arith::BitcastOp::create(b, bitsType, op.getIn()));
    auto pairType = VectorType::get({2}, b.getI8Type()),
         halves = VectorType::get({2}, b.getF16Type());
    SmallVector<Value> results;
    for (size_t i = 0; i < bits.size(); i += 2) {
      Value pair = vector::FromElementsOp::create(
          b, pairType, ValueRange{bits[i], bits[std::min(i + 1, bits.size() - 1)]});
      Value wide = NVVM::ConvertF8x2ToF16x2Op::create(b, halves, pair, /*relu=*/false,
                                                      getElementTypeOrSelf(from));
      for (int64_t lane = 0; lane < 2 && results.size() < bits.size(); ++lane) {
        Value half = vector::ExtractOp::create(b, wide, lane);
        Value number = element.isBF16() ? converted(b, half, b.getF32Type()) : half;
        results.push_back(converted(b, number, element));
      }
    }
    rewriter.replaceOp(op, joined(b, results, op.getType()));
    return success();
  }
};

/// Two numbers of f32, held within the format's finite ones; what is beyond becomes what the format
/// has for it, unless the program holds numbers within them already.
struct ConvertToSmall : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::TruncFOp op, PatternRewriter &rewriter) const override {
    const SmallFormat *format = smallFormatOf(op.getType());
    Type from = op.getIn().getType(), element = getElementTypeOrSelf(op.getType());
    if (!format || !isConvertible(from) || getElementTypeOrSelf(from).getIntOrFloatBitWidth() > 32)
      return rewriter.notifyMatchFailure(op, "expected a scalar or pairs of 32 bits or fewer");
    auto mode = op.getRoundingmode();
    if (mode && *mode != arith::RoundingMode::to_nearest_even)
      return rewriter.notifyMatchFailure(op, "expected rounding to nearest, ties to even");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    bool isHeld = isWithin(op.getIn(), format->limit);
    SmallVector<Value> numbers = elementsOf(b, op.getIn());
    for (Value &number : numbers)
      number = converted(b, number, b.getF32Type());
    auto pairType = VectorType::get({2}, b.getI8Type());
    SmallVector<Value> results;
    for (size_t i = 0; i < numbers.size(); i += 2) {
      // The second operand is the lower half.
      Value pair = NVVM::ConvertF32x2ToF8x2Op::create(
          b, pairType, numbers[std::min(i + 1, numbers.size() - 1)], numbers[i],
          NVVM::FPRoundingMode::RN, NVVM::SaturationMode::SATFINITE, /*relu=*/false, element);
      for (int64_t lane = 0; lane < 2 && results.size() < numbers.size(); ++lane) {
        Value code = vector::ExtractOp::create(b, pair, lane);
        if (!isHeld)
          code = withOverflow(b, numbers[results.size()], code, *format);
        results.push_back(arith::BitcastOp::create(b, element, code));
      }
    }
    rewriter.replaceOp(op, joined(b, results, op.getType()));
    return success();
  }

  /// Whether `value` is min(max(..., low), high) of constants within the limit, or NaN.
  static bool isWithin(Value value, double limit) {
    auto held = [&](Value number) {
      APFloat constant(0.0);
      bool lost = false;
      if (!matchPattern(number, m_ConstantFloat(&constant)))
        return false;
      constant.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &lost);
      return std::abs(constant.convertToDouble()) <= limit;
    };
    auto low = value.getDefiningOp<arith::MinimumFOp>();
    auto high = low ? low.getLhs().getDefiningOp<arith::MaximumFOp>() : arith::MaximumFOp();
    return high && held(low.getRhs()) && held(high.getRhs());
  }

  /// `code`, or where |number| is above the limit what stands for that, with the sign.
  static Value withOverflow(ImplicitLocOpBuilder &b, Value number, Value code,
                            const SmallFormat &format) {
    emit::Val x{&static_cast<OpBuilder &>(b), b.getLoc(), number};
    emit::Val sign = emit::resizeInt(emit::shiftRightUnsigned(emit::bitsOf(x), 24) &
                                         emit::constantBits(emit::bitsOf(x), 0x80),
                                     8);
    emit::Val beyond = sign | emit::constantBits(sign, format.overflow);
    return emit::select(emit::less(format.limit, emit::abs(x)), beyond, x.wrap(code)).value;
  }
};

} // namespace

void forge::populateSmallFloatInstructionPatterns(RewritePatternSet &patterns) {
  patterns.add<ConvertFromSmall, ConvertToSmall>(patterns.getContext(), kBenefit);
}
