// forge import: writes a checkpoint's model as transformer operations.
#include "PageOptions.h"
#include "Progress.h"
#include "Session.h"

#include "forge/Checkpoint/RandomWeights.h"
#include "forge/Checkpoint/SaveCheckpoint.h"
#include "forge/Checkpoint/TextFiles.h"
#include "forge/Checkpoint/Weights.h"
#include "forge/Import/HuggingFace.h"
#include "forge/Import/WeightAttribute.h"
#include "forge/Support/AtomicFile.h"
#include "forge/Support/Pieces.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <filesystem>

using namespace forge;
using namespace forge::tool;

namespace {
struct ImportOptions {
  ModuleOptions model;
  std::string output, saveFolder;
  std::optional<int64_t> batch, cache;
  PageOptions pages;
  std::vector<int64_t> lengths;
};
} // namespace

static Result<std::vector<NamedTensor>> namedWeights(mlir::func::FuncOp function) {
  Result<std::vector<std::optional<WeightSource>>> weights = weightsOf(function);
  if (!weights)
    return weights.error();
  Result<FunctionSignature> signature =
      signatureOf(function->getParentOfType<mlir::ModuleOp>(), function.getSymName());
  if (!signature)
    return signature.error();
  std::vector<NamedTensor> tensors;
  for (size_t i = 0; i < weights->size(); ++i) {
    if (!(*weights)[i])
      continue;
    const std::string &name = (*weights)[i]->tensor;
    TensorSpec spec = signature->arguments[i];
    if (!stackedName(name, 0)) {
      tensors.push_back({name, spec});
      continue;
    }
    int64_t count = spec.dims.front();
    spec.dims.erase(spec.dims.begin());
    for (int64_t number = 0; number < count; ++number)
      tensors.push_back({*stackedName(name, number), spec});
  }
  return tensors;
}

/// Copies a file of the folder where there is one.
static Result<void> copyFile(const std::string &from, const char *name, StagedFolder &to) {
  std::filesystem::path path = std::filesystem::path(from) / name;
  std::error_code error;
  if (!std::filesystem::exists(path, error))
    return {};
  if (!std::filesystem::copy_file(path, to.pathOf(name), error))
    return Error{path.string() + ": cannot copy: " + error.message()};
  return {};
}

/// Writes a folder like the given one, with random weights.
static int saveModel(const ImportOptions &options) {
  Session session;
  Result<mlir::OwningOpRef<mlir::ModuleOp>> module =
      importHuggingFace(options.model.path, *session.context(), {.withoutWeights = true});
  if (!module)
    return fail(module.error().message);
  Result<std::vector<NamedTensor>> tensors =
      namedWeights((*module)->lookupSymbol<mlir::func::FuncOp>("main"));
  if (!tensors)
    return fail(tensors.error().message);
  Result<StagedFolder> folder = StagedFolder::create(options.saveFolder);
  if (!folder)
    return fail(folder.error().message);
  Progress progress("writing " + options.saveFolder);
  Result<void> saved = saveCheckpoint(
      *folder, *tensors,
      [&](const NamedTensor &tensor, int64_t begin, std::span<char> bytes) -> Result<void> {
        Result<RandomWeight> weight =
            RandomWeight::create(tensor.name, tensor.spec, options.model.weightsSeed);
        if (!weight)
          return weight.error();
        auto width = static_cast<int64_t>(byteWidth(tensor.spec.type));
        forEachPiece(bytes.size(), size_t(1) << 20, copyWorkers(),
                     [&](size_t, size_t offset, size_t size) {
                       weight->fill(begin + static_cast<int64_t>(offset) / width,
                                    bytes.subspan(offset, size));
                     });
        return {};
      });
  for (const char *name : kTextFiles)
    if (saved)
      saved = copyFile(options.model.path, name, *folder);
  if (saved)
    saved = folder->commit();
  progress.finish();
  return saved ? kSuccess : fail(saved.error().message);
}

static DecoderOptions decoderOptions(const ImportOptions &options, const std::string &relativeTo) {
  DecoderOptions model;
  model.batch = options.batch.value_or(model.batch);
  if (!options.lengths.empty())
    model.prefills = options.lengths;
  model.capacity = *options.cache;
  model.pageSize = options.pages.size;
  model.pages = options.pages.count;
  model.relativeTo = relativeTo;
  model.withoutWeights = options.model.randomWeights;
  model.matrices = options.model.matrices();
  return model;
}

static int importModel(const ImportOptions &options) {
  if (options.output.empty() && options.saveFolder.empty())
    return badCall("expected --output or --save");
  if (!isCheckpoint(options.model.path))
    return badCall(options.model.path + ": expected a folder with config.json, or a GGUF file");
  if (!options.saveFolder.empty())
    if (int status = saveModel(options); status != kSuccess || options.output.empty())
      return status;
  if (!options.cache && options.pages.size)
    return badCall("--page-size: expected --cache, too");
  if (!options.cache && options.lengths.size() > 1)
    return badCall("--length: expected one number, or --cache, but got " +
                   std::to_string(options.lengths.size()) + " numbers");
  std::optional<int64_t> length;
  if (!options.lengths.empty())
    length = options.lengths.front();
  std::string relativeTo;
  if (options.output != "-")
    relativeTo = std::filesystem::path(options.output).parent_path();
  Session session;
  Result<mlir::OwningOpRef<mlir::ModuleOp>> module =
      options.cache ? importDecoder(options.model.path, *session.context(),
                                    decoderOptions(options, relativeTo))
                    : importHuggingFace(options.model.path, *session.context(),
                                        {.batch = options.batch,
                                         .length = length,
                                         .relativeTo = relativeTo,
                                         .withoutWeights = options.model.randomWeights,
                                         .matrices = options.model.matrices()});
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
  sub->add_option("FOLDER", options->model.path,
                  "Checkpoint in Hugging Face form, config.json and safetensors, or a GGUF file")
      ->required()
      ->check(isPath())
      ->option_text(" ");
  sub->add_option("-o,--output", options->output, "Where to write MLIR; - is standard output")
      ->check(isPath())
      ->option_text("FILE");
  sub->add_option("--batch", options->batch, "Number of sequences; by default any")
      ->check(CLI::Range(int64_t(1), int64_t(1) << 20))
      ->option_text("N");
  sub->add_option("--length", options->lengths,
                  "Tokens of a sequence; by default any number. With --cache the tokens that a "
                  "prefill takes at a time, a prefill for each number")
      ->check(CLI::Range(int64_t(1), int64_t(1) << 20))
      ->delimiter(',')
      ->allow_extra_args(false)
      ->option_text("N,...");
  sub->add_option("--cache", options->cache,
                  "Write @prefill and @decode over caches of N tokens a sequence instead of @main; "
                  "by default for 1 sequence, and 64 tokens a prefill")
      ->check(CLI::Range(int64_t(1), int64_t(1) << 20))
      ->option_text("N");
  options->pages.addTo(*sub);
  options->model.addQuantize(*sub);
  CLI::Option *random = options->model.addRandomWeights(*sub);
  sub->add_option("--save", options->saveFolder,
                  "Write a checkpoint of the same configuration with the random weights there")
      ->check(isPath())
      ->needs(random)
      ->option_text("FOLDER");
  return {sub, [options] { return ::importModel(*options); }};
}
