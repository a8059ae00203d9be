// A conversation whose tokens stay in the caches from turn to turn. No MLIR.
#ifndef FORGE_GENERATE_CONVERSATION_H
#define FORGE_GENERATE_CONVERSATION_H

#include "forge/Generate/Continue.h"
#include "forge/Generate/Texts.h"

namespace forge {

class Conversation {
public:
  /// Of a generator of one sequence, and texts with a tokenizer; both live longer. Without a text
  /// for it there is no message of the system.
  Conversation(Generator &generator, Texts &texts, const std::string &system);

  /// One turn: a user's message, and the reply.
  struct Turn {
    Continuation reply; ///< its prompt is all of the conversation before it
    ContinueTimes times;
  };
  /// Tells the model what a user says, and continues the conversation, by at most as many tokens as
  /// there is room for. The model is given what is new: the tokens behind those that the text, by
  /// the checkpoint's template, has in common with what is in the caches. Fails where a
  /// conversation has no room.
  Result<Turn> say(const std::string &message, const std::vector<std::string> &stops,
                   const ContinueOptions &options,
                   const std::function<void(const std::string &)> &print);

private:
  Result<std::vector<int32_t>> encode();

  Generator &generator;
  Texts &texts;
  nlohmann::ordered_json messages = nlohmann::ordered_json::array();
  std::vector<int32_t> cached; ///< tokens that the caches hold
};

} // namespace forge

#endif // FORGE_GENERATE_CONVERSATION_H
