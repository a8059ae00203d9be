// Between the files of lib/Execution: machine code in this process's memory.
#ifndef FORGE_LIB_EXECUTION_JIT_H
#define FORGE_LIB_EXECUTION_JIT_H

#include "forge/Execution/Executable.h"
#include "forge/Runtime/Context.h"
#include "forge/Target/CPU/CodeGen.h"

#include <memory>
#include <string>
#include <vector>

namespace llvm::orc {
class LLJIT;
} // namespace llvm::orc

namespace forge {

/// Compiles a module in the LLVM dialect to an object file; adds the times of "translate",
/// "optimize" and "codegen".
Result<std::unique_ptr<llvm::MemoryBuffer>> compileObject(mlir::ModuleOp module, Effort effort,
                                                          std::vector<PhaseTime> &times);

class CompiledCode {
public:
  /// Links an object file of compileObject.
  static Result<std::unique_ptr<CompiledCode>> load(std::unique_ptr<llvm::MemoryBuffer> object,
                                                    const std::string &entry);
  ~CompiledCode();

  rt::Context::Entry entry() const { return function; }
  /// Of the object file.
  uint64_t hash() const { return objectHash; }

private:
  CompiledCode();
  std::unique_ptr<llvm::orc::LLJIT> jit;
  rt::Context::Entry function = nullptr;
  uint64_t objectHash = 0;
};

} // namespace forge

#endif // FORGE_LIB_EXECUTION_JIT_H
