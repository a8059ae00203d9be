#include "Functions.h"

#include "forge/Codegen/Math.h"
#include "forge/Codegen/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace forge {
#define GEN_PASS_DEF_EXPANDMATHPASS
#include "forge/Codegen/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-expand-math"

using namespace mlir;
using forge::emit::Val;

namespace {

/// Checks that the elements of `op` are floats which are computed in f32.
LogicalResult matchSingle(Operation *op, PatternRewriter &rewriter) {
  auto element = dyn_cast<FloatType>(getElementTypeOrSelf(op->getResult(0).getType()));
  if (!element || !(element.isF32() || element.isF16() || element.isBF16()))
    return rewriter.notifyMatchFailure(op, "expected elements of f32, f16 or bf16");
  if (isa<ShapedType>(op->getResult(0).getType()) && !isa<VectorType>(op->getResult(0).getType()))
    return rewriter.notifyMatchFailure(op, "expected a scalar or a vector");
  return success();
}

/// The f32 operands of `op`, widened where they are narrower.
SmallVector<Val> singleOperands(Operation *op, PatternRewriter &rewriter) {
  SmallVector<Val> values;
  for (Value operand : op->getOperands())
    values.push_back(forge::emit::toSingle({&rewriter, op->getLoc(), operand}));
  return values;
}

Value narrow(Val result, Operation *op, unsigned index = 0) {
  return forge::emit::convertFloat(result, getElementTypeOrSelf(op->getResult(index).getType()))
      .value;
}

template <typename Op, Val (*function)(Val)> struct ExpandUnary : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    if (failed(matchSingle(op, rewriter)))
      return failure();
    rewriter.replaceOp(op, narrow(function(singleOperands(op, rewriter)[0]), op));
    return success();
  }
};

template <typename Op, Val (*function)(Val, Val)> struct ExpandBinary : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    if (failed(matchSingle(op, rewriter)))
      return failure();
    SmallVector<Val> operands = singleOperands(op, rewriter);
    rewriter.replaceOp(op, narrow(function(operands[0], operands[1]), op));
    return success();
  }
};

struct ExpandSinCos : OpRewritePattern<math::SincosOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::SincosOp op, PatternRewriter &rewriter) const override {
    if (failed(matchSingle(op, rewriter)))
      return failure();
    Val x = singleOperands(op, rewriter)[0];
    rewriter.replaceOp(op, {narrow(forge::emit::sin(x), op), narrow(forge::emit::cos(x), op, 1)});
    return success();
  }
};

bool isNarrowFloat(Type type) {
  auto element = dyn_cast<FloatType>(getElementTypeOrSelf(type));
  return element && element.getWidth() <= 16;
}

/// A function whose result is rounded to f16 or bf16, or narrower, needs no more accuracy than
/// that.
template <typename Op, Val (*function)(Val)> struct ExpandNarrow : ExpandUnary<Op, function> {
  using ExpandUnary<Op, function>::ExpandUnary;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    bool isRounded = !op->use_empty() && llvm::all_of(op->getUsers(), [](Operation *user) {
      return isa<arith::TruncFOp>(user) && isNarrowFloat(user->getResult(0).getType());
    });
    if (!isRounded && !isNarrowFloat(op.getType()))
      return rewriter.notifyMatchFailure(op, "expected a result that is rounded to 16 bits");
    return ExpandUnary<Op, function>::matchAndRewrite(op, rewriter);
  }
};

/// math.exp with fastmath<afn> needs no more accuracy than the processor's 2^x has.
struct ExpandApproximateExp : OpRewritePattern<math::ExpOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::ExpOp op, PatternRewriter &rewriter) const override {
    if (failed(matchSingle(op, rewriter)))
      return failure();
    if (!bitEnumContainsAll(op.getFastmath(), arith::FastMathFlags::afn))
      return rewriter.notifyMatchFailure(op, "expected fastmath<afn>");
    Val x = singleOperands(op, rewriter)[0];
    bool isNormal = op->hasAttr(forge::kNormalAttr);
    rewriter.replaceOp(
        op, narrow(isNormal ? forge::emit::normalExp(x) : forge::emit::expNarrow(x), op));
    return success();
  }
};

