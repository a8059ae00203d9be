// The dimensions of the tensor map of a factor.
#ifndef FORGE_LIB_CODEGEN_WGMMA_MAPDIMS_H
#define FORGE_LIB_CODEGEN_WGMMA_MAPDIMS_H

#include "../Strategy/ProductAxes.h"

namespace forge {

/// What strides of a tensor map are multiples of, and where copies begin along what is side by side
/// (CUDA Driver API, cuTensorMapEncodeTiled; the beginnings as seen on an H200).
inline constexpr int64_t kMapBytes = 16;

/// An axis that moves `factor` elements along a dimension.
struct MapStep {
  unsigned axis;
  int64_t factor;
};

/// The sum of steps less what zeros come before, or its quotient or remainder by `period`: a place
/// of an image.
struct MapIndex {
  enum class Part { Whole, Quotient, Remainder };
  llvm::SmallVector<MapStep, 2> steps;
  int64_t low = 0;
  Part part = Part::Whole;
  int64_t period = 1;
  /// What it is multiplied by.
  int64_t scale = 1;
};

/// A dimension of a tensor map, whose index is the sum of these; one element where there are none.
struct MapDim {
  llvm::SmallVector<MapIndex, 1> indices;
  ElementCount stride;
  /// Elements, where they are more or fewer than those that steps reach: what is beyond, or before
  /// the first one, is zero.
  std::optional<int64_t> extent;

  bool isOfOne() const { return indices.empty(); }
};

/// The dimensions of a tensor map of `operand`, the innermost first: axes of windows that move
/// along the same elements share one. Where zeros surround a dimension whose every n-th place is a
/// row, places of windows are at a quotient and a remainder by n. None where zeros are around
/// dimensions that no map has so.
llvm::SmallVector<MapDim, 5> mapDims(const ProductAxes &axes, const ProductOperand &operand);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_WGMMA_MAPDIMS_H
