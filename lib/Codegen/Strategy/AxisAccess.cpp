#include "AxisAccess.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace forge;

int64_t AxisAccess::alignmentAlong(std::optional<unsigned> axis, int64_t bytes,
                                   int64_t widest) const {
  if (!axis || strides[*axis] != 1)
    return 0;
  auto isAligned = [&](int64_t align, int64_t elements) { return elements * bytes % align == 0; };
  for (int64_t align = widest; align > bytes; align /= 2)
    if (isAligned(align, offset) &&
        llvm::all_of(terms, [&](const Term &term) { return isAligned(align, term.elements); }) &&
        llvm::all_of(llvm::enumerate(strides), [&](auto each) {
          return each.index() == *axis || isAligned(align, each.value());
        }))
      return align;
  return 0;
}

Value forge::castToAxes(ImplicitLocOpBuilder &b, const AxisAccess &access,
                        ArrayRef<AxisExtent> dims) {
  SmallVector<int64_t> sizes, strides;
  for (const AxisAccess::Term &term : access.terms) {
    sizes.push_back(term.size);
    strides.push_back(term.elements);
  }
  for (const AxisExtent &dim : dims) {
    sizes.push_back(dim.size);
    strides.push_back(dim.axis ? access.strides[*dim.axis] : 0);
  }
  auto root = cast<MemRefType>(access.root.getType());
  auto type = MemRefType::get(sizes, root.getElementType(),
                              StridedLayoutAttr::get(b.getContext(), access.offset, strides),
                              root.getMemorySpace());
  return memref::ReinterpretCastOp::create(b, type, access.root, access.offset, sizes, strides);
}

bool forge::beginAt(AxisAccess &access, const OperandView &view) {
  auto type = cast<ShapedType>(view.root.getType());
  int64_t stride = 1;
  access.offset = 0;
  access.terms.clear();
  for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
    if (type.isDynamicDim(dim) && (dim > 0 || !view.begins[dim].terms.empty()))
      return false;
    access.offset += view.begins[dim].known * stride;
    for (auto [value, factor] : view.begins[dim].terms)
      access.terms.push_back({value, factor * stride, type.getDimSize(dim)});
    if (dim > 0)
      stride *= type.getDimSize(dim);
  }
  return true;
}

std::optional<AxisAccess> forge::axisAccessOf(Value value, AffineMap map, ArrayRef<unsigned> axes,
                                              size_t numAxes, bool mayHaveTerms) {
  std::optional<OperandView> view = viewOf(value);
  AxisAccess access;
  if (!view || !beginAt(access, *view) || (!mayHaveTerms && !access.terms.empty()))
    return std::nullopt;
  access.root = view->root;
  access.strides.resize(numAxes);
  for (auto [number, expr] : llvm::enumerate(map.getResults())) {
    int64_t stride = view->stride(number).known;
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      access.strides[axes[dim.getPosition()]] += stride;
    else if (auto constant = dyn_cast<AffineConstantExpr>(expr))
      access.offset += constant.getValue() * stride;
    else
      return std::nullopt;
  }
  return access;
}
