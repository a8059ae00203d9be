// Conversions of 8-bit floats by instructions that convert two numbers at once. Those of one number
// convert it beside itself: still fewer than operations on its bits.
#include "Emit.h"
#include "SmallFloats.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

#include <cmath>

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
  if (auto made = value.getDefiningOp<vector::FromElementsOp>())
    return made.getElements();
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

/// `value` in the float type `type`.
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
    SmallVector<Value> numbers = elementsOf(b, op.getIn());
    auto isHeld = [&](Value number) { return isWithin(number, format->limit); };
    SmallVector<bool> held = llvm::map_to_vector(numbers, isHeld);
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
        if (!held[results.size()])
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
      return std::abs(constant.convertToDouble()) < limit;
    };
    auto low = value.getDefiningOp<arith::MinimumFOp>();
    auto high = low ? low.getLhs().getDefiningOp<arith::MaximumFOp>() : arith::MaximumFOp();
    return high && held(low.getRhs()) && held(high.getRhs());
  }

  /// `code`, or where |number| is above the limit, or at it and the greatest number is odd, what
  /// stands for that, with the sign.
  static Value withOverflow(ImplicitLocOpBuilder &b, Value number, Value code,
                            const SmallFormat &format) {
    emit::Val x{&static_cast<OpBuilder &>(b), b.getLoc(), number};
    emit::Val sign = emit::resizeInt(emit::shiftRightUnsigned(emit::bitsOf(x), 24) &
                                         emit::constantBits(emit::bitsOf(x), 0x80),
                                     8);
    emit::Val beyond = sign | emit::constantBits(sign, format.overflow);
    auto most = static_cast<float>(format.limit);
    if ((format.overflow - 1) & 1)
      most = std::nextafter(most, 0.0f);
    return emit::select(emit::less(most, emit::abs(x)), beyond, x.wrap(code)).value;
  }
};

/// A vector of numbers that are rounded one by one is rounded as a vector, by pairs.
struct JoinRoundings : OpRewritePattern<vector::FromElementsOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(vector::FromElementsOp op,
                                PatternRewriter &rewriter) const override {
    if (!smallFormatOf(op.getType()) || !isConvertible(op.getType()))
      return rewriter.notifyMatchFailure(op, "expected pairs of f8E4M3FN or f8E5M2");
    SmallVector<Value> numbers;
    for (Value element : op.getElements()) {
      auto rounding = element.getDefiningOp<arith::TruncFOp>();
      if (!rounding || rounding.getRoundingmode() ||
          rounding.getIn().getType() !=
              op.getElements().front().getDefiningOp()->getOperand(0).getType())
        return rewriter.notifyMatchFailure(op, "expected roundings of numbers of one type");
      numbers.push_back(rounding.getIn());
    }
    VectorType wide = op.getType().clone(numbers.front().getType());
    Value joined = vector::FromElementsOp::create(rewriter, op.getLoc(), wide, numbers);
    rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, op.getType(), joined);
    return success();
  }
};

} // namespace

void forge::populateSmallFloatInstructionPatterns(RewritePatternSet &patterns) {
  patterns.add<JoinRoundings>(patterns.getContext(), kBenefit + 1);
  patterns.add<ConvertFromSmall, ConvertToSmall>(patterns.getContext(), kBenefit);
}
