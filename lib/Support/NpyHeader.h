// The header of an .npy file: a magic, a version, a length, and a Python dictionary literal.
#ifndef FORGE_LIB_SUPPORT_NPYHEADER_H
#define FORGE_LIB_SUPPORT_NPYHEADER_H

#include "forge/Support/DType.h"
#include "forge/Support/Result.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace forge::npy {

constexpr std::string_view kMagic = "\x93NUMPY";
/// Magic, two version bytes, and a length of two (1.0) or four bytes.
constexpr size_t kPrefixSizeV1 = 10;
constexpr size_t kPrefixSizeV2 = 12;
/// Longer headers are refused: a header for rank 64 takes less than 2 KiB.
constexpr uint64_t kMaxHeaderSize = 1 << 20;

/// Where the dictionary is in the file.
struct Prefix {
  uint64_t offset;
  uint64_t size;
};

struct Header {
  DType type = DType::F32;
  bool bigEndian = false;
  bool fortranOrder = false;
  /// Complex numbers, whose parts are of `type`: `dims` ends in 2.
  bool isComplex = false;
  std::vector<int64_t> dims;
};

/// Reads the first bytes of a file (kPrefixSizeV2 of them, or all when the file is shorter).
Result<Prefix> parsePrefix(std::string_view start);
/// Reads the dictionary.
Result<Header> parseHeader(std::string_view text);
/// Number of data bytes the header asks for; fails when that does not fit 63 bits.
Result<uint64_t> dataSize(const Header &header);

} // namespace forge::npy

#endif // FORGE_LIB_SUPPORT_NPYHEADER_H
