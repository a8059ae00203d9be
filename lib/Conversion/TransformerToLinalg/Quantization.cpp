// Between numbers and narrow types.
#include "Quantization.h"
#include "SizeChecks.h"

#include <limits>

using namespace mlir;
using namespace forge::transformer;

namespace forge {

void ScaleReader::addOperands(Builder &b, SmallVectorImpl<Operand> &inputs) const {
  if (block)
    return;
  bool perChannel = cast<RankedTensorType>(scale.getType()).getRank() == 1;
  AffineMap map = perChannel ? dimsMap(b, rank, {axis}) : dimsMap(b, rank, {});
  inputs.push_back({scale, map});
  if (zeroPoint)
    inputs.push_back({zeroPoint, map});
}

std::pair<Value, Value> ScaleReader::read(ImplicitLocOpBuilder &b, ValueRange args,
                                          unsigned first) const {
  if (!block)
    return {args[first], zeroPoint ? args[first + 1] : Value()};
  SmallVector<Value> place;
  for (auto [dim, size] : llvm::enumerate(*block)) {
    Value index = linalg::IndexOp::create(b, dim);
    place.push_back(arith::DivUIOp::create(b, index, arith::ConstantIndexOp::create(b, size)));
  }
  Value zero = zeroPoint ? tensor::ExtractOp::create(b, zeroPoint, place).getResult() : Value();
  return {tensor::ExtractOp::create(b, scale, place), zero};
}

Value emitNumber(ImplicitLocOpBuilder &b, Value narrow, Value scale, Value zeroPoint,
                 Type compute) {
  Value value = toType(b, narrow, compute);
  if (zeroPoint)
    value = arith::SubFOp::create(b, value, toType(b, zeroPoint, compute));
  return arith::MulFOp::create(b, value, toType(b, scale, compute));
}

namespace {

/// One element of the result from the input's element, its scale and its zero point (or null).
using NumberBody = llvm::function_ref<Value(ImplicitLocOpBuilder &, Value, Value, Value)>;

template <typename OpTy> Value emitScaled(ImplicitLocOpBuilder &b, OpTy op, NumberBody body) {
  int64_t axis = op.getAxis() ? static_cast<int64_t>(*op.getAxis()) : 0;
  checkScale(b, op, op.getInput(), op.getScale(), op.getZeroPoint(), axis, op.getBlock());
  ScaleReader reader(op.getScale(), op.getZeroPoint(), op.getInput().getType().getRank(), axis,
                     op.getBlock());
  RankedTensorType input = op.getInput().getType();
  SmallVector<Operand> inputs = {{op.getInput(), b.getMultiDimIdentityMap(input.getRank())}};
  reader.addOperands(b, inputs);
  RankedTensorType type = op.getResult().getType();
  Value result = emitElementwise(b, sizesOf(b, op.getInput()), type.getElementType(), inputs,
                                 [&](ImplicitLocOpBuilder &inner, ValueRange args) {
                                   auto [scale, zeroPoint] = reader.read(inner, args, 1);
                                   return body(inner, args[0], scale, zeroPoint);
                                 });
  return castTo(b, result, type);
}

/// clamp(value, low, high); NaN stays.
Value emitClamp(ImplicitLocOpBuilder &b, Value value, double low, double high) {
  Type type = value.getType();
  Value raised = arith::MaximumFOp::create(b, value, constant(b, type, low));
  return arith::MinimumFOp::create(b, raised, constant(b, type, high));
}

/// The largest finite number of a type of f8.
double largestOf(Type narrow) {
  return APFloat::getLargest(cast<FloatType>(narrow).getFloatSemantics()).convertToDouble();
}

/// 1. The quotient.
/// 2. Integers: rounded to even, NaN to 0, the zero point added, clamped, converted. f8: clamped,
///    converted.
Value emitQuantized(ImplicitLocOpBuilder &b, Value x, Value scale, Value zeroPoint, Type compute,
                    Type narrow) {
  Value quotient = arith::DivFOp::create(b, toType(b, x, compute), toType(b, scale, compute));
  if (isa<FloatType>(narrow)) {
    return emitClamp(b, quotient, -largestOf(narrow), largestOf(narrow));
  }
  Value known = arith::CmpFOp::create(b, arith::CmpFPredicate::ORD, quotient, quotient);
  Value value = arith::SelectOp::create(b, known, math::RoundEvenOp::create(b, quotient),
                                        constant(b, compute, 0.0));
  if (zeroPoint)
    value = arith::AddFOp::create(b, value, toType(b, zeroPoint, compute));
  double low = -static_cast<double>(1 << (narrow.getIntOrFloatBitWidth() - 1));
  return arith::FPToSIOp::create(b, narrow, emitClamp(b, value, low, -low - 1));
}

struct LowerQuantize : OpRewritePattern<QuantizeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(QuantizeOp op, PatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Type narrow = op.getResult().getType().getElementType();
    Type compute = computeType(op.getInput().getType().getElementType());
    rewriter.replaceOp(
        op,
        emitScaled(b, op, [&](ImplicitLocOpBuilder &inner, Value x, Value scale, Value zeroPoint) {
          return emitQuantized(inner, x, scale, zeroPoint, compute, narrow);
        }));
    return success();
  }
};

/// 1. The largest magnitude of each row; 0 where a row is empty.
/// 2. Its scale, and the inverse of that.
/// 3. The elements times the inverse.
struct LowerQuantizeRows : OpRewritePattern<QuantizeRowsOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(QuantizeRowsOp op, PatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    RankedTensorType type = op.getResult().getType();
    Type narrow = type.getElementType();
    Type compute = computeType(op.getInput().getType().getElementType());
    Sizes sizes = sizesOf(b, op.getInput());
    int64_t rank = type.getRank();
    Operand input = {op.getInput(), b.getMultiDimIdentityMap(rank)};
    Value largest = emitReduction(b, sizes, rank - 1, 0.0, compute, {input},
                                  [&](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
                                    Value magnitude = math::AbsFOp::create(
                                        inner, toType(inner, args[0], compute));
                                    return arith::MaximumFOp::create(inner, args[1], magnitude);
                                  });
    Value scale = emitElementwise(b, Sizes(ArrayRef(sizes).drop_back()), b.getF32Type(),
                                  {{largest, b.getMultiDimIdentityMap(rank - 1)}},
                                  [&](ImplicitLocOpBuilder &inner, ValueRange args) {
                                    return emitScale(inner, args[0], narrow);
                                  });
    Value inverse =
        emitElementwise(b, Sizes(ArrayRef(sizes).drop_back()), compute,
                        {{scale, b.getMultiDimIdentityMap(rank - 1)}},
                        [&](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
                          return arith::DivFOp::create(inner, constant(inner, compute, 1.0),
                                                       toType(inner, args[0], compute));
                        });
    Value result = emitElementwise(
        b, sizes, narrow, {input, {inverse, mapWithout(b, rank, rank - 1)}},
        [&](ImplicitLocOpBuilder &inner, ValueRange args) {
          Value number = arith::MulFOp::create(inner, toType(inner, args[0], compute), args[1]);
          return emitClamp(inner, number, -largestOf(narrow), largestOf(narrow));
        });
    rewriter.replaceOp(op, {castTo(b, result, type), castTo(b, scale, op.getScale().getType())});
    return success();
  }

  /// largest / max, rounded to f32, or 2^-126 where that is less.
  static Value emitScale(ImplicitLocOpBuilder &b, Value largest, Type narrow) {
    Value quotient =
        arith::DivFOp::create(b, largest, constant(b, largest.getType(), largestOf(narrow)));
    Value scale = toType(b, quotient, b.getF32Type());
    return arith::MaximumFOp::create(b, scale, constant(b, b.getF32Type(), 0x1p-126));
  }
};

struct LowerDequantize : OpRewritePattern<DequantizeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(DequantizeOp op, PatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Type compute = computeType(op.getResult().getType().getElementType());
    rewriter.replaceOp(
        op,
        emitScaled(b, op, [&](ImplicitLocOpBuilder &inner, Value x, Value scale, Value zeroPoint) {
          return emitNumber(inner, x, scale, zeroPoint, compute);
        }));
    return success();
  }
};

} // namespace

void populateQuantizationPatterns(RewritePatternSet &patterns) {
  patterns.add<LowerDequantize, LowerQuantize, LowerQuantizeRows>(patterns.getContext());
}

} // namespace forge
