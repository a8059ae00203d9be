// forge generate: continues a text with a checkpoint's model.
#include "Progress.h"
#include "Session.h"
#include "TextOutput.h"
#include "TraceFile.h"

#include "forge/Chat/ChatTemplate.h"
#include "forge/Generate/EndOfText.h"
#include "forge/Generate/Generator.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <nlohmann/json.hpp>

#include <chrono>
#include <csignal>

using namespace forge;
using namespace forge::tool;

namespace {
struct GenerateOptions {
  ModuleOptions model;
  std::string prompt, promptIds, system;
  bool hasPrompt = false, hasPromptIds = false, chat = false;
  int64_t newTokens = 128;
  bool ignoreEnd = false, json = false;
  TraceOption trace;
  std::vector<std::string> stops;
  std::optional<double> temperature;
  std::optional<double> topP;
  std::optional<int32_t> topK;
  std::optional<uint64_t> seed;
};

/// What a call has made so far.
struct Generated {
  std::vector<int32_t> tokens; ///< the prompt's and the new ones
  std::vector<int32_t> input;  ///< the prompt's that the model sees
  size_t numPrompt = 0;
  std::string finish = "length";
  bool isCached = false; ///< no function was compiled
  double startMs = 0, prefillMs = 0, decodeMs = 0;

  size_t numNew() const { return tokens.size() - numPrompt; }
  /// The first new token is the prefill's.
  double prefillRate() const { return rate(numPrompt, prefillMs); }
  double decodeRate() const { return rate(numNew() > 1 ? numNew() - 1 : 0, decodeMs); }
  static double rate(size_t count, double ms) {
    return ms > 0 ? 1000 * static_cast<double>(count) / ms : 0;
  }
};

class Stopwatch {
public:
  double ms() const {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
        .count();
  }

private:
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
};

/// While alive the first SIGINT only sets a flag, unless it is ignored; a second one ends the
/// process.
class InterruptFlag {
public:
  InterruptFlag() {
    interrupted = 0;
    struct sigaction action = {};
    action.sa_handler = [](int) { interrupted = 1; };
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    sigaction(SIGINT, nullptr, &before);
    if (before.sa_handler != SIG_IGN)
      sigaction(SIGINT, &action, nullptr);
  }
  InterruptFlag(const InterruptFlag &) = delete;
  ~InterruptFlag() { sigaction(SIGINT, &before, nullptr); }
  bool isSet() const { return interrupted != 0; }

private:
  static volatile std::sig_atomic_t interrupted;
  struct sigaction before = {};
};
volatile std::sig_atomic_t InterruptFlag::interrupted = 0;
} // namespace

/// As a shell reports a process that SIGINT ended.
static constexpr int kInterrupted = 130;

static std::optional<int> parseIds(const std::string &text, std::vector<int32_t> &ids) {
  llvm::SmallVector<llvm::StringRef> parts;
  llvm::StringRef(text).split(parts, ',');
  for (llvm::StringRef part : parts) {
    int32_t id = 0;
    if (part.trim().getAsInteger(10, id) || id < 0)
      return badCall("--prompt-ids: expected tokens from 0 to 2^31 - 1 with commas between them, "
                     "but got '" +
                     text + "'");
    ids.push_back(id);
  }
  return std::nullopt;
}

/// The prompt as the message of a user, by the checkpoint's template.
static Result<std::string> chatText(const GenerateOptions &options) {
  Result<ChatTemplate> chat = ChatTemplate::loadFolder(options.model.path);
  if (!chat)
    return chat.error();
  nlohmann::ordered_json messages = nlohmann::ordered_json::array();
  if (!options.system.empty())
    messages.push_back({{"role", "system"}, {"content", options.system}});
  messages.push_back({{"role", "user"}, {"content", options.prompt}});
  return chat->apply(messages);
}

/// The tokens of the prompt; an exit status where there are none.
static std::optional<int> readPrompt(const GenerateOptions &options,
                                     const std::optional<Tokenizer> &tokenizer,
                                     std::vector<int32_t> &ids) {
  if (options.hasPromptIds)
    return parseIds(options.promptIds, ids);
  std::string text = options.prompt;
  if (options.chat) {
    Result<std::string> message = chatText(options);
    if (!message)
      return fail(message.error().message);
    text = std::move(*message);
  }
  // A template has the tokens around a text in it.
  Result<std::vector<int32_t>> encoded = tokenizer->encode(text, /*addSpecial=*/!options.chat);
  if (!encoded)
    return badCall("--prompt: " + encoded.error().message);
  if (encoded->empty())
    return badCall("--prompt: expected a text of one token or more");
  ids = std::move(*encoded);
  return std::nullopt;
}

/// What the model sees of a prompt. Where it is given as tokens, padding among them is left out, as
/// transformers masks it.
static std::vector<int32_t> withoutPadding(const GenerateOptions &options,
                                           const GenerationTokens &special,
                                           std::vector<int32_t> ids) {
  if (options.hasPromptIds && special.padding)
    std::erase(ids, *special.padding);
  return ids;
}

