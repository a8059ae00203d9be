#include "forge/Codegen/Fusion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace {

/// x^2 and x^3, as GELU is written in PyTorch, are products: a power is a logarithm and an
/// exponential in f64. Of types narrower than f32 they are products of f32, rounded once.
struct SmallPower : OpRewritePattern<math::PowFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::PowFOp op, PatternRewriter &rewriter) const override {
    APFloat exponent(0.0);
    auto type = dyn_cast<FloatType>(op.getType());
    if (!type || !matchPattern(op.getRhs(), m_ConstantFloat(&exponent)))
      return failure();
    bool isCube = exponent.isExactlyValue(3.0);
    if (!isCube && !exponent.isExactlyValue(2.0))
      return failure();
    Location loc = op.getLoc();
    Value x = op.getLhs();
    bool isNarrow = type.getWidth() < 32;
    if (isNarrow)
      x = arith::ExtFOp::create(rewriter, loc, rewriter.getF32Type(), x);
    Value power = arith::MulFOp::create(rewriter, loc, x, x);
    if (isCube)
      power = arith::MulFOp::create(rewriter, loc, power, x);
    if (isNarrow)
      power = arith::TruncFOp::create(rewriter, loc, type, power);
    rewriter.replaceOp(op, power);
    return success();
  }
};

} // namespace

void forge::populateSmallPowersPatterns(RewritePatternSet &patterns) {
  patterns.add<SmallPower>(patterns.getContext());
}
