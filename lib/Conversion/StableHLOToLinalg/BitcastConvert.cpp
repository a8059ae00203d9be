// bitcast_convert between types of different width: the last dimension joins or splits elements.
#include "Refuse.h"
#include "ScalarBuilder.h"

#include "forge/Conversion/StableHLOToLinalg/Patterns.h"
#include "forge/Conversion/Utils/TensorUtils.h"
#include "forge/Dialect/StableHLO/IR/StableHLO.h"

using namespace mlir;
using namespace forge;
using stablehlo::BitcastConvertOp;

/// Elements [..., 0] to [..., n - 1] of `source` side by side as one, the first in the lowest bits.
static Value emitJoined(OpBuilder &builder, Location loc, Value source, ValueRange indices,
                        Type type, int64_t n) {
  ScalarBuilder s(builder, loc);
  Type wide = s.b.getIntegerType(type.getIntOrFloatBitWidth());
  unsigned step = wide.getIntOrFloatBitWidth() / n;
  Value result;
  for (int64_t i = 0; i < n; ++i) {
    SmallVector<Value> position(indices);
    position.push_back(arith::ConstantIndexOp::create(builder, loc, i));
    Value element = tensor::ExtractOp::create(builder, loc, source, position);
    Value bits = s.op<arith::ExtUIOp>(wide, s.bits(element));
    bits = s.op<arith::ShLIOp>(bits, s.constant(wide, i * step));
    result = result ? s.op<arith::OrIOp>(result, bits) : bits;
  }
  return s.bitcast(result, type);
}

/// Part `indices.back()` of the element of `source` at the other indices.
static Value emitSplit(OpBuilder &builder, Location loc, Value source, ValueRange indices,
                       Type type) {
  ScalarBuilder s(builder, loc);
  Value element = tensor::ExtractOp::create(builder, loc, source, indices.drop_back());
  Value bits = s.bits(element);
  unsigned width = type.getIntOrFloatBitWidth();
  Value part = s.op<arith::IndexCastOp>(bits.getType(), indices.back());
  Value shifted = s.op<arith::ShRUIOp>(bits, s.op<arith::MulIOp>(part, s.like(bits, width)));
  return s.bitcast(s.op<arith::TruncIOp>(s.b.getIntegerType(width), shifted), type);
}

namespace {

/// Comes before the pattern of elementwise operations, which has those of equal width and refuses
/// all that it cannot convert.
struct BitcastConvertPattern : OpConversionPattern<BitcastConvertOp> {
  BitcastConvertPattern(const TypeConverter &converter, MLIRContext *context)
      : OpConversionPattern(converter, context, /*benefit=*/2) {}

  LogicalResult matchAndRewrite(BitcastConvertOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = getTypeConverter()->convertType<RankedTensorType>(op.getType());
    Location loc = op.getLoc();
    Value source = adaptor.getOperand();
    auto sourceType = cast<RankedTensorType>(source.getType());
    unsigned from = sourceType.getElementTypeBitWidth(), to = type.getElementTypeBitWidth();
    if (from == to)
      return rewriter.notifyMatchFailure(op, "expected types of different width");
    SmallVector<OpFoldResult> sizes = getSizes(rewriter, loc, source);
    if (from < to)
      sizes.pop_back();
    else
      sizes.push_back(rewriter.getIndexAttr(from / to));
    Value init = createEmpty(rewriter, loc, type, sizes);
    auto body = [&](OpBuilder &b, Location l, ValueRange indices) {
      return from < to ? emitJoined(b, l, source, indices, type.getElementType(), to / from)
                       : emitSplit(b, l, source, indices, type.getElementType());
    };
    rewriter.replaceOp(op, createIndexed(rewriter, loc, init, body));
    return success();
  }
};

} // namespace

void forge::populateBitcastConvertPatterns(const TypeConverter &converter,
                                           RewritePatternSet &patterns) {
  patterns.add<BitcastConvertPattern>(converter, patterns.getContext());
}
