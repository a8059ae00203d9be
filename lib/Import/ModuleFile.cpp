#include "forge/Import/ModuleFile.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace forge;

static mlir::OwningOpRef<mlir::ModuleOp> fail(mlir::MLIRContext *context, llvm::StringRef name,
                                              const llvm::Twine &message) {
  mlir::emitError(mlir::UnknownLoc::get(context)) << name << ": " << message;
  return {};
}

static mlir::OwningOpRef<mlir::ModuleOp> parseBuffer(std::unique_ptr<llvm::MemoryBuffer> buffer,
                                                     mlir::MLIRContext *context) {
  llvm::StringRef bytes = buffer->getBuffer(), name = buffer->getBufferIdentifier();
  Result<ModuleFormat> format = detectModuleFormat(bytes);
  if (!format)
    return fail(context, name, format.error().message);
  if (bytes.trim().empty())
    return fail(context, name, "the file is empty");
  if (*format == ModuleFormat::Text && nestingDepth(bytes) > kMaxNesting)
    return fail(context, name, "brackets are nested deeper than " + llvm::Twine(kMaxNesting));
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  mlir::ParserConfig config(context, /*verifyAfterParse=*/true);
  return mlir::parseSourceFile<mlir::ModuleOp>(sources, config);
}

mlir::OwningOpRef<mlir::ModuleOp> forge::loadModule(llvm::StringRef path,
                                                    mlir::MLIRContext *context) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(path);
  if (!buffer)
    return fail(context, path, "cannot read: " + buffer.getError().message());
  return parseBuffer(std::move(*buffer), context);
}

mlir::OwningOpRef<mlir::ModuleOp> forge::parseModule(llvm::StringRef bytes, llvm::StringRef name,
                                                     mlir::MLIRContext *context) {
  return parseBuffer(llvm::MemoryBuffer::getMemBufferCopy(bytes, name), context);
}
