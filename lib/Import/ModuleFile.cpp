#include "forge/Import/ModuleFile.h"

#include "BytecodeSizes.h"
#include "Portable/JaxExport.h"
#include "Portable/PortableArtifact.h"
#include "Portable/VhloDialect.h"

#include "forge/Dialect/StableHLO/IR/StableHLO.h"
#include "forge/Import/Diagnostics.h"
#include "forge/Import/OpCensus.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

#include <fstream>

#include <sys/resource.h>
#include <unistd.h>

using namespace forge;

static mlir::OwningOpRef<mlir::ModuleOp> fail(mlir::MLIRContext *context, llvm::StringRef name,
                                              const llvm::Twine &message) {
  mlir::emitError(mlir::UnknownLoc::get(context)) << name << ": " << message;
  return {};
}

namespace {
struct ReadOptions {
  bool verify = true;
  InputTrust trust = InputTrust::Untrusted;
};

/// Until it is destroyed, the process gets at most `bytes` of address space more than it has.
class AddressSpaceLimit {
public:
  explicit AddressSpaceLimit(uint64_t bytes) {
    std::ifstream statm("/proc/self/statm"); // first the pages of the address space
    uint64_t pages = 0;
    if (!(statm >> pages) || getrlimit(RLIMIT_AS, &before) != 0)
      return;
    rlimit limit = before;
    uint64_t wanted = pages * static_cast<uint64_t>(sysconf(_SC_PAGESIZE)) + bytes;
    limit.rlim_cur = std::min<rlim_t>(before.rlim_cur, wanted);
    isSet = setrlimit(RLIMIT_AS, &limit) == 0;
  }
  AddressSpaceLimit(const AddressSpaceLimit &) = delete;
  ~AddressSpaceLimit() {
    if (isSet)
      setrlimit(RLIMIT_AS, &before);
  }

private:
  rlimit before = {};
  bool isSet = false;
};
} // namespace

/// MLIR's bytecode reader trusts its input, and so do some of its dialects' parsers of text (that
/// of linalg.transpose does not expect a malformed permutation). What makes them crash is reported
/// as what it is: a malformed file.
static mlir::OwningOpRef<mlir::ModuleOp>
guardCrashes(mlir::MLIRContext *context, llvm::StringRef name, llvm::StringRef format,
             llvm::function_ref<mlir::OwningOpRef<mlir::ModuleOp>()> parse) {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::DiagnosticEngine &diagnostics = context->getDiagEngine();
  auto before = diagnostics.registerHandler([](mlir::Diagnostic &) { return mlir::failure(); });
  diagnostics.eraseHandler(before);
  llvm::CrashRecoveryContext::Enable();
  llvm::CrashRecoveryContext guard;
  bool finished = guard.RunSafely([&] { module = parse(); });
  llvm::CrashRecoveryContext::Disable();
  if (finished)
    return module;
  // The parser's own handler refers to its stack, which is gone.
  for (auto id = before + 1; id < before + 8; ++id)
    diagnostics.eraseHandler(id);
  return fail(context, name, "malformed " + format);
}

/// Gives an op whose own location names no file `place`, behind its own.
static void locateOp(mlir::Operation *op, mlir::Location place) {
  mlir::Location own = op->getLoc();
  if (!locationString(own).empty())
    return;
  op->setLoc(llvm::isa<mlir::UnknownLoc>(own)
                 ? place
                 : mlir::FusedLoc::get(op->getContext(), {own, place}));
}

/// Gives each op whose own location names no file the place where it is in the text, behind its
/// own. Frameworks write `loc("add")` and `loc(unknown)`; a diagnostic needs a place.
static void locateOps(const mlir::AsmParserState &parsed, const llvm::SourceMgr &sources,
                      mlir::MLIRContext *context) {
  llvm::StringRef name = sources.getMemoryBuffer(sources.getMainFileID())->getBufferIdentifier();
  for (const auto &definition : parsed.getOpDefs()) {
    auto [line, column] = sources.getLineAndColumn(definition.scopeLoc.Start);
    locateOp(definition.op, mlir::FileLineColLoc::get(context, name, line, column));
  }
}

