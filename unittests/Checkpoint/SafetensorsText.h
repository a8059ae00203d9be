// The bytes of a safetensors file, from its header's text.
#ifndef FORGE_UNITTESTS_CHECKPOINT_SAFETENSORSTEXT_H
#define FORGE_UNITTESTS_CHECKPOINT_SAFETENSORSTEXT_H

#include <cstdint>
#include <string>

/// `data` bytes 0, 1, 2 ... follow the header.
inline std::string safetensorsText(const std::string &header, size_t data) {
  uint64_t length = header.size();
  std::string bytes(reinterpret_cast<const char *>(&length), sizeof length);
  bytes += header;
  for (size_t i = 0; i < data; ++i)
    bytes += static_cast<char>(i);
  return bytes;
}

#endif // FORGE_UNITTESTS_CHECKPOINT_SAFETENSORSTEXT_H
