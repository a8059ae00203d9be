// Matrix products: a contraction, then bias, activation and residual on its sums.
#include "Emit.h"

using namespace mlir;
using namespace forge::transformer;

namespace forge {
namespace {

/// 1. The contraction over loops [batch..., m, n, k], with transposes as indexing maps, into sums
/// of the accumulation type.
/// 2. The epilogue, if there is one, or a rounding to the element type: one elementwise operation.
struct LowerMatmul : OpRewritePattern<MatmulOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MatmulOp op, PatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    RankedTensorType type = op.getResult().getType();
    ReifiedRankedShapedTypeDims shapes;
    if (failed(op.reifyResultShapes(b, shapes)))
      return rewriter.notifyMatchFailure(op, "its result has no known shape");
    Type compute = op.getAccumulationType();
    Value sums = emitProduct(b, op, shapes[0], compute);
    if (op.hasEpilogue() || compute != type.getElementType())
      sums = emitEpilogue(b, op, shapes[0], compute, sums);
    rewriter.replaceOp(op, castTo(b, sums, type));
    return success();
  }

  static Value emitProduct(ImplicitLocOpBuilder &b, MatmulOp op, const Sizes &sizes, Type compute) {
    int64_t rank = op.getLhs().getType().getRank(), batch = rank - 2;
    int64_t m = batch, n = batch + 1, k = batch + 2;
    SmallVector<int64_t> lhs = llvm::to_vector(llvm::seq<int64_t>(0, batch)), rhs, result = lhs;
    if (op.getRhs().getType().getRank() == rank)
      rhs = lhs;
    lhs.append(op.getTransposeLhs() ? std::initializer_list<int64_t>{k, m}
                                    : std::initializer_list<int64_t>{m, k});
    rhs.append(op.getTransposeRhs() ? std::initializer_list<int64_t>{n, k}
                                    : std::initializer_list<int64_t>{k, n});
    result.append({m, n});
    return emitContraction(b, sizes, compute, {op.getLhs(), dimsMap(b, rank + 1, lhs)},
                           {op.getRhs(), dimsMap(b, rank + 1, rhs)}, dimsMap(b, rank + 1, result));
  }

  static Value emitEpilogue(ImplicitLocOpBuilder &b, MatmulOp op, const Sizes &sizes, Type compute,
                            Value sums) {
    int64_t rank = sizes.size();
    AffineMap all = b.getMultiDimIdentityMap(rank);
    SmallVector<Operand> inputs = {{sums, all}};
    if (op.getBias())
      inputs.push_back({op.getBias(), dimsMap(b, rank, {rank - 1})});
    if (op.getResidual())
      inputs.push_back({op.getResidual(), all});
    return emitElementwise(b, sizes, op.getResult().getType().getElementType(), inputs,
                           [&](ImplicitLocOpBuilder &inner, ValueRange args) {
                             Value value = args[0];
                             unsigned next = 1;
                             if (op.getBias())
                               value = emitAdd(inner, value, toType(inner, args[next++], compute));
                             if (auto kind = op.getActivation())
                               value = emitActivation(inner, *kind, value);
                             if (op.getResidual())
                               value = emitAdd(inner, value, toType(inner, args[next], compute));
                             return value;
                           });
  }
};

} // namespace

void populateMatmulPatterns(RewritePatternSet &patterns) {
  patterns.add<LowerMatmul>(patterns.getContext());
}

} // namespace forge
