// dynamic_pad, and pad of a tensor whose shape is dynamic.
#include "DynamicPad.h"

#include "forge/Conversion/StableHLOToLinalg/Patterns.h"
#include "forge/Conversion/Utils/TensorUtils.h"
#include "forge/Dialect/StableHLO/IR/StableHLO.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace forge;
using arith::CmpIPredicate;
using stablehlo::DynamicPadOp;
using stablehlo::PadOp;

/// Ends the run if the sum of a size and its padding could leave 63 bits: no sum of four numbers
/// below 2^61 does.
static void assertSmallAmounts(OpBuilder &b, Location loc, const PadAmounts &amounts, int64_t dim,
                               Value gaps) {
  Value most = indexConstant(b, loc, int64_t(1) << 61);
  Value low = amounts.low[dim], high = amounts.high[dim], interior = amounts.interior[dim];
  for (Value amount : {low, high}) {
    Value magnitude = b.createOrFold<arith::MaxSIOp>(
        loc, amount, b.createOrFold<arith::SubIOp>(loc, indexConstant(b, loc, 0), amount));
    // Unsigned: the magnitude of -2^63 is 2^63.
    Value fits = b.createOrFold<arith::CmpIOp>(loc, CmpIPredicate::ule, magnitude, most);
    createRuntimeAssert(b, loc, fits, "pad: expected padding of at most 2^61, but got {0}", amount);
  }
  Value divisor = b.createOrFold<arith::MaxSIOp>(loc, gaps, indexConstant(b, loc, 1));
  Value fits = b.createOrFold<arith::CmpIOp>(loc, CmpIPredicate::ule, interior,
                                             b.createOrFold<arith::DivUIOp>(loc, most, divisor));
  createRuntimeAssert(
      b, loc, fits, "pad: expected interior padding of at most 2^61 in all, but got {0}", interior);
}

/// low + size + max(size - 1, 0) * interior + high; ends the run where that is not the size that
/// `type` says, or is negative.
static Value paddedSize(OpBuilder &b, Location loc, Value size, RankedTensorType type,
                        const PadAmounts &amounts, int64_t dim) {
  Value zero = indexConstant(b, loc, 0), one = indexConstant(b, loc, 1);
  Value gaps =
      b.createOrFold<arith::MaxSIOp>(loc, b.createOrFold<arith::SubIOp>(loc, size, one), zero);
  assertSmallAmounts(b, loc, amounts, dim, gaps);
  Value total = b.createOrFold<arith::AddIOp>(
      loc, size, b.createOrFold<arith::MulIOp>(loc, gaps, amounts.interior[dim]));
  total = b.createOrFold<arith::AddIOp>(loc, total, amounts.low[dim]);
  total = b.createOrFold<arith::AddIOp>(loc, total, amounts.high[dim]);
  bool isOpen = type.isDynamicDim(dim);
  Value expected = isOpen ? zero : indexConstant(b, loc, type.getDimSize(dim));
  Value fits = b.createOrFold<arith::CmpIOp>(loc, isOpen ? CmpIPredicate::sge : CmpIPredicate::eq,
                                             total, expected);
  createRuntimeAssert(b, loc, fits,
                      "pad: expected a result size of {1} or more along dimension " +
                          std::to_string(dim) + ", but got {0}",
                      {total, expected});
  return total;
}

