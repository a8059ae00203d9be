// Row kernels as what one thread does.
#ifndef FORGE_UNITTESTS_CODEGEN_ROWKERNELS_EMITTED_H
#define FORGE_UNITTESTS_CODEGEN_ROWKERNELS_EMITTED_H

#include "../../../lib/Codegen/RowKernels/RowEmitter.h"
#include "RowKernelText.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Verifier.h"

#include <gtest/gtest.h>

namespace forge::test {

/// A kernel after emitRows, its linalg operations removed.
class Emitted {
public:
  Emitted(const std::string &text, const RowPlan &plan, const RowPlanLimits &limits)
      : kernel(text) {
    auto program = kernel.build();
    EXPECT_TRUE(succeeded(program)) << kernel.why;
    mlir::ImplicitLocOpBuilder b(kernel.function().getLoc(), &kernel.context);
    b.setInsertionPoint(kernel.function().getBody().front().getTerminator());
    emitRows(b, *program, plan, limits);
    for (mlir::Operation *op : llvm::reverse(kernel.operations))
      if (mlir::isa<mlir::linalg::LinalgOp>(op) ||
          (mlir::isa<mlir::memref::AllocOp>(op) && op->use_empty()))
        op->erase();
    EXPECT_TRUE(succeeded(verify(*kernel.module)));
  }

  template <typename Op> int count() {
    int found = 0;
    kernel.module->walk([&](Op) { ++found; });
    return found;
  }
  /// Vector loads of the first argument.
  int loads() {
    int found = 0;
    kernel.module->walk([&](mlir::vector::LoadOp load) {
      found += load.getBase() == kernel.function().getArgument(0);
    });
    return found;
  }

  RowKernel kernel;
};

inline RowPlan plan(int64_t vector, int64_t threads, int64_t chunks, int64_t rows = 1,
                    int64_t pieces = 1) {
  return {vector, threads, chunks, rows, pieces};
}

inline const RowPlanLimits kLimits{32, 1024, 8, 48 << 10, 132, false};

} // namespace forge::test

#endif // FORGE_UNITTESTS_CODEGEN_ROWKERNELS_EMITTED_H
