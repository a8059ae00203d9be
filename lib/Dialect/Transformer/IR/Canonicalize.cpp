// Canonical forms that several families share: static sizes that casts hide, transposes that are
// attributes.
#include "forge/Dialect/Transformer/IR/Transformer.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace forge::transformer {
namespace {

/// 1. Operands that are casts from better known sizes are replaced by what was cast. 2. What the
/// result's sizes now are follows from the operands. 3. Users still see the old type, by a cast.
template <typename OpTy> struct FoldCasts : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &rewriter) const override {
    SmallVector<Value> operands = llvm::map_to_vector(op->getOperands(), [](Value value) -> Value {
      auto cast = value.getDefiningOp<tensor::CastOp>();
      return cast && tensor::canFoldIntoConsumerOp(cast) ? cast.getSource() : value;
    });
    if (llvm::equal(operands, op->getOperands()))
      return rewriter.notifyMatchFailure(op, "expected an operand cast from better known sizes");
    RankedTensorType known = op.getResult().getType();
    auto changed = cast<OpTy>(rewriter.clone(*op));
    changed->setOperands(operands);
    ReifiedRankedShapedTypeDims shapes;
    if (failed(changed.reifyResultShapes(rewriter, shapes)))
      return failure();
    SmallVector<int64_t> sizes(known.getShape());
    for (auto [size, reified] : llvm::zip_equal(sizes, shapes[0]))
      if (std::optional<int64_t> number = getConstantIntValue(reified))
        size = *number;
    changed.getResult().setType(known.clone(sizes));
    rewriter.setInsertionPointAfter(changed);
    rewriter.replaceOp(
        op, changed.getResult().getType() == known
                ? changed.getResult()
                : tensor::CastOp::create(rewriter, op.getLoc(), known, changed.getResult())
                      .getResult());
    return success();
  }
};

/// What `value` exchanges the last two dimensions of, or null.
Value transposed(Value value) {
  auto transpose = value.getDefiningOp<linalg::TransposeOp>();
  if (!transpose)
    return {};
  SmallVector<int64_t> exchange = llvm::to_vector(
      llvm::seq<int64_t>(0, static_cast<int64_t>(transpose.getPermutation().size())));
  if (exchange.size() < 2)
    return {};
  std::swap(exchange.back(), exchange[exchange.size() - 2]);
  return transpose.getPermutation() == ArrayRef(exchange) ? transpose.getInput() : Value();
}

struct FoldTransposesIntoMatmul : OpRewritePattern<MatmulOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MatmulOp op, PatternRewriter &rewriter) const override {
    Value lhs = transposed(op.getLhs()), rhs = transposed(op.getRhs());
    if (!lhs && !rhs)
      return rewriter.notifyMatchFailure(op, "expected a factor that is a transpose");
    rewriter.modifyOpInPlace(op, [&] {
      if (lhs) {
        op.getLhsMutable().assign(lhs);
        op.setTransposeLhs(!op.getTransposeLhs());
      }
      if (rhs) {
        op.getRhsMutable().assign(rhs);
        op.setTransposeRhs(!op.getTransposeRhs());
      }
    });
    return success();
  }
};

struct FoldTransposeIntoGroupedMatmul : OpRewritePattern<GroupedMatmulOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(GroupedMatmulOp op, PatternRewriter &rewriter) const override {
    Value rhs = transposed(op.getRhs());
    if (!rhs)
      return rewriter.notifyMatchFailure(op, "expected matrices that are transposes");
    rewriter.modifyOpInPlace(op, [&] {
      op.getRhsMutable().assign(rhs);
      op.setTransposeRhs(!op.getTransposeRhs());
    });
    return success();
  }
};

/// Blocks have one layout for all weights: they change it together.
template <typename OpTy> struct FoldTransposesIntoBlock : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &rewriter) const override {
    SmallVector<OpOperand *> weights = {&op.getUpMutable(), &op.getDownMutable()};
    if constexpr (std::is_same_v<OpTy, GatedMlpOp>)
      weights.push_back(&op.getGateMutable());
    if (!llvm::all_of(weights, [](OpOperand *weight) { return transposed(weight->get()); }))
      return rewriter.notifyMatchFailure(op, "expected all weights to be transposes");
    rewriter.modifyOpInPlace(op, [&] {
      for (OpOperand *weight : weights)
        weight->set(transposed(weight->get()));
      op.setTransposeWeights(!op.getTransposeWeights());
    });
    return success();
  }
};

} // namespace

template <typename... Ops> static void addFoldCasts(RewritePatternSet &patterns) {
  patterns.add<FoldCasts<Ops>...>(patterns.getContext());
}

void TransformerDialect::getCanonicalizationPatterns(RewritePatternSet &patterns) const {
  addFoldCasts<ActivationOp, DequantizeOp, EmbeddingOp, GatedMlpOp, GroupedMatmulOp, LayerNormOp,
               LinearOp, LogSoftmaxOp, MatmulOp, MlpOp, QuantizeOp, RmsNormOp, SoftmaxOp>(patterns);
  patterns.add<FoldTransposesIntoBlock<GatedMlpOp>, FoldTransposesIntoBlock<MlpOp>,
               FoldTransposeIntoGroupedMatmul, FoldTransposesIntoMatmul>(patterns.getContext());
}

} // namespace forge::transformer
