// Whatever the text: a module of transformer, register, arith, linalg and tensor ops that loads
// prints, and what it prints loads again; its backward function is built and it is lowered to
// linalg, or there is a diagnostic that says why not.
#include "Lowering.h"
#include "TextMutator.h"

#include "forge/Dialect/Transformer/Transforms/Passes.h"
#include "forge/Pipelines/InitAll.h"

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
  llvm::StringRef text(reinterpret_cast<const char *>(data), size);
  static const mlir::DialectRegistry registry = allDialects();
  mlir::OwningOpRef<mlir::ModuleOp> module = fuzz::loadText(text, fuzz::freshContext(registry));
  if (!module)
    return 0;
  fuzz::loadPrinted(*module);
  fuzz::runPasses(*module, [](mlir::OpPassManager &passes) {
    passes.addPass(createTransformerDifferentiatePass());
  });
  fuzz::lowerToLinalg(*module);
  return 0;
}
