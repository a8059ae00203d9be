// Operations that are made of others, rewritten as those.
#include "forge/Dialect/Transformer/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace forge {
#define GEN_PASS_DEF_TRANSFORMERDECOMPOSEPASS
#include "forge/Dialect/Transformer/Transforms/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "transformer-decompose"

using namespace mlir;
using namespace forge::transformer;

namespace forge {
namespace {

/// `value` (or nothing) with elements of the float type `element`, which is as wide or wider.
Value extended(OpBuilder &b, Location loc, Value value, Type element) {
  if (!value || getElementTypeOrSelf(value.getType()) == element)
    return value;
  Type type = cast<RankedTensorType>(value.getType()).clone(element);
  return arith::ExtFOp::create(b, loc, type, value);
}

/// `value` rounded to `type`, which has its shape.
Value rounded(OpBuilder &b, Location loc, Value value, Type type) {
  return value.getType() == type ? value : Value(arith::TruncFOp::create(b, loc, type, value));
}

/// `input` times one layer's weight, of the type of `input` with `features` in the last dimension.
template <typename OpTy>
Value applyLayer(OpBuilder &b, OpTy op, Value input, Value weight, Value bias, Value residual,
                 ActivationKindAttr activation, Type type) {
  return MatmulOp::create(b, op.getLoc(), type, input, weight, bias, residual,
                          /*transpose_lhs=*/false, op.getTransposeWeights(), activation,
                          op.getAccumulateAttr());
}

/// The type of the hidden features: [..., F].
template <typename OpTy> RankedTensorType hiddenType(OpTy op) {
  SmallVector<int64_t> shape(op.getInput().getType().getShape());
  shape.back() = op.getUp().getType().getDimSize(op.getTransposeWeights() ? 0 : 1);
  return RankedTensorType::get(shape, op.getInput().getType().getElementType());
}

struct DecomposeMlp : OpRewritePattern<MlpOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MlpOp op, PatternRewriter &rewriter) const override {
    Value hidden = applyLayer(rewriter, op, op.getInput(), op.getUp(), op.getUpBias(), Value(),
                              op.getActivationAttr(), hiddenType(op));
    rewriter.replaceOp(op, applyLayer(rewriter, op, hidden, op.getDown(), op.getDownBias(),
                                      op.getResidual(), {}, op.getResult().getType()));
    return success();
  }
};

struct DecomposeGatedMlp : OpRewritePattern<GatedMlpOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(GatedMlpOp op, PatternRewriter &rewriter) const override {
    RankedTensorType type = hiddenType(op);
    Value gate = applyLayer(rewriter, op, op.getInput(), op.getGate(), op.getGateBias(), Value(),
                            op.getActivationAttr(), type);
    Value branch =
        applyLayer(rewriter, op, op.getInput(), op.getUp(), op.getUpBias(), Value(), {}, type);
    Value hidden = MultiplyOp::create(rewriter, op.getLoc(), type, gate, branch);
    rewriter.replaceOp(op, applyLayer(rewriter, op, hidden, op.getDown(), op.getDownBias(),
                                      op.getResidual(), {}, op.getResult().getType()));
    return success();
  }
};