/// Text with locations in it: parsed with a record of where each op stands, so that verification
/// and all that follows can name the place of each.
static mlir::OwningOpRef<mlir::ModuleOp> parseLocated(const llvm::SourceMgr &sources,
                                                      mlir::MLIRContext *context) {
  mlir::ParserConfig config(context, /*verifyAfterParse=*/false);
  mlir::AsmParserState parsed;
  mlir::Block block;
  if (failed(mlir::parseAsmSourceFile(sources, &block, config, &parsed)))
    return {};
  locateOps(parsed, sources, context);
  mlir::OwningOpRef<mlir::ModuleOp> module;
  if (llvm::hasSingleElement(block) && llvm::isa<mlir::ModuleOp>(block.front())) {
    module = llvm::cast<mlir::ModuleOp>(block.front());
    module->getOperation()->remove();
  } else {
    module = mlir::ModuleOp::create(mlir::UnknownLoc::get(context));
    module->getBody()->getOperations().splice(module->getBody()->end(), block.getOperations());
  }
  if (failed(mlir::verify(*module)))
    return {};
  return module;
}

/// What the reader of bytecode says names neither the file nor that it is malformed where it is
/// about no operation of a known place.
static mlir::OwningOpRef<mlir::ModuleOp>
readBytecode(const std::shared_ptr<llvm::SourceMgr> &sources, mlir::Location file) {
  mlir::MLIRContext *context = file.getContext();
  std::vector<mlir::Diagnostic> errors;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  {
    mlir::ScopedDiagnosticHandler handler(
        context, [&](mlir::Diagnostic &error) { errors.push_back(std::move(error)); });
    mlir::ParserConfig config(context, /*verifyAfterParse=*/false);
    module = mlir::parseSourceFile<mlir::ModuleOp>(sources, config);
  }
  std::string path = locationString(file);
  for (mlir::Diagnostic &error : errors) {
    std::string place = locationString(error.getLocation()), message = error.str();
    if (place != path && !place.empty())
      context->getDiagEngine().emit(std::move(error));
    else if (place == path && !llvm::StringRef(message).starts_with("dialect '"))
      mlir::emitError(file) << "malformed bytecode: " << message;
    else
      mlir::emitError(file) << message;
  }
  return module;
}

/// Bytecode of any dialect; that of vhlo is StableHLO's afterwards.
static mlir::OwningOpRef<mlir::ModuleOp>
parseBytecode(const std::shared_ptr<llvm::SourceMgr> &sources, mlir::MLIRContext *context,
              bool verify) {
  context->getOrLoadDialect<VhloDialect>();
  llvm::StringRef name = sources->getMemoryBuffer(1)->getBufferIdentifier();
  auto file = mlir::FileLineColLoc::get(context, name, 0, 0);
  mlir::OwningOpRef<mlir::ModuleOp> module = readBytecode(sources, file);
  if (!module)
    return {};
  // It may have been stripped of locations: the file is what is known of them then.
  module->walk([&](mlir::Operation *op) { locateOp(op, file); });
  if (failed(legalizeVhlo(*module)) || (verify && failed(mlir::verify(*module))))
    return {};
  return module;
}

