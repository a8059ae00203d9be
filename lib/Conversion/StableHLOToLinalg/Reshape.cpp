#include "Reshape.h"
#include "ScalarBuilder.h"

#include "forge/Conversion/Utils/TensorUtils.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"

using namespace mlir;
using namespace forge;

SmallVector<OpFoldResult> forge::getSizesOf(OpBuilder &builder, RankedTensorType type) {
  SmallVector<OpFoldResult> sizes;
  for (int64_t size : type.getShape())
    sizes.push_back(ShapedType::isDynamic(size) ? OpFoldResult() : builder.getIndexAttr(size));
  return sizes;
}

/// A tensor of up to eight numbers, such as a shape, is kept as scalars: from them to one rank-1
/// tensor and back costs nothing.
static Value reshapeScalars(OpBuilder &builder, Location loc, Value source, RankedTensorType type) {
  if (auto elements = source.getDefiningOp<tensor::FromElementsOp>())
    return tensor::FromElementsOp::create(builder, loc, type, elements.getElements());
  if (type.getNumElements() != 1)
    return nullptr;
  bool touchesScalar =
      type.getRank() == 0 || cast<RankedTensorType>(source.getType()).getRank() == 0;
  if (!touchesScalar)
    return nullptr;
  Value scalar = extractScalar(builder, loc, source);
  return tensor::FromElementsOp::create(builder, loc, type, scalar);
}

/// One dimension per dimension of the result, without any that could not be told apart.
static Value expandFromLine(OpBuilder &builder, Location loc, Value line, RankedTensorType type,
                            ArrayRef<OpFoldResult> sizes) {
  int64_t length = type.hasStaticShape() ? type.getNumElements() : ShapedType::kDynamic;
  line = castTensor(builder, loc, line, RankedTensorType::get({length}, type.getElementType()));
  if (type.getRank() == 1)
    return line;
  SmallVector<ReassociationIndices> all(1);
  llvm::append_range(all.front(), llvm::seq<int64_t>(0, type.getRank()));
  // MLIR's canonical form of expand_shape expects an operand for each size that is dynamic in its
  // type, and crashes where that is a known number.
  SmallVector<OpFoldResult> outputSizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    outputSizes.push_back(
        type.isDynamicDim(dim)
            ? OpFoldResult(getValueOrCreateConstantIndexOp(builder, loc, sizes[dim]))
            : OpFoldResult(builder.getIndexAttr(type.getDimSize(dim))));
  return tensor::ExpandShapeOp::create(builder, loc, type, line, all, outputSizes);
}

/// A reshape to several dynamic sizes takes its shape as an operand: expand_shape of a memref works
/// out at most one dynamic size per group.
static Value reshapeByOperand(OpBuilder &builder, Location loc, Value source, RankedTensorType type,
                              ArrayRef<OpFoldResult> sizes) {
  SmallVector<Value> elements;
  for (OpFoldResult size : sizes)
    elements.push_back(getValueOrCreateConstantIndexOp(builder, loc, size));
  Value shape = tensor::FromElementsOp::create(builder, loc, elements);
  return tensor::ReshapeOp::create(builder, loc, type, source, shape);
}

Value forge::createReshape(OpBuilder &builder, Location loc, Value source, RankedTensorType type,
                           ArrayRef<OpFoldResult> sizes) {
  auto sourceType = cast<RankedTensorType>(source.getType());
  if (sourceType == type)
    return source;
  if (type.hasStaticShape())
    if (Value result = reshapeScalars(builder, loc, source, type))
      return result;
  if (type.hasStaticShape() && sourceType.hasStaticShape() && type.getNumElements() > 0 &&
      type.getRank() != sourceType.getRank()) {
    if (auto groups = getReassociationIndicesForReshape(sourceType, type)) {
      if (type.getRank() < sourceType.getRank())
        return tensor::CollapseShapeOp::create(builder, loc, type, source, *groups);
      return tensor::ExpandShapeOp::create(builder, loc, type, source, *groups);
    }
  }
  if (type.getNumDynamicDims() > 1)
    return reshapeByOperand(builder, loc, source, type, sizes);
  if (sourceType.getRank() == 0) // of dynamic shape: all its sizes are 1
    source = tensor::FromElementsOp::create(builder, loc,
                                            RankedTensorType::get({1}, type.getElementType()),
                                            extractScalar(builder, loc, source));
  if (sourceType.getRank() > 1) {
    SmallVector<ReassociationIndices> all(1);
    llvm::append_range(all.front(), llvm::seq<int64_t>(0, sourceType.getRank()));
    source = tensor::CollapseShapeOp::create(builder, loc, source, all);
  }
  return expandFromLine(builder, loc, source, type, sizes);
}

