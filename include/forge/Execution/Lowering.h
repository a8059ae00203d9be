// Compilation that stops on the way, and compilation into files: what `forge compile` does.
#ifndef FORGE_EXECUTION_LOWERING_H
#define FORGE_EXECUTION_LOWERING_H

#include "forge/Execution/Executable.h"

namespace forge {

/// Takes `module` itself from options.from to the phase `to`. If options.function names its entry,
/// or there is but one candidate, every other function becomes private first. Fails as
/// Executable::compile does, reproducer included.
Result<void> lowerTo(mlir::ModuleOp module, const CompileOptions &options, Phase to);

/// What is made of a module in the LLVM dialect.
enum class CodeForm {
  /// LLVM IR as text, optimised.
  LLVMText,
  /// Assembly of the host.
  Assembly,
  /// An ELF object, position-independent; its entries are NAME__packed (see forge/Runtime/CABI.h).
  Object,
  /// Device code, of GPU targets only.
  PTX,
  Cubin,
  ISA,
  HSACO,
};

/// The bytes of `module` (the last phase of `target`) as `form`. Host code of a GPU target has its
/// device code inside. A form the target does not have is an error that names those it has.
Result<std::string> emitCode(mlir::ModuleOp module, CodeForm form, Tier tier,
                             const std::string &target = "cpu");

} // namespace forge

#endif // FORGE_EXECUTION_LOWERING_H
