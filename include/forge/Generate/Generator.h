// A checkpoint's model that is run token by token. No MLIR.
#ifndef FORGE_GENERATE_GENERATOR_H
#define FORGE_GENERATE_GENERATOR_H

#include "forge/Checkpoint/Weights.h"
#include "forge/Generate/DecoderCode.h"

#include <functional>

namespace forge {

/// How tokens are drawn at random; see transformer.sample.
struct Sampling {
  double temperature = 1;
  int32_t topK = 0; ///< all tokens below 1
  double topP = 1;  ///< all tokens from 1 on
  uint64_t seed = 0;

  /// The most likely token.
  static Sampling greedy() { return {.temperature = 0}; }
};

struct GeneratorOptions {
  /// Where the weights are.
  WeightFiles::Options weights = {};
  /// Whether logits are wanted, which are copied from the device then.
  bool logits = false;
  /// Of code that draws tokens.
  Sampling sampling = Sampling::greedy();
  /// Called with what is being done next.
  std::function<void(const std::string &)> progress = [](const std::string &) {};
};

/// Sequences of tokens, with the keys and values of their tokens kept where the model runs. After
/// an error it can only be destroyed.
class Generator {
public:
  /// Loads the weights once for both functions. Fails where the signatures of the code are not
  /// those of a decoder.
  static Result<Generator> create(std::unique_ptr<DecoderCode> code,
                                  const GeneratorOptions &options);

  /// The next token of a sequence that is left out of a step, and the one it is left out by.
  static constexpr int32_t kLeftOut = -1;

  /// Puts tokens behind those of each sequence, and gives the next token of each; a sequence that
  /// gets no tokens is left out.
  Result<std::vector<int32_t>> prefill(const std::vector<std::vector<int32_t>> &tokens);
  /// Puts a token behind those of each sequence that is not left out, and gives the next. `goesOn`:
  /// the caller expects to call it next with the tokens that this call returns, perhaps for fewer
  /// sequences. A device begins that step early; any other call discards it.
  Result<std::vector<int32_t>> decode(const std::vector<int32_t> &tokens, bool goesOn = false);
  /// Draws the next tokens in another way; only of code that draws them.
  Result<void> setSampling(const Sampling &sampling);
  /// Keeps so many tokens of each sequence, at most as many as it has, and forgets those behind.
  Result<void> truncate(const std::vector<int64_t> &sizes);
  /// Forgets all tokens.
  Result<void> reset();

  /// Logits [batch, vocabulary] that the last tokens were chosen by; only if the options say so.
  const HostTensor &logits() const;
  int64_t vocabulary() const;
  /// Sequences that are continued at the same time.
  int64_t batch() const;
  /// Tokens of each.
  const std::vector<int64_t> &sizes() const;
  /// Whether sequences share pages: one gets its tokens at its own costs.
  bool sharesPages() const;
  /// How many of the first of sequences that are to have so many tokens can be continued together,
  /// in all sequences there are: the keys and values of all have places.
  size_t fitting(std::span<const int64_t> tokens) const;
  /// Tokens that a sequence can have, and the most that any has.
  int64_t capacity() const;
  int64_t length() const;
  /// Bytes of all weights.
  uint64_t weightBytes() const;
  /// Bytes that the next step of decoding has to read: weights, and keys and values of the tokens
  /// that there are, also of those that a sliding window has left behind.
  uint64_t stepBytes() const;
  /// Bytes a second that the memory gives one who reads `bytes`, measured; 0 where that is not
  /// known.
  double memoryRate(uint64_t bytes) const;

  Generator(Generator &&) noexcept;
  Generator &operator=(Generator &&) noexcept;
  ~Generator();

private:
  struct Impl;
  explicit Generator(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace forge

#endif // FORGE_GENERATE_GENERATOR_H
