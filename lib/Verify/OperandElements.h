// Where the elements of an operand of a linalg operation are.
#ifndef FORGE_LIB_VERIFY_OPERANDELEMENTS_H
#define FORGE_LIB_VERIFY_OPERANDELEMENTS_H

#include "Buffer.h"

#include "mlir/IR/AffineMap.h"

namespace forge::interpreter {

/// A place for each point of a nest of loops: `first` + the sum of point[loop] * steps[loop].
struct LoopPlaces {
  int64_t first = 0;
  llvm::SmallVector<int64_t> steps;
};

/// The elements of a tensor, or of a part of memory.
struct OperandElements {
  const HostTensor *tensor;
  reference::Dims sizes, strides;
  int64_t offset = 0;

  explicit OperandElements(const HostTensor &tensor)
      : tensor(&tensor), sizes(tensor.dims()), strides(reference::stridesOf(tensor.dims())) {}
  explicit OperandElements(const Buffer &buffer)
      : tensor(buffer.memory.get()), sizes(buffer.sizes), strides(buffer.strides),
        offset(buffer.offset) {}

  /// The place in `tensor` of the element that `map` tells at `point`; fails outside of it.
  Result<int64_t> placeOf(mlir::AffineMap map, llvm::ArrayRef<int64_t> point) const;
  Result<int64_t> placeOf(llvm::ArrayRef<int64_t> index) const;
  /// The same for all points of loops of `loopSizes`, none of them 0; nothing where the map is not
  /// linear or a point may be outside.
  std::optional<LoopPlaces> placesOf(mlir::AffineMap map, llvm::ArrayRef<int64_t> loopSizes) const;
};

} // namespace forge::interpreter

#endif // FORGE_LIB_VERIFY_OPERANDELEMENTS_H
