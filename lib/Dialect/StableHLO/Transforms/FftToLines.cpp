#include "FftComposites.h"

#include "forge/Dialect/Forge/IR/Forge.h"
#include "forge/Dialect/StableHLO/Transforms/Passes.h"

namespace forge {
#define GEN_PASS_DEF_FFTTOLINESPASS
#include "forge/Dialect/StableHLO/Transforms/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-fft-to-lines"

using namespace mlir;
using namespace forge;
using namespace forge::stablehlo;

namespace {
struct FftToLinesPass : public forge::impl::FftToLinesPassBase<FftToLinesPass> {
  using FftToLinesPassBase::FftToLinesPassBase;

  void runOnOperation() override {
    FftTarget target{/*forGPU=*/true, blockBytes};
    SmallVector<CompositeOp> composites;
    getOperation().walk([&](CompositeOp composite) { composites.push_back(composite); });
    for (CompositeOp composite : composites) {
      std::optional<FftProblem> problem = problemOf(composite);
      if (!problem || !hasFftLines(*problem, target))
        continue;
      OpBuilder builder(composite);
      ValueRange parts = composite.getInputs();
      FailureOr<Complex> z =
          expandFft(builder, *problem, {parts[0], parts.size() > 1 ? parts[1] : Value()}, target);
      if (failed(z))
        return signalPassFailure();
      composite.getResult(0).replaceAllUsesWith(z->re);
      if (z->im)
        composite.getResult(1).replaceAllUsesWith(z->im);
      composite.erase();
    }
  }
};
} // namespace
