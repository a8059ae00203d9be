// What `forge generate` does but for where its model comes from. No MLIR.
#ifndef FORGE_GENERATE_GENERATECOMMAND_H
#define FORGE_GENERATE_GENERATECOMMAND_H

#include "forge/Generate/Report.h"
#include "forge/Generate/Texts.h"

namespace forge {

class InterruptFlag;

/// What the caller asks for.
struct GenerateRequest {
  /// Texts, or else lists of tokens, or else a file with a text on each line ("-": standard input).
  std::vector<std::string> prompts, promptIds;
  std::string promptsFile;
  /// Prompts are messages of users, behind that of the system if there is one. Without prompts
  /// there is a conversation, whose messages are lines of standard input.
  bool chat = false;
  std::string system;
  int64_t newTokens = 128;
  bool ignoreEnd = false, json = false;
  std::vector<std::string> stops;
  /// Tokens are drawn where one of these is given.
  std::optional<double> temperature, topP;
  std::optional<int32_t> topK;
  std::optional<uint64_t> seed;

  std::optional<Sampling> sampling() const;
  bool isConversation() const {
    return chat && prompts.empty() && promptIds.empty() && promptsFile.empty();
  }
};

/// How a program reports: both give its exit status for a failure, and for a wrong call.
struct Console {
  std::function<int(const std::string &)> fail, badCall;
  /// Prints to standard output, at once.
  std::function<void(const std::string &)> print;
  /// Prints a line to standard error, or what somebody is to answer.
  std::function<void(const std::string &)> note, ask;
};

/// A text, as tokens, that is to be continued.
struct Prompt {
  std::vector<int32_t> tokens;
  /// Those that the model sees: padding among given tokens is left out, as transformers masks it.
  std::vector<int32_t> input;
};

class GenerateCommand {
public:
  GenerateCommand(GenerateRequest request, Console console)
      : request(std::move(request)), console(std::move(console)) {}

  /// Reads the prompts, with what a checkpoint's folder or file has for texts. An exit status where
  /// there is something wrong with them.
  std::optional<int> open(const std::string &checkpoint);
  size_t numPrompts() const { return prompts.size(); }
  /// Tokens of each prompt.
  std::vector<int64_t> promptLengths() const;
  /// Pages of so many tokens that any `batch` prompts take at most, new tokens among them.
  int64_t mostPages(int64_t batch, int64_t pageSize) const;
  /// An exit status, with a message that names the prompt, where one has no room for its tokens
  /// and the new ones among those that a sequence can have.
  std::optional<int> checkRoom(int64_t capacity) const;
  /// Continues the prompts, as many at a time as the generator has sequences, or has a
  /// conversation by one of them. The exit status.
  int run(Generator &generator, GenerateReport report);

private:
  std::optional<int> readPrompts();
  std::optional<int> readFile();
  std::optional<int> encode(size_t number, const std::string &text);
  std::optional<int> parseIds(size_t number, const std::string &text);
  std::optional<int> checkVocabulary(int64_t vocabulary) const;
  /// What begins an error about a prompt, where there are several.
  std::string nameOf(size_t number, const char *alone = "") const;
  size_t numGiven() const;
  int continuePrompts(Generator &generator, GenerateReport report);
  int converse(Generator &generator, const GenerateReport &report);
  ContinueOptions continueOptions(const InterruptFlag &interrupt) const;
  int finish(const GenerateReport &report, const std::vector<Continuation> &texts);

  GenerateRequest request;
  Console console;
  std::optional<Texts> texts;
  std::vector<Prompt> prompts;
};

} // namespace forge

#endif // FORGE_GENERATE_GENERATECOMMAND_H
