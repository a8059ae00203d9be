// The safetensors format: 8 bytes that hold the length of a header, the header in JSON, and the
// elements of all tensors, one behind the other. No MLIR.
#ifndef FORGE_CHECKPOINT_SAFETENSORS_H
#define FORGE_CHECKPOINT_SAFETENSORS_H

#include "forge/Checkpoint/StoredTensors.h"

namespace forge {

/// What the format calls a type, or none where it has no such type.
std::optional<std::string_view> safetensorsTypeName(DType type);

/// The tensors of a file. For any bytes, each has as many elements as its shape asks for, all
/// of them inside `bytes`, and no two tensors share a byte.
Result<StoredTensors> parseSafetensors(std::string_view bytes);

} // namespace forge

#endif // FORGE_CHECKPOINT_SAFETENSORS_H