/// Text, which is verified, or bytecode.
static mlir::OwningOpRef<mlir::ModuleOp> parseMLIR(std::unique_ptr<llvm::MemoryBuffer> buffer,
                                                   mlir::MLIRContext *context,
                                                   const ReadOptions &options) {
  llvm::StringRef bytes = buffer->getBuffer(), name = buffer->getBufferIdentifier();
  Result<ModuleFormat> format = detectModuleFormat(bytes);
  if (!format)
    return fail(context, name, format.error().message);
  if (bytes.trim().empty())
    return fail(context, name, "the file is empty");
  if (*format == ModuleFormat::Text && nestingDepth(bytes) > kMaxNesting)
    return fail(context, name, "brackets are nested deeper than " + llvm::Twine(kMaxNesting));
  if (*format == ModuleFormat::Bytecode) {
    if (auto version = portableVersion(bytes); !version)
      return fail(context, name, version.error().message);
    if (auto sizes = checkBytecodeSizes(bytes); !sizes)
      return fail(context, name, sizes.error().message);
  }
  bool hasLocations = bytes.contains("loc(");
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  name = sources->getMemoryBuffer(1)->getBufferIdentifier();
  // Attributes in bytecode name counts that their dialects take memory for, and text the number of
  // a result; what they stand for takes at least a byte each. Each thread has a stack and its share
  // of the heap.
  auto parse = [&]() -> mlir::OwningOpRef<mlir::ModuleOp> {
    if (*format == ModuleFormat::Bytecode)
      return parseBytecode(sources, context, options.verify);
    // Without locations, each op has the place where it is.
    mlir::ParserConfig config(context, /*verifyAfterParse=*/true);
    return hasLocations ? parseLocated(*sources, context)
                        : mlir::parseSourceFile<mlir::ModuleOp>(sources, config);
  };
  if (options.trust == InputTrust::Trusted)
    return parse();
  AddressSpaceLimit limit((uint64_t(1) << 30) + uint64_t(256) * bytes.size() +
                          (uint64_t(80) << 20) * context->getNumThreads());
  return guardCrashes(context, name, *format == ModuleFormat::Bytecode ? "bytecode" : "text",
                      parse);
}

/// A file of jax.export: the module in it, with `forge.platforms` if it was lowered for several.
static mlir::OwningOpRef<mlir::ModuleOp> parseExport(std::unique_ptr<llvm::MemoryBuffer> buffer,
                                                     mlir::MLIRContext *context,
                                                     const ReadOptions &options) {
  llvm::StringRef name = buffer->getBufferIdentifier();
  Result<JaxExport> exported = parseJaxExport(buffer->getBuffer());
  if (!exported)
    return fail(context, name, exported.error().message);
  // The bytecode reader wants an alignment that it does not have within the file.
  auto module =
      parseMLIR(llvm::MemoryBuffer::getMemBufferCopy(exported->module, name), context, options);
  if (!module || exported->platforms.size() < 2)
    return module;
  llvm::SmallVector<llvm::StringRef> platforms(exported->platforms.begin(),
                                               exported->platforms.end());
  module->getOperation()->setAttr(kPlatformsAttribute,
                                  mlir::Builder(context).getStrArrayAttr(platforms));
  return module;
}

static mlir::OwningOpRef<mlir::ModuleOp> parseBuffer(std::unique_ptr<llvm::MemoryBuffer> buffer,
                                                     mlir::MLIRContext *context,
                                                     const ReadOptions &options = {}) {
  Result<ModuleFormat> format = detectModuleFormat(buffer->getBuffer());
  bool isExport = format && *format == ModuleFormat::JaxExport;
  // Normalization writes operations of it into modules that have none, too.
  context->loadDialect<stablehlo::StableHLODialect>();
  mlir::OwningOpRef<mlir::ModuleOp> module =
      (isExport ? parseExport : parseMLIR)(std::move(buffer), context, options);
  if (module && options.verify && failed(checkTensorSizes(*module)))
    return {};
  return module;
}

mlir::OwningOpRef<mlir::ModuleOp> forge::loadModule(llvm::StringRef path,
                                                    mlir::MLIRContext *context) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(path);
  if (!buffer)
    return fail(context, path, "cannot read: " + buffer.getError().message());
  return parseBuffer(std::move(*buffer), context);
}

OpCensus forge::countOpsInFile(llvm::StringRef path, mlir::MLIRContext *context) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return {};
  Result<ModuleFormat> format = detectModuleFormat((*buffer)->getBuffer());
  if (!format || *format == ModuleFormat::Text)
    return countOpsInText((*buffer)->getBuffer());
  mlir::OwningOpRef<mlir::ModuleOp> module =
      parseBuffer(std::move(*buffer), context, {.verify = false});
  return module ? countOps(*module) : OpCensus();
}

mlir::OwningOpRef<mlir::ModuleOp> forge::parseModule(llvm::StringRef bytes, llvm::StringRef name,
                                                     mlir::MLIRContext *context, InputTrust trust) {
  return parseBuffer(llvm::MemoryBuffer::getMemBufferCopy(bytes, name), context, {.trust = trust});
}
