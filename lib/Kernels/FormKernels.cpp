#include "forge/Codegen/Schedule.h"
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

/// Roots with the same number in forge.cluster are one kernel; they are in one block.
static SmallVector<SmallVector<Operation *>> groupByCluster(ArrayRef<Operation *> roots) {
  SmallVector<SmallVector<Operation *>> groups;
  llvm::DenseMap<Attribute, size_t> groupOf;
  for (Operation *root : roots) {
    Attribute cluster = root->removeDiscardableAttr(forge::kClusterAttr);
    auto [found, isNew] =
        cluster ? groupOf.try_emplace(cluster, groups.size()) : std::pair(groupOf.end(), true);
    if (isNew)
      groups.emplace_back();
    groups[cluster ? found->second : groups.size() - 1].push_back(root);
  }
  return groups;
}

namespace {
/// 1. Normalise: the forms that kernels are made of.
/// 2. In program order, outermost first, every root becomes a kernel, and roots of one cluster one
///    kernel; the regions of loops and branches that stay on the host are searched too.
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
      for (ArrayRef<Operation *> members : groupByCluster(roots))
        forge::outlineKernel(members, function, symbols);
    }
  }
};
} // namespace
