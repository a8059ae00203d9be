// How the rotary positions of a GGUF file's model are stretched.
#ifndef FORGE_LIB_IMPORT_HUGGINGFACE_GGUFROPE_H
#define FORGE_LIB_IMPORT_HUGGINGFACE_GGUFROPE_H

#include "GgufMetadata.h"

#include "forge/Checkpoint/Gguf.h"

namespace forge::huggingface {

/// Puts rope_scaling and original_max_position_embeddings into `config`, for `rotated` elements of
/// each head, as llama.cpp reads them: factors of frequencies in tensors, or type linear or yarn.
void readGgufRope(GgufMetadata &metadata, const GgufFile &file, int64_t rotated,
                  nlohmann::json &config);

} // namespace forge::huggingface

#endif // FORGE_LIB_IMPORT_HUGGINGFACE_GGUFROPE_H
