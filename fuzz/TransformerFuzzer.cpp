// Whatever the text: a module of transformer, arith, linalg and tensor ops that loads prints, and
// what it prints loads again; its backward function is built and it is lowered to linalg, or there
// is a diagnostic that says why not.
#include "KnownCrashes.h"
#include "Lowering.h"
#include "TextMutator.h"

#include "forge/Dialect/Transformer/Transforms/Passes.h"
#include "forge/Import/Diagnostics.h"
#include "forge/Import/ModuleFile.h"
#include "forge/Pipelines/InitAll.h"

#include <cstdlib>

using namespace forge;

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maxSize,
                                          unsigned seed) {
  if (seed % 8 == 0)
    return LLVMFuzzerMutate(data, size, maxSize);
  return fuzz::mutateText(data, size, maxSize, seed);
}

static mlir::DialectRegistry allDialects() {
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  return registry;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef bytes(reinterpret_cast<const char *>(data), size);
  Result<ModuleFormat> format = detectModuleFormat(bytes);
  if (format && *format == ModuleFormat::Bytecode)
    return 0;
  static const mlir::DialectRegistry registry = allDialects();
  mlir::MLIRContext &context = fuzz::freshContext(registry);
  mlir::OwningOpRef<mlir::ModuleOp> module;
  {
    LineDiagnostics lines(&context, llvm::nulls());
    module = parseModule(bytes, "fuzz", &context);
    if (!module && lines.numErrors() == 0)
      std::abort();
    // loadModule survives crashes of parsers; those of Forge's are none to survive.
    if (!module && lines.firstError() == "fuzz: malformed text" && !fuzz::crashesMLIR(bytes))
      std::abort();
    if (!module)
      return 0;
    std::string text;
    llvm::raw_string_ostream(text) << *module;
    if (nestingDepth(text) <= kMaxNesting && !parseModule(text, "printed", &context))
      std::abort();
  }
  fuzz::runPasses(*module, [](mlir::OpPassManager &passes) {
    passes.addPass(createTransformerDifferentiatePass());
  });
  fuzz::lowerToLinalg(*module);
  return 0;
}
