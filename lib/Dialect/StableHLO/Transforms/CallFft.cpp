#include "forge/Dialect/Forge/IR/Forge.h"
#include "forge/Dialect/StableHLO/Transforms/Passes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Verifier.h"

namespace forge {
#define GEN_PASS_DEF_CALLFFTPASS
#include "forge/Dialect/StableHLO/Transforms/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-call-fft"

using namespace mlir;
using namespace forge;

/// The transform that `composite` names; null if its attributes or types are none of a transform.
static Value callFft(stablehlo::CompositeOp composite) {
  DictionaryAttr attributes = composite.getCompositeAttributesAttr();
  auto name = attributes ? attributes.getAs<StringAttr>("kind") : StringAttr();
  auto dims = attributes ? attributes.getAs<IntegerAttr>("dims") : IntegerAttr();
  std::optional<FftKind> kind = name ? symbolizeFftKind(name.getValue()) : std::nullopt;
  if (!kind || !dims || !dims.getType().isInteger(64) || composite.getInputs().size() != 1 ||
      composite.getNumResults() != 1)
    return nullptr;
  Value input = composite.getInputs().front();
  auto type = dyn_cast<RankedTensorType>(composite.getResult(0).getType());
  auto from = dyn_cast<RankedTensorType>(input.getType());
  if (!type || !from)
    return nullptr;
  // 1. Sizes known only at run time are those of the batch.
  OpBuilder builder(composite);
  Location loc = composite.getLoc();
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    if (!type.isDynamicDim(dim))
      continue;
    if (dim >= from.getRank())
      return nullptr;
    sizes.push_back(tensor::DimOp::create(builder, loc, input, dim));
  }
  Value empty = tensor::EmptyOp::create(builder, loc, type, sizes);
  auto fft = forge::FftOp::create(builder, loc, type, *kind, static_cast<uint64_t>(dims.getInt()),
                                  input, empty);
  // 2. What is not valid has its decomposition.
  ScopedDiagnosticHandler ignored(builder.getContext(), [](Diagnostic &) { return success(); });
  if (succeeded(verify(fft)))
    return fft.getResult();
  fft.erase();
  return nullptr;
}

namespace {
struct CallFftPass : forge::impl::CallFftPassBase<CallFftPass> {
  void runOnOperation() override {
    getOperation().walk([](stablehlo::CompositeOp composite) {
      if (composite.getName() != kFftComposite)
        return;
      if (Value result = callFft(composite)) {
        composite.getResult(0).replaceAllUsesWith(result);
        composite.erase();
      }
    });
  }
};
} // namespace
