// Ops whose result shape is an operand, and the query of a size. (dynamic_pad: DynamicPad.cpp)
#include "Reshape.h"

#include "forge/Conversion/StableHLOToLinalg/Patterns.h"
#include "forge/Conversion/Utils/RuntimeShape.h"
#include "forge/Conversion/Utils/TensorUtils.h"
#include "forge/Dialect/StableHLO/IR/StableHLO.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"

using namespace mlir;
using namespace forge;
using arith::CmpIPredicate;
using stablehlo::BroadcastInDimOp;
using stablehlo::DynamicBroadcastInDimOp;
using stablehlo::DynamicIotaOp;
using stablehlo::DynamicReshapeOp;
using stablehlo::GetDimensionSizeOp;
using stablehlo::RealDynamicSliceOp;

/// ceil(x / y) for x not negative and y positive.
static Value divideRoundingUp(OpBuilder &b, Location loc, Value x, Value y) {
  Value one = indexConstant(b, loc, 1);
  Value raised = b.createOrFold<arith::AddIOp>(loc, x, b.createOrFold<arith::SubIOp>(loc, y, one));
  return b.createOrFold<arith::DivUIOp>(loc, raised, y);
}

namespace {

struct GetDimensionSizePattern : OpConversionPattern<GetDimensionSizeOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(GetDimensionSizeOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value size = getDim(rewriter, loc, adaptor.getOperand(), op.getDimension());
    size = rewriter.createOrFold<arith::IndexCastOp>(loc, rewriter.getI32Type(), size);
    rewriter.replaceOp(op, wrapScalar(rewriter, loc, size));
    return success();
  }
};

struct DynamicIotaPattern : OpConversionPattern<DynamicIotaOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(DynamicIotaOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = getTypeConverter()->convertType<RankedTensorType>(op.getType());
    Location loc = op.getLoc();
    auto sizes = getShapeOperand(rewriter, loc, adaptor.getOutputShape(), type, "dynamic_iota");
    Value init = createEmpty(rewriter, loc, type, sizes);
    rewriter.replaceOp(op, createIota(rewriter, loc, init, op.getIotaDimension(),
                                      getElementTypeOrSelf(op.getType())));
    return success();
  }
};

struct DynamicReshapePattern : OpConversionPattern<DynamicReshapeOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(DynamicReshapeOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = getTypeConverter()->convertType<RankedTensorType>(op.getType());
    Location loc = op.getLoc();
    auto sizes = getShapeOperand(rewriter, loc, adaptor.getOutputShape(), type, "dynamic_reshape");
    Value from = createElementCount(rewriter, loc, getSizes(rewriter, loc, adaptor.getOperand()));
    Value to = createElementCount(rewriter, loc, sizes);
    Value same = rewriter.createOrFold<arith::CmpIOp>(loc, CmpIPredicate::eq, from, to);
    createRuntimeAssert(rewriter, loc, same, "dynamic_reshape: expected {0} elements, but got {1}",
                        {from, to});
    rewriter.replaceOp(op, createReshape(rewriter, loc, adaptor.getOperand(), type, sizes));
    return success();
  }
};

/// reshape whose operand has a dynamic dimension: its result is static, so that is a check.
struct ReshapeOfDynamicPattern : OpConversionPattern<stablehlo::ReshapeOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(stablehlo::ReshapeOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = getTypeConverter()->convertType<RankedTensorType>(op.getType());
    auto source = cast<RankedTensorType>(adaptor.getOperand().getType());
    if (!type.hasStaticShape() || source.hasStaticShape())
      return rewriter.notifyMatchFailure(op, "its result shape is dynamic");
    Location loc = op.getLoc();
    Value count = createElementCount(rewriter, loc, getSizes(rewriter, loc, adaptor.getOperand()));
    Value expected = indexConstant(rewriter, loc, type.getNumElements());
    Value same = arith::CmpIOp::create(rewriter, loc, CmpIPredicate::eq, count, expected);
    createRuntimeAssert(rewriter, loc, same, "reshape: expected {1} elements, but got {0}",
                        {count, expected});
    rewriter.replaceOp(
        op, createReshape(rewriter, loc, adaptor.getOperand(), type, getSizesOf(rewriter, type)));
    return success();
  }
};

