// The GGUF format, versions 2 and 3, little endian: metadata, a table of tensors, and their
// elements (https://github.com/ggml-org/ggml/blob/master/docs/gguf.md). No MLIR.
#ifndef FORGE_CHECKPOINT_GGUF_H
#define FORGE_CHECKPOINT_GGUF_H

#include "forge/Checkpoint/StoredTensors.h"
#include "forge/Support/BlockFormat.h"

#include <nlohmann/json.hpp>

namespace forge {

/// Whether a file says that it is of this format.
inline bool isGguf(std::string_view bytes) { return bytes.starts_with("GGUF"); }

/// The tensors of a file. For any bytes, each has as many elements as its shape asks for, all of
/// them inside `bytes`, and no two tensors share a byte. Sizes are outermost first; the format has
/// them innermost first. Types are F32, F16, BF16, F64 and I8 to I64. Rows in blocks of Q4_0, Q8_0,
/// Q4_K or Q6_K are taken as the bytes they are: [N, K] is [N, K / elements of a block * bytes of
/// a block] of u8. Other types are errors. Of the metadata only the alignment is used.
Result<StoredTensors> parseGguf(std::string_view bytes);

/// The same with what a model is made of.
struct GgufFile {
  /// Values by key: numbers, truth values, texts as they are stored, and lists of them.
  nlohmann::json metadata;
  StoredTensors tensors;
  /// Of tensors in blocks.
  std::map<std::string, BlockFormat, std::less<>> formats;
};

Result<GgufFile> parseGgufFile(std::string_view bytes);

/// The metadata of the file `path`. Errors start with the path.
Result<nlohmann::json> readGgufMetadata(const std::string &path);

/// The bytes of a file with the same metadata and without tensors.
Result<std::string> withoutTensors(std::string_view bytes);

/// Whether `path` is a file of this format; false where it cannot be read.
bool isGgufFile(const std::string &path);

} // namespace forge

#endif // FORGE_CHECKPOINT_GGUF_H
