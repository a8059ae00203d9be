#include "AxisMemory.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace forge;

std::optional<AxisMemory> forge::byAxes(ThreadBuilder &b, const ProductAxes &axes, Value memory,
                                        ArrayRef<unsigned> loops) {
  AxisMemory flat;
  SmallVector<ReassociationIndices> groups;
  ReassociationIndices open;
  auto axisOf = [&](unsigned loop) {
    return llvm::find_if(
        axes.axes, [&](const ProductAxis &axis) { return llvm::is_contained(axis.loops, loop); });
  };
  for (size_t dim = 0; dim < loops.size();) {
    const auto *axis = axisOf(loops[dim]);
    // A dimension of one element goes with its neighbour.
    if (axis == axes.axes.end()) {
      open.push_back(dim++);
      continue;
    }
    for (unsigned loop : axis->loops) {
      while (dim < loops.size() && loops[dim] != loop && axisOf(loops[dim]) == axes.axes.end())
        open.push_back(dim++);
      if (dim == loops.size() || loops[dim] != loop)
        return std::nullopt;
      open.push_back(dim++);
    }
    groups.push_back(std::exchange(open, {}));
    flat.axes.push_back(static_cast<unsigned>(axis - axes.axes.begin()));
  }
  if (!groups.empty())
    groups.back().append(open.begin(), open.end());
  bool isSame = groups.size() == loops.size();
  flat.memory = isSame ? memory : memref::CollapseShapeOp::create(b, memory, groups).getResult();
  return flat;
}

AxisMemory forge::addUnits(ThreadBuilder &b, AxisMemory memory, bool hasFirst, bool hasLast) {
  memory.hasUnits = true;
  auto type = cast<MemRefType>(memory.memory.getType());
  if (!hasFirst && !hasLast)
    return memory;
  SmallVector<int64_t> shape(type.getShape());
  SmallVector<OpFoldResult> extentsOf = memref::getMixedSizes(b, b.getLoc(), memory.memory);
  SmallVector<ReassociationIndices> groups;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    groups.push_back({dim + (hasFirst ? 1 : 0)});
  auto add = [&](bool isFirst) {
    shape.insert(isFirst ? shape.begin() : shape.end(), 1);
    extentsOf.insert(isFirst ? extentsOf.begin() : extentsOf.end(), b.getIndexAttr(1));
    if (groups.empty())
      return;
    ReassociationIndices &group = isFirst ? groups.front() : groups.back();
    group.insert(isFirst ? group.begin() : group.end(),
                 isFirst ? 0 : static_cast<int64_t>(shape.size()) - 1);
  };
  if (hasFirst)
    add(/*isFirst=*/true);
  if (hasLast)
    add(/*isFirst=*/false);
  auto expanded = MemRefType::get(shape, type.getElementType(), MemRefLayoutAttrInterface(),
                                  type.getMemorySpace());
  memory.memory = memref::ExpandShapeOp::create(b, expanded, memory.memory, groups, extentsOf);
  return memory;
}
