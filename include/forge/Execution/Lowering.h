// Compilation that stops on the way, and compilation into files: what `forge compile` does.
#ifndef FORGE_EXECUTION_LOWERING_H
#define FORGE_EXECUTION_LOWERING_H

#include "forge/Execution/Executable.h"

namespace forge {

/// What compiling took, and which kernels there are.
struct CompileReport {
  std::vector<PhaseTime> phases;
  std::vector<KernelInfo> kernels;
  /// The most bytes of temporaries alive at once in a run, of sizes known when it is compiled; 0
  /// before a phase with buffers.
  int64_t temporaryBytes = 0;
};

/// Takes `module` itself from options.from to the phase `to`. If options.function names its entry,
/// or there is but one candidate, every other function becomes private first. Fails as
/// Executable::compile does, reproducer included. `report` gets phases and kernels.
Result<void> lowerTo(mlir::ModuleOp module, const CompileOptions &options, Phase to,
                     CompileReport *report = nullptr);

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

/// An error that names the forms `target` has, if `form` is device code and not among them.
Result<void> checkForm(const Target &target, CodeForm form);

/// The bytes of `module` (the last phase of `target`) as `form`. Host code of a GPU target has its
/// device code inside. A form the target does not have is an error that names those it has.
/// `report` gets what the machine code of its kernels takes, where that is known.
Result<std::string> emitCode(mlir::ModuleOp module, CodeForm form, Tier tier,
                             const std::string &target = "cpu", CompileReport *report = nullptr);

} // namespace forge

#endif // FORGE_EXECUTION_LOWERING_H
