// What a generator is inside.
#ifndef FORGE_LIB_GENERATE_GENERATORIMPL_H
#define FORGE_LIB_GENERATE_GENERATORIMPL_H

#include "forge/Generate/Generator.h"
#include "forge/Generate/PageTable.h"

#include <algorithm>
#include <map>

namespace forge {

/// A function of the code, and what it runs on.
struct GeneratorStep {
  DecoderCode::Function function;
  int64_t length = 1;                 ///< tokens of each sequence that a run takes
  std::vector<size_t> arguments = {}; ///< tensors of the code
  /// Per result the argument it becomes; none for the next tokens, and for logits if they are
  /// wanted.
  std::vector<std::optional<size_t>> kept = {};
};
struct Generator::Impl {
  std::unique_ptr<DecoderCode> code;
  Sampling sampling;
  int64_t capacity = 0, vocabulary = 0;
  uint64_t weightBytes = 0;
  uint64_t tokenBytes = 0; ///< of the keys and values of a token
  GeneratorStep decode{DecoderCode::Decode};
  /// Of all sequences, and of one alone where they share pages; the longest first.
  std::vector<GeneratorStep> prefills, alone;
  /// Draw the next tokens of all sequences, or of one, by the logits that the others leave.
  std::optional<GeneratorStep> sampler, samplerOfOne;
  bool isCPU = false;
  std::map<std::string, size_t> inputs; ///< tensors of the code that are no weights, by their names
  std::vector<int64_t> sizes;           ///< tokens of each sequence
  std::optional<PageTable> pages;       ///< where caches are in pages
  /// What the code counts: of sequences that were left out of steps of decoding, more.
  std::vector<int64_t> sizesOfCode;
  /// What the prefill calls the number of tokens of each sequence, where it wants that.
  std::string contexts;
  /// All keys of a sequence are computed again once it has more tokens than this, which are kept
  /// for it.
  std::optional<int64_t> computedAgainAfter;
  std::vector<std::vector<int32_t>> history;
  HostTensor logits;
  /// Whether steps of decoding may be begun before they are asked for: then a step leaves its
  /// tokens where the next one reads them.
  bool canRunAhead = false;
  /// The tokens of a step that was begun so and has not been waited for.
  std::optional<std::vector<int32_t>> ahead;

  Result<void> readSizes();
  Result<void> readSampler(DecoderCode::Function function, int64_t batch);
  Result<void> load(GeneratorStep &step, WeightFiles &files, const GeneratorOptions &options);
  Result<size_t> load(DecoderCode::Function function, size_t argument, WeightFiles &files);
  Result<TensorSource> initial(const std::string &name, const TensorSpec &spec) const;
  Result<void> write(GeneratorStep &step, const char *name, const std::vector<int32_t> &values);
  Result<void> check(size_t sequence, std::span<const int32_t> tokens) const;
  Result<void> reserve(const std::vector<int64_t> &tokens);
  Result<void> run(GeneratorStep &step, const std::vector<int32_t> &counts,
                   std::vector<int32_t> &next);
  /// Not for greedy decoding, nor where the code has no sampler.
  bool draws() const { return sampler && sampling.temperature > 0; }
  Result<void> beginRun(GeneratorStep &step);
  Result<std::vector<HostTensor>> finishRun();
  Result<void> begin(GeneratorStep &step, const std::vector<int32_t> &counts);
  Result<void> finish(const std::vector<int32_t> &counts, std::vector<int32_t> &next);
  Result<bool> beginAhead(const std::vector<int32_t> &counts);
  Result<void> decodeStep(const std::vector<int32_t> &ids, const std::vector<int32_t> &counts,
                          bool goesOn, std::vector<int32_t> &next);
  Result<void> settle();
  void take(const std::vector<HostTensor> &results, size_t row, size_t sequence,
            std::vector<int32_t> &next);
  void readContexts();
  bool grewLong(size_t sequence, size_t more) const {
    return computedAgainAfter && sizes[sequence] <= *computedAgainAfter &&
           sizes[sequence] + static_cast<int64_t>(more) > *computedAgainAfter;
  }
  Result<void> setSizes(const std::vector<int64_t> &tokens);
  Result<void> writeSizes();
  /// In GeneratorPrefill.cpp.
  bool areCheaperAlone(const std::vector<std::vector<int32_t>> &tokens, size_t longest) const;
  Result<void> fill(const std::vector<std::vector<int32_t>> &tokens, std::vector<int32_t> &next);
  Result<void> fillPiece(GeneratorStep &step, const std::vector<std::vector<int32_t>> &tokens,
                         size_t begin, std::vector<int32_t> &next);
  Result<void> fillAlone(size_t sequence, std::span<const int32_t> tokens,
                         std::vector<int32_t> &next);

  std::optional<size_t> find(DecoderCode::Function function, std::string_view name) const {
    const std::vector<std::string> &names = code->signature(function).names;
    auto found = std::ranges::find(names, name);
    return found == names.end() ? std::nullopt
                                : std::optional(static_cast<size_t>(found - names.begin()));
  }
};

} // namespace forge

#endif // FORGE_LIB_GENERATE_GENERATORIMPL_H
