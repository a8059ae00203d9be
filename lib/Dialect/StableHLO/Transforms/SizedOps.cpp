#include "SizedOps.h"

#include "forge/Dialect/StableHLO/IR/StableHLO.h"

using namespace mlir;
using namespace forge;
using namespace forge::stablehlo;

Value SizedOps::sizes(Value value, ArrayRef<int64_t> shape) {
  auto one = RankedTensorType::get({1}, builder.getI64Type());
  SmallVector<Value> parts;
  for (auto [dim, size] : llvm::enumerate(shape)) {
    if (!ShapedType::isDynamic(size)) {
      parts.push_back(ConstantOp::create(builder, loc, DenseElementsAttr::get(one, size)));
      continue;
    }
    Value scalar =
        GetDimensionSizeOp::create(builder, loc, RankedTensorType::get({}, builder.getI32Type()),
                                   value, builder.getI64IntegerAttr(static_cast<int64_t>(dim)));
    scalar =
        ConvertOp::create(builder, loc, RankedTensorType::get({}, builder.getI64Type()), scalar);
    parts.push_back(ReshapeOp::create(builder, loc, one, scalar));
  }
  return ConcatenateOp::create(builder, loc, one.clone({static_cast<int64_t>(shape.size())}), parts,
                               0);
}

Value SizedOps::reshape(Value value, ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(value.getType()).clone(shape);
  if (type.hasStaticShape())
    return ReshapeOp::create(builder, loc, type, value);
  return DynamicReshapeOp::create(builder, loc, type, value, sizes(value, shape));
}

Value SizedOps::slice(Value value, int64_t dim, int64_t from, int64_t to) {
  auto type = cast<RankedTensorType>(value.getType());
  int64_t rank = type.getRank();
  SmallVector<int64_t> starts(rank, 0), limits(type.getShape()), strides(rank, 1),
      shape(type.getShape());
  starts[dim] = from;
  limits[dim] = to;
  shape[dim] = to - from;
  if (type.hasStaticShape())
    return SliceOp::create(builder, loc, type.clone(shape), value, starts, limits, strides);
  auto constant = [&](ArrayRef<int64_t> values) -> Value {
    auto vector = RankedTensorType::get({rank}, builder.getI64Type());
    return ConstantOp::create(builder, loc, DenseElementsAttr::get(vector, values));
  };
  return RealDynamicSliceOp::create(builder, loc, type.clone(shape), value, constant(starts),
                                    sizes(value, limits), constant(strides));
}

Value SizedOps::broadcast(Value value, Value like, ArrayRef<int64_t> dims) {
  auto element = cast<RankedTensorType>(value.getType()).getElementType();
  auto type = cast<RankedTensorType>(like.getType()).clone(element);
  if (type.hasStaticShape())
    return BroadcastInDimOp::create(builder, loc, type, value, dims);
  return DynamicBroadcastInDimOp::create(builder, loc, type, value, sizes(like, type.getShape()),
                                         dims, DenseI64ArrayAttr(), DenseI64ArrayAttr());
}