/// dynamic_broadcast_in_dim, and broadcast_in_dim of a dynamically shaped operand.
template <typename OpTy> struct DynamicBroadcastPattern : OpConversionPattern<OpTy> {
  using OpConversionPattern<OpTy>::OpConversionPattern;

  LogicalResult matchAndRewrite(OpTy op, typename OpTy::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto type = this->getTypeConverter()->template convertType<RankedTensorType>(op.getType());
    SmallVector<OpFoldResult> sizes;
    if constexpr (std::is_same_v<OpTy, DynamicBroadcastInDimOp>) {
      sizes = getShapeOperand(rewriter, loc, adaptor.getOutputDimensions(), type,
                              "dynamic_broadcast_in_dim");
    } else {
      if (!type.hasStaticShape() ||
          cast<RankedTensorType>(adaptor.getOperand().getType()).hasStaticShape())
        return rewriter.notifyMatchFailure(op, "its result shape is dynamic");
      sizes = getSizesOf(rewriter, type);
    }
    rewriter.replaceOp(op, createDynamicBroadcast(rewriter, loc, adaptor.getOperand(), type, sizes,
                                                  op.getBroadcastDimensions()));
    return success();
  }
};

} // namespace

/// True if `dim` of `tensor` is `size` in every run.
static bool isKnownSize(OpBuilder &b, Location loc, Value tensor, int64_t dim, OpFoldResult size) {
  return areSameSize(getAsOpFoldResult(getDim(b, loc, tensor, dim)), size);
}

Value forge::createDynamicBroadcast(OpBuilder &builder, Location loc, Value source,
                                    RankedTensorType type, ArrayRef<OpFoldResult> sizes,
                                    ArrayRef<int64_t> dims) {
  if (Value scalar = getSplatScalar(builder, loc, source))
    return createFill(builder, loc, type, scalar, sizes);
  auto sourceType = cast<RankedTensorType>(source.getType());
  // Per operand dimension: surely stretched (size 1), surely kept, or known only at run time.
  SmallVector<AffineExpr> exprs;
  SmallVector<std::pair<int64_t, Value>> open; // operand dimension, whether it is kept
  SmallVector<Value> kept(sourceType.getRank());
  for (auto [dim, target] : llvm::enumerate(dims)) {
    Value size = getValueOrCreateConstantIndexOp(builder, loc, sizes[target]);
    Value from = getDim(builder, loc, source, dim);
    bool known = isKnownSize(builder, loc, source, dim, sizes[target]);
    if (sourceType.getDimSize(dim) == 1 && !known) {
      exprs.push_back(builder.getAffineConstantExpr(0));
      continue;
    }
    exprs.push_back(builder.getAffineDimExpr(target));
    if (known)
      continue;
    kept[dim] = arith::CmpIOp::create(builder, loc, CmpIPredicate::eq, from, size);
    Value isOne = arith::CmpIOp::create(builder, loc, CmpIPredicate::eq, from,
                                        indexConstant(builder, loc, 1));
    Value fits = arith::OrIOp::create(builder, loc, kept[dim], isOne);
    createRuntimeAssert(builder, loc, fits,
                        "dynamic_broadcast_in_dim: expected size {1} or 1 along dimension " +
                            std::to_string(dim) + " of the operand, but got {0}",
                        {from, size});
    open.push_back({int64_t(dim), kept[dim]});
  }
  Value init = createEmpty(builder, loc, type, sizes);
  int64_t rank = type.getRank();
  if (open.empty()) {
    AffineMap map = AffineMap::get(rank, 0, exprs, builder.getContext());
    auto generic = linalg::GenericOp::create(
        builder, loc, type, source, init,
        ArrayRef<AffineMap>{map, builder.getMultiDimIdentityMap(rank)}, parallelIterators(rank),
        [](OpBuilder &b, Location l, ValueRange args) { linalg::YieldOp::create(b, l, args[0]); });
    return generic.getResult(0);
  }
  return createIndexed(builder, loc, init, [&](OpBuilder &b, Location l, ValueRange indices) {
    Value zero = indexConstant(b, l, 0);
    SmallVector<Value> position;
    for (auto [dim, target] : llvm::enumerate(dims)) {
      Value index = isa<AffineConstantExpr>(exprs[dim]) ? zero : indices[target];
      if (kept[dim])
        index = arith::SelectOp::create(b, l, kept[dim], index, zero);
      position.push_back(index);
    }
    return tensor::ExtractOp::create(b, l, source, position).getResult();
  });
}

