// The bytes are the config.json of a model without weights: verified modules, of the whole model
// and of its steps over caches, or an error of one line.
#include "TextMutator.h"

#include "forge/Import/HuggingFace.h"
#include "forge/Support/AtomicFile.h"
#include "forge/Support/ScratchFolder.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"

#include <cstdlib>

using namespace forge;

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maxSize,
                                          unsigned seed) {
  if (seed % 8 == 0)
    return LLVMFuzzerMutate(data, size, maxSize);
  return fuzz::mutateText(data, size, maxSize, seed);
}

static void checkModule(const Result<mlir::OwningOpRef<mlir::ModuleOp>> &module) {
  if (module ? failed(mlir::verify(**module))
             : module.error().message.empty() ||
                   module.error().message.find('\n') != std::string::npos)
    std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static mlir::MLIRContext context;
  static ScratchFolder folder = std::move(*ScratchFolder::create("forge-fuzz-config"));
  if (!writeFileAtomically(folder.file("config.json"),
                           std::string(reinterpret_cast<const char *>(data), size)))
    std::abort();
  checkModule(importHuggingFace(folder.path(), context, {.withoutWeights = true}));
  checkModule(importDecoder(folder.path(), context,
                            {.prefills = {4}, .capacity = 64, .withoutWeights = true}));
  return 0;
}
