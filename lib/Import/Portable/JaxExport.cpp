#include "JaxExport.h"

#include "FlatBuffer.h"

using namespace forge;

namespace {
/// Fields of the root table. Others say how a Python caller's arguments are flattened and placed;
/// one may hold another export, of the derivative.
enum Field : unsigned {
  Platforms = 9,
  Module = 13,
  CallingConventionVersion = 14,
};

/// Of the calling convention; JAX reads no others.
constexpr uint16_t kOldestConvention = 9, kNewestConvention = 10;
} // namespace

bool forge::isJaxExport(llvm::StringRef bytes) {
  std::optional<FlatTable> root = FlatTable::root(bytes);
  std::optional<llvm::StringRef> module = root ? root->byteVector(Module) : std::nullopt;
  return module && module->starts_with("ML\xefR");
}

Result<JaxExport> forge::parseJaxExport(llvm::StringRef bytes) {
  static const Error malformed = {"malformed jax.export file"};
  std::optional<FlatTable> root = FlatTable::root(bytes);
  if (!root)
    return malformed;
  std::optional<uint16_t> convention = root->number<uint16_t>(CallingConventionVersion);
  std::optional<llvm::StringRef> module = root->byteVector(Module);
  std::optional<FlatVector> platforms = root->vector(Platforms, 4);
  if (!convention || !module || !platforms)
    return malformed;
  if (*convention < kOldestConvention || *convention > kNewestConvention)
    return Error{"unsupported calling convention version " + std::to_string(*convention) +
                 " of a jax.export file: expected " + std::to_string(kOldestConvention) + " or " +
                 std::to_string(kNewestConvention)};
  JaxExport result;
  result.module = *module;
  for (uint32_t i = 0; i < platforms->count; ++i) {
    std::optional<llvm::StringRef> name = root->string(*platforms, i);
    if (!name)
      return malformed;
    result.platforms.push_back(name->str());
  }
  return result;
}
