#include "forge/Dialect/Transformer/Transforms/Differentiation.h"
#include "forge/Dialect/Transformer/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace forge {
#define GEN_PASS_DEF_TRANSFORMERDIFFERENTIATEPASS
#include "forge/Dialect/Transformer/Transforms/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "transformer-differentiate"

using namespace mlir;

namespace {

/// 1. Find the function: by name, else main, else the only public one.
/// 2. Build its backward function behind it.
struct TransformerDifferentiatePass
    : forge::impl::TransformerDifferentiatePassBase<TransformerDifferentiatePass> {
  using TransformerDifferentiatePassBase::TransformerDifferentiatePassBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    TransformerDifferentiatePassBase::getDependentDialects(registry);
    forge::transformer::registerDifferentiationModels(registry);
  }

  void runOnOperation() override {
    func::FuncOp primal = find();
    if (!primal)
      return signalPassFailure();
    forge::transformer::DifferentiationOptions options;
    options.arguments = SmallVector<int64_t>(arguments.begin(), arguments.end());
    options.name = resultName;
    options.primalResults = primalResults;
    if (failed(forge::transformer::differentiate(primal, options)))
      signalPassFailure();
  }

  func::FuncOp find() {
    ModuleOp module = getOperation();
    if (!function.empty()) {
      auto named = module.lookupSymbol<func::FuncOp>(function);
      if (!named)
        module.emitError("expected a function named '@") << function << "', but there is none";
      return named;
    }
    if (auto main = module.lookupSymbol<func::FuncOp>("main"))
      return main;
    SmallVector<func::FuncOp> open;
    for (auto candidate : module.getOps<func::FuncOp>())
      if (candidate.isPublic())
        open.push_back(candidate);
    if (open.size() == 1)
      return open.front();
    module.emitError("expected a function to differentiate: there is no '@main', and ")
        << open.size() << " public functions";
    return {};
  }
};

} // namespace
