#include "forge/Kernels/Kernel.h"
#include "forge/Kernels/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace forge {
#define GEN_PASS_DEF_FORMKERNELSPASS
#include "forge/Kernels/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-form-kernels"

using namespace mlir;

namespace {
/// 1. Normalise: the forms that kernels are made of.
/// 2. In program order, outermost first, every root becomes a kernel; the regions of loops and
/// branches that stay on the host are searched too.
/// 3. Functions that only kernels call (math on scalars) stay as they are.
struct FormKernelsPass : public forge::impl::FormKernelsPassBase<FormKernelsPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SymbolTable symbols(module);
    for (func::FuncOp function : llvm::to_vector(module.getOps<func::FuncOp>())) {
      if (function.isExternal() || forge::isKernel(function))
        continue;
      if (failed(forge::normalizeForKernels(function)))
        return signalPassFailure();
      SmallVector<Operation *> roots;
      function.walk<WalkOrder::PreOrder>([&](Operation *op) {
        if (!forge::isKernelRoot(op))
          return WalkResult::advance();
        roots.push_back(op);
        return WalkResult::skip();
      });
      for (Operation *root : roots)
        forge::outlineKernel(root, function, symbols);
    }
  }
};
} // namespace
