// Compiles a few functions given as text with a pass pipeline and LLVM's O3 for this host, and
// finds their addresses.
#ifndef FORGE_UNITTESTS_CODEGEN_JIT_H
#define FORGE_UNITTESTS_CODEGEN_JIT_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"

#include <cstdint>
#include <memory>
#include <string>

namespace llvm::orc {
class LLJIT;
} // namespace llvm::orc

namespace forge::test {

/// What MLIR's memref of one dimension lowers to in a C interface.
template <typename T> struct MemRef1D {
  T *allocated, *aligned;
  int64_t offset, size, stride;
  MemRef1D(T *data, int64_t count)
      : allocated(data), aligned(data), offset(0), size(count), stride(1) {}
};

class Jit {
public:
  Jit();
  ~Jit();
  /// Runs `pipeline` (a textual list of passes on a module) and then the lowering to LLVM on
  /// `source`. False, with a message on stderr, if anything fails.
  bool compile(const std::string &source, const std::string &pipeline);
  /// The C interface of a function declared with llvm.emit_c_interface; null if absent.
  void *lookup(const std::string &name);
  template <typename F> F function(const std::string &name) {
    return reinterpret_cast<F>(lookup("_mlir_ciface_" + name));
  }
  /// The module after `pipeline`.
  std::string loweredText;
  /// Milliseconds of the last compile: MLIR passes, LLVM passes with code generation.
  double mlirMs = 0, llvmMs = 0;

private:
  std::unique_ptr<mlir::MLIRContext> context;
  std::unique_ptr<llvm::orc::LLJIT> jit;
};

} // namespace forge::test

#endif // FORGE_UNITTESTS_CODEGEN_JIT_H
