// What jax.export writes: `jax.export.export(f)(...).serialize()`.
#ifndef FORGE_LIB_IMPORT_PORTABLE_JAXEXPORT_H
#define FORGE_LIB_IMPORT_PORTABLE_JAXEXPORT_H

#include "forge/Support/Result.h"

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace forge {

/// On a module: the platforms that it was lowered for, where those are several.
constexpr llvm::StringLiteral kPlatformsAttribute = "forge.platforms";

struct JaxExport {
  /// A StableHLO portable artifact, a part of the file.
  llvm::StringRef module;
  /// "cpu", "cuda", "rocm", "tpu": what the module was lowered for. With several, its first
  /// argument is an index of them.
  std::vector<std::string> platforms;
};

/// Whether the bytes are an export: a FlatBuffer that has bytecode where one has it.
bool isJaxExport(llvm::StringRef bytes);

/// The parts that matter here, each of them inside the bytes. Fails on calling conventions other
/// than 9 and 10, and on what was exported for several devices.
Result<JaxExport> parseJaxExport(llvm::StringRef bytes);

} // namespace forge

#endif // FORGE_LIB_IMPORT_PORTABLE_JAXEXPORT_H
