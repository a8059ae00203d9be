#include "Lowering.h"

#include "KnownCrashes.h"

#include "forge/Import/Diagnostics.h"
#include "forge/Import/ModuleFile.h"
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

mlir::OwningOpRef<mlir::ModuleOp> fuzz::loadText(llvm::StringRef text, mlir::MLIRContext &context) {
  Result<ModuleFormat> format = detectModuleFormat(text);
  if (format && *format == ModuleFormat::Bytecode)
    return {};
  LineDiagnostics lines(&context, llvm::nulls());
  mlir::OwningOpRef<mlir::ModuleOp> module = parseModule(text, "fuzz", &context);
  if (!module && (lines.numErrors() == 0 ||
                  (lines.firstError() == "fuzz: malformed text" && !crashesMLIR(text))))
    std::abort();
  return module;
}

void fuzz::loadPrinted(mlir::ModuleOp module) {
  LineDiagnostics lines(module.getContext(), llvm::nulls());
  std::string text;
  // With what is outside of the module: dense_resource refers to it.
  llvm::raw_string_ostream stream(text);
  module.print(stream);
  if (nestingDepth(text) <= kMaxNesting && !parseModule(text, "printed", module.getContext()))
    std::abort();
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
