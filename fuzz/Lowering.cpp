#include "Lowering.h"

#include "forge/Import/Diagnostics.h"
#include "forge/Pipelines/Phases.h"

#include <cstdlib>

using namespace forge;

mlir::MLIRContext &fuzz::freshContext(const mlir::DialectRegistry &registry) {
  static std::unique_ptr<mlir::MLIRContext> context;
  static unsigned uses = 0;
  if (uses++ % 512 == 0)
    context = std::make_unique<mlir::MLIRContext>(registry, mlir::MLIRContext::Threading::DISABLED);
  return *context;
}

void fuzz::runPasses(mlir::ModuleOp module, llvm::function_ref<void(mlir::OpPassManager &)> add) {
  LineDiagnostics lines(module.getContext(), llvm::nulls());
  mlir::OwningOpRef<mlir::ModuleOp> copy(module.clone());
  mlir::PassManager passes(module.getContext(), mlir::ModuleOp::getOperationName());
  add(passes);
  if (failed(passes.run(*copy)) && lines.numErrors() == 0)
    std::abort();
}

void fuzz::lowerToLinalg(mlir::ModuleOp module) {
  runPasses(module, [](mlir::OpPassManager &passes) {
    PipelineOptions options;
    buildSimplifyStage(passes, options);
    buildLinalgStage(passes, options);
  });
}
