// A GGUF file as a checkpoint in Hugging Face form: its metadata as config.json, its tensors by the
// names that they have there.
#ifndef FORGE_LIB_IMPORT_HUGGINGFACE_GGUFMODEL_H
#define FORGE_LIB_IMPORT_HUGGINGFACE_GGUFMODEL_H

#include "Decoder.h"

#include "forge/Checkpoint/CheckpointIndex.h"

#include <nlohmann/json.hpp>

namespace forge::huggingface {

struct GgufModel {
  /// Keys and values as those of config.json, model_type among them.
  nlohmann::json config;
  /// By the names of Hugging Face's checkpoints. `name` is what the file calls a tensor.
  CheckpointIndex index;
  /// Of keys of `config`, what of the file they were read from.
  std::map<std::string, std::string> origins;

  /// What files of this architecture call a tensor of such checkpoints.
  std::string storedName(std::string_view name) const;
  /// What files of this architecture store otherwise than such checkpoints.
  void adjust(DecoderConfig &model) const;
  std::string architecture;     ///< general.architecture
  bool interleavedRope = false; ///< rows of queries and keys in the order of neighbours
  bool addedOne = false;        ///< norms have 1 added to their weights
};

/// Of architectures llama, qwen2, qwen3, gemma2 and phi3. Errors start with the path, and name the
/// key, what was expected and what came.
Result<GgufModel> readGgufModel(const std::string &path);

} // namespace forge::huggingface

#endif // FORGE_LIB_IMPORT_HUGGINGFACE_GGUFMODEL_H
