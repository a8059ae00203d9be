#include "StructuredVerify.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SmallSet.h"

using namespace mlir;

namespace forge::stablehlo {

LogicalResult verifyDistinct(Operation *op, StringRef name, ArrayRef<int64_t> dims,
                             ArrayRef<int64_t> more) {
  llvm::SmallSet<int64_t, 8> seen; // a DenseSet holds not every number
  for (int64_t dim : llvm::concat<const int64_t>(dims, more))
    if (!seen.insert(dim).second)
      return op->emitOpError() << "expected distinct " << name << ", but got " << dim << " twice";
  return success();
}

LogicalResult verifySorted(Operation *op, StringRef name, ArrayRef<int64_t> dims) {
  if (!llvm::is_sorted(dims))
    return op->emitOpError() << "expected sorted " << name << ", but got " << shapeToString(dims);
  return success();
}

LogicalResult verifyCount(Operation *op, StringRef name, int64_t count, int64_t expected) {
  if (count != expected)
    return op->emitOpError() << "expected " << expected << " entries in " << name << ", but got "
                             << count;
  return success();
}

LogicalResult verifyPositive(Operation *op, StringRef name, ArrayRef<int64_t> values) {
  for (int64_t value : values)
    if (value <= 0)
      return op->emitOpError() << "expected positive " << name << ", but got " << value;
  return success();
}

LogicalResult verifyPositiveList(Operation *op, StringRef name,
                                 std::optional<ArrayRef<int64_t>> values, int64_t count) {
  // An empty list stands for the defaults too.
  if (!values || values->empty())
    return success();
  return success(succeeded(verifyCount(op, name, values->size(), count)) &&
                 succeeded(verifyPositive(op, name, *values)));
}

LogicalResult verifySameSize(Operation *op, StringRef first, int64_t firstSize, StringRef second,
                             int64_t secondSize) {
  if (compatibleDims(firstSize, secondSize))
    return success();
  return op->emitOpError() << "expected " << second << " to be " << sizeToString(firstSize)
                           << " as " << first << ", but got " << sizeToString(secondSize);
}

LogicalResult verifyShape(Operation *op, StringRef name, Type type, ArrayRef<int64_t> expected) {
  auto tensor = cast<RankedTensorType>(type);
  if (compatibleShapes(tensor.getShape(), expected))
    return success();
  return op->emitOpError() << "expected shape " << shapeToString(expected) << " for " << name
                           << ", but got " << shapeToString(tensor.getShape());
}

LogicalResult verifyElementType(Operation *op, StringRef name, Type type, Type expected) {
  if (elementTypeOf(type) == expected)
    return success();
  return op->emitOpError() << "expected element type " << expected << " for " << name
                           << ", but got " << elementTypeOf(type);
}

LogicalResult verifyPaddingShape(Operation *op, DenseIntElementsAttr padding, int64_t count) {
  if (!padding)
    return success();
  ArrayRef<int64_t> shape = padding.getType().getShape();
  if (shape != ArrayRef<int64_t>({count, 2}))
    return op->emitOpError() << "expected padding of shape [" << count << ", 2], but got "
                             << shapeToString(shape);
  return success();
}

Type elementTypeOf(Type type) { return getElementTypeOrSelf(type); }

bool isPromotable(Type from, Type to) {
  if (from == to)
    return true;
  if (isa<FloatType>(from) && isa<FloatType>(to))
    return from.getIntOrFloatBitWidth() <= to.getIntOrFloatBitWidth();
  auto fromInt = dyn_cast<IntegerType>(from), toInt = dyn_cast<IntegerType>(to);
  return fromInt && toInt && fromInt.getSignedness() == toInt.getSignedness() &&
         fromInt.getWidth() != 1 && fromInt.getWidth() <= toInt.getWidth();
}

/// One side of a region: `count` rank-0 tensors with the given element types.
static LogicalResult verifyBodyValues(Operation *op, StringRef body, StringRef side,
                                      ValueRange values, ArrayRef<Type> elements) {
  if (values.size() != elements.size())
    return op->emitOpError() << "expected " << elements.size() << ' ' << side << " of " << body
                             << ", but got " << values.size();
  for (auto [i, value, element] : llvm::enumerate(values, elements)) {
    auto expected = RankedTensorType::get({}, element);
    if (value.getType() != expected)
      return op->emitOpError() << "expected " << expected << " in the " << side << " of " << body
                               << " at position " << i << ", but got " << value.getType();
  }
  return success();
}

LogicalResult verifyBody(Operation *op, Region &body, const BodyTypes &types) {
  Block &block = body.front();
  if (block.empty() || !isa<ReturnOp>(block.back()))
    return op->emitOpError() << "expected " << types.name << " to end with stablehlo.return";
  if (failed(verifyBodyValues(op, types.name, "arguments", block.getArguments(), types.arguments)))
    return failure();
  return verifyBodyValues(op, types.name, "results", block.back().getOperands(), types.results);
}

LogicalResult verifyAccumulator(Operation *op, Region &body, StringRef name, TypeRange inputs,
                                TypeRange results) {
  BodyTypes types{name, {}, {}};
  for (auto [i, input, result] : llvm::enumerate(inputs, results)) {
    Type from = elementTypeOf(input), to = elementTypeOf(result);
    if (!isPromotable(from, to))
      return op->emitOpError() << "expected a result " << i << " that " << from
                               << " is promoted to, but got " << to;
    types.results.push_back(to);
  }
  types.arguments = types.results;
  types.arguments.append(types.results);
  return verifyBody(op, body, types);
}

} // namespace forge::stablehlo
