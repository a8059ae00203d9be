#include "forge/Target/CPU/Passes.h"

#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#define DEBUG_TYPE "forge-math-to-libm"

namespace forge {
#define GEN_PASS_DEF_MATHTOLIBMPASS
#include "forge/Target/CPU/Passes.h.inc"
} // namespace forge

using namespace mlir;

namespace {
struct MathToLibmPass : public forge::impl::MathToLibmPassBase<MathToLibmPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateMathToLibmConversionPatterns(patterns);
    ConversionTarget target(getContext());
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    // There is no libm on a device.
    target.addLegalOp<gpu::GPUModuleOp>();
    target.markOpRecursivelyLegal<gpu::GPUModuleOp>();
    // LLVM's own lowering is exp(x) - 1 and log(1 + x), or a call without an error bound.
    target.addIllegalOp<math::AcosOp, math::AcoshOp, math::AsinOp, math::AsinhOp, math::AtanOp,
                        math::AtanhOp, math::Atan2Op, math::CbrtOp, math::CoshOp, math::ErfOp,
                        math::ErfcOp, math::ExpM1Op, math::Log1pOp, math::SinhOp, math::TanOp,
                        math::TanhOp>();
    if (failed(applyPartialConversion(getOperation(), target, std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
