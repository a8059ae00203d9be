// Code of one thread of a row kernel.
#ifndef FORGE_UNITTESTS_CODEGEN_ROWKERNELS_THREADCODE_H
#define FORGE_UNITTESTS_CODEGEN_ROWKERNELS_THREADCODE_H

#include "RowKernelText.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Verifier.h"

namespace forge::test {

/// A function of two indices (lane and piece) and one value of `type`, which code is put into.
class ThreadCode {
public:
  explicit ThreadCode(const std::string &type = "f32")
      : kernel("func.func @kernel(%lane: index, %piece: index, %x: " + type + ") { return }"),
        b(kernel.function().getLoc(), &kernel.context) {
    b.setInsertionPoint(kernel.function().getBody().front().getTerminator());
  }
  mlir::Value argument(unsigned number) { return kernel.function().getArgument(number); }
  template <typename Op> int count() {
    int found = 0;
    kernel.module->walk([&](Op) { ++found; });
    return found;
  }
  bool isValid() { return mlir::succeeded(mlir::verify(*kernel.module)); }

  RowKernel kernel;
  mlir::ImplicitLocOpBuilder b;
};

} // namespace forge::test

#endif // FORGE_UNITTESTS_CODEGEN_ROWKERNELS_THREADCODE_H
