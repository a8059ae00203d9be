#include "forge/Diagnostics/ErrorKind.h"
#include "forge/Kernels/Kernel.h"
#include "forge/Kernels/Passes.h"

namespace forge {
#define GEN_PASS_DEF_DROPREFERENCESPASS
#include "forge/Kernels/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-drop-references"

using namespace mlir;

FailureOr<func::FuncOp> forge::referenceOf(func::FuncOp kernel) {
  Attribute attribute = kernel->getAttr(kReferenceAttr);
  auto name = dyn_cast_or_null<FlatSymbolRefAttr>(attribute);
  if (!name)
    return emitUserError(kernel.getLoc()) << "expected the name of a function for "
                                          << kReferenceAttr << ", but got " << attribute,
           failure();
  auto reference = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(kernel, name);
  if (!reference || reference.isExternal())
    return emitUserError(kernel.getLoc())
               << "expected a function with a body for " << kReferenceAttr << ", but got " << name,
           failure();
  if (reference.getFunctionType() != kernel.getFunctionType())
    return emitUserError(kernel.getLoc())
               << "expected a reference of type " << kernel.getFunctionType() << ", but got "
               << reference.getFunctionType(),
           failure();
  return reference;
}

namespace {
/// 1. Kernels forget their references.
/// 2. Those that are private and that nothing else uses go.
struct DropReferencesPass : public forge::impl::DropReferencesPassBase<DropReferencesPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<func::FuncOp> references;
    for (auto kernel : module.getOps<func::FuncOp>()) {
      if (!kernel->hasAttr(forge::kReferenceAttr))
        continue;
      FailureOr<func::FuncOp> reference = forge::referenceOf(kernel);
      if (failed(reference))
        return signalPassFailure();
      kernel->removeAttr(forge::kReferenceAttr);
      if (!llvm::is_contained(references, *reference))
        references.push_back(*reference);
    }
    for (func::FuncOp reference : references)
      if (reference.isPrivate() && SymbolTable::symbolKnownUseEmpty(reference, module))
        reference.erase();
  }
};
} // namespace
