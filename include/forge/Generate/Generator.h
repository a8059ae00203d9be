// A checkpoint's model that is run token by token.
#ifndef FORGE_GENERATE_GENERATOR_H
#define FORGE_GENERATE_GENERATOR_H

#include "forge/Execution/Executable.h"
#include "forge/Import/HuggingFace.h"

#include <functional>

namespace forge {

/// How tokens are drawn at random; see transformer.sample.
struct Sampling {
  double temperature = 1;
  int32_t topK = 0; ///< all tokens below 1
  double topP = 1;  ///< all tokens from 1 on
  uint64_t seed = 0;
};

struct GeneratorOptions {
  std::string target = "cpu";
  Tier tier = Tier::Hybrid;
  std::string reproducerDir = {};
  /// Where compiled code is looked for first and kept; may be null.
  CodeCache *cache = nullptr;
  /// Schedules of a plan (forge/Codegen/Plan.h), in the context that the model is imported to;
  /// null: all are chosen.
  mlir::DictionaryAttr plan = {};
  /// Sequences that are continued at the same time.
  int64_t batch = 1;
  /// Tokens of each that are kept, prompt and new ones; at least.
  int64_t capacity = 1024;
  /// More are kept to a multiple of this, so that code in the cache serves calls of other lengths.
  int64_t capacityMultiple = 1;
  /// Tokens of the longest prompt, by which the prefill's size is chosen.
  int64_t prompt = 64;
  /// Draws tokens; otherwise the most likely ones are taken.
  std::optional<Sampling> sampling = std::nullopt;
  /// Makes weights up, by this seed: of the folder only config.json is read.
  std::optional<uint64_t> randomWeights = std::nullopt;
  /// How the matrices of products are kept.
  MatrixFormat matrices = MatrixFormat::Stored;
  /// Kernels take time stamps (CompileOptions).
  bool stamps = false;
  /// Called with what is being done next.
  std::function<void(const std::string &)> progress = [](const std::string &) {};
};

/// Sequences of tokens, with the keys and values of their tokens kept where the model runs. After
/// an error it can only be destroyed.
class Generator {
public:
  /// Imports the model of a folder in Hugging Face form, compiles its prefill and its decode step,
  /// and loads its weights once for both.
  static Result<Generator> create(const std::string &folder, mlir::MLIRContext &context,
                                  const GeneratorOptions &options);

  /// Puts tokens behind those of each sequence, one or more each, and gives the next token of each.
  Result<std::vector<int32_t>> prefill(const std::vector<std::vector<int32_t>> &tokens);
  /// Puts a token behind those of each sequence, and gives the next.
  Result<std::vector<int32_t>> decode(const std::vector<int32_t> &tokens);
  /// Draws the next tokens in another way; only of a generator that was made to sample.
  Result<void> setSampling(const Sampling &sampling);
  /// Forgets all tokens.
  Result<void> reset();

  /// Logits [batch, vocabulary] that the last tokens were chosen by.
  const HostTensor &logits() const;
  int64_t vocabulary() const;
  /// Tokens that a sequence can have, and the most that any has.
  int64_t capacity() const;
  int64_t length() const;
  /// Bytes of all weights.
  uint64_t weightBytes() const;

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
