// Writing the weights of a folder in Hugging Face form. No MLIR.
#ifndef FORGE_CHECKPOINT_SAVECHECKPOINT_H
#define FORGE_CHECKPOINT_SAVECHECKPOINT_H

#include "forge/Support/StagedFolder.h"
#include "forge/Support/TensorSpec.h"

#include <functional>
#include <span>

namespace forge {

struct NamedTensor {
  std::string name;
  TensorSpec spec;
};

/// Gives the elements of a tensor from `begin` on, in row-major order, densely packed. Parts come
/// in order, and each but the last has a multiple of 4 elements.
using ElementSource =
    std::function<Result<void>(const NamedTensor &tensor, int64_t begin, std::span<char> bytes)>;

/// Writes model.safetensors; or where the tensors are of more than `shardBytes` bytes several files
/// model-00001-of-0000N.safetensors, which have at most so many unless one tensor has more, and
/// model.safetensors.index.json. Takes at most 64 MiB of memory for elements.
Result<void> saveCheckpoint(StagedFolder &folder, const std::vector<NamedTensor> &tensors,
                            const ElementSource &source, uint64_t shardBytes = 5'000'000'000);

} // namespace forge

#endif // FORGE_CHECKPOINT_SAVECHECKPOINT_H
