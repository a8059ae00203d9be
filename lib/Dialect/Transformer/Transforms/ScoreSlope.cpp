#include "ScoreSlope.h"

#include "GradientBuilders.h"

#include "forge/Dialect/Transformer/IR/Transformer.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace forge::transformer {
namespace {

/// Forward-mode differentiation of a block of numbers by its first argument, and by what some of
/// its operations read:
///
/// 1. The block is copied.
/// 2. Once for each number to differentiate by, which has the tangent 1: from the first operation
///    to the last, where an operand has a tangent, the result has one, by the chain rule; what has
///    none does not depend on the number. The derivative is the tangent of the yielded value, 0
///    without one.
/// 3. The derivatives are yielded, and what they do not need is dropped.
class Slope {
public:
  Slope(Block &score, Block &slope)
      : score(score), b(score.getTerminator()->getLoc(), OpBuilder::atBlockEnd(&slope)) {
    for (BlockArgument argument : score.getArguments())
      mapping.map(argument, slope.addArgument(argument.getType(), argument.getLoc()));
  }

  LogicalResult build(ArrayRef<tensor::ExtractOp> reads) {
    for (Operation &op : score.without_terminator())
      copies.push_back(b.clone(op, mapping));
    FailureOr<Value> byScore = derivativeBy(score.getArgument(0));
    if (failed(byScore))
      return failure();
    SmallVector<Value> more;
    for (tensor::ExtractOp read : reads) {
      FailureOr<Value> derivative = derivativeBy(read.getResult());
      if (failed(derivative))
        return failure();
      more.push_back(*derivative);
      for (Value index : read.getIndices())
        more.push_back(mapping.lookupOrDefault(index));
    }
    YieldOp::create(b, *byScore, more);
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*b.getInsertionBlock())))
      if (isOpTriviallyDead(&op))
        op.erase();
    return success();
  }

