#include "FlatArgument.h"

#include "forge/Codegen/ContiguousView.h"

using namespace mlir;
using namespace forge;

FlatArgument::FlatArgument(Type type) : type(type), memref(dyn_cast<MemRefType>(type)) {
  bool isPointer = memref && memref.hasStaticShape() && memref.getLayout().isIdentity();
  isWhole = !memref || isPointer;
  isEmpty = isPointer && memref.getNumElements() == 0;
}

SmallVector<Type> FlatArgument::types() const {
  if (isEmpty)
    return {};
  if (isWhole)
    return {type};
  SmallVector<Type> flat{
      MemRefType::get({}, memref.getElementType(), AffineMap(), memref.getMemorySpace())};
  flat.append(memref.getNumDynamicDims(), IndexType::get(type.getContext()));
  return flat;
}

SmallVector<Value> FlatArgument::flatten(OpBuilder &builder, Location loc, Value value) const {
  if (isEmpty)
    return {};
  if (isWhole)
    return {value};
  SmallVector<Value> flat{memref::ReinterpretCastOp::create(
      builder, loc, cast<MemRefType>(types().front()), value, /*offset=*/builder.getIndexAttr(0),
      ArrayRef<OpFoldResult>(), ArrayRef<OpFoldResult>())};
  for (int64_t dim = 0; dim < memref.getRank(); ++dim)
    if (memref.isDynamicDim(dim))
      flat.push_back(memref::DimOp::create(builder, loc, value, dim));
  return flat;
}

Value FlatArgument::rebuild(OpBuilder &builder, Location loc, ValueRange flat) const {
  if (isEmpty)
    return memref::AllocaOp::create(builder, loc, memref);
  if (isWhole)
    return flat.front();
  SmallVector<OpFoldResult> sizes;
  size_t next = 1;
  for (int64_t dim = 0; dim < memref.getRank(); ++dim)
    sizes.push_back(memref.isDynamicDim(dim) ? OpFoldResult(flat[next++])
                                             : builder.getIndexAttr(memref.getDimSize(dim)));
  return viewAs(builder, loc, flat.front(), memref, sizes);
}
