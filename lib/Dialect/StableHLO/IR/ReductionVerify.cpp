// Constraints of reduce, reduce_window, select_and_scatter, sort and map.
#include "StructuredVerify.h"

using namespace mlir;

namespace forge::stablehlo {

/// All tensors may have one shape at run time.
static LogicalResult verifyOneShape(Operation *op, StringRef name, TypeRange types) {
  for (Type type : types)
    if (failed(verifyShape(op, name, type, cast<RankedTensorType>(types.front()).getShape())))
      return failure();
  return success();
}

/// As many inputs, initial values and results, at least one; the initial values are scalars with
/// the element types of the inputs.
template <typename ReduceLikeOp> static LogicalResult verifyInputsAndInits(ReduceLikeOp op) {
  if (op.getInputs().empty())
    return op.emitOpError() << "expected at least one input";
  if (failed(verifyCount(op, "init_values", op.getInitValues().size(), op.getInputs().size())) ||
      failed(verifyCount(op, "the results", op->getNumResults(), op.getInputs().size())) ||
      failed(verifyOneShape(op, "the inputs", op.getInputs().getTypes())))
    return failure();
  for (auto [input, init] : llvm::zip(op.getInputs(), op.getInitValues()))
    if (failed(verifyShape(op, "an initial value", init.getType(), {})) ||
        failed(verifyElementType(op, "an initial value", init.getType(),
                                 elementTypeOf(input.getType()))))
      return failure();
  return success();
}

LogicalResult ReduceOp::verify() {
  // reduce_c1, reduce_c2, reduce_c3
  if (failed(verifyInputsAndInits(*this)))
    return failure();
  auto input = cast<RankedTensorType>(getInputs().front().getType());
  // reduce_c4, reduce_c5
  if (failed(verifyDimsInRange(*this, "dimensions", getDimensions(), input.getRank())) ||
      failed(verifyDistinct(*this, "dimensions", getDimensions())))
    return failure();
  // reduce_c7
  SmallVector<int64_t> expected;
  for (auto [dim, size] : llvm::enumerate(input.getShape()))
    if (!llvm::is_contained(getDimensions(), dim))
      expected.push_back(size);
  for (Type type : getResultTypes())
    if (failed(verifyShape(*this, "a result", type, expected)))
      return failure();
  return success();
}

LogicalResult ReduceOp::verifyRegions() {
  // reduce_c6, reduce_c8
  return verifyAccumulator(*this, getBody(), "body", getInputs().getTypes(), getResultTypes());
}

/// The shape that windows laid over `input` make; emits an error where a size does not fit.
static FailureOr<SmallVector<int64_t>> windowShape(Operation *op, RankedTensorType input,
                                                   ArrayRef<WindowDim> window) {
  SmallVector<int64_t> shape;
  for (auto [dim, size] : llvm::enumerate(input.getShape())) {
    std::optional<int64_t> count = countWindows(size, window[dim]);
    if (!count)
      return op->emitOpError() << "the padded size of dimension " << dim
                               << " does not fit in 63 bits";
    shape.push_back(*count);
  }
  return shape;
}

LogicalResult ReduceWindowOp::verify() {
  // reduce_window_c1, reduce_window_c2, reduce_window_c3
  if (failed(verifyInputsAndInits(*this)))
    return failure();
  auto input = cast<RankedTensorType>(getInputs().front().getType());
  int64_t rank = input.getRank();
  // reduce_window_c4 to reduce_window_c12
  if (failed(verifyCount(*this, "window_dimensions", getWindowDimensions().size(), rank)) ||
      failed(verifyPositive(*this, "window_dimensions", getWindowDimensions())) ||
      failed(verifyPositiveList(*this, "window_strides", getWindowStrides(), rank)) ||
      failed(verifyPositiveList(*this, "base_dilations", getBaseDilations(), rank)) ||
      failed(verifyPositiveList(*this, "window_dilations", getWindowDilations(), rank)) ||
      failed(verifyPaddingShape(*this, getPaddingAttr(), rank)))
    return failure();
  // reduce_window_c14, reduce_window_c15
  FailureOr<SmallVector<int64_t>> expected = windowShape(*this, input, getWindow(*this));
  if (failed(expected))
    return failure();
  for (Type type : getResultTypes())
    if (failed(verifyShape(*this, "a result", type, *expected)))
      return failure();
  return success();
}

LogicalResult ReduceWindowOp::verifyRegions() {
  // reduce_window_c13, reduce_window_c16
  return verifyAccumulator(*this, getBody(), "body", getInputs().getTypes(), getResultTypes());
}

LogicalResult SelectAndScatterOp::verify() {
  RankedTensorType operand = getOperand().getType();
  int64_t rank = operand.getRank();
  // select_and_scatter_c1
  if (failed(verifyElementType(*this, "source", getSource().getType(), operand.getElementType())))
    return failure();
  // select_and_scatter_c3
  if (failed(verifyShape(*this, "init_value", getInitValue().getType(), {})) ||
      failed(verifyElementType(*this, "init_value", getInitValue().getType(),
                               operand.getElementType())))
    return failure();
  // select_and_scatter_c4 to select_and_scatter_c8
  ArrayRef<int64_t> sizes = getWindowDimensions().value_or(ArrayRef<int64_t>());
  if (failed(verifyCount(*this, "window_dimensions", sizes.size(), rank)) ||
      failed(verifyPositive(*this, "window_dimensions", sizes)) ||
      failed(verifyPositiveList(*this, "window_strides", getWindowStrides(), rank)) ||
      failed(verifyPaddingShape(*this, getPaddingAttr(), rank)))
    return failure();
  // select_and_scatter_c2
  FailureOr<SmallVector<int64_t>> windows = windowShape(*this, operand, getWindow(*this));
  if (failed(windows) || failed(verifyShape(*this, "source", getSource().getType(), *windows)))
    return failure();
  // select_and_scatter_c11
  return verifyShape(*this, "the result", getType(), operand.getShape());
}

LogicalResult SelectAndScatterOp::verifyRegions() {
  Type element = getOperand().getType().getElementType();
  Type predicate = IntegerType::get(getContext(), 1);
  // select_and_scatter_c9
  if (failed(verifyBody(*this, getSelect(), {"select", {element, element}, {predicate}})))
    return failure();
  // select_and_scatter_c10, select_and_scatter_c12
  return verifyAccumulator(*this, getScatter(), "scatter", getOperand().getType(), getType());
}

LogicalResult SortOp::verify() {
  // sort_c1
  if (getInputs().empty())
    return emitOpError() << "expected at least one input";
  // sort_c2
  if (!compatibleTypes(getInputs().getTypes(), getResultTypes()))
    return emitOpError() << "expected results of the types of the inputs";
  // sort_c3
  if (failed(verifyOneShape(*this, "the inputs", getInputs().getTypes())))
    return failure();
  // sort_c4
  int64_t rank = cast<RankedTensorType>(getInputs().front().getType()).getRank();
  int64_t dimension = getDimension();
  if (dimension < -rank || dimension >= rank)
    return emitOpError() << "expected dimension in [" << -rank << ", " << rank << "), but got "
                         << dimension;
  return success();
}

LogicalResult SortOp::verifyRegions() {
  // sort_c5
  BodyTypes types{"comparator", {}, {IntegerType::get(getContext(), 1)}};
  for (Type type : getInputs().getTypes())
    types.arguments.append(2, elementTypeOf(type));
  return verifyBody(*this, getComparator(), types);
}

LogicalResult MapOp::verify() {
  // map_c2
  if (getInputs().empty())
    return emitOpError() << "expected at least one input";
  // map_c1
  SmallVector<Type> types(getInputs().getTypes());
  types.push_back(getType());
  if (failed(verifyOneShape(*this, "the inputs and the result", types)))
    return failure();
  // map_c3
  auto all = llvm::seq<int64_t>(0, getType().getRank());
  if (!llvm::equal(getDimensions(), all))
    return emitOpError() << "expected all " << getType().getRank()
                         << " dimensions in order, but got " << shapeToString(getDimensions());
  return success();
}

LogicalResult MapOp::verifyRegions() {
  // map_c4
  BodyTypes types{"computation", {}, {getType().getElementType()}};
  for (Type type : getInputs().getTypes())
    types.arguments.push_back(elementTypeOf(type));
  return verifyBody(*this, getComputation(), types);
}

} // namespace forge::stablehlo
