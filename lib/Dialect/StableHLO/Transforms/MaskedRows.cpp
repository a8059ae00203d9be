#include "MaskedRows.h"

#include "forge/Dialect/StableHLO/IR/StableHLO.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace forge::stablehlo;

/// Whether all of `value` is -inf.
static bool isNegativeInfinity(Value value) {
  if (auto broadcast = value.getDefiningOp<BroadcastInDimOp>())
    value = broadcast.getOperand();
  return matchPattern(value, m_NegInfFloat());
}

/// The floats that `value` compares with -inf, for inequality if `negated`, else for equality; null
/// if it is no such comparison.
static Value comparedWithInfinity(Value value, bool negated) {
  if (auto inverse = value.getDefiningOp<NotOp>()) {
    value = inverse.getOperand();
    negated = !negated;
  }
  auto compare = value.getDefiningOp<CompareOp>();
  ComparisonDirection direction = negated ? ComparisonDirection::NE : ComparisonDirection::EQ;
  bool isFloat = compare && isa<FloatType>(getElementTypeOrSelf(compare.getLhs().getType())) &&
                 compare.getCompareType() != ComparisonType::TOTALORDER;
  if (!isFloat || compare.getComparisonDirection() != direction ||
      !isNegativeInfinity(compare.getRhs()))
    return {};
  return compare.getLhs();
}

/// The one operation of the body of `op`, on its arguments in any order.
static Operation *onlyCombiner(ReduceOp op) {
  Block &body = op.getBody().front();
  Operation *combiner = &body.front();
  Operation *end = body.getTerminator();
  bool isOnly = combiner != end && combiner->getNextNode() == end &&
                combiner->getNumOperands() == 2 && combiner->getNumResults() == 1 &&
                end->getOperand(0) == combiner->getResult(0);
  bool onArguments = isOnly && llvm::is_contained(combiner->getOperands(), body.getArgument(0)) &&
                     llvm::is_contained(combiner->getOperands(), body.getArgument(1));
  return onArguments ? combiner : nullptr;
}

namespace {
struct MaskedRows : OpRewritePattern<ReduceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ReduceOp op, PatternRewriter &rewriter) const override;
};
} // namespace

LogicalResult MaskedRows::matchAndRewrite(ReduceOp op, PatternRewriter &rewriter) const {
  auto type = dyn_cast<RankedTensorType>(op.getResult(0).getType());
  if (op.getInputs().size() != 1 || !type || !type.hasStaticShape() ||
      !type.getElementType().isInteger(1))
    return rewriter.notifyMatchFailure(op, "not one truth value for each result");
  Operation *combiner = onlyCombiner(op);
  bool isAny = isa_and_nonnull<OrOp>(combiner), isAll = isa_and_nonnull<AndOp>(combiner);
  if (!isAny && !isAll)
    return rewriter.notifyMatchFailure(op, "neither any nor all");
  APInt start;
  if (!matchPattern(op.getInitValues()[0], m_ConstantInt(&start)) || start.isZero() != isAny)
    return rewriter.notifyMatchFailure(op, "begins with another value");
  Value floats = comparedWithInfinity(op.getInputs()[0], /*negated=*/isAny);
  if (!floats)
    return rewriter.notifyMatchFailure(op, "no comparison with -inf");
  Type element = getElementTypeOrSelf(floats.getType());
  auto scalar = RankedTensorType::get({}, element);
  const llvm::fltSemantics &semantics = cast<FloatType>(element).getFloatSemantics();
  Value low = ConstantOp::create(
      rewriter, op.getLoc(),
      DenseElementsAttr::get(scalar, APFloat::getInf(semantics, /*Negative=*/true)));
  auto maximum = ReduceOp::create(rewriter, op.getLoc(), TypeRange{type.clone(element)},
                                  ValueRange{floats}, ValueRange{low}, op.getDimensions());
  {
    OpBuilder::InsertionGuard guard(rewriter);
    Block *body =
        rewriter.createBlock(&maximum.getBody(), {}, {scalar, scalar}, {op.getLoc(), op.getLoc()});
    Value larger = MaxOp::create(rewriter, op.getLoc(), body->getArgument(0), body->getArgument(1));
    ReturnOp::create(rewriter, op.getLoc(), larger);
  }
  Value lows = BroadcastInDimOp::create(rewriter, op.getLoc(), type.clone(element), low,
                                        rewriter.getDenseI64ArrayAttr({}));
  ComparisonDirection direction = isAny ? ComparisonDirection::NE : ComparisonDirection::EQ;
  rewriter.replaceOpWithNewOp<CompareOp>(op, maximum.getResult(0), lows, direction);
  return success();
}

void forge::stablehlo::populateMaskedRowsPatterns(RewritePatternSet &patterns) {
  patterns.add<MaskedRows>(patterns.getContext());
}
