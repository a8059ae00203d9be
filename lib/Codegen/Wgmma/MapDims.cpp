#include "MapDims.h"

#include "WgmmaTile.h"

using namespace mlir;
using namespace forge;

/// The one axis of a dimension that is as it is in memory; nothing if there are several.
static std::optional<unsigned> onlyAxis(const MapDim &dim) {
  if (dim.extent || dim.indices.size() != 1 || dim.indices.front().steps.size() != 1)
    return std::nullopt;
  return dim.indices.front().steps.front().axis;
}

/// Whether `dim`, of terms that copies divide evenly, ends where the next element of a dimension
/// with `stride` begins: then that dimension can be a part of it.
static bool isContinued(const MapDim &dim, const ElementCount &stride, const ProductAxes &axes,
                        int64_t elementBytes) {
  std::optional<unsigned> axis = onlyAxis(dim);
  if (!axis || axes.axes[*axis].role != AxisRole::Term || !dim.stride.isOne() ||
      !stride.dynamic.empty())
    return false;
  int64_t size = axes.axes[*axis].size;
  return size == stride.known && size % (kSwizzleBytes / elementBytes) == 0;
}

/// Adds dimension `dim` of the operand, which zeros surround, with all axes that move along it.
static bool addPadded(SmallVectorImpl<MapDim> &dims, unsigned dim, const ProductAxes &axes,
                      const ProductOperand &operand) {
  const OperandView::Dim &inside = operand.view.dims[dim];
  ElementCount stride = operand.view.stride(dim);
  MapIndex whole;
  whole.low = *inside.low;
  int64_t rows = 0, period = 1;
  for (const ProductOperand::Place &place : operand.places) {
    if (place.dims.back() != dim)
      continue;
    int64_t factor = place.stride.known / stride.known;
    whole.steps.push_back({place.axis, factor});
    if (axes.axes[place.axis].role == AxisRole::Row) {
      ++rows;
      period = factor;
    }
  }
  // Copies are boxes: of neighbours along what is side by side, from a multiple of 16 bytes on, of
  // one axis of rows.
  int64_t bytes = getElementTypeOrSelf(operand.value).getIntOrFloatBitWidth() / 8;
  if (rows > 1 || !stride.dynamic.empty() || ShapedType::isDynamic(inside.size) ||
      (stride.isOne() && (whole.low * bytes % kMapBytes != 0 || whole.steps.size() > 1 ||
                          whole.steps.front().factor > 1)))
    return false;
  if (period == 1) {
    dims.push_back({{whole}, stride, inside.size});
    return true;
  }
  if (inside.size % period != 0)
    return false;
  MapIndex quotient = whole, remainder = whole;
  quotient.part = MapIndex::Part::Quotient;
  remainder.part = MapIndex::Part::Remainder;
  quotient.period = remainder.period = period;
  llvm::erase_if(remainder.steps, [&](MapStep step) { return step.factor % period == 0; });
  if (!dims.empty() && isContinued(dims.back(), stride, axes, bytes)) {
    remainder.scale = stride.known;
    dims.back().extent = period * stride.known;
    dims.back().indices.push_back(std::move(remainder));
  } else {
    dims.push_back({{std::move(remainder)}, stride, period});
  }
  stride.known *= period;
  dims.push_back({{std::move(quotient)}, stride, inside.size / period});
  return true;
}

/// The dimension of `dims` that `place` of a window moves along too. Copies are boxes of rows, and
/// take neighbours of them.
static MapDim *findShared(SmallVectorImpl<MapDim> &dims, const ProductOperand::Place &place,
                          const ProductAxes &axes, const ProductOperand &operand) {
  auto *found = llvm::find_if(dims, [&](const MapDim &dim) {
    if (dim.extent)
      return false;
    const ProductOperand::Place &unit = *operand.placeOf(dim.indices.front().steps.front().axis);
    return place.inWindow && unit.inWindow && unit.dims.back() == place.dims.back() &&
           place.stride.isMultipleOf(unit.stride.known) &&
           (axes.axes[place.axis].role != AxisRole::Row || place.stride == unit.stride);
  });
  return found == dims.end() ? nullptr : found;
}

static MapDim dimOf(MapStep step, const ElementCount &stride) {
  MapDim dim;
  dim.indices.emplace_back().steps.push_back(step);
  dim.stride = stride;
  return dim;
}

SmallVector<MapDim, 5> forge::mapDims(const ProductAxes &axes, const ProductOperand &operand) {
  SmallVector<MapDim, 5> dims;
  llvm::SmallDenseSet<unsigned> padded;
  for (const ProductOperand::Place &place : llvm::reverse(operand.places)) {
    unsigned dim = place.dims.back();
    if (operand.view.dims[dim].low) {
      if (padded.insert(dim).second && !addPadded(dims, dim, axes, operand))
        return {};
      continue;
    }
    if (MapDim *same = findShared(dims, place, axes, operand))
      same->indices.front().steps.push_back({place.axis, place.stride.known / same->stride.known});
    else
      dims.push_back(dimOf({place.axis, 1}, place.stride));
  }
  return dims;
}
