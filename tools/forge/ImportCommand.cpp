// forge import: writes a checkpoint's model as transformer operations.
#include "Session.h"

#include "forge/Import/HuggingFace.h"
#include "forge/Support/AtomicFile.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <filesystem>

using namespace forge;
using namespace forge::tool;

namespace {
struct ImportOptions {
  std::string folder;
  std::string output;
  std::optional<int64_t> batch, length, cache;
};
} // namespace

static int importModel(const ImportOptions &options) {
  if (!llvm::sys::fs::exists(options.folder + "/config.json"))
    return badCall(options.folder + ": expected a folder with config.json");
  std::string relativeTo;
  if (options.output != "-")
    relativeTo = std::filesystem::path(options.output).parent_path();
  Session session;
  Result<mlir::OwningOpRef<mlir::ModuleOp>> module =
      options.cache
          ? importDecoder(options.folder, *session.context(),
                          {options.batch.value_or(1),
                           options.length.value_or(std::min<int64_t>(*options.cache, 64)),
                           *options.cache, /*sampled=*/false, relativeTo})
          : importHuggingFace(options.folder, *session.context(),
                              {options.batch, options.length, relativeTo});
  if (!module)
    return fail(module.error().message);
  std::string text;
  llvm::raw_string_ostream stream(text);
  // Locations are the names of weights.
  (*module)->print(stream, mlir::OpPrintingFlags().enableDebugInfo());
  stream << "\n";
  if (options.output == "-") {
    llvm::outs() << text;
    return kSuccess;
  }
  Result<void> written = writeFileAtomically(options.output, text);
  return written ? kSuccess : fail(written.error().message);
}

Command tool::addImportCommand(CLI::App &app) {
  auto options = std::make_shared<ImportOptions>();
  CLI::App *sub =
      app.add_subcommand("import", "Write a checkpoint's model as transformer operations");
  sub->add_option("FOLDER", options->folder,
                  "Checkpoint in Hugging Face form: config.json and safetensors")
      ->required()
      ->check(isPath())
      ->option_text(" ");
  sub->add_option("-o,--output", options->output, "Where to write MLIR; - is standard output")
      ->required()
      ->check(isPath())
      ->option_text("FILE");
  sub->add_option("--batch", options->batch, "Number of sequences; by default any")
      ->check(CLI::Range(int64_t(1), int64_t(1) << 20))
      ->option_text("N");
  sub->add_option("--length", options->length, "Tokens of a sequence; by default any number")
      ->check(CLI::Range(int64_t(1), int64_t(1) << 20))
      ->option_text("N");
  sub->add_option("--cache", options->cache,
                  "Write @prefill and @decode over caches of N tokens a sequence instead of @main; "
                  "by default for 1 sequence, and 64 tokens a prefill")
      ->check(CLI::Range(int64_t(1), int64_t(1) << 20))
      ->option_text("N");
  return {sub, [options] { return ::importModel(*options); }};
}
