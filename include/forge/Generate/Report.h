// What is said of texts that were continued. No MLIR.
#ifndef FORGE_GENERATE_REPORT_H
#define FORGE_GENERATE_REPORT_H

#include "forge/Generate/Continue.h"

#include <nlohmann/json_fwd.hpp>

namespace forge {

/// Of one or more texts that were continued together.
struct GenerateReport {
  std::string target = "cpu";
  bool isCached = false;         ///< no function was compiled
  std::string code = "compiled"; ///< where it comes from
  double startMs = 0;
  ContinueTimes times = {};
  size_t promptTokens = 0, newTokens = 0, texts = 0;
  /// Bytes a second that memory gives; 0 where that is not known.
  double memoryRate = 0;
  /// Tokens that the prefill took, where it did not take all of the prompt.
  std::optional<size_t> prefilled = std::nullopt;

  /// The first new token of each text is the prefill's.
  double prefillRate() const { return rate(prefilled.value_or(promptTokens), times.prefill); }
  double decodeRate() const {
    return rate(newTokens > texts ? newTokens - texts : 0, times.decode);
  }
  /// Bytes a second that decoding has read.
  double decodeByteRate() const { return rate(times.decodeBytes, times.decode); }
  /// Asks a generator that has decoded.
  void measureMemory(const Generator &generator);
  void add(const Continuation &text);
  /// Of texts that were continued one after the other, each from what was prefilled.
  void add(const GenerateReport &next);

private:
  static double rate(size_t count, double ms) {
    return ms > 0 ? 1000 * static_cast<double>(count) / ms : 0;
  }
};

/// Tokens, text and how it ended; texts are null without a tokenizer.
Result<nlohmann::ordered_json> describe(const Continuation &text, const Tokenizer *tokenizer);

/// The object of --json for one text, or for several, in "sequences"; on one line.
Result<std::string> describe(const GenerateReport &report, std::span<const Continuation> texts,
                             const Tokenizer *tokenizer);

/// "3 tokens in, 4 out; started in 0.10 s (compiled), prefill 100.0, decode 20.0 tokens a second
/// (5.2 GB/s of 10.4, 50 % of memory's bandwidth)"
std::string summary(const GenerateReport &report);

} // namespace forge

#endif // FORGE_GENERATE_REPORT_H
