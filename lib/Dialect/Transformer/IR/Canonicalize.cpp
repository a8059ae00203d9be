// Canonical forms that several families share: static sizes that casts hide, transposes that are
// attributes.
#include "forge/Dialect/Transformer/IR/Transformer.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace forge::transformer {
namespace {

/// The type of a result of these sizes, of which some are known now that were not.
RankedTensorType refined(RankedTensorType type, ArrayRef<OpFoldResult> shape) {
  SmallVector<int64_t> sizes(type.getShape());
  for (auto [size, reified] : llvm::zip_equal(sizes, shape))
    if (std::optional<int64_t> number = getConstantIntValue(reified))
      size = *number;
  return type.clone(sizes);
}

/// 1. Operands that are casts from better known sizes are replaced by what was cast.
/// 2. What the results' sizes now are follows from the operands.
/// 3. Users still see the old types, by casts.
struct FoldCasts : OpTraitRewritePattern<FoldsCasts> {
  using OpTraitRewritePattern::OpTraitRewritePattern;
  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    SmallVector<Value> operands = llvm::map_to_vector(op->getOperands(), [](Value value) -> Value {
      auto cast = value.getDefiningOp<tensor::CastOp>();
      return cast && tensor::canFoldIntoConsumerOp(cast) ? cast.getSource() : value;
    });
    if (llvm::equal(operands, op->getOperands()))
      return rewriter.notifyMatchFailure(op, "expected an operand cast from better known sizes");
    Operation *changed = rewriter.clone(*op);
    changed->setOperands(operands);
    ReifiedRankedShapedTypeDims shapes;
    if (failed(reifyResultShapes(rewriter, changed, shapes)))
      return failure();
    SmallVector<Value> results;
    rewriter.setInsertionPointAfter(changed);
    for (auto [result, shape] : llvm::zip_equal(changed->getResults(), shapes)) {
      auto known = cast<RankedTensorType>(result.getType());
      result.setType(refined(known, shape));
      results.push_back(result.getType() == known
                            ? Value(result)
                            : tensor::CastOp::create(rewriter, op->getLoc(), known, result));
    }
    rewriter.replaceOp(op, results);
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

void TransformerDialect::getCanonicalizationPatterns(RewritePatternSet &patterns) const {
  patterns.add<FoldCasts, FoldTransposesIntoBlock<GatedMlpOp>, FoldTransposesIntoBlock<MlpOp>,
               FoldTransposeIntoGroupedMatmul, FoldTransposesIntoMatmul>(patterns.getContext());
}

} // namespace forge::transformer
