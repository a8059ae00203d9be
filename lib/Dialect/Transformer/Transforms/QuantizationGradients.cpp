// The gradient of dequantize by its scale. quantize has none: its result does not change with small
// changes of its input, and then jumps.
#include "GradientBuilders.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace forge::transformer {

/// The narrow values as numbers of `element`.
static Value numbersOf(ImplicitLocOpBuilder &b, Value narrow, Type element) {
  auto type = typeOf(narrow).clone(element);
  if (isa<FloatType>(typeOf(narrow).getElementType()))
    return arith::ExtFOp::create(b, type, narrow);
  return arith::SIToFPOp::create(b, type, narrow);
}

/// `value`, whose dimensions are multiples of `block`, summed over each block.
static Value sumBlocks(ImplicitLocOpBuilder &b, Value value, ArrayRef<int64_t> block) {
  SmallVector<int64_t> shape, inner;
  SmallVector<ReassociationIndices> groups;
  for (auto [dim, size] : llvm::enumerate(block)) {
    int64_t at = static_cast<int64_t>(shape.size());
    shape.append({typeOf(value).getDimSize(dim) / size, size});
    groups.push_back({at, at + 1});
    inner.push_back(at + 1);
  }
  Value split = tensor::ExpandShapeOp::create(b, typeOf(value).clone(shape), value, groups);
  return sumOver(b, split, inner);
}

/// dscale[g] = sum of dresult[i] * (input[i] - zero_point[g]) over all i of g: that of
/// dresult[i] * input[i], less zero_point[g] times that of dresult[i].
static LogicalResult dequantizeGradients(DequantizeOp op, ImplicitLocOpBuilder &b, Cotangents &c) {
  if (!c.isActive(op.getScale()))
    return success();
  RankedTensorType type = typeOf(op.getInput());
  if (op.getBlock())
    for (auto [size, block] : llvm::zip(type.getShape(), *op.getBlock()))
      if (ShapedType::isDynamic(size) || size % block != 0)
        return op.emitError("'transformer.dequantize' is not differentiable by scales of blocks "
                            "that do not divide its shape");
  Value dy = c.lookup(op.getResult());
  Type element = typeOf(op.getScale()).getElementType();
  // The wider of the two types, so that no product is rounded before it is added.
  if (typeOf(dy).getElementTypeBitWidth() > element.getIntOrFloatBitWidth())
    element = typeOf(dy).getElementType();
  dy = convertTo(b, dy, element);
  SmallVector<int64_t> dims;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (!op.getAxis() || dim != static_cast<int64_t>(*op.getAxis()))
      dims.push_back(dim);
  auto reduce = [&](Value value) {
    return op.getBlock() ? sumBlocks(b, value, *op.getBlock()) : sumOver(b, value, dims);
  };
  Value products = MultiplyOp::create(b, dy, numbersOf(b, op.getInput(), element));
  Value gradient = reduce(products);
  if (op.getZeroPoint()) {
    Value zero = numbersOf(b, op.getZeroPoint(), element);
    gradient =
        arith::SubFOp::create(b, gradient, Value(arith::MulFOp::create(b, zero, reduce(dy))));
  }
  c.add(b, op.getScale(), convertTo(b, gradient, typeOf(op.getScale()).getElementType()));
  return success();
}

void attachQuantizationModels(MLIRContext *context) {
  attachGradient<DequantizeOp, dequantizeGradients>(context);
}

} // namespace forge::transformer
