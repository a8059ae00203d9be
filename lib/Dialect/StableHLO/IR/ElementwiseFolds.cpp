// Folders of the elementwise ops: identities, and arithmetic of small integer constants.
#include "Folding.h"
#include "forge/Dialect/StableHLO/IR/StableHLO.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace forge::stablehlo {

using Numbers = ArrayRef<APInt>;
using Number = std::optional<APInt>;

/// How elements of the op's first operand are read.
template <typename Op> static bool isUnsigned(Op op) {
  return isReadUnsigned(cast<RankedTensorType>(op->getOperand(0).getType()).getElementType());
}

static bool isBoolean(Type type) {
  return cast<RankedTensorType>(type).getElementType().isInteger(1);
}

/// Whether `constant` is an integer constant, every element of which is `number`.
static bool isAll(Attribute constant, int64_t number) {
  auto elements = dyn_cast_or_null<DenseIntElementsAttr>(constant);
  return elements && elements.isSplat() &&
         elements.getSplatValue<APInt>() == APInt(elements.getElementType().getIntOrFloatBitWidth(),
                                                  number, /*isSigned=*/true,
                                                  /*implicitTrunc=*/true);
}

OpFoldResult AddOp::fold(FoldAdaptor adaptor) {
  // Constants are on the right: the op is commutative.
  if (isAll(adaptor.getRhs(), 0) && getLhs().getType() == getType())
    return getLhs();
  if (isBoolean(getType()))
    return {};
  return foldElementwise(getType(), adaptor.getOperands(),
                         [](Numbers x) -> Number { return x[0] + x[1]; });
}

OpFoldResult SubtractOp::fold(FoldAdaptor adaptor) {
  if (isAll(adaptor.getRhs(), 0) && getLhs().getType() == getType())
    return getLhs();
  return foldElementwise(getType(), adaptor.getOperands(),
                         [](Numbers x) -> Number { return x[0] - x[1]; });
}

OpFoldResult MulOp::fold(FoldAdaptor adaptor) {
  if (isAll(adaptor.getRhs(), 1) && getLhs().getType() == getType())
    return getLhs();
  return foldElementwise(getType(), adaptor.getOperands(),
                         [](Numbers x) -> Number { return x[0] * x[1]; });
}

OpFoldResult DivOp::fold(FoldAdaptor adaptor) {
  if (isAll(adaptor.getRhs(), 1) && getLhs().getType() == getType())
    return getLhs();
  return foldElementwise(getType(), adaptor.getOperands(), [&](Numbers x) -> Number {
    if (x[1].isZero())
      return std::nullopt;
    return isUnsigned(*this) ? x[0].udiv(x[1]) : x[0].sdiv(x[1]);
  });
}

OpFoldResult RemOp::fold(FoldAdaptor adaptor) {
  return foldElementwise(getType(), adaptor.getOperands(), [&](Numbers x) -> Number {
    if (x[1].isZero())
      return std::nullopt;
    return isUnsigned(*this) ? x[0].urem(x[1]) : x[0].srem(x[1]);
  });
}

OpFoldResult MaxOp::fold(FoldAdaptor adaptor) {
  return foldElementwise(getType(), adaptor.getOperands(), [&](Numbers x) -> Number {
    return isUnsigned(*this) ? llvm::APIntOps::umax(x[0], x[1]) : llvm::APIntOps::smax(x[0], x[1]);
  });
}

OpFoldResult MinOp::fold(FoldAdaptor adaptor) {
  return foldElementwise(getType(), adaptor.getOperands(), [&](Numbers x) -> Number {
    return isUnsigned(*this) ? llvm::APIntOps::umin(x[0], x[1]) : llvm::APIntOps::smin(x[0], x[1]);
  });
}

OpFoldResult AndOp::fold(FoldAdaptor adaptor) {
  if (isAll(adaptor.getRhs(), -1) && getLhs().getType() == getType())
    return getLhs();
  return foldElementwise(getType(), adaptor.getOperands(),
                         [](Numbers x) -> Number { return x[0] & x[1]; });
}

OpFoldResult OrOp::fold(FoldAdaptor adaptor) {
  if (isAll(adaptor.getRhs(), 0) && getLhs().getType() == getType())
    return getLhs();
  return foldElementwise(getType(), adaptor.getOperands(),
                         [](Numbers x) -> Number { return x[0] | x[1]; });
}

OpFoldResult NotOp::fold(FoldAdaptor adaptor) {
  return foldElementwise(getType(), adaptor.getOperands(),
                         [](Numbers x) -> Number { return ~x[0]; });
}

OpFoldResult NegOp::fold(FoldAdaptor adaptor) {
  return foldElementwise(getType(), adaptor.getOperands(),
                         [](Numbers x) -> Number { return -x[0]; });
}

OpFoldResult ConvertOp::fold(FoldAdaptor adaptor) {
  if (getOperand().getType() == getType())
    return getOperand();
  auto to = dyn_cast<IntegerType>(getType().getElementType());
  if (!to)
    return {};
  return foldElementwise(getType(), adaptor.getOperands(), [&](Numbers x) -> Number {
    if (to.getWidth() == 1)
      return APInt(1, !x[0].isZero());
    return isUnsigned(*this) ? x[0].zextOrTrunc(to.getWidth()) : x[0].sextOrTrunc(to.getWidth());
  });
}

static bool compareIntegers(ComparisonDirection direction, bool isUnsigned, const APInt &a,
                            const APInt &b) {
  switch (direction) {
  case ComparisonDirection::EQ:
    return a == b;
  case ComparisonDirection::NE:
    return a != b;
  case ComparisonDirection::GE:
    return isUnsigned ? a.uge(b) : a.sge(b);
  case ComparisonDirection::GT:
    return isUnsigned ? a.ugt(b) : a.sgt(b);
  case ComparisonDirection::LE:
    return isUnsigned ? a.ule(b) : a.sle(b);
  case ComparisonDirection::LT:
    return isUnsigned ? a.ult(b) : a.slt(b);
  }
  return false;
}

OpFoldResult CompareOp::fold(FoldAdaptor adaptor) {
  return foldElementwise(getType(), {adaptor.getLhs(), adaptor.getRhs()}, [&](Numbers x) -> Number {
    return APInt(1, compareIntegers(getComparisonDirection(), isUnsigned(*this), x[0], x[1]));
  });
}

OpFoldResult SelectOp::fold(FoldAdaptor adaptor) {
  if (getOnTrue() == getOnFalse() && getOnTrue().getType() == getType())
    return getOnTrue();
  for (auto [choice, value] : {std::pair(-1, getOnTrue()), std::pair(0, getOnFalse())})
    if (isAll(adaptor.getPred(), choice) && value.getType() == getType())
      return value;
  return foldElementwise(getType(), adaptor.getOperands(),
                         [](Numbers x) -> Number { return x[0].isZero() ? x[2] : x[1]; });
}

} // namespace forge::stablehlo
