// How a generator's prefills take the tokens of prompts.
#include "GeneratorImpl.h"

#include "forge/Generate/ChoosePrefill.h"

using namespace forge;
using Tokens = std::vector<std::vector<int32_t>>;

static std::vector<int64_t> lengthsOf(const std::vector<GeneratorStep> &steps) {
  std::vector<int64_t> lengths;
  for (const GeneratorStep &step : steps)
    lengths.push_back(step.length);
  return lengths;
}

/// Whether runs of each sequence alone cost less than runs of all.
bool Generator::Impl::areCheaperAlone(const Tokens &tokens, size_t longest) const {
  if (alone.empty() || prefills.empty())
    return prefills.empty();
  auto batch = static_cast<int64_t>(sizes.size());
  int64_t together = prefillCost(lengthsOf(prefills), static_cast<int64_t>(longest),
                                 PrefillCosts::of(isCPU, batch));
  std::vector<int64_t> lengths = lengthsOf(alone);
  int64_t apart = 0;
  for (const std::vector<int32_t> &of : tokens)
    if (!of.empty())
      apart += prefillCost(lengths, static_cast<int64_t>(of.size()), PrefillCosts::of(isCPU, 1));
  return apart < together;
}

/// Puts tokens behind those of each sequence, perhaps none.
Result<void> Generator::Impl::fill(const Tokens &tokens, std::vector<int32_t> &next) {
  size_t longest = 0;
  std::vector<int64_t> after = sizes;
  for (size_t b = 0; b < sizes.size(); ++b) {
    longest = std::max(longest, tokens[b].size());
    after[b] += static_cast<int64_t>(tokens[b].size());
  }
  if (Result<void> done = reserve(after); !done)
    return done;
  bool areEqual = std::ranges::all_of(
      tokens, [&](const std::vector<int32_t> &of) { return of.size() == longest; });
  bool isStep = areEqual && longest == 1;
  if (!isStep && areCheaperAlone(tokens, longest)) {
    for (size_t b = 0; b < sizes.size(); ++b)
      if (Result<void> done = fillAlone(b, tokens[b], next); !done)
        return done;
    return {};
  }
  if (!contexts.empty() && !prefills.empty())
    if (Result<void> done = write(prefills.front(), contexts.c_str(), {after.begin(), after.end()});
        !done)
      return done;
  std::vector<int64_t> lengths = lengthsOf(prefills);
  auto costs = PrefillCosts::of(isCPU, static_cast<int64_t>(sizes.size()));
  for (size_t begin = 0; begin < longest;) {
    // Where each sequence has one token left, the decode step takes it.
    auto left = static_cast<int64_t>(longest - begin);
    GeneratorStep &step =
        areEqual && left == 1 ? decode : prefills[choosePrefill(lengths, left, costs)];
    if (Result<void> done = fillPiece(step, tokens, begin, next); !done)
      return done;
    begin += static_cast<size_t>(step.length);
  }
  return {};
}

/// As many tokens of each sequence, from `begin` on, as `step` takes.
Result<void> Generator::Impl::fillPiece(GeneratorStep &step, const Tokens &tokens, size_t begin,
                                        std::vector<int32_t> &next) {
  size_t batch = sizes.size(), length = static_cast<size_t>(step.length);
  std::vector<int32_t> ids(batch * length), counts(batch);
  for (size_t b = 0; b < batch; ++b) {
    std::span<const int32_t> left = tokens[b];
    left = left.subspan(std::min(begin, left.size()));
    left = left.first(std::min(length, left.size()));
    counts[b] = static_cast<int32_t>(left.size());
    std::ranges::copy(left, ids.begin() + static_cast<ptrdiff_t>(b * length));
  }
  if (Result<void> done = write(step, "input_ids", ids); !done)
    return done;
  if (&step != &decode)
    if (Result<void> done = write(step, "counts", counts); !done)
      return done;
  return run(step, counts, next);
}

/// The tokens of one sequence, perhaps none.
Result<void> Generator::Impl::fillAlone(size_t sequence, std::span<const int32_t> tokens,
                                        std::vector<int32_t> &next) {
  if (tokens.empty())
    return {};
  auto after = static_cast<int32_t>(sizes[sequence] + static_cast<int64_t>(tokens.size()));
  if (!contexts.empty())
    if (Result<void> done = write(alone.front(), contexts.c_str(), {after}); !done)
      return done;
  std::span<const int32_t> row = pages->row(sequence);
  if (Result<void> done = write(alone.front(), "table", {row.begin(), row.end()}); !done)
    return done;
  std::vector<int64_t> lengths = lengthsOf(alone);
  while (!tokens.empty()) {
    auto left = static_cast<int64_t>(tokens.size());
    GeneratorStep &step = alone[choosePrefill(lengths, left, PrefillCosts::of(isCPU, 1))];
    size_t count = std::min(tokens.size(), static_cast<size_t>(step.length));
    std::vector<int32_t> ids(tokens.begin(), tokens.begin() + static_cast<ptrdiff_t>(count));
    ids.resize(static_cast<size_t>(step.length));
    if (Result<void> done = write(step, "input_ids", ids); !done)
      return done;
    if (Result<void> done = write(step, "counts", {static_cast<int32_t>(count)}); !done)
      return done;
    if (Result<void> done = write(step, "lengths", {static_cast<int32_t>(sizes[sequence])}); !done)
      return done;
    if (Result<void> begun = beginRun(step); !begun)
      return begun;
    Result<std::vector<HostTensor>> done = finishRun();
    if (!done)
      return done.error();
    sizes[sequence] += static_cast<int64_t>(count);
    take(*done, /*row=*/0, sequence, next);
    tokens = tokens.subspan(count);
  }
  return {};
}
