#include "Objects.h"

#include "forge/Import/Async.h"
#include "forge/Import/Diagnostics.h"
#include "forge/Import/ModuleFile.h"
#include "forge/Pipelines/InitAll.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace forge;
using namespace forge::capi;

/// Threads of their own pay for modules of many functions only.
static constexpr size_t kBytesForThreads = 64 << 10;

static const mlir::DialectRegistry &allDialects() {
  static const mlir::DialectRegistry registry = [] {
    mlir::DialectRegistry all;
    registerAllDialects(all);
    return all;
  }();
  return registry;
}

Error forge::capi::locatedError(const LineDiagnostics &diagnostics, llvm::StringRef otherwise) {
  const std::string &place = diagnostics.firstErrorLocation();
  std::string message = diagnostics.firstError();
  return Error{(place.empty() ? "" : place + ": ") + (message.empty() ? otherwise.str() : message)};
}

/// Bytes that a program made, or a file that anybody may have written.
static Result<void> read(llvm::StringRef bytes, llvm::StringRef name, InputTrust trust,
                         forge_module **result) {
  auto threading = bytes.size() < kBytesForThreads ? mlir::MLIRContext::Threading::DISABLED
                                                   : mlir::MLIRContext::Threading::ENABLED;
  auto made = std::make_unique<forge_module>(allDialects(), threading);
  LineDiagnostics diagnostics(&made->context, llvm::nulls());
  diagnostics.holdErrors();
  made->module = parseModule(bytes, name, &made->context, trust);
  // Futures have no text: written again, the module would not be read.
  if (!made->module || failed(inlineAsync(*made->module)))
    return locatedError(diagnostics, "the module cannot be read");
  *result = made.release();
  return {};
}

forge_error *forge_module_load(const char *path, forge_module **module) {
  *module = nullptr;
  return guarded(FORGE_ERROR_INPUT, [&]() -> Result<void> {
    if (!path || !*path)
      return Error{"expected the path of a module, but got none"};
    auto buffer = llvm::MemoryBuffer::getFile(path);
    if (!buffer)
      return Error{std::string(path) + ": cannot read: " + buffer.getError().message()};
    return read((*buffer)->getBuffer(), path, InputTrust::Untrusted, module);
  });
}

forge_error *forge_module_parse(const char *bytes, size_t size, const char *name,
                                forge_module **module) {
  *module = nullptr;
  return guarded(FORGE_ERROR_INPUT, [&]() -> Result<void> {
    if (!bytes && size > 0)
      return Error{"expected the bytes of a module, but got a null pointer"};
    return read({bytes, size}, name ? name : "module", InputTrust::Trusted, module);
  });
}

forge_error *forge_module_write(const forge_module *module, const char *path) {
  return guarded(FORGE_ERROR_INPUT, [&]() -> Result<void> {
    std::error_code failure;
    llvm::raw_fd_ostream file(path, failure);
    if (!failure) {
      (*module->module)->print(file, mlir::OpPrintingFlags().enableDebugInfo());
      file.flush();
      failure = file.error();
      file.clear_error();
    }
    return failure ? Error{std::string(path) + ": cannot write: " + failure.message()}
                   : Result<void>();
  });
}

void forge_module_destroy(forge_module *module) { delete module; }
