// forge generate: continues texts with a checkpoint's model, which is compiled here.
#include "Progress.h"
#include "Session.h"
#include "TraceFile.h"

#include "../GenerateOptions.h"

#include "forge/Generate/Compiler/CompileGenerator.h"

#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <chrono>

using namespace forge;
using namespace forge::tool;

namespace {
struct GenerateOptions {
  ModuleOptions model;
  GenerateRequest request;
  int64_t batch = 32;
  std::optional<int64_t> context, pageSize;
  TraceOption trace;
};
} // namespace

static Console consoleOf() {
  return {tool::fail, tool::badCall,
          [](const std::string &text) {
            llvm::outs() << text;
            llvm::outs().flush();
          },
          [](const std::string &line) { llvm::errs() << line << "\n"; },
          [](const std::string &question) { llvm::errs() << question; }};
}

/// Some more, so that code in the cache serves other prompts: a multiple of an eighth of the power
/// of two below.
static int64_t roomForOthers(int64_t pages) {
  auto count = static_cast<uint64_t>(pages);
  return static_cast<int64_t>(
      llvm::alignTo(count, std::max<uint64_t>(llvm::bit_floor(count) / 8, 1)));
}

static CompileGeneratorOptions generatorOptions(const GenerateOptions &options,
                                                const GenerateCommand &command) {
  CompileGeneratorOptions result;
  result.target = options.model.target;
  result.tier = options.model.parsedTier();
  result.reproducerDir = options.model.reproducerDir;
  result.randomWeights = options.model.randomSeed();
  result.matrices = options.model.matrices();
  result.stamps = !options.trace.file.empty();
  result.sampling = options.request.sampling();
  result.pageSize = options.pageSize;
  if (options.request.isConversation()) {
    // Where the model has positions for fewer, so many are kept.
    constexpr int64_t usual = 4096;
    result.capacity = options.context.value_or(1);
    result.capacityMultiple = options.context ? 1 : usual;
    return result;
  }
  result.batch = std::min(options.batch, static_cast<int64_t>(command.numPrompts()));
  result.prompts = command.promptLengths();
  // The last token is chosen, but not kept.
  result.capacity = std::ranges::max(result.prompts) + options.request.newTokens - 1;
  if (options.pageSize)
    result.pages = roomForOthers(command.mostPages(result.batch, *options.pageSize));
  result.capacityMultiple = std::clamp<int64_t>(
      static_cast<int64_t>(llvm::PowerOf2Ceil(static_cast<uint64_t>(result.capacity))), 16, 256);
  return result;
}

static int run(const GenerateOptions &options) {
  if (std::string why = whyNoPrompts(options.request); !why.empty())
    return badCall(why);
  if (options.context && !options.request.isConversation())
    return badCall("--context: expected a conversation, --chat without a prompt");
  if (std::optional<int> status = rejectTarget(options.model.target))
    return *status;
  const std::string &folder = options.model.path;
  if (!isCheckpoint(folder))
    return badCall(folder + ": expected a folder with config.json, or a GGUF file");
  auto start = std::chrono::steady_clock::now();
  GenerateCommand command(options.request, consoleOf());
  if (std::optional<int> status = command.open(folder))
    return *status;

  Session session;
  mlir::DictionaryAttr plan;
  if (std::optional<int> status = session.readPlan(options.model, plan))
    return *status;
  session.holdErrors();
  Result<std::optional<DecoderFacts>> facts =
      describeDecoder(folder, *session.context(), options.model.randomWeights);
  if (!facts)
    return fail(facts.error().message);
  if (*facts && (*facts)->positions)
    if (std::optional<int> status = command.checkRoom(*(*facts)->positions))
      return *status;
  Progress progress("importing " + folder);
  CompileGeneratorOptions forGenerator = generatorOptions(options, command);
  forGenerator.progress = [&](const std::string &step) { progress.step(step); };
  std::unique_ptr<CodeCache> cache = options.model.openCache();
  forGenerator.plan = plan;
  forGenerator.cache = cache.get();
  Result<Generator> generator = compileGenerator(folder, *session.context(), forGenerator);
  progress.finish();
  if (!generator)
    return session.reportCompileError(generator.error().message);
  warnOfCache(cache.get());
  GenerateReport report;
  report.target = options.model.target;
  report.isCached = cache && cache->numMisses() == 0;
  report.code = report.isCached ? "code from the cache" : "compiled";
  report.startMs =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return command.run(*generator, report);
}

Command tool::addGenerateCommand(CLI::App &app) {
  auto options = std::make_shared<GenerateOptions>();
  CLI::App *sub = app.add_subcommand("generate", "Continue texts with a checkpoint's model");
  sub->add_option(
         "FOLDER", options->model.path,
         "Checkpoint: a folder with config.json, safetensors and a tokenizer, or a GGUF file")
      ->required()
      ->check(isPath())
      ->option_text(" ");
  addGenerateOptions(*sub, options->request);
  sub->add_option("--batch", options->batch, "Prompts that are computed together at most")
      ->check(CLI::Range(int64_t(1), int64_t(1) << 12))
      ->option_text("N")
      ->capture_default_str();
  sub->add_option("--context", options->context,
                  "Tokens that a conversation may have, of --chat without a prompt; by default "
                  "4096, or as many as the model has positions for")
      ->check(CLI::Range(int64_t(1), int64_t(1) << 20))
      ->option_text("N");
  sub->add_option("--page-size", options->pageSize,
                  "Keep keys and values in pages of N tokens, which the prompts share, as many as "
                  "they and the new tokens take")
      ->check(CLI::Range(int64_t(1), int64_t(1) << 16))
      ->option_text("N");
  options->trace.addTo(*sub);
  options->model.addTargetTo(*sub);
  options->model.addReproducerDir(*sub);
  options->model.addRandomWeights(*sub);
  options->model.addPlan(*sub);
  options->model.addQuantize(*sub);
  options->model.addNoCache(*sub);
  return {sub, [options] { return options->trace.record([&] { return ::run(*options); }); }};
}
