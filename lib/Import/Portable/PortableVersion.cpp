// The header of a portable artifact: "ML\xefR", the version of the bytecode as a varint, and the
// producer ("StableHLO_v1.13.0") up to a null byte.
#include "PortableArtifact.h"

using namespace forge;

static constexpr StableHLOVersion kOldestVersion = {0, 9, 0}, kNewestVersion = {1, 22, 0};

static std::string text(const StableHLOVersion &version) {
  return std::to_string(version.major) + "." + std::to_string(version.minor) + "." +
         std::to_string(version.patch);
}

/// What wrote the bytecode; "" where the header is cut off.
static llvm::StringRef producerOf(llvm::StringRef bytecode) {
  llvm::StringRef rest = bytecode.drop_front(std::min<size_t>(4, bytecode.size()));
  if (rest.empty())
    return "";
  // The zeros below the lowest one bit of a varint's first byte count the bytes that follow.
  size_t length = 1 + static_cast<size_t>(llvm::countr_zero(static_cast<uint8_t>(rest.front())));
  rest = rest.drop_front(std::min(length, rest.size()));
  size_t end = rest.find('\0');
  return end == llvm::StringRef::npos ? "" : rest.take_front(end);
}

Result<std::optional<StableHLOVersion>> forge::portableVersion(llvm::StringRef bytecode) {
  llvm::StringRef number = producerOf(bytecode);
  if (!number.consume_front("StableHLO_v"))
    return std::optional<StableHLOVersion>();
  StableHLOVersion version;
  auto [major, others] = number.split('.');
  auto [minor, patch] = others.split('.');
  if (major.getAsInteger(10, version.major) || minor.getAsInteger(10, version.minor) ||
      patch.getAsInteger(10, version.patch))
    return Error{"expected the version of a StableHLO portable artifact, but got '" + number.str() +
                 "'"};
  // A patch changes no operation.
  bool isTooNew = kNewestVersion < StableHLOVersion{version.major, version.minor, 0};
  if (isTooNew || version < kOldestVersion)
    return Error{"unsupported version " + text(version) +
                 " of a StableHLO portable artifact: expected " + text(kOldestVersion) + " to " +
                 text(kNewestVersion)};
  return std::optional(version);
}
