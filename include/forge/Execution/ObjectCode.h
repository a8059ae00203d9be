// Machine code of functions before it is loaded: compiled one by one, or side by side.
#ifndef FORGE_EXECUTION_OBJECTCODE_H
#define FORGE_EXECUTION_OBJECTCODE_H

#include "forge/Codegen/Target.h"
#include "forge/Execution/Lowering.h"

#include "llvm/Support/MemoryBuffer.h"

namespace forge {

/// A function as an ELF object (CodeForm::Object), a device's code inside.
struct ObjectCode {
  FunctionSignature signature;
  /// Without phases where the code was in a cache.
  CompileReport report;
  std::unique_ptr<llvm::MemoryBuffer> object;
};

/// Compiles as Executable::compile does, but loads nothing and uses no device. `target`, whose chip
/// is known, replaces options.target.
Result<ObjectCode> compileToObject(mlir::ModuleOp module, const CompileOptions &options,
                                   const Target &target);

/// A function to compile: options.function of `module`.
struct CompileJob {
  mlir::ModuleOp module;
  CompileOptions options;
};

/// Compiles each job by compileToObject, as many at once as there are processors, each on a copy of
/// its module in a context of its own. What fails is missing, and its diagnostics are dropped:
/// compileToObject of the module itself tells them. With one processor, or one job, all are
/// missing.
std::vector<std::optional<ObjectCode>> compileAhead(std::span<const CompileJob> jobs,
                                                    const Target &target);

/// The same, where the first failure of `jobs`, in their order, is the result.
Result<std::vector<ObjectCode>> compileSideBySide(std::span<const CompileJob> jobs,
                                                  const Target &target);

} // namespace forge

#endif // FORGE_EXECUTION_OBJECTCODE_H