static GeneratorOptions generatorOptions(const GenerateOptions &options, size_t numPrompt) {
  GeneratorOptions result;
  result.target = options.model.target;
  result.tier = options.model.parsedTier();
  result.reproducerDir = options.model.reproducerDir;
  result.randomWeights = options.model.randomSeed();
  result.matrices = options.model.matrices();
  result.stamps = !options.trace.file.empty();
  result.prompt = static_cast<int64_t>(numPrompt);
  // The last token is chosen, but not kept.
  result.capacity = result.prompt + options.newTokens - 1;
  result.capacityMultiple = std::clamp<int64_t>(
      static_cast<int64_t>(llvm::PowerOf2Ceil(static_cast<uint64_t>(result.capacity))), 16, 256);
  if (options.temperature || options.topK || options.topP || options.seed)
    result.sampling = Sampling{options.temperature.value_or(1), options.topK.value_or(0),
                               options.topP.value_or(1), options.seed.value_or(0)};
  return result;
}

/// Prefill, then a token at a time until there are enough, one ends the text, a stop string comes,
/// or the process is interrupted.
static Result<void> generate(Generator &generator, const GenerateOptions &options,
                             const std::set<int32_t> &ends, TextOutput &output,
                             Generated &generated) {
  InterruptFlag interrupt;
  Stopwatch prefill;
  Result<std::vector<int32_t>> next = generator.prefill({generated.input});
  generated.prefillMs = prefill.ms();
  Stopwatch decode;
  while (next) {
    int32_t token = next->front();
    generated.tokens.push_back(token);
    if (Result<void> shown = output.add(token); !shown)
      return shown;
    bool isEnd = !options.ignoreEnd && ends.contains(token);
    if (isEnd || output.stopped() || interrupt.isSet()) {
      generated.finish = isEnd ? "eos" : output.stopped() ? "stop" : "interrupted";
      break;
    }
    if (static_cast<int64_t>(generated.numNew()) >= options.newTokens)
      break;
    next = generator.decode(*next);
    generated.decodeMs = decode.ms();
  }
  if (!next)
    return next.error();
  return output.finish();
}

/// The object of --json.
static Result<std::string> describe(const GenerateOptions &options, const Generated &generated,
                                    const std::optional<Tokenizer> &tokenizer) {
  nlohmann::ordered_json object;
  object["tokens"] = generated.tokens;
  object["text"] = nullptr;
  object["new_text"] = nullptr;
  if (tokenizer) {
    std::vector<int32_t> fresh(generated.tokens.begin() +
                                   static_cast<ptrdiff_t>(generated.numPrompt),
                               generated.tokens.end());
    Result<std::string> all = tokenizer->decode(generated.tokens),
                        added = tokenizer->decode(fresh, /*skipSpecial=*/true);
    if (!all || !added)
      return all ? added : all;
    object["text"] = *all;
    object["new_text"] = *added;
  }
  object["prompt_tokens"] = generated.numPrompt;
  object["new_tokens"] = generated.numNew();
  object["finish"] = generated.finish;
  object["target"] = options.model.target;
  object["cached"] = generated.isCached;
  object["start_ms"] = generated.startMs;
  object["prefill_ms"] = generated.prefillMs;
  object["decode_ms"] = generated.decodeMs;
  object["prefill_tokens_per_second"] = generated.prefillRate();
  object["decode_tokens_per_second"] = generated.decodeRate();
  return object.dump(-1, ' ', /*ensure_ascii=*/false, nlohmann::json::error_handler_t::replace);
}

static int report(const GenerateOptions &options, const Generated &generated,
                  const std::optional<Tokenizer> &tokenizer) {
  if (options.json) {
    Result<std::string> object = describe(options, generated, tokenizer);
    if (!object)
      return fail(object.error().message);
    llvm::outs() << *object << "\n";
  } else {
    llvm::outs() << "\n";
    llvm::outs().flush();
    llvm::errs() << llvm::format("%zu tokens in, %zu out; started in %.2f s (%s), prefill %.1f, "
                                 "decode %.1f tokens a second\n",
                                 generated.numPrompt, generated.numNew(), generated.startMs / 1000,
                                 generated.isCached ? "code from the cache" : "compiled",
                                 generated.prefillRate(), generated.decodeRate());
  }
  return generated.finish == "interrupted" ? kInterrupted : kSuccess;
}

