// A tensor whose elements are taken piece by piece, from wherever they are. No MLIR.
#ifndef FORGE_SUPPORT_TENSORSOURCE_H
#define FORGE_SUPPORT_TENSORSOURCE_H

#include "forge/Support/HostTensor.h"
#include "forge/Support/TensorSpec.h"

#include <functional>
#include <span>

namespace forge {

struct TensorSource {
  /// Offsets of pieces are multiples of it, and their sizes, but for the last piece.
  static constexpr size_t kPieceBytes = size_t(1) << 23;

  /// Of static sizes.
  TensorSpec spec;
  /// Writes the elements' bytes from `offset` on, as a HostTensor has them. Several threads may
  /// call it at once.
  std::function<void(size_t offset, std::span<char> bytes)> copy;

  /// What `tensor` holds.
  static TensorSource of(HostTensor tensor);

  size_t numBytes() const;
  /// All elements, copied by several threads. Fails when out of memory.
  Result<HostTensor> tensor() const;
};

} // namespace forge

#endif // FORGE_SUPPORT_TENSORSOURCE_H