Value forge::createDynamicPad(OpBuilder &builder, Location loc, Value operand, Value padding,
                              RankedTensorType type, const PadAmounts &amounts) {
  int64_t rank = type.getRank();
  Value zero = indexConstant(builder, loc, 0), one = indexConstant(builder, loc, 1);
  SmallVector<OpFoldResult> sizes;
  SmallVector<Value> operandSizes, strides;
  for (int64_t dim = 0; dim < rank; ++dim) {
    operandSizes.push_back(getDim(builder, loc, operand, dim));
    sizes.push_back(
        getAsOpFoldResult(paddedSize(builder, loc, operandSizes[dim], type, amounts, dim)));
    strides.push_back(builder.createOrFold<arith::AddIOp>(loc, amounts.interior[dim], one));
  }
  Value init = createEmpty(builder, loc, type, sizes);
  return createIndexed(
      builder, loc, init, [&](OpBuilder &b, Location l, ValueRange indices) -> Value {
        Value inside;
        SmallVector<Value> position;
        auto require = [&](CmpIPredicate predicate, Value x, Value y) {
          Value holds = arith::CmpIOp::create(b, l, predicate, x, y);
          inside = inside ? arith::AndIOp::create(b, l, inside, holds).getResult() : holds;
        };
        for (int64_t dim = 0; dim < rank; ++dim) {
          Value index = indices[dim];
          if (!isConstantIntValue(amounts.low[dim], 0)) {
            index = arith::SubIOp::create(b, l, index, amounts.low[dim]);
            require(CmpIPredicate::sge, index, zero);
          }
          if (!isConstantIntValue(amounts.interior[dim], 0)) {
            Value rest = arith::RemSIOp::create(b, l, index, strides[dim]);
            require(CmpIPredicate::eq, rest, zero);
            index = arith::DivSIOp::create(b, l, index, strides[dim]);
          }
          if (sizes[dim] != getAsOpFoldResult(operandSizes[dim]))
            require(CmpIPredicate::slt, index, operandSizes[dim]);
          position.push_back(index);
        }
        if (!inside)
          return tensor::ExtractOp::create(b, l, operand, position).getResult();
        auto branch = scf::IfOp::create(
            b, l, inside,
            [&](OpBuilder &then, Location at) {
              Value element = tensor::ExtractOp::create(then, at, operand, position);
              scf::YieldOp::create(then, at, element);
            },
            [&](OpBuilder &otherwise, Location at) {
              scf::YieldOp::create(otherwise, at, padding);
            });
        return branch.getResult(0);
      });
}

namespace {

struct DynamicPadPattern : OpConversionPattern<DynamicPadOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(DynamicPadOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = getTypeConverter()->convertType<RankedTensorType>(op.getType());
    Location loc = op.getLoc();
    PadAmounts amounts;
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      amounts.low.push_back(extractIndex(rewriter, loc, adaptor.getEdgePaddingLow(), dim));
      amounts.high.push_back(extractIndex(rewriter, loc, adaptor.getEdgePaddingHigh(), dim));
      amounts.interior.push_back(extractIndex(rewriter, loc, adaptor.getInteriorPadding(), dim));
      Value fits = rewriter.createOrFold<arith::CmpIOp>(
          loc, CmpIPredicate::sge, amounts.interior.back(), indexConstant(rewriter, loc, 0));
      createRuntimeAssert(rewriter, loc, fits,
                          "dynamic_pad: expected interior padding of at least 0, but got {0}",
                          amounts.interior.back());
    }
    Value padding = extractScalar(rewriter, loc, adaptor.getPaddingValue());
    rewriter.replaceOp(
        op, createDynamicPad(rewriter, loc, adaptor.getOperand(), padding, type, amounts));
    return success();
  }
};

/// pad of a dynamically shaped operand.
struct PadOfDynamicPattern : OpConversionPattern<PadOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(PadOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = getTypeConverter()->convertType<RankedTensorType>(op.getType());
    Location loc = op.getLoc();
    if (type.hasStaticShape() && op.getOperand().getType().hasStaticShape())
      return rewriter.notifyMatchFailure(op, "its shape is static");
    auto toValues = [&](ArrayRef<int64_t> numbers) {
      return llvm::map_to_vector(
          numbers, [&](int64_t number) { return indexConstant(rewriter, loc, number); });
    };
    PadAmounts amounts{toValues(op.getEdgePaddingLow()), toValues(op.getEdgePaddingHigh()),
                       toValues(op.getInteriorPadding())};
    Value padding = extractScalar(rewriter, loc, adaptor.getPaddingValue());
    rewriter.replaceOp(
        op, createDynamicPad(rewriter, loc, adaptor.getOperand(), padding, type, amounts));
    return success();
  }
};

} // namespace

void forge::populateDynamicPadPatterns(const TypeConverter &converter,
                                       RewritePatternSet &patterns) {
  patterns.add<DynamicPadPattern, PadOfDynamicPattern>(converter, patterns.getContext());
}
