// Ops that make or rearrange tensors: constant, iota, broadcasts, reshape, transpose, reverse.
#include "Constant.h"
#include "Refuse.h"
#include "ScalarBuilder.h"

#include "Reshape.h"
#include "forge/Conversion/StableHLOToLinalg/Patterns.h"
#include "forge/Conversion/Utils/TensorUtils.h"
#include "forge/Dialect/StableHLO/IR/Chlo.h"
#include "forge/Dialect/StableHLO/IR/StableHLO.h"

using namespace mlir;
using namespace forge;
using stablehlo::BroadcastInDimOp;
using stablehlo::BroadcastOp;
using stablehlo::IotaOp;
using stablehlo::ReshapeOp;
using stablehlo::ReverseOp;
using stablehlo::TransposeOp;

namespace {

template <typename OpTy> struct ConstantPattern : OpConversionPattern<OpTy> {
  using OpConversionPattern<OpTy>::OpConversionPattern;

  LogicalResult matchAndRewrite(OpTy op, typename OpTy::Adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    ElementsAttr value = getSignlessElements(op.getValue());
    if (!value)
      return refuseOp(op, "its value is neither dense nor a resource");
    auto type = cast<RankedTensorType>(value.getType());
    auto splat = dyn_cast<SplatElementsAttr>(value);
    // A large splat is cheaper to fill than to keep in the program, and a loop may update it in
    // place.
    if (splat && type.getRank() > 0 && type.getNumElements() > 16) {
      Location loc = op.getLoc();
      Value scalar = arith::ConstantOp::create(rewriter, loc, splat.getSplatValue<TypedAttr>());
      rewriter.replaceOp(op, createFill(rewriter, loc, type, scalar, {}));
      return success();
    }
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, type, value);
    return success();
  }
};

struct IotaPattern : OpConversionPattern<IotaOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(IotaOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = getTypeConverter()->convertType<RankedTensorType>(op.getType());
    Value init = createEmpty(rewriter, op.getLoc(), type, {});
    rewriter.replaceOp(op, createIota(rewriter, op.getLoc(), init, op.getIotaDimension(),
                                      op.getType().getElementType()));
    return success();
  }
};

struct BroadcastInDimPattern : OpConversionPattern<BroadcastInDimOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(BroadcastInDimOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = getTypeConverter()->convertType<RankedTensorType>(op.getType());
    auto source = cast<RankedTensorType>(adaptor.getOperand().getType());
    if (!type.hasStaticShape() || !source.hasStaticShape())
      return rewriter.notifyMatchFailure(op, "its shape is dynamic");
    rewriter.replaceOp(op, createStaticBroadcast(rewriter, op.getLoc(), adaptor.getOperand(), type,
                                                 op.getBroadcastDimensions()));
    return success();
  }
};

/// broadcast: new dimensions in front.
struct BroadcastPattern : OpConversionPattern<BroadcastOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(BroadcastOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = getTypeConverter()->convertType<RankedTensorType>(op.getType());
    if (!type.hasStaticShape())
      return rewriter.notifyMatchFailure(op, "its shape is dynamic");
    int64_t added = op.getBroadcastSizes().size();
    auto dims = llvm::to_vector(llvm::seq<int64_t>(added, type.getRank()));
    rewriter.replaceOp(
        op, createStaticBroadcast(rewriter, op.getLoc(), adaptor.getOperand(), type, dims));
    return success();
  }
};

struct ReshapePattern : OpConversionPattern<ReshapeOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(ReshapeOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = getTypeConverter()->convertType<RankedTensorType>(op.getType());
    auto source = cast<RankedTensorType>(adaptor.getOperand().getType());
    if (!type.hasStaticShape() || !source.hasStaticShape())
      return rewriter.notifyMatchFailure(op, "its shape is dynamic");
    rewriter.replaceOp(op, createReshape(rewriter, op.getLoc(), adaptor.getOperand(), type,
                                         getSizesOf(rewriter, type)));
    return success();
  }
};

struct TransposePattern : OpConversionPattern<TransposeOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(TransposeOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = getTypeConverter()->convertType<RankedTensorType>(op.getType());
    ArrayRef<int64_t> permutation = op.getPermutation();
    if (llvm::equal(permutation, llvm::seq<int64_t>(0, type.getRank()))) {
      rewriter.replaceOp(op, castTensor(rewriter, op.getLoc(), adaptor.getOperand(), type));
      return success();
    }
    SmallVector<OpFoldResult> from = getSizes(rewriter, op.getLoc(), adaptor.getOperand()), sizes;
    for (int64_t dim : permutation)
      sizes.push_back(from[dim]);
    Value init = createEmpty(rewriter, op.getLoc(), type, sizes);
    auto transpose =
        linalg::TransposeOp::create(rewriter, op.getLoc(), adaptor.getOperand(), init, permutation);
    rewriter.replaceOp(op, transpose->getResults());
    return success();
  }
};

/// reverse reads element size - 1 - i for i.
struct ReversePattern : OpConversionPattern<ReverseOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(ReverseOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = getTypeConverter()->convertType<RankedTensorType>(op.getType());
    Location loc = op.getLoc();
    Value operand = adaptor.getOperand();
    if (op.getDimensions().empty()) {
      rewriter.replaceOp(op, castTensor(rewriter, loc, operand, type));
      return success();
    }
    SmallVector<Value> last(type.getRank());
    Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
    for (int64_t dim : op.getDimensions())
      last[dim] =
          rewriter.createOrFold<arith::SubIOp>(loc, getDim(rewriter, loc, operand, dim), one);
    Value init = createEmptyLike(rewriter, loc, type, operand);
    auto body = [&](OpBuilder &b, Location l, ValueRange indices) -> Value {
      SmallVector<Value> position(indices);
      for (int64_t dim : op.getDimensions())
        position[dim] = arith::SubIOp::create(b, l, last[dim], position[dim]);
      return tensor::ExtractOp::create(b, l, operand, position);
    };
    rewriter.replaceOp(op, createIndexed(rewriter, loc, init, body));
    return success();
  }
};

} // namespace

void forge::populateShapePatterns(const TypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<ConstantPattern<stablehlo::ConstantOp>, ConstantPattern<chlo::ConstantOp>,
               IotaPattern, BroadcastInDimPattern, BroadcastPattern, ReshapePattern,
               TransposePattern, ReversePattern>(converter, patterns.getContext());
}
