// What follows a product, as the vendors' libraries compute it.
#include "LibraryProduct.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace forge;

/// Values added, or multiplied, in any order: what `value` is the sum or product of. What is used
/// elsewhere too, or is `leaf`, is not taken apart.
template <typename Op> static void collect(Value value, Value leaf, SmallVectorImpl<Value> &parts) {
  auto op = value.getDefiningOp<Op>();
  if (!op || value == leaf)
    return parts.push_back(value);
  collect<Op>(op.getLhs(), leaf, parts);
  collect<Op>(op.getRhs(), leaf, parts);
}

/// Whether `value` is the constant `expected`, as rounded to its type.
static bool isConstant(Value value, double expected) {
  APFloat constant(0.0);
  if (!matchPattern(value, m_ConstantFloat(&constant)))
    return false;
  APFloat wanted(expected);
  bool inexact;
  wanted.convert(constant.getSemantics(), APFloat::rmNearestTiesToEven, &inexact);
  return constant.bitwiseIsEqual(wanted);
}

/// `value` as factor * rest: takes the constant `factor` out of the parts of a product.
static bool takeConstant(SmallVectorImpl<Value> &parts, double factor) {
  auto *found = llvm::find_if(parts, [&](Value part) { return isConstant(part, factor); });
  if (found == parts.end())
    return false;
  parts.erase(found);
  return true;
}

static Value otherThan(ArrayRef<Value> two, function_ref<bool(Value)> isFirst) {
  if (two.size() != 2)
    return Value();
  return isFirst(two[0]) ? two[1] : isFirst(two[1]) ? two[0] : Value();
}

/// Whether `value` is sqrt(2 / pi) * (x + 0.044715 * x * x * x).
static bool isGeluArgument(Value value, Value x) {
  SmallVector<Value> parts, cube;
  collect<arith::MulFOp>(value, x, parts);
  if (!takeConstant(parts, 0.7978845608028654) || parts.size() != 1)
    return false;
  auto add = parts[0].getDefiningOp<arith::AddFOp>();
  if (!add)
    return false;
  Value rest = otherThan({add.getLhs(), add.getRhs()}, [&](Value side) { return side == x; });
  if (!rest)
    return false;
  collect<arith::MulFOp>(rest, x, cube);
  return takeConstant(cube, 0.044715) && cube.size() == 3 &&
         llvm::all_of(cube, [&](Value part) { return part == x; });
}

/// Whether `value` is 1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x * x * x)).
static bool isOnePlusTanh(Value value, Value x) {
  auto add = value.getDefiningOp<arith::AddFOp>();
  if (!add)
    return false;
  Value rest =
      otherThan({add.getLhs(), add.getRhs()}, [](Value side) { return isConstant(side, 1); });
  auto tanh = rest ? rest.getDefiningOp<math::TanhOp>() : math::TanhOp();
  return tanh && isGeluArgument(tanh.getOperand(), x);
}

/// The x of which `value` is x / 2 * (1 + tanh(...)); Hendrycks and Gimpel, Gaussian Error Linear
/// Units (2016), section 2. Null if it is not.
static Value matchGeluTanh(Value value) {
  SmallVector<Value> parts;
  collect<arith::MulFOp>(value, Value(), parts);
  if (!takeConstant(parts, 0.5))
    return Value();
  Value second = parts.size() == 2 ? parts[1] : Value(), first = parts.size() ? parts[0] : Value();
  if (!second)
    return Value();
  return isOnePlusTanh(second, first) ? first : isOnePlusTanh(first, second) ? second : Value();
}

/// The x of which `value` is max(x, 0). Null if it is not.
static Value matchRelu(Value value) {
  auto max = value.getDefiningOp<arith::MaximumFOp>();
  if (!max)
    return Value();
  return otherThan({max.getLhs(), max.getRhs()},
                   [](Value side) { return matchPattern(side, m_PosZeroFloat()); });
}

/// The operand of `follow` that `value`, in its body, is an element of, looking through one
/// extension; null for anything else.
static OpOperand *operandOf(linalg::GenericOp follow, Value value) {
  if (auto extend = value.getDefiningOp<arith::ExtFOp>())
    value = extend.getIn();
  auto argument = dyn_cast<BlockArgument>(value);
  return argument && argument.getOwner() == follow.getBody() ? follow.getMatchingOpOperand(argument)
                                                             : nullptr;
}

/// Whether `map` takes these dimensions of `shape`, in order, and no others of more than one
/// element.
static bool takesColumns(AffineMap map, ArrayRef<int64_t> shape, ArrayRef<unsigned> columnDims) {
  SmallVector<unsigned> taken;
  for (AffineExpr expr : map.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim)
      return false;
    if (shape[dim.getPosition()] != 1)
      taken.push_back(dim.getPosition());
  }
  return !columnDims.empty() && columnDims == ArrayRef(taken);
}

/// 1. One elementwise operation with one result, over the elements of the sums as they lie.
/// 2. Backwards from what it yields: a rounding, an activation, a sum.
/// 3. The terms of the sum: the product, once; the bias; the residual. They are added in another
///    order than written, all in the accumulation type.
std::optional<LibraryEpilogue> forge::matchEpilogue(linalg::GenericOp follow, Value sums,
                                                    ArrayRef<unsigned> columnDims) {
  if (follow.getNumDpsInits() != 1 || follow.getNumParallelLoops() != follow.getNumLoops() ||
      !follow.getMatchingIndexingMap(follow.getDpsInitOperand(0)).isIdentity() ||
      follow.payloadUsesValueFromOperand(follow.getDpsInitOperand(0)))
    return std::nullopt;
  Type out = getElementTypeOrSelf(follow.getDpsInits().front());
  ArrayRef<int64_t> shape = cast<ShapedType>(follow.getDpsInits().front().getType()).getShape();
  Value value = follow.getBody()->getTerminator()->getOperand(0);
  if (auto truncate = value.getDefiningOp<arith::TruncFOp>())
    value = truncate.getIn();
  LibraryEpilogue epilogue;
  // The libraries' tanh errs by up to 6e-6 (H200): less than rounding to 16 bits, more than f32's.
  bool roundsCoarsely = out.isBF16() || out.isF16();
  if (Value x = roundsCoarsely ? matchGeluTanh(value) : Value()) {
    epilogue.activation = LibraryEpilogue::GeluTanh;
    value = x;
  } else if (Value x = matchRelu(value)) {
    epilogue.activation = LibraryEpilogue::Relu;
    value = x;
  }
  SmallVector<Value> terms;
  collect<arith::AddFOp>(value, Value(), terms);
  bool hasSums = false;
  for (Value term : terms) {
    OpOperand *operand = operandOf(follow, term);
    if (!operand)
      return std::nullopt;
    AffineMap map = follow.getMatchingIndexingMap(operand);
    bool isSums = operand->get() == sums && map.isIdentity() && !hasSums;
    hasSums |= isSums;
    if (isSums)
      continue;
    if (operand->get() == sums || getElementTypeOrSelf(operand->get()) != out)
      return std::nullopt;
    if (map.isIdentity() && !epilogue.residual)
      epilogue.residual = operand->get();
    else if (takesColumns(map, shape, columnDims) && !epilogue.bias)
      epilogue.bias = operand->get();
    else
      return std::nullopt;
  }
  if (!hasSums)
    return std::nullopt;
  return epilogue;
}
