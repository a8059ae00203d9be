// forge perplexity: how well a checkpoint's model predicts a text.
#include "Progress.h"
#include "Session.h"

#include "forge/Generate/Compiler/Perplexity.h"
#include "forge/Tokenizer/Tokenizer.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <nlohmann/json.hpp>

#include <chrono>

using namespace forge;
using namespace forge::tool;

namespace {
struct PerplexityCommandOptions {
  ModuleOptions model;
  std::string file;
  int64_t context = 512;
  bool json = false;
};
} // namespace

static void report(const PerplexityCommandOptions &options, const Perplexity &measured, double ms) {
  if (!options.json) {
    llvm::outs() << llvm::format("perplexity %.6g of %lld tokens in %lld windows of %lld\n",
                                 measured.value(), static_cast<long long>(measured.predicted),
                                 static_cast<long long>(measured.windows),
                                 static_cast<long long>(measured.context));
    return;
  }
  nlohmann::ordered_json object;
  object["perplexity"] = measured.value();
  object["log_likelihood"] = measured.logLikelihood;
  object["tokens"] = measured.predicted;
  object["windows"] = measured.windows;
  object["context"] = measured.context;
  object["target"] = options.model.target;
  object["quantize"] = nullptr;
  if (!options.model.quantize.empty())
    object["quantize"] = options.model.quantize;
  object["ms"] = ms;
  llvm::outs() << object.dump() << "\n";
}

static int run(const PerplexityCommandOptions &options) {
  if (std::optional<int> status = rejectTarget(options.model.target))
    return *status;
  const std::string &folder = options.model.path;
  if (!isCheckpoint(folder))
    return badCall(folder + ": expected a folder with config.json, or a GGUF file");
  auto text = llvm::MemoryBuffer::getFileOrSTDIN(options.file);
  if (!text)
    return badCall(options.file + ": cannot read: " + text.getError().message());
  Result<Tokenizer> tokenizer = Tokenizer::loadFolder(folder);
  if (!tokenizer)
    return fail(tokenizer.error().message);
  Result<std::vector<int32_t>> tokens = tokenizer->encode((*text)->getBuffer().str());
  if (!tokens)
    return fail(options.file + ": " + tokens.error().message);
  if (tokens->size() < 2)
    return fail(options.file + ": expected a text of two tokens or more, but got " +
                std::to_string(tokens->size()));

  Session session;
  session.holdErrors();
  Progress progress("importing " + folder);
  std::unique_ptr<CodeCache> cache = options.model.openCache();
  PerplexityOptions forModel;
  forModel.target = options.model.target;
  forModel.tier = options.model.parsedTier();
  forModel.reproducerDir = options.model.reproducerDir;
  forModel.cache = cache.get();
  forModel.context = options.context;
  forModel.randomWeights = options.model.randomSeed();
  forModel.matrices = options.model.matrices();
  forModel.progress = [&](const std::string &step) { progress.step(step); };
  auto start = std::chrono::steady_clock::now();
  Result<Perplexity> measured = measurePerplexity(folder, *session.context(), *tokens, forModel);
  progress.finish();
  if (!measured)
    return session.reportCompileError(measured.error().message);
  warnOfCache(cache.get());
  std::chrono::duration<double, std::milli> ms = std::chrono::steady_clock::now() - start;
  report(options, *measured, ms.count());
  return kSuccess;
}

Command tool::addPerplexityCommand(CLI::App &app) {
  auto options = std::make_shared<PerplexityCommandOptions>();
  CLI::App *sub = app.add_subcommand(
      "perplexity", "Measure how well a checkpoint's model predicts the text of a file");
  sub->add_option(
         "FOLDER", options->model.path,
         "Checkpoint: a folder with config.json, safetensors and a tokenizer, or a GGUF file")
      ->required()
      ->check(isPath())
      ->option_text(" ");
  sub->add_option("FILE", options->file, "The text, in UTF-8; - is standard input")
      ->required()
      ->check(isPath())
      ->option_text(" ");
  sub->add_option("-c,--context", options->context,
                  "Tokens of a window, whose tokens are predicted from those before them in it")
      ->check(CLI::Range(int64_t(2), int64_t(1) << 20))
      ->option_text("N")
      ->capture_default_str();
  sub->add_flag("--json", options->json,
                "Print one object: perplexity, log_likelihood, tokens, windows, times");
  options->model.addTargetTo(*sub);
  options->model.addReproducerDir(*sub);
  options->model.addRandomWeights(*sub);
  options->model.addQuantize(*sub);
  options->model.addNoCache(*sub);
  return {sub, [options] { return ::run(*options); }};
}
