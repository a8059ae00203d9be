// The tensors of a folder in Hugging Face form, in one safetensors file or several. No MLIR.
#ifndef FORGE_CHECKPOINT_CHECKPOINTINDEX_H
#define FORGE_CHECKPOINT_CHECKPOINTINDEX_H

#include "forge/Support/BlockFormat.h"
#include "forge/Support/TensorSpec.h"

#include <map>
#include <optional>

namespace forge {

/// Where a tensor is, and of which type.
struct IndexedTensor {
  std::string file; ///< relative to the folder, without components
  TensorSpec spec;
  std::string name = {};                            ///< there; empty: its own
  std::optional<BlockFormat> format = std::nullopt; ///< of rows in blocks, whose bytes `spec` is of
};

using CheckpointIndex = std::map<std::string, IndexedTensor, std::less<>>;

/// Reads the headers of model.safetensors, or of the files that model.safetensors.index.json names;
/// every tensor it names must be in its file. Errors start with the path.
Result<CheckpointIndex> indexCheckpoint(const std::string &folder);

/// The files, by tensor, that an index file (model.safetensors.index.json) names; all in its own
/// folder. Errors start with the path.
Result<std::map<std::string, std::string>> readWeightMap(const std::string &path);

/// `file`, relative to the folder `from`, as it is called relative to the folder `to`.
std::string rebaseFile(const std::string &file, const std::string &from, const std::string &to);

} // namespace forge

#endif // FORGE_CHECKPOINT_CHECKPOINTINDEX_H