private:
  /// The derivative of what the block yields by `x`, one of its values.
  FailureOr<Value> derivativeBy(Value x) {
    tangents.clear();
    tangents[x] = number(x.getType(), 1.0);
    for (auto [op, copy] : llvm::zip_equal(score.without_terminator(), copies)) {
      if (llvm::none_of(op.getOperands(), [&](Value v) { return tangents.contains(v); }))
        continue;
      // Truth values and whole numbers only select.
      auto differentiable = dyn_cast<DifferentiableOpInterface>(op);
      if ((op.getNumResults() == 1 && !isa<FloatType>(op.getResult(0).getType())) ||
          (differentiable && differentiable.isLocallyConstant()))
        continue;
      b.setLoc(op.getLoc());
      Value tangent = tangentOf(op, copy);
      if (!tangent)
        return op.emitError("'") << op.getName() << "' in a score region is not differentiable";
      tangents[op.getResult(0)] = tangent;
    }
    Value yielded = score.getTerminator()->getOperand(0), tangent = tangents.lookup(yielded);
    return tangent ? tangent : number(yielded.getType(), 0.0);
  }

  Value number(Type type, double value) {
    return arith::ConstantOp::create(b, b.getFloatAttr(type, value));
  }
  Value add(Value x, Value y) { return arith::AddFOp::create(b, x, y); }
  Value subtract(Value x, Value y) { return arith::SubFOp::create(b, x, y); }
  Value multiply(Value x, Value y) {
    return isOne(x) ? y : isOne(y) ? x : Value(arith::MulFOp::create(b, x, y));
  }
  static bool isOne(Value x) { return matchPattern(x, m_OneFloat()); }
  Value divide(Value x, Value y) { return arith::DivFOp::create(b, x, y); }
  Value negate(Value x) { return arith::NegFOp::create(b, x); }

  /// The tangent of operand `i`, or null.
  Value tangent(Operation &op, unsigned i) { return tangents.lookup(op.getOperand(i)); }
  /// The same, 0 without one.
  Value tangentOrZero(Operation &op, unsigned i) {
    Value known = tangent(op, i);
    return known ? known : number(op.getOperand(i).getType(), 0.0);
  }

  /// The tangent of the result of `op`, whose copy is `copy`; null where it is not known.
  Value tangentOf(Operation &op, Operation *copy) {
    if (isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp>(op))
      return binaryTangent(op, copy);
    return TypeSwitch<Operation *, Value>(copy)
        .Case([&](arith::NegFOp) { return negate(tangent(op, 0)); })
        .Case([&](arith::ExtFOp ext) -> Value {
          return isOne(tangent(op, 0)) ? number(ext.getType(), 1.0)
                                       : arith::ExtFOp::create(b, ext.getType(), tangent(op, 0));
        })
        .Case([&](arith::TruncFOp trunc) -> Value {
          return arith::TruncFOp::create(b, trunc.getType(), tangent(op, 0));
        })
        .Case([&](arith::SelectOp select) -> Value {
          return arith::SelectOp::create(b, select.getCondition(), tangentOrZero(op, 1),
                                         tangentOrZero(op, 2));
        })
        .Case([&](arith::MaximumFOp) { return chosen(op, copy, arith::CmpFPredicate::OGE); })
        .Case([&](arith::MinimumFOp) { return chosen(op, copy, arith::CmpFPredicate::OLE); })
        .Case<arith::MaxNumFOp>([&](auto) { return chosen(op, copy, arith::CmpFPredicate::OGE); })
        .Case<arith::MinNumFOp>([&](auto) { return chosen(op, copy, arith::CmpFPredicate::OLE); })
        .Default([&](Operation *) { return bySlopes(op, copy); });
  }

  /// The sum of the operands' tangents times the slopes by them.
  Value bySlopes(Operation &op, Operation *copy) {
    Value sum;
    for (unsigned i = 0; i < op.getNumOperands(); ++i)
      if (Value known = tangent(op, i)) {
        Value slope = slopeAt(b, copy, i);
        if (!slope)
          return {};
        Value term = multiply(known, slope);
        sum = sum ? add(sum, term) : term;
      }
    return sum;
  }

  Value binaryTangent(Operation &op, Operation *copy) {
    Value x = tangent(op, 0), y = tangent(op, 1), left = copy->getOperand(0),
          right = copy->getOperand(1);
    bool isDifference = isa<arith::SubFOp>(op);
    if (isDifference || isa<arith::AddFOp>(op)) {
      if (x && y)
        return isDifference ? subtract(x, y) : add(x, y);
      return x ? x : isDifference ? negate(y) : y;
    }
    if (isa<arith::MulFOp>(op)) {
      if (x && y)
        return add(multiply(x, right), multiply(left, y));
      return x ? multiply(x, right) : multiply(left, y);
    }
    // (x / y)' = (x' - (x / y) y') / y
    Value change = y ? multiply(copy->getResult(0), y) : Value();
    Value above = x && y ? subtract(x, change) : x ? x : negate(change);
    return divide(above, right);
  }

  /// The tangent of the operand that `op`, a maximum or minimum, takes: the first where the
  /// operands compare by `predicate`.
  Value chosen(Operation &op, Operation *copy, arith::CmpFPredicate predicate) {
    Value first = arith::CmpFOp::create(b, predicate, copy->getOperand(0), copy->getOperand(1));
    return arith::SelectOp::create(b, first, tangentOrZero(op, 0), tangentOrZero(op, 1));
  }

  Block &score;
  ImplicitLocOpBuilder b;
  IRMapping mapping;
  /// The operations of the block, copied.
  SmallVector<Operation *> copies;
  DenseMap<Value, Value> tangents;
};

} // namespace

LogicalResult buildSlope(Region &score, Region &slope, ArrayRef<tensor::ExtractOp> reads) {
  return Slope(score.front(), slope.emplaceBlock()).build(reads);
}

} // namespace forge::transformer
