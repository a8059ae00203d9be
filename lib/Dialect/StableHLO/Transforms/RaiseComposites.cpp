#include "forge/Dialect/StableHLO/IR/Chlo.h"
#include "forge/Dialect/StableHLO/Transforms/Passes.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Verifier.h"

namespace forge {
#define GEN_PASS_DEF_RAISECOMPOSITESPASS
#include "forge/Dialect/StableHLO/Transforms/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-raise-composites"

using namespace mlir;
using namespace forge;

/// The operation of chlo that `composite` is by its name; null if that, or the attributes, are none
/// of chlo's.
static Operation *raise(stablehlo::CompositeOp composite) {
  MLIRContext *context = composite.getContext();
  std::optional<RegisteredOperationName> name =
      RegisteredOperationName::lookup(composite.getName(), context);
  if (!name || name->getDialectNamespace() != chlo::CHLODialect::getDialectNamespace())
    return nullptr;
  OpBuilder builder(composite);
  OperationState state(composite.getLoc(), *name, composite.getInputs(), composite.getResultTypes(),
                       {});
  if (DictionaryAttr attributes = composite.getCompositeAttributesAttr())
    state.addAttributes(attributes.getValue());
  IRMapping mapping;
  for (Region &region : composite.getCompositeRegions())
    region.cloneInto(state.addRegion(), mapping);
  // What is not valid is no mistake of the module's: the decomposition says what is meant.
  ScopedDiagnosticHandler ignored(context, [](Diagnostic &) { return success(); });
  Operation *raised = builder.create(state);
  if (succeeded(verify(raised)))
    return raised;
  raised->erase();
  return nullptr;
}

namespace {
struct RaiseCompositesPass : forge::impl::RaiseCompositesPassBase<RaiseCompositesPass> {
  void runOnOperation() override {
    SmallVector<stablehlo::CompositeOp> composites;
    getOperation().walk([&](stablehlo::CompositeOp composite) { composites.push_back(composite); });
    for (stablehlo::CompositeOp composite : composites)
      if (Operation *raised = raise(composite)) {
        composite->replaceAllUsesWith(raised->getResults());
        composite->erase();
      }
  }
};
} // namespace