/// A function with fastmath<afn> needs no more accuracy than one that is rounded to 16 bits.
template <typename Op, Val (*function)(Val)> struct ExpandApproximate : ExpandUnary<Op, function> {
  using ExpandUnary<Op, function>::ExpandUnary;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    if (!bitEnumContainsAll(op.getFastmath(), arith::FastMathFlags::afn))
      return rewriter.notifyMatchFailure(op, "expected fastmath<afn>");
    return ExpandUnary<Op, function>::matchAndRewrite(op, rewriter);
  }
};

/// math.exp2 with fastmath<afn> is the processor's instruction, and stays.
struct ExpandExp2 : ExpandUnary<math::Exp2Op, forge::emit::exp2> {
  using ExpandUnary::ExpandUnary;
  LogicalResult matchAndRewrite(math::Exp2Op op, PatternRewriter &rewriter) const override {
    if (bitEnumContainsAll(op.getFastmath(), arith::FastMathFlags::afn))
      return rewriter.notifyMatchFailure(op, "an instruction of the processor");
    return ExpandUnary::matchAndRewrite(op, rewriter);
  }
};

struct ExpandMath : forge::impl::ExpandMathPassBase<ExpandMath> {
  using ExpandMathPassBase::ExpandMathPassBase;
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    // Preferred over the general form by its benefit.
    if (hardwareExp2)
      patterns.add<ExpandUnary<math::ExpOp, forge::emit::expByExp2>>(&getContext(), /*benefit=*/2);
    if (hardwareExp2)
      patterns.add<ExpandApproximateExp, ExpandApproximate<math::TanhOp, forge::emit::tanhNarrow>,
                   ExpandApproximate<math::ErfcOp, forge::emit::erfcNarrow>,
                   ExpandNarrow<math::ExpOp, forge::emit::expNarrow>,
                   ExpandNarrow<math::TanhOp, forge::emit::tanhNarrow>,
                   ExpandNarrow<math::ErfcOp, forge::emit::erfcNarrow>>(&getContext(),
                                                                        /*benefit=*/3);
    forge::populateExpandMathPatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace

void forge::populateExpandMathPatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandUnary<math::AcosOp, emit::acos>, ExpandUnary<math::AcoshOp, emit::acosh>,
               ExpandUnary<math::AsinOp, emit::asin>, ExpandUnary<math::AsinhOp, emit::asinh>,
               ExpandUnary<math::AtanOp, emit::atan>, ExpandUnary<math::AtanhOp, emit::atanh>,
               ExpandUnary<math::CbrtOp, emit::cbrt>, ExpandUnary<math::CosOp, emit::cos>,
               ExpandUnary<math::CoshOp, emit::cosh>, ExpandUnary<math::ErfOp, emit::erf>,
               ExpandUnary<math::ErfcOp, emit::erfc>, ExpandUnary<math::ExpOp, emit::exp>,
               ExpandExp2, ExpandUnary<math::ExpM1Op, emit::expm1>,
               ExpandUnary<math::LogOp, emit::log>, ExpandUnary<math::Log10Op, emit::log10>,
               ExpandUnary<math::Log1pOp, emit::log1p>, ExpandUnary<math::Log2Op, emit::log2>,
               ExpandUnary<math::RsqrtOp, emit::rsqrt>, ExpandUnary<math::SinOp, emit::sin>,
               ExpandUnary<math::SinhOp, emit::sinh>, ExpandUnary<math::TanOp, emit::tan>,
               ExpandUnary<math::TanhOp, emit::tanh>, ExpandBinary<math::Atan2Op, emit::atan2>,
               ExpandBinary<math::PowFOp, emit::powf>, ExpandSinCos>(patterns.getContext());
}
