#include "forge/Generate/Conversation.h"

#include <algorithm>

using namespace forge;

Conversation::Conversation(Generator &generator, Texts &texts, const std::string &system)
    : generator(generator), texts(texts) {
  if (!system.empty())
    messages.push_back({{"role", "system"}, {"content", system}});
}

/// The tokens of all messages.
Result<std::vector<int32_t>> Conversation::encode() {
  Result<std::string> text = texts.chat(messages);
  if (!text)
    return text.error();
  Result<std::vector<int32_t>> tokens = texts.tokenizer()->encode(*text, /*addSpecial=*/false);
  if (tokens && tokens->empty())
    return Error{"expected a text of one token or more"};
  return tokens;
}

Result<Conversation::Turn>
Conversation::say(const std::string &message, const std::vector<std::string> &stops,
                  const ContinueOptions &options,
                  const std::function<void(const std::string &)> &print) {
  messages.push_back({{"role", "user"}, {"content", message}});
  Result<std::vector<int32_t>> tokens = encode();
  if (!tokens)
    return tokens.error();
  // The last token is chosen, but not kept.
  int64_t room = generator.capacity() - static_cast<int64_t>(tokens->size()) + 1;
  if (room < 1)
    return Error{"expected at most " + std::to_string(generator.capacity()) +
                 " tokens of the conversation, but got " + std::to_string(tokens->size())};
  for (int32_t token : *tokens)
    if (token >= generator.vocabulary())
      return Error{"expected tokens from 0 to " + std::to_string(generator.vocabulary() - 1) +
                   ", but got " + std::to_string(token)};
  // The last token is given in any case: the next one comes from it.
  size_t most = std::min(cached.size(), tokens->size() - 1);
  auto common =
      std::mismatch(tokens->begin(), tokens->begin() + static_cast<ptrdiff_t>(most), cached.begin())
          .first;
  std::vector<int64_t> sizes(static_cast<size_t>(generator.batch()));
  sizes.front() = common - tokens->begin();
  if (Result<void> kept = generator.truncate(sizes); !kept)
    return kept.error();
  std::string printed;
  Turn turn{{*tokens,
             tokens->size(),
             {common, tokens->end()},
             TextOutput(texts.tokenizer(), *tokens, stops,
                        [&](const std::string &text) {
                          printed += text;
                          print(text);
                        })},
            {}};
  Continuation &reply = turn.reply;
  ContinueOptions limited = options;
  limited.newTokens = std::min(options.newTokens, room);
  if (Result<void> done = continueTexts(generator, std::span(&reply, 1), limited, turn.times);
      !done)
    return done.error();
  cached.assign(reply.tokens.begin(), reply.tokens.begin() + generator.length());
  std::vector<int32_t> fresh(reply.tokens.begin() + static_cast<ptrdiff_t>(reply.numPrompt),
                             reply.tokens.end());
  Result<std::string> text = texts.tokenizer()->decode(fresh, /*skipSpecial=*/true);
  if (!text)
    return text.error();
  // What is behind a stop string was not said.
  messages.push_back(
      {{"role", "assistant"}, {"content", reply.finish == "stop" ? printed : *text}});
  return turn;
}
