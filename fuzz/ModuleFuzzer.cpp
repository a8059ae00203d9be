// Whatever the text: loading a module ends with a verified module, or with a diagnostic. A module
// that loads prints, and what it prints loads again; it is lowered to linalg, or there is a
// diagnostic that says why not.
#include "Lowering.h"
#include "TextMutator.h"

#include "forge/Dialect/StableHLO/IR/Check.h"
#include "forge/Dialect/StableHLO/IR/Chlo.h"
#include "forge/Dialect/StableHLO/IR/StableHLO.h"
#include "forge/Import/Diagnostics.h"
#include "forge/Import/ModuleFile.h"
#include "forge/Import/OpCensus.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace forge;

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maxSize,
                                          unsigned seed) {
  if (seed % 2 == 0)
    return LLVMFuzzerMutate(data, size, maxSize);
  return fuzz::mutateText(data, size, maxSize, seed);
}

static mlir::DialectRegistry frameworkDialects() {
  mlir::DialectRegistry registry;
  registry.insert<check::CheckDialect, chlo::CHLODialect, stablehlo::StableHLODialect,
                  mlir::func::FuncDialect>();
  return registry;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef text(reinterpret_cast<const char *>(data), size);
  static const mlir::DialectRegistry registry = frameworkDialects();
  mlir::MLIRContext &context = fuzz::freshContext(registry);
  countOpsInText(text);
  mlir::OwningOpRef<mlir::ModuleOp> module = fuzz::loadText(text, context);
  if (!module)
    return 0;
  {
    LineDiagnostics lines(&context, llvm::nulls());
    if (failed(normalizeFrameworkAttributes(*module)))
      return 0;
  }
  fuzz::loadPrinted(*module);
  fuzz::lowerToLinalg(*module);
  return 0;
}
