#include "forge/Kernels/Kernel.h"
#include "forge/Kernels/KernelText.h"
#include "forge/Kernels/Passes.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"

namespace forge {
#define GEN_PASS_DEF_MERGEKERNELSPASS
#include "forge/Kernels/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-merge-kernels"

using namespace mlir;

/// Places of each operation of a kernel, in order: also those of kernels that do the same.
using Places = SmallVector<SmallVector<Location, 1>>;

static void addPlaces(func::FuncOp kernel, Places &places) {
  size_t number = 0;
  kernel.walk([&](Operation *op) {
    if (number < places.size())
      places[number].push_back(op->getLoc());
    ++number;
  });
}

static void setPlaces(func::FuncOp kernel, ArrayRef<SmallVector<Location, 1>> places) {
  size_t number = 0;
  kernel.walk(
      [&](Operation *op) { op->setLoc(FusedLoc::get(op->getContext(), places[number++])); });
}

static size_t countOps(func::FuncOp kernel) {
  size_t count = 0;
  kernel.walk([&](Operation *) { ++count; });
  return count;
}

namespace {
struct MergeKernelsPass : public forge::impl::MergeKernelsPassBase<MergeKernelsPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    llvm::StringMap<func::FuncOp> kept;
    llvm::StringMap<StringAttr> replacements;
    // Joined once, so that many kernels alike take no time.
    llvm::MapVector<func::FuncOp, Places> joined;
    for (func::FuncOp kernel : llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
      if (!forge::isKernel(kernel))
        continue;
      auto [entry, isNew] = kept.try_emplace(forge::kernelText(kernel), kernel);
      if (isNew)
        continue;
      Places &places = joined[entry->second];
      if (places.empty()) {
        places.resize(countOps(entry->second));
        addPlaces(entry->second, places);
      }
      addPlaces(kernel, places);
      replacements[kernel.getName()] = entry->second.getSymNameAttr();
      kernel.erase();
    }
    for (auto &[kernel, places] : joined)
      setPlaces(kernel, places);
    module.walk([&](func::CallOp call) {
      auto it = replacements.find(call.getCallee());
      if (it != replacements.end())
        call.setCalleeAttr(FlatSymbolRefAttr::get(it->second));
    });
  }
};
} // namespace
