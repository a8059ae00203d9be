// The gradient of dequantize by its scale. quantize has none: its result does not change with small
// changes of its input, and then jumps.
#include "GradientBuilders.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
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

/// ceil(size / block). Sizes that are not known are those of what is summed, not of the scale, so
/// that no scale of another shape moves anything outside of the tensors.
static OpFoldResult numBlocks(ImplicitLocOpBuilder &b, OpFoldResult size, int64_t block) {
  if (auto known = getConstantIntValue(size))
    return b.getIndexAttr(llvm::divideCeil(*known, block));
  Value less = arith::ConstantIndexOp::create(b, block - 1),
        step = arith::ConstantIndexOp::create(b, block);
  Value above = arith::AddIOp::create(b, cast<Value>(size), less);
  return arith::DivSIOp::create(b, above, step).getResult();
}

/// `value` with zeros behind it, up to whole blocks of which there are `blocks`.
static Value paddedToBlocks(ImplicitLocOpBuilder &b, Value value, ArrayRef<int64_t> block,
                            ArrayRef<OpFoldResult> blocks) {
  SmallVector<OpFoldResult> padded, sizes = tensor::getMixedSizes(b, b.getLoc(), value);
  for (auto [count, length] : llvm::zip(blocks, block)) {
    if (auto known = getConstantIntValue(count)) {
      padded.push_back(b.getIndexAttr(*known * length));
      continue;
    }
    Value step = arith::ConstantIndexOp::create(b, length);
    padded.push_back(arith::MulIOp::create(b, cast<Value>(count), step).getResult());
  }
  if (isEqualConstantIntOrValueArray(padded, sizes))
    return value;
  Type element = typeOf(value).getElementType();
  Value zero = arith::ConstantOp::create(b, b.getFloatAttr(element, 0.0));
  Value empty = tensor::EmptyOp::create(b, padded, element);
  Value zeros = linalg::FillOp::create(b, zero, empty).getResult(0);
  SmallVector<OpFoldResult> starts(sizes.size(), b.getIndexAttr(0)),
      steps(sizes.size(), b.getIndexAttr(1));
  return tensor::InsertSliceOp::create(b, value, zeros, starts, sizes, steps);
}

/// `value` summed over each block; the last blocks of a dimension may be shorter.
static Value sumBlocks(ImplicitLocOpBuilder &b, Value value, ArrayRef<int64_t> block) {
  SmallVector<OpFoldResult> blocks, sizes;
  SmallVector<int64_t> inner, lengths(block);
  SmallVector<ReassociationIndices> groups;
  for (auto [dim, size] : llvm::enumerate(tensor::getMixedSizes(b, b.getLoc(), value))) {
    // A block may be longer than the dimension: it is not filled up.
    if (auto known = getConstantIntValue(size))
      lengths[dim] = std::min(lengths[dim], std::max<int64_t>(*known, 1));
    blocks.push_back(numBlocks(b, size, lengths[dim]));
    int64_t at = static_cast<int64_t>(sizes.size());
    sizes.append({blocks[dim], b.getIndexAttr(lengths[dim])});
    groups.push_back({at, at + 1});
    inner.push_back(at + 1);
  }
  SmallVector<int64_t> shape;
  SmallVector<Value> open;
  dispatchIndexOpFoldResults(sizes, open, shape);
  Value padded = paddedToBlocks(b, value, lengths, blocks);
  return sumOver(b, expandTo(b, padded, typeOf(value).clone(shape), groups, sizes), inner);
}

/// dscale[g] = sum of dresult[i] * (input[i] - zero_point[g]) over all i of g: that of
/// dresult[i] * input[i], less zero_point[g] times that of dresult[i].
static LogicalResult dequantizeGradients(DequantizeOp op, ImplicitLocOpBuilder &b, Cotangents &c) {
  if (!c.isActive(op.getScale()))
    return success();
  RankedTensorType type = typeOf(op.getInput());
  Value dy = c.lookup(op.getResult());
  // At least f32, so that no product is rounded, or overflows, before it is added.
  bool wide = typeOf(dy).getElementType().isF64() || typeOf(op.getScale()).getElementType().isF64();
  Type element = wide ? b.getF64Type() : b.getF32Type();
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
