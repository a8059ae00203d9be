#include "SplitDims.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace forge;

std::optional<SplitDims> SplitDims::of(RankedTensorType whole, RankedTensorType split) {
  if (!whole.hasStaticShape() || !split.hasStaticShape())
    return std::nullopt;
  SplitDims dims;
  dims.shape.assign(whole.getShape().begin(), whole.getShape().end());
  int64_t dim = 0;
  bool isSplit = false;
  for (auto [number, size] : llvm::enumerate(dims.shape)) {
    int64_t rest = size, first = dim;
    while (rest > 1) {
      int64_t part = dim < split.getRank() ? split.getDimSize(dim) : 0;
      if (part < 2 || rest % part != 0)
        return std::nullopt;
      rest /= part;
      dims.parts.push_back({static_cast<unsigned>(number), rest, part});
      ++dim;
    }
    isSplit |= dim > first + 1;
  }
  return isSplit && dim == split.getRank() ? std::optional(dims) : std::nullopt;
}

bool SplitDims::hasWholes(ArrayRef<unsigned> dims) const {
  for (auto [number, part] : llvm::enumerate(parts))
    for (auto [other, otherPart] : llvm::enumerate(parts))
      if (part.whole == otherPart.whole &&
          llvm::is_contained(dims, number) != llvm::is_contained(dims, other))
        return false;
  return true;
}

SmallVector<unsigned> SplitDims::wholesOf(ArrayRef<unsigned> dims) const {
  SmallVector<unsigned> wholes;
  for (unsigned whole = 0; whole < shape.size(); ++whole)
    if (llvm::any_of(dims, [&](unsigned dim) { return parts[dim].whole == whole; }))
      wholes.push_back(whole);
  return wholes;
}

std::optional<SmallVector<ReassociationIndices>>
SplitDims::groupsOf(ArrayRef<unsigned> dims) const {
  if (!hasWholes(dims))
    return std::nullopt;
  SmallVector<ReassociationIndices> groups;
  SmallVector<unsigned> seen;
  for (auto [place, dim] : llvm::enumerate(dims)) {
    bool continues = place > 0 && wholeOf(dims[place - 1]) == wholeOf(dim);
    if (continues ? dims[place - 1] + 1 != dim : llvm::is_contained(seen, wholeOf(dim)))
      return std::nullopt;
    if (!continues) {
      groups.emplace_back();
      seen.push_back(wholeOf(dim));
    }
    groups.back().push_back(static_cast<int64_t>(place));
  }
  return groups;
}

Value SplitDims::partIndex(ImplicitLocOpBuilder &b, unsigned dim, Value index) const {
  const Part &part = parts[dim];
  auto constant = [&](int64_t value) { return arith::ConstantIndexOp::create(b, value); };
  if (part.stride * part.size < shape[part.whole])
    index = arith::RemUIOp::create(b, index, constant(part.stride * part.size));
  return part.stride == 1 ? index : arith::DivUIOp::create(b, index, constant(part.stride));
}
