// Whatever the text: loading a module ends with a verified module, or with a diagnostic. A module
// that loads prints, and what it prints loads again; it is lowered to linalg, or there is a
// diagnostic that says why not. Bytecode is left out: MLIR's reader of it trusts its input, and
// loadModule only guards against its crashes.
#include "KnownCrashes.h"
#include "Lowering.h"
#include "TextMutator.h"

#include "forge/Dialect/StableHLO/IR/Check.h"
#include "forge/Dialect/StableHLO/IR/Chlo.h"
#include "forge/Dialect/StableHLO/IR/StableHLO.h"
#include "forge/Import/Diagnostics.h"
#include "forge/Import/ModuleFile.h"
#include "forge/Import/OpCensus.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <cstdlib>

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
  llvm::StringRef bytes(reinterpret_cast<const char *>(data), size);
  Result<ModuleFormat> format = detectModuleFormat(bytes);
  if (format && *format == ModuleFormat::Bytecode)
    return 0;
  static const mlir::DialectRegistry registry = frameworkDialects();
  mlir::MLIRContext &context = fuzz::freshContext(registry);
  LineDiagnostics lines(&context, llvm::nulls());
  countOpsInText(bytes);
  mlir::OwningOpRef<mlir::ModuleOp> module = parseModule(bytes, "fuzz", &context);
  if (!module) {
    // loadModule survives crashes of parsers; those of Forge's are none to survive.
    if (lines.numErrors() == 0 ||
        (lines.firstError() == "fuzz: malformed text" && !fuzz::crashesMLIR(bytes)))
      std::abort();
    return 0;
  }
  if (failed(normalizeFrameworkAttributes(*module)))
    return 0;
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os);
  if (nestingDepth(text) <= kMaxNesting && !parseModule(text, "printed", &context))
    std::abort();
  fuzz::lowerToLinalg(*module);
  return 0;
}
