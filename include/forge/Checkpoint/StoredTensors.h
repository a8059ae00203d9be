// Tensors inside the bytes of a file. No MLIR.
#ifndef FORGE_CHECKPOINT_STOREDTENSORS_H
#define FORGE_CHECKPOINT_STOREDTENSORS_H

#include "forge/Support/TensorSpec.h"

#include <map>
#include <optional>
#include <string_view>

namespace forge {

/// A tensor of a file: its type, and its elements inside the bytes that were parsed. They are
/// little endian, densely packed and aligned to nothing.
struct StoredTensor {
  TensorSpec spec;
  std::string_view elements;
};

using StoredTensors = std::map<std::string, StoredTensor, std::less<>>;

/// The bytes of the elements of a static type; none where they are 2^64 or more.
std::optional<uint64_t> denseBytes(const TensorSpec &spec);

/// Fails where two tensors share a byte.
Result<void> checkApart(const StoredTensors &tensors);

} // namespace forge

#endif // FORGE_CHECKPOINT_STOREDTENSORS_H
