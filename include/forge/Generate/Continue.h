// The loop over tokens: texts continued together until each has ended. No MLIR.
#ifndef FORGE_GENERATE_CONTINUE_H
#define FORGE_GENERATE_CONTINUE_H

#include "forge/Generate/Generator.h"
#include "forge/Generate/TextOutput.h"

#include <set>

namespace forge {

/// One of the texts.
struct Continuation {
  std::vector<int32_t> tokens; ///< the prompt's and the new ones
  size_t numPrompt = 0;
  /// What the model is given behind the tokens that it has of the text.
  std::vector<int32_t> input;
  TextOutput output;
  /// Why the text ended, "length", "eos", "stop" or "interrupted"; empty while it goes on.
  std::string finish = {};

  size_t numNew() const { return tokens.size() - numPrompt; }
};

struct ContinueOptions {
  int64_t newTokens = 128;
  /// Tokens that end a text.
  std::set<int32_t> ends = {};
  /// Asked behind each token: all texts end then.
  std::function<bool()> isInterrupted = [] { return false; };
  /// Called when a text has ended, with its number.
  std::function<void(size_t)> onEnd = [](size_t) {};
};

/// Milliseconds, and the bytes that the steps of decoding had to read.
struct ContinueTimes {
  double prefill = 0, decode = 0;
  uint64_t decodeBytes = 0;
};

/// Continues texts, as many together as the generator has sequences and places for their input and
/// new tokens, until each has its new tokens, a token or a stop string ends it, or the process is
/// interrupted. The first texts come behind what the sequences have; the others take the places of
/// texts that have ended, in order: one by one where sequences share pages, otherwise when all
/// before them have ended. Each text alone has to have room. `times` are added to.
Result<void> continueTexts(Generator &generator, std::span<Continuation> texts,
                           const ContinueOptions &options, ContinueTimes &times);

} // namespace forge

#endif // FORGE_GENERATE_CONTINUE_H
