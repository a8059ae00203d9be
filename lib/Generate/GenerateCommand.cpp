#include "forge/Generate/GenerateCommand.h"

#include "forge/Generate/Conversation.h"
#include "forge/Generate/InterruptFlag.h"
#include "forge/Generate/LineReader.h"

#include <algorithm>
#include <charconv>
#include <numeric>

using namespace forge;

/// As a shell reports a process that SIGINT ended.
static constexpr int kInterrupted = 130;

std::optional<Sampling> GenerateRequest::sampling() const {
  if (!temperature && !topK && !topP && !seed)
    return std::nullopt;
  return Sampling{temperature.value_or(1), topK.value_or(0), topP.value_or(1), seed.value_or(0)};
}

//===----------------------------------------------------------------------===//
// Prompts
//===----------------------------------------------------------------------===//

size_t GenerateCommand::numGiven() const {
  return std::max(request.prompts.size(), request.promptIds.size());
}

std::string GenerateCommand::nameOf(size_t number, const char *alone) const {
  return numGiven() > 1 ? "prompt " + std::to_string(number + 1) + ": " : alone;
}

std::optional<int> GenerateCommand::parseIds(size_t number, const std::string &text) {
  Prompt prompt;
  std::string_view rest = text;
  while (true) {
    size_t end = rest.find(',');
    std::string_view part = rest.substr(0, end);
    while (part.starts_with(' '))
      part.remove_prefix(1);
    while (part.ends_with(' '))
      part.remove_suffix(1);
    int32_t id = 0;
    auto [stop, error] = std::from_chars(part.data(), part.data() + part.size(), id);
    if (error != std::errc() || stop != part.data() + part.size() || id < 0)
      return console.badCall(nameOf(number, "--prompt-ids: ") +
                             "expected tokens from 0 to 2^31 - 1 with commas between them, but "
                             "got '" +
                             text + "'");
    prompt.tokens.push_back(id);
    if (end == std::string_view::npos)
      break;
    rest.remove_prefix(end + 1);
  }
  prompt.input = prompt.tokens;
  if (texts->special().padding)
    std::erase(prompt.input, *texts->special().padding);
  if (prompt.input.empty())
    return console.badCall(nameOf(number, "--prompt-ids: ") +
                           "expected a token that is not padding");
  prompts.push_back(std::move(prompt));
  return std::nullopt;
}

/// As the message of a user, where that is asked for; a template has the tokens around a text in
/// it.
std::optional<int> GenerateCommand::encode(size_t number, const std::string &given) {
  std::string text = given;
  if (request.chat) {
    nlohmann::ordered_json messages = nlohmann::ordered_json::array();
    if (!request.system.empty())
      messages.push_back({{"role", "system"}, {"content", request.system}});
    messages.push_back({{"role", "user"}, {"content", given}});
    Result<std::string> message = texts->chat(messages);
    if (!message)
      return console.fail(message.error().message);
    text = std::move(*message);
  }
  Result<std::vector<int32_t>> ids = texts->tokenizer()->encode(text, /*addSpecial=*/!request.chat);
  if (!ids)
    return console.badCall(nameOf(number, "--prompt: ") + ids.error().message);
  if (ids->empty())
    return console.badCall(nameOf(number, "--prompt: ") + "expected a text of one token or more");
  prompts.push_back({*ids, *ids});
  return std::nullopt;
}

/// The lines of a file, but for empty ones.
std::optional<int> GenerateCommand::readFile() {
  Result<LineReader> lines = LineReader::open(request.promptsFile);
  if (!lines)
    return console.badCall(lines.error().message);
  while (true) {
    Result<std::optional<std::string>> line = lines->next();
    if (!line)
      return console.badCall(line.error().message);
    if (!*line)
      break;
    if (!(*line)->empty())
      request.prompts.push_back(std::move(**line));
  }
  if (request.prompts.empty())
    return console.badCall(request.promptsFile + ": expected a prompt on a line");
  return std::nullopt;
}

std::optional<int> GenerateCommand::readPrompts() {
  for (size_t i = 0; i < numGiven(); ++i)
    if (std::optional<int> status = request.promptIds.empty() ? encode(i, request.prompts[i])
                                                              : parseIds(i, request.promptIds[i]))
      return status;
  return std::nullopt;
}

std::optional<int> GenerateCommand::open(const std::string &checkpoint) {
  bool hasTexts = request.promptIds.empty();
  Result<Texts> loaded = Texts::load(checkpoint, /*wanted=*/hasTexts);
  if (!loaded)
    return console.fail(loaded.error().message);
  texts.emplace(std::move(*loaded));
  if (!texts->problem().empty()) {
    if (!request.stops.empty())
      return console.fail(texts->problem());
    console.note("tokens without texts: " + texts->problem());
  }
  if (!texts->tokenizer() && !request.stops.empty())
    return console.badCall("--stop: expected a checkpoint with a tokenizer");
  if (!request.promptsFile.empty())
    if (std::optional<int> status = readFile())
      return status;
  return readPrompts();
}

std::vector<int64_t> GenerateCommand::promptLengths() const {
  std::vector<int64_t> lengths;
  for (const Prompt &prompt : prompts)
    lengths.push_back(static_cast<int64_t>(prompt.input.size()));
  return lengths;
}

int64_t GenerateCommand::mostPages(int64_t batch, int64_t pageSize) const {
  std::vector<int64_t> pages;
  for (const Prompt &prompt : prompts) {
    // The last token is chosen, but not kept.
    int64_t tokens = static_cast<int64_t>(prompt.input.size()) + request.newTokens - 1;
    pages.push_back((tokens + pageSize - 1) / pageSize);
  }
  std::ranges::sort(pages, std::greater());
  pages.resize(std::min(pages.size(), static_cast<size_t>(batch)));
  return std::accumulate(pages.begin(), pages.end(), int64_t(0));
}