static int run(const GenerateOptions &options) {
  if (options.hasPrompt == options.hasPromptIds)
    return badCall("expected --prompt or --prompt-ids, one of them");
  if (std::optional<int> status = rejectTarget(options.model.target))
    return *status;
  const std::string &folder = options.model.path;
  if (!isCheckpoint(folder))
    return badCall(folder + ": expected a folder with config.json, or a GGUF file");
  Stopwatch start;
  std::optional<Tokenizer> tokenizer;
  if (options.hasPrompt || Tokenizer::isIn(folder)) {
    Result<Tokenizer> loaded = Tokenizer::loadFolder(folder);
    if (!loaded)
      return fail(loaded.error().message);
    tokenizer.emplace(std::move(*loaded));
  }
  if (!tokenizer && !options.stops.empty())
    return badCall("--stop: expected a folder with tokenizer.json or tokenizer.model");
  Generated generated;
  if (std::optional<int> status = readPrompt(options, tokenizer, generated.tokens))
    return *status;
  generated.numPrompt = generated.tokens.size();
  Result<GenerationTokens> special = readGenerationTokens(folder);
  if (!special)
    return fail(special.error().message);
  generated.input = withoutPadding(options, *special, generated.tokens);
  if (generated.input.empty())
    return badCall("--prompt-ids: expected a token that is not padding");

  Session session;
  mlir::DictionaryAttr plan;
  if (std::optional<int> status = session.readPlan(options.model, plan))
    return *status;
  session.holdErrors();
  Progress progress("importing " + folder);
  GeneratorOptions forGenerator = generatorOptions(options, generated.input.size());
  forGenerator.progress = [&](const std::string &step) { progress.step(step); };
  std::optional<CodeCache> cache = options.model.openCache();
  forGenerator.plan = plan;
  forGenerator.cache = cache ? &*cache : nullptr;
  Result<Generator> generator = Generator::create(folder, *session.context(), forGenerator);
  progress.finish();
  if (!generator)
    return session.reportCompileError(generator.error().message);
  for (int32_t token : generated.input)
    if (token >= generator->vocabulary())
      return badCall("expected tokens from 0 to " + std::to_string(generator->vocabulary() - 1) +
                     ", but got " + std::to_string(token));
  generated.startMs = start.ms();
  generated.isCached = cache && cache->numMisses() == 0;
  warnOfCache(cache);
  TextOutput output(tokenizer ? &*tokenizer : nullptr, generated.tokens, options.stops,
                    /*shown=*/!options.json);
  if (Result<void> done = generate(*generator, options, special->ends, output, generated); !done)
    return fail(done.error().message);
  return report(options, generated, tokenizer);
}

Command tool::addGenerateCommand(CLI::App &app) {
  auto options = std::make_shared<GenerateOptions>();
  CLI::App *sub = app.add_subcommand("generate", "Continue a text with a checkpoint's model");
  sub->add_option(
         "FOLDER", options->model.path,
         "Checkpoint: a folder with config.json, safetensors and a tokenizer, or a GGUF file")
      ->required()
      ->check(isPath())
      ->option_text(" ");
  CLI::Option *prompt =
      sub->add_option("--prompt", options->prompt, "The text")->option_text("TEXT");
  CLI::Option *ids =
      sub->add_option("--prompt-ids", options->promptIds, "Its tokens instead: 1,2,3")
          ->option_text("IDS");
  CLI::Option *chat =
      sub->add_flag("--chat", options->chat,
                    "The prompt is the message of a user, by the checkpoint's chat template")
          ->needs(prompt);
  sub->add_option("--system", options->system, "A message before it, of how to behave")
      ->needs(chat)
      ->option_text("TEXT");
  sub->add_option("--max-new-tokens", options->newTokens, "How many tokens are added at most")
      ->check(CLI::Range(int64_t(1), int64_t(1) << 20))
      ->option_text("N")
      ->capture_default_str();
  sub->add_flag("--ignore-eos", options->ignoreEnd, "Go on behind tokens that end a text");
  sub->add_option("--stop", options->stops, "End before this text; may be repeated")
      ->option_text("TEXT")
      ->allow_extra_args(false);
  sub->add_option("--temperature", options->temperature,
                  "Draw tokens at random; logits are divided by T. Without this and the next "
                  "three options the most likely token is taken")
      ->check(CLI::Range(0.0, 1e6))
      ->option_text("T");
  sub->add_option("--top-k", options->topK, "Draw from the K most likely tokens")
      ->check(CLI::Range(1, INT32_MAX))
      ->option_text("K");
  sub->add_option("--top-p", options->topP,
                  "Draw from the most likely tokens whose probabilities sum to P")
      ->check(CLI::Range(0.0, 1.0))
      ->option_text("P");
  sub->add_option("--seed", options->seed, "Of the random numbers; default: 0")
      ->check(isNaturalNumber())
      ->option_text("N");
  sub->add_flag(
      "--json", options->json,
      "Print one object instead of the text: tokens (prompt and new), text, times, rates");
  options->trace.addTo(*sub);
  options->model.addTargetTo(*sub);
  options->model.addReproducerDir(*sub);
  options->model.addRandomWeights(*sub);
  options->model.addPlan(*sub);
  options->model.addQuantize(*sub);
  options->model.addNoCache(*sub);
  return {sub, [options, prompt, ids] {
            options->hasPrompt = prompt->count() > 0;
            options->hasPromptIds = ids->count() > 0;
            return options->trace.record([&] { return ::run(*options); });
          }};
}
