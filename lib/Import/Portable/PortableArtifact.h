// StableHLO portable artifacts: MLIR bytecode of the vhlo dialect.
#ifndef FORGE_LIB_IMPORT_PORTABLE_PORTABLEARTIFACT_H
#define FORGE_LIB_IMPORT_PORTABLE_PORTABLEARTIFACT_H

#include "forge/Support/Result.h"

#include "mlir/IR/BuiltinOps.h"

#include <tuple>

namespace forge {

struct StableHLOVersion {
  uint64_t major, minor, patch;

  friend bool operator<(const StableHLOVersion &a, const StableHLOVersion &b) {
    return std::tie(a.major, a.minor, a.patch) < std::tie(b.major, b.minor, b.patch);
  }
};

/// The version of StableHLO that bytecode says it was written for, none where it says nothing of
/// StableHLO. An error names a version that Forge does not read.
Result<std::optional<StableHLOVersion>> portableVersion(llvm::StringRef bytecode);

/// Makes operations of the vhlo dialect those of StableHLO and func that they stand for, in place
/// and without defaults, as StableHLO's own deserializer does. What Forge has no operation for
/// stays one of unknown name ("stablehlo.fft"), for the verifier to refuse at its place.
mlir::LogicalResult legalizeVhlo(mlir::ModuleOp module);

} // namespace forge

#endif // FORGE_LIB_IMPORT_PORTABLE_PORTABLEARTIFACT_H