/// True if the broadcast only puts in dimensions of size 1.
static bool isExpansion(RankedTensorType source, RankedTensorType type, ArrayRef<int64_t> dims) {
  if (!llvm::is_sorted(dims) || source.getNumElements() != type.getNumElements())
    return false;
  for (auto [from, to] : llvm::zip_equal(source.getShape(), dims))
    if (from != type.getDimSize(to))
      return false;
  return true;
}

/// `source` without the dimensions that are stretched; `dims` is shortened with it.
static Value dropStretched(OpBuilder &builder, Location loc, Value source, RankedTensorType type,
                           SmallVector<int64_t> &dims) {
  auto sourceType = cast<RankedTensorType>(source.getType());
  SmallVector<int64_t> shape, kept;
  for (auto [size, dim] : llvm::zip_equal(sourceType.getShape(), dims)) {
    if (size == 1 && type.getDimSize(dim) != 1)
      continue;
    shape.push_back(size);
    kept.push_back(dim);
  }
  dims = kept;
  auto reduced = RankedTensorType::get(shape, sourceType.getElementType());
  return createReshape(builder, loc, source, reduced, getSizesOf(builder, reduced));
}

Value forge::createStaticBroadcast(OpBuilder &builder, Location loc, Value source,
                                   RankedTensorType type, ArrayRef<int64_t> dims) {
  auto sourceType = cast<RankedTensorType>(source.getType());
  if (sourceType == type && llvm::equal(dims, llvm::seq<int64_t>(0, type.getRank())))
    return source;
  if (Value scalar = getSplatScalar(builder, loc, source))
    return createFill(builder, loc, type, scalar, {});
  if (isExpansion(sourceType, type, dims))
    return createReshape(builder, loc, source, type, getSizesOf(builder, type));
  SmallVector<int64_t> kept(dims);
  source = dropStretched(builder, loc, source, type, kept);
  if (kept.empty())
    return createFill(builder, loc, type, extractScalar(builder, loc, source), {});
  SmallVector<AffineExpr> exprs;
  for (int64_t dim : kept)
    exprs.push_back(builder.getAffineDimExpr(dim));
  int64_t rank = type.getRank();
  AffineMap map = AffineMap::get(rank, 0, exprs, builder.getContext());
  Value init = createEmpty(builder, loc, type, {});
  auto generic = linalg::GenericOp::create(
      builder, loc, type, source, init,
      ArrayRef<AffineMap>{map, builder.getMultiDimIdentityMap(rank)}, parallelIterators(rank),
      [](OpBuilder &b, Location l, ValueRange args) { linalg::YieldOp::create(b, l, args[0]); });
  return generic.getResult(0);
}

Value forge::createIota(OpBuilder &builder, Location loc, Value init, int64_t dim,
                        Type elementType) {
  return createIndexed(builder, loc, init, [&](OpBuilder &b, Location l, ValueRange indices) {
    Value position = arith::IndexCastOp::create(b, l, b.getI64Type(), indices[dim]);
    ScalarBuilder s(b, l);
    // Signed: 2^63 elements do not exist, and conversions from signed integers are faster.
    return convertScalar(s, position, b.getI64Type(), elementType);
  });
}
