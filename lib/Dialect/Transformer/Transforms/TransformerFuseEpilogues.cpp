// What follows a product, moved into it.
#include "forge/Dialect/Transformer/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace forge {
#define GEN_PASS_DEF_TRANSFORMERFUSEEPILOGUESPASS
#include "forge/Dialect/Transformer/Transforms/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "transformer-fuse-epilogues"

using namespace mlir;
using namespace forge::transformer;

namespace forge {
namespace {

/// The product that gives `value`, if nothing else uses it.
MatmulOp onlyProductOf(Value value) {
  auto product = value.getDefiningOp<MatmulOp>();
  return product && product->hasOneUse() ? product : MatmulOp();
}

/// `product` again, with another epilogue and result type.
MatmulOp rebuilt(PatternRewriter &rewriter, MatmulOp product, Type type, Value bias, Value residual,
                 ActivationKindAttr activation) {
  return MatmulOp::create(rewriter, product.getLoc(), type, product.getLhs(), product.getRhs(),
                          bias, residual, product.getTransposeLhs(), product.getTransposeRhs(),
                          activation, product.getAccumulateAttr());
}

/// The row [N] that `value` repeats along all other dimensions, or null.
Value repeatedRow(Value value) {
  auto broadcast = value.getDefiningOp<linalg::BroadcastOp>();
  if (!broadcast)
    return {};
  int64_t rank = cast<RankedTensorType>(value.getType()).getRank();
  return broadcast.getDimensions() == ArrayRef(llvm::to_vector(llvm::seq<int64_t>(0, rank - 1)))
             ? broadcast.getInput()
             : Value();
}

/// A sum with a product: the other summand becomes its bias, where it is one row and nothing comes
/// before it, or else its residual.
template <typename Sum> struct FoldSum : OpRewritePattern<Sum> {
  using OpRewritePattern<Sum>::OpRewritePattern;
  LogicalResult matchAndRewrite(Sum op, PatternRewriter &rewriter) const override {
    for (auto [term, other] : {std::pair<Value, Value>(op.getLhs(), op.getRhs()),
                               std::pair<Value, Value>(op.getRhs(), op.getLhs())}) {
      MatmulOp product = onlyProductOf(term);
      if (!product || product.getResidual())
        continue;
      Value row = product.getBias() || product.getActivation() ? Value() : repeatedRow(other);
      rewriter.replaceOp(op,
                         rebuilt(rewriter, product, term.getType(), row ? row : product.getBias(),
                                 row ? Value() : other, product.getActivationAttr()));
      return success();
    }
    return rewriter.notifyMatchFailure(op, "expected a product without a residual, used once");
  }
};

struct FoldActivation : OpRewritePattern<ActivationOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ActivationOp op, PatternRewriter &rewriter) const override {
    MatmulOp product = onlyProductOf(op.getInput());
    if (!product || product.getActivation() || product.getResidual())
      return rewriter.notifyMatchFailure(
          op, "expected a product without activation and residual, used once");
    rewriter.replaceOp(
        op, rebuilt(rewriter, product, op.getType(), product.getBias(), Value(), op.getKindAttr()));
    return success();
  }
};

/// A rounding of sums to the type of the factors: what the product does itself, where bias and
/// residual come from that type too.
struct FoldRounding : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::TruncFOp op, PatternRewriter &rewriter) const override {
    auto type = dyn_cast<RankedTensorType>(op.getType());
    MatmulOp product = type ? onlyProductOf(op.getIn()) : MatmulOp();
    if (!product || product.getResult().getType().getElementType() != product.getAccumulationType())
      return rewriter.notifyMatchFailure(
          op, "expected a product in the type of its accumulation, used once");
    Type element = type.getElementType();
    if (product.getLhs().getType().getElementType() != element)
      return rewriter.notifyMatchFailure(op, "expected the element type of the factors");
    Value bias = product.getBias(), residual = product.getResidual();
    for (Value *value : {&bias, &residual}) {
      if (!*value)
        continue;
      auto extension = value->getDefiningOp<arith::ExtFOp>();
      if (!extension || getElementTypeOrSelf(extension.getIn().getType()) != element)
        return rewriter.notifyMatchFailure(op, "expected an epilogue extended from that type");
      *value = extension.getIn();
    }
    rewriter.replaceOp(
        op, rebuilt(rewriter, product, type, bias, residual, product.getActivationAttr()));
    return success();
  }
};

struct TransformerFuseEpilogues : impl::TransformerFuseEpiloguesPassBase<TransformerFuseEpilogues> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateTransformerFuseEpiloguesPatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace

void populateTransformerFuseEpiloguesPatterns(RewritePatternSet &patterns) {
  patterns.add<FoldActivation, FoldRounding, FoldSum<AddOp>, FoldSum<arith::AddIOp>>(
      patterns.getContext());
}

} // namespace forge