namespace {

struct RealDynamicSlicePattern : OpConversionPattern<RealDynamicSliceOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(RealDynamicSliceOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = getTypeConverter()->convertType<RankedTensorType>(op.getType());
    Location loc = op.getLoc();
    SmallVector<OpFoldResult> starts, sizes, strides;
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      Value start = extractIndex(rewriter, loc, adaptor.getStartIndices(), dim);
      Value limit = extractIndex(rewriter, loc, adaptor.getLimitIndices(), dim);
      Value stride = extractIndex(rewriter, loc, adaptor.getStrides(), dim);
      Value size = getDim(rewriter, loc, adaptor.getOperand(), dim);
      checkBounds(rewriter, loc, dim, start, limit, stride, size);
      Value length = rewriter.createOrFold<arith::SubIOp>(loc, limit, start);
      Value count = divideRoundingUp(rewriter, loc, length, stride);
      starts.push_back(getAsOpFoldResult(start));
      strides.push_back(getAsOpFoldResult(stride));
      sizes.push_back(type.isDynamicDim(dim)
                          ? OpFoldResult(count)
                          : OpFoldResult(rewriter.getIndexAttr(type.getDimSize(dim))));
      if (!type.isDynamicDim(dim)) {
        Value expected = indexConstant(rewriter, loc, type.getDimSize(dim));
        Value fits = rewriter.createOrFold<arith::CmpIOp>(loc, CmpIPredicate::eq, count, expected);
        createRuntimeAssert(rewriter, loc, fits,
                            "real_dynamic_slice: expected size {1} along dimension " +
                                std::to_string(dim) + ", but got {0}",
                            {count, expected});
      }
    }
    Value slice =
        tensor::ExtractSliceOp::create(rewriter, loc, adaptor.getOperand(), starts, sizes, strides);
    rewriter.replaceOp(op, castTensor(rewriter, loc, slice, type));
    return success();
  }

private:
  /// 0 <= start <= limit <= size and stride > 0.
  static void checkBounds(OpBuilder &b, Location loc, int64_t dim, Value start, Value limit,
                          Value stride, Value size) {
    auto holds = [&](CmpIPredicate predicate, Value x, Value y) {
      return b.createOrFold<arith::CmpIOp>(loc, predicate, x, y);
    };
    Value zero = indexConstant(b, loc, 0);
    Value fits = holds(CmpIPredicate::sge, start, zero);
    fits = b.createOrFold<arith::AndIOp>(loc, fits, holds(CmpIPredicate::sle, start, limit));
    fits = b.createOrFold<arith::AndIOp>(loc, fits, holds(CmpIPredicate::sle, limit, size));
    fits = b.createOrFold<arith::AndIOp>(loc, fits, holds(CmpIPredicate::sgt, stride, zero));
    createRuntimeAssert(b, loc, fits,
                        "real_dynamic_slice: expected 0 <= start <= limit <= {0} and a positive "
                        "stride along dimension " +
                            std::to_string(dim) + ", but got start {1}, limit {2}, stride {3}",
                        {size, start, limit, stride});
  }
};

} // namespace

void forge::populateDynamicShapePatterns(const TypeConverter &converter,
                                         RewritePatternSet &patterns) {
  patterns.add<GetDimensionSizePattern, DynamicIotaPattern, DynamicReshapePattern,
               ReshapeOfDynamicPattern, DynamicBroadcastPattern<DynamicBroadcastInDimOp>,
               DynamicBroadcastPattern<BroadcastInDimOp>, RealDynamicSlicePattern>(
      converter, patterns.getContext());
}
