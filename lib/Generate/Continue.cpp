#include "forge/Generate/Continue.h"

#include <algorithm>
#include <chrono>
#include <utility>

using namespace forge;

namespace {
/// Texts that take turns in the sequences of a generator.
class Turns {
public:
  Turns(Generator &generator, std::span<Continuation> texts, const ContinueOptions &options,
        ContinueTimes &times)
      : generator(generator), texts(texts), options(options), times(times),
        sequences(static_cast<size_t>(generator.batch())) {}
  Result<void> run();

private:
  struct Sequence {
    std::optional<size_t> text = std::nullopt; ///< that is under way
    int32_t last = Generator::kLeftOut;        ///< token of it
    bool isUsed = false;                       ///< by a text that has ended
  };

  bool isIdle() const {
    return std::ranges::none_of(sequences, [](const Sequence &s) { return s.text.has_value(); });
  }
  int64_t mostTokens(size_t text) const {
    // The last token is chosen, but not kept.
    return static_cast<int64_t>(texts[text].input.size()) + options.newTokens - 1;
  }
  std::vector<std::vector<int32_t>> begin();
  Result<void> prefill(const std::vector<std::vector<int32_t>> &inputs);
  Result<void> decode();
  Result<void> take(const std::vector<int32_t> &next);
  Result<void> add(Continuation &text, int32_t token);
  Result<void> interrupt();

  /// Whether a step of decoding comes behind the next one, as far as is known before its tokens.
  bool goesOn() const {
    bool any = false;
    for (const Sequence &sequence : sequences) {
      if (!sequence.text)
        continue;
      bool ends = static_cast<int64_t>(texts[*sequence.text].numNew()) + 1 >= options.newTokens;
      // The next text's prefill comes first.
      if (ends && numBegun < texts.size())
        return false;
      any |= !ends;
    }
    return any;
  }

  Generator &generator;
  std::span<Continuation> texts;
  const ContinueOptions &options;
  ContinueTimes &times;
  std::vector<Sequence> sequences;
  size_t numBegun = 0;
  bool isInterrupted = false;
};
} // namespace

static double msSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

/// Gives free sequences the next texts, in order: those for which there is room to their last
/// token, next to what the texts under way may come to. The inputs of all sequences; none where no
/// text begins. Where sequences do not share pages, a prefill of one costs what it costs for all:
/// texts begin when all before them have ended.
std::vector<std::vector<int32_t>> Turns::begin() {
  std::vector<int64_t> sizes;
  for (const Sequence &sequence : sequences)
    if (sequence.text)
      sizes.push_back(mostTokens(*sequence.text));
  if (!sizes.empty() && !generator.sharesPages())
    return {};
  std::vector<std::vector<int32_t>> inputs;
  for (Sequence &sequence : sequences) {
    if (sequence.text || numBegun == texts.size())
      continue;
    sizes.push_back(mostTokens(numBegun));
    if (sizes.size() > 1 && generator.fitting(sizes) < sizes.size())
      break;
    inputs.resize(sequences.size());
    inputs[static_cast<size_t>(&sequence - sequences.data())] = texts[numBegun].input;
    sequence.text = numBegun++;
  }
  return inputs;
}

/// Adds a token, and says whether the text ends by it.
Result<void> Turns::add(Continuation &text, int32_t token) {
  text.tokens.push_back(token);
  if (Result<void> given = text.output.add(token); !given)
    return given;
  if (options.ends.contains(token))
    text.finish = "eos";
  else if (text.output.stopped())
    text.finish = "stop";
  else if (isInterrupted)
    text.finish = "interrupted";
  else if (static_cast<int64_t>(text.numNew()) >= options.newTokens)
    text.finish = "length";
  return text.finish.empty() ? Result<void>() : text.output.finish();
}

/// The next tokens, of the sequences that were not left out.
Result<void> Turns::take(const std::vector<int32_t> &next) {
  isInterrupted |= options.isInterrupted();
  for (size_t b = 0; b < sequences.size(); ++b) {
    Sequence &sequence = sequences[b];
    if (!sequence.text || next[b] == Generator::kLeftOut)
      continue;
    size_t number = *sequence.text;
    sequence.last = next[b];
    if (Result<void> added = add(texts[number], next[b]); !added)
      return added;
    if (texts[number].finish.empty())
      continue;
    sequence = {.isUsed = true};
    options.onEnd(number);
  }
  return {};
}

Result<void> Turns::prefill(const std::vector<std::vector<int32_t>> &inputs) {
  auto start = std::chrono::steady_clock::now();
  // What texts that have ended left goes; what was there from the beginning stays.
  std::vector<int64_t> kept = generator.sizes();
  for (size_t b = 0; b < sequences.size(); ++b)
    if (std::exchange(sequences[b].isUsed, false))
      kept[b] = 0;
  if (kept != generator.sizes())
    if (Result<void> done = generator.truncate(kept); !done)
      return done;
  Result<std::vector<int32_t>> next = generator.prefill(inputs);
  times.prefill += msSince(start);
  return next ? take(*next) : next.error();
}

Result<void> Turns::decode() {
  auto start = std::chrono::steady_clock::now();
  std::vector<int32_t> tokens;
  for (const Sequence &sequence : sequences)
    tokens.push_back(sequence.last);
  times.decodeBytes += generator.stepBytes();
  Result<std::vector<int32_t>> next = generator.decode(tokens, goesOn());
  Result<void> taken = next ? take(*next) : next.error();
  times.decode += msSince(start);
  return taken;
}

/// Ends what has not ended.
Result<void> Turns::interrupt() {
  for (size_t i = 0; i < texts.size(); ++i) {
    if (!texts[i].finish.empty())
      continue;
    texts[i].finish = "interrupted";
    if (Result<void> done = texts[i].output.finish(); !done)
      return done;
    options.onEnd(i);
  }
  return {};
}

Result<void> Turns::run() {
  while (!isInterrupted) {
    std::vector<std::vector<int32_t>> inputs = begin();
    if (inputs.empty() && isIdle())
      return {};
    Result<void> done = inputs.empty() ? decode() : prefill(inputs);
    if (!done)
      return done;
  }
  return interrupt();
}

Result<void> forge::continueTexts(Generator &generator, std::span<Continuation> texts,
                                  const ContinueOptions &options, ContinueTimes &times) {
  return Turns(generator, texts, options, times).run();
}
