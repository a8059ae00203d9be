// How well a checkpoint's model predicts a text.
#ifndef FORGE_GENERATE_COMPILER_PERPLEXITY_H
#define FORGE_GENERATE_COMPILER_PERPLEXITY_H

#include "forge/Execution/Executable.h"
#include "forge/Import/HuggingFace.h"

#include <functional>

namespace forge {

struct PerplexityOptions {
  std::string target = "cpu";
  Tier tier = Tier::Hybrid;
  std::string reproducerDir = {};
  /// Where compiled code is looked for first and kept; may be null.
  CodeCache *cache = nullptr;
  /// Tokens of a window, two or more.
  int64_t context = 512;
  /// Makes weights up, by this seed: of the folder only config.json is read.
  std::optional<uint64_t> randomWeights = std::nullopt;
  /// How the matrices of products are kept.
  MatrixFormat matrices = MatrixFormat::Stored;
  /// Called with what is being done next.
  std::function<void(const std::string &)> progress = [](const std::string &) {};
};

struct Perplexity {
  /// Tokens that were predicted: all but the first.
  int64_t predicted = 0;
  /// Tokens of a window, and how many windows there were.
  int64_t context = 0, windows = 0;
  /// The sum of the logarithms of their probabilities, in nats.
  double logLikelihood = 0;

  /// exp(-logLikelihood / predicted).
  double value() const;
};

/// Runs the model of a folder in Hugging Face form on windows of the tokens. Each begins with the
/// last token of the one before, but for the last, which ends with the last token: so each token
/// but the first is predicted once, from those before it in its window. Fails with fewer than two
/// tokens, and on a token that the model does not have.
Result<Perplexity> measurePerplexity(const std::string &folder, mlir::MLIRContext &context,
                                     const std::vector<int32_t> &tokens,
                                     const PerplexityOptions &options);

} // namespace forge

#endif // FORGE_GENERATE_COMPILER_PERPLEXITY_H
