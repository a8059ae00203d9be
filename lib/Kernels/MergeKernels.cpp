#include "forge/Kernels/Kernel.h"
#include "forge/Kernels/KernelText.h"
#include "forge/Kernels/Passes.h"

#include "llvm/ADT/StringMap.h"

namespace forge {
#define GEN_PASS_DEF_MERGEKERNELSPASS
#include "forge/Kernels/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-merge-kernels"

using namespace mlir;

/// The operations of `kept` are also those of `other`, which does the same: both places are theirs.
static void joinPlaces(func::FuncOp kept, func::FuncOp other) {
  SmallVector<Operation *> ops, others;
  kept.walk([&](Operation *op) { ops.push_back(op); });
  other.walk([&](Operation *op) { others.push_back(op); });
  if (ops.size() != others.size())
    return;
  for (auto [op, also] : llvm::zip_equal(ops, others))
    op->setLoc(FusedLoc::get(op->getContext(), {op->getLoc(), also->getLoc()}));
}

namespace {
struct MergeKernelsPass : public forge::impl::MergeKernelsPassBase<MergeKernelsPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    llvm::StringMap<func::FuncOp> kept;
    llvm::StringMap<StringAttr> replacements;
    for (func::FuncOp kernel : llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
      if (!forge::isKernel(kernel))
        continue;
      auto [entry, isNew] = kept.try_emplace(forge::kernelText(kernel), kernel);
      if (isNew)
        continue;
      joinPlaces(entry->second, kernel);
      replacements[kernel.getName()] = entry->second.getSymNameAttr();
      kernel.erase();
    }
    module.walk([&](func::CallOp call) {
      auto it = replacements.find(call.getCallee());
      if (it != replacements.end())
        call.setCalleeAttr(FlatSymbolRefAttr::get(it->second));
    });
  }
};
} // namespace