/// The last token is chosen, but not kept.
std::optional<int> GenerateCommand::checkRoom(int64_t capacity) const {
  for (size_t i = 0; i < prompts.size(); ++i) {
    auto size = static_cast<int64_t>(prompts[i].input.size());
    if (size > capacity - request.newTokens + 1)
      return console.badCall(nameOf(i) + "expected at most " + std::to_string(capacity + 1) +
                             " tokens, new ones among them, but got " + std::to_string(size) +
                             " and " + std::to_string(request.newTokens) + " new ones");
  }
  return std::nullopt;
}

std::optional<int> GenerateCommand::checkVocabulary(int64_t vocabulary) const {
  for (size_t i = 0; i < prompts.size(); ++i)
    for (int32_t token : prompts[i].input)
      if (token >= vocabulary)
        return console.badCall(nameOf(i) + "expected tokens from 0 to " +
                               std::to_string(vocabulary - 1) + ", but got " +
                               std::to_string(token));
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

namespace {
/// Prints texts in the order of the prompts: the only one as it is made, others when they and all
/// before them have ended.
class TextsInOrder {
public:
  TextsInOrder(size_t count, bool shown, const Console &console)
      : console(console), shown(shown), made(count), ended(count) {}

  std::function<void(const std::string &)> outputOf(size_t number) {
    return [this, number](const std::string &text) {
      if (shown && made.size() == 1)
        console.print(text);
      else if (shown)
        made[number] += text;
    };
  }
  void end(size_t number) {
    ended[number] = true;
    for (; made.size() > 1 && next < made.size() && ended[next]; ++next)
      if (shown)
        console.print("[" + std::to_string(next + 1) + "] " + std::exchange(made[next], "") + "\n");
  }

private:
  const Console &console;
  bool shown;
  std::vector<std::string> made;
  std::vector<bool> ended;
  size_t next = 0;
};
} // namespace

int GenerateCommand::finish(const GenerateReport &report, const std::vector<Continuation> &all) {
  if (request.json) {
    Result<std::string> object = describe(report, all, texts->tokenizer());
    if (!object)
      return console.fail(object.error().message);
    console.print(*object + "\n");
  } else {
    if (all.size() == 1)
      console.print("\n");
    console.note(summary(report));
  }
  bool isInterrupted =
      std::ranges::any_of(all, [](const Continuation &t) { return t.finish == "interrupted"; });
  return isInterrupted ? kInterrupted : 0;
}

ContinueOptions GenerateCommand::continueOptions(const InterruptFlag &interrupt) const {
  ContinueOptions options;
  options.newTokens = request.newTokens;
  if (!request.ignoreEnd)
    options.ends = texts->special().ends;
  options.isInterrupted = [&interrupt] { return interrupt.isSet(); };
  return options;
}

int GenerateCommand::run(Generator &generator, GenerateReport report) {
  return request.isConversation() ? converse(generator, report)
                                  : continuePrompts(generator, std::move(report));
}

int GenerateCommand::continuePrompts(Generator &generator, GenerateReport report) {
  if (std::optional<int> status = checkVocabulary(generator.vocabulary()))
    return *status;
  if (std::optional<int> status = checkRoom(generator.capacity()))
    return *status;
  TextsInOrder shown(prompts.size(), !request.json, console);
  std::vector<Continuation> all;
  for (size_t i = 0; i < prompts.size(); ++i)
    all.push_back(
        {prompts[i].tokens, prompts[i].tokens.size(), prompts[i].input,
         TextOutput(texts->tokenizer(), prompts[i].tokens, request.stops, shown.outputOf(i))});
  InterruptFlag interrupt;
  ContinueOptions options = continueOptions(interrupt);
  options.onEnd = [&](size_t number) { shown.end(number); };
  if (Result<void> done = continueTexts(generator, all, options, report.times); !done)
    return console.fail(done.error().message);
  for (const Continuation &text : all)
    report.add(text);
  report.measureMemory(generator);
  return finish(report, all);
}

/// A line of standard input is a turn; empty ones are none.
int GenerateCommand::converse(Generator &generator, const GenerateReport &report) {
  Result<LineReader> lines = LineReader::open("-");
  if (!lines)
    return console.fail(lines.error().message);
  Conversation conversation(generator, *texts, request.system);
  GenerateReport all = report;
  all.prefilled = 0;
  auto print = [&](const std::string &text) {
    if (!request.json)
      console.print(text);
  };
  while (true) {
    if (lines->isTerminal())
      console.ask("> ");
    Result<std::optional<std::string>> line = lines->next();
    if (!line)
      return console.fail(line.error().message);
    if (!*line)
      break;
    if ((*line)->empty())
      continue;
    InterruptFlag interrupt;
    Result<Conversation::Turn> turn =
        conversation.say(**line, request.stops, continueOptions(interrupt), print);
    if (!turn)
      return console.fail("turn " + std::to_string(all.texts + 1) + ": " + turn.error().message);
    const Continuation &reply = turn->reply;
    GenerateReport one = report;
    one.add(reply);
    one.prefilled = reply.input.size();
    one.times = turn->times;
    // Once is enough.
    one.memoryRate = all.memoryRate;
    if (one.memoryRate == 0)
      one.measureMemory(generator);
    all.memoryRate = one.memoryRate;
    all.add(one);
    if (request.json) {
      Result<std::string> object = describe(one, std::span(&reply, 1), texts->tokenizer());
      if (!object)
        return console.fail(object.error().message);
      console.print(*object);
    }
    console.print("\n");
    if (reply.finish == "interrupted")
      return kInterrupted;
  }
  if (!request.json)
    console.note(summary(all));
  return 0;
}
