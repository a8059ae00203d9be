#include "GradientBuilders.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace forge::transformer {

bool isFloatTensor(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor &&
         isa<Float64Type, Float32Type, Float16Type, BFloat16Type>(tensor.getElementType());
}

bool isDifferentiableType(Type type) {
  return isFloatTensor(type) || isa<Float64Type, Float32Type, Float16Type, BFloat16Type>(type);
}

Value splatLike(ImplicitLocOpBuilder &b, Value value, double number) {
  if (isa<FloatType>(value.getType()))
    return arith::ConstantOp::create(b, b.getFloatAttr(value.getType(), number));
  RankedTensorType type = typeOf(value);
  FloatAttr scalar = b.getFloatAttr(type.getElementType(), number);
  if (type.hasStaticShape())
    return arith::ConstantOp::create(b, DenseElementsAttr::get(type, scalar));
  Value empty = tensor::EmptyOp::create(b, tensor::getMixedSizes(b, b.getLoc(), value),
                                        type.getElementType());
  return linalg::FillOp::create(b, Value(arith::ConstantOp::create(b, scalar)), empty).getResult(0);
}

Value zerosLike(ImplicitLocOpBuilder &b, Value value) { return splatLike(b, value, 0.0); }

Value sumOver(ImplicitLocOpBuilder &b, Value value, ArrayRef<int64_t> dims) {
  return dims.empty() ? value : SumOp::create(b, value, dims);
}

Value broadcastLike(ImplicitLocOpBuilder &b, Value value, Value like, ArrayRef<int64_t> dims) {
  Value empty = tensor::EmptyOp::create(b, tensor::getMixedSizes(b, b.getLoc(), like),
                                        typeOf(value).getElementType());
  return linalg::BroadcastOp::create(b, value, empty, dims)->getResult(0);
}

Value transpose(ImplicitLocOpBuilder &b, Value value, ArrayRef<int64_t> permutation) {
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, b.getLoc(), value), permuted;
  for (int64_t dim : permutation)
    permuted.push_back(sizes[dim]);
  Value empty = tensor::EmptyOp::create(b, permuted, typeOf(value).getElementType());
  return linalg::TransposeOp::create(b, value, empty, permutation)->getResult(0);
}

Value collapseLeading(ImplicitLocOpBuilder &b, Value value, int64_t count) {
  if (count <= 1)
    return value;
  SmallVector<ReassociationIndices> groups(1);
  for (int64_t dim = 0; dim < typeOf(value).getRank(); ++dim) {
    if (dim >= count)
      groups.emplace_back();
    groups.back().push_back(dim);
  }
  return tensor::CollapseShapeOp::create(b, value, groups);
}

Value reshapeTo(ImplicitLocOpBuilder &b, Value value, RankedTensorType type,
                ArrayRef<OpFoldResult> sizes) {
  SmallVector<Value> values = getValueOrCreateConstantIndexOp(b, b.getLoc(), sizes);
  auto shape = RankedTensorType::get({int64_t(values.size())}, b.getIndexType());
  return tensor::ReshapeOp::create(b, type, value,
                                   Value(tensor::FromElementsOp::create(b, shape, values)));
}

Value expandTo(ImplicitLocOpBuilder &b, Value value, RankedTensorType type,
               ArrayRef<ReassociationIndices> groups, ArrayRef<OpFoldResult> sizes) {
  bool severalOpen = llvm::any_of(groups, [&](const ReassociationIndices &group) {
    return llvm::count_if(group, [&](int64_t dim) { return type.isDynamicDim(dim); }) > 1;
  });
  if (severalOpen)
    return reshapeTo(b, value, type, sizes);
  return tensor::ExpandShapeOp::create(b, type, value, groups, sizes);
}

Value convertTo(ImplicitLocOpBuilder &b, Value value, Type element) {
  auto like = [&](Type other) -> Type {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    return type ? type.clone(other) : other;
  };
  Type have = getElementTypeOrSelf(value.getType()), result = like(element);
  unsigned from = have.getIntOrFloatBitWidth(), to = element.getIntOrFloatBitWidth();
  if (from < to)
    return arith::ExtFOp::create(b, result, value);
  if (from > to)
    return arith::TruncFOp::create(b, result, value);
  if (have == element)
    return value;
  // bf16 and f16 have no direct conversion.
  Value wide = arith::ExtFOp::create(b, like(b.getF32Type()), value);
  return arith::TruncFOp::create(b, result, wide);
}

} // namespace forge::transformer