/// 1. Narrow weights become numbers of the accumulation's type, and so does the input.
/// 2. The product has that type too.
/// 3. One rounding, at the end. Float weights need none of this.
struct DecomposeLinear : OpRewritePattern<LinearOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(LinearOp op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    RankedTensorType result = op.getResult().getType();
    if (op.getInputScale() && op.getInput().getType().isDynamicDim(result.getRank() - 1))
      return rewriter.notifyMatchFailure(op, "expected a static number of features to dequantize");
    auto wide = [&](Value value) {
      return op.getScale() ? extended(rewriter, loc, value, op.getAccumulationType()) : value;
    };
    Value weights = op.getWeights();
    if (op.getScale())
      weights = numbersOf(rewriter, op);
    Type type = op.getScale() ? result.clone(op.getAccumulationType()) : result;
    Value input = op.getInputScale() ? inputOf(rewriter, op) : wide(op.getInput());
    Value bias = wide(op.getBias()), residual = wide(op.getResidual());
    Value product = MatmulOp::create(rewriter, loc, type, input, weights, bias, residual,
                                     /*transpose_lhs=*/false, /*transpose_rhs=*/true,
                                     op.getActivationAttr(), op.getAccumulateAttr());
    rewriter.replaceOp(op, rounded(rewriter, loc, product, result));
    return success();
  }

  /// Narrow input as numbers: each row is a block.
  static Value inputOf(OpBuilder &b, LinearOp op) {
    RankedTensorType input = op.getInput().getType(), scale = op.getInputScale().getType();
    int64_t rank = input.getRank();
    SmallVector<int64_t> block(rank, 1), shape(scale.getShape());
    block.back() = input.getShape().back();
    shape.push_back(1);
    SmallVector<ReassociationIndices> groups;
    for (int64_t dim = 0; dim + 1 < rank; ++dim)
      groups.push_back({dim});
    groups.back().push_back(rank - 1);
    SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, op.getLoc(), op.getInputScale());
    sizes.push_back(b.getIndexAttr(1));
    Value column = tensor::ExpandShapeOp::create(b, op.getLoc(), scale.clone(shape),
                                                 op.getInputScale(), groups, sizes);
    return DequantizeOp::create(b, op.getLoc(), input.clone(op.getAccumulationType()),
                                op.getInput(), column, Value(), IntegerAttr(),
                                b.getDenseI64ArrayAttr(block));
  }

  static Value numbersOf(OpBuilder &b, LinearOp op) {
    Type element = op.getAccumulationType();
    RankedTensorType type = op.getWeights().getType().clone(element);
    Value scale = op.getScale();
    bool perChannel = !op.getBlock() && op.getScale().getType().getRank() == 1;
    if (!getElementTypeOrSelf(scale).isF32())
      scale = extended(b, op.getLoc(), scale, element);
    return DequantizeOp::create(b, op.getLoc(), type, op.getWeights(), scale, op.getZeroPoint(),
                                perChannel ? b.getI64IntegerAttr(0) : IntegerAttr(),
                                op.getBlockAttr());
  }
};

/// 1. The product, with its bias, in the accumulation's type.
/// 2. Activation and residual on it.
/// 3. One rounding, at the end.
struct SplitEpilogue : OpRewritePattern<MatmulOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MatmulOp op, PatternRewriter &rewriter) const override {
    if (!op.getActivation() && !op.getResidual())
      return rewriter.notifyMatchFailure(op, "expected an activation or a residual");
    Location loc = op.getLoc();
    RankedTensorType result = op.getResult().getType();
    Type sums = op.getAccumulationType();
    RankedTensorType type = result.clone(sums);
    Value bias = extended(rewriter, loc, op.getBias(), sums);
    Value value = MatmulOp::create(rewriter, loc, type, op.getLhs(), op.getRhs(), bias, Value(),
                                   op.getTransposeLhs(), op.getTransposeRhs(), ActivationKindAttr(),
                                   op.getAccumulateAttr());
    if (op.getActivation())
      value = ActivationOp::create(rewriter, loc, type, op.getActivationAttr(), value);
    if (Value residual = op.getResidual(); residual && isa<IntegerType>(sums))
      value = arith::AddIOp::create(rewriter, loc, value, residual);
    else if (residual)
      value = AddOp::create(rewriter, loc, type, value, extended(rewriter, loc, residual, sums));
    rewriter.replaceOp(op, rounded(rewriter, loc, value, result));
    return success();
  }
};

struct TransformerDecompose : impl::TransformerDecomposePassBase<TransformerDecompose> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateTransformerDecomposePatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace

void populateTransformerDecomposeBlockPatterns(RewritePatternSet &patterns) {
  patterns.add<DecomposeGatedMlp, DecomposeMlp>(patterns.getContext());
}

void populateTransformerDecomposePatterns(RewritePatternSet &patterns) {
  populateTransformerDecomposeBlockPatterns(patterns);
  patterns.add<DecomposeLinear, SplitEpilogue>(patterns.getContext());
}

} // namespace forge
