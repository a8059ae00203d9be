// Weights that are stored in blocks of a row, as GGUF files have them. No MLIR.
#ifndef FORGE_SUPPORT_BLOCKFORMAT_H
#define FORGE_SUPPORT_BLOCKFORMAT_H

#include <cstdint>

namespace forge {

/// By the names of ggml (ggml/src/ggml-common.h): integers of 4, 6 or 8 bits that share scales.
enum class BlockFormat { Q4_0, Q8_0, Q4_K, Q6_K };

/// Elements of one block.
constexpr int64_t elementsOf(BlockFormat format) {
  return format == BlockFormat::Q4_0 || format == BlockFormat::Q8_0 ? 32 : 256;
}

/// Bytes of one block.
constexpr int64_t bytesOf(BlockFormat format) {
  switch (format) {
  case BlockFormat::Q4_0:
    return 18;
  case BlockFormat::Q8_0:
    return 34;
  case BlockFormat::Q4_K:
    return 144;
  case BlockFormat::Q6_K:
    return 210;
  }
  return 0;
}

} // namespace forge

#endif // FORGE_SUPPORT_BLOCKFORMAT_H
