#include "forge/Generate/Continue.h"

#include <algorithm>
#include <chrono>

using namespace forge;

static double msSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

/// Adds a token, and says whether the text ends by it.
static Result<void> take(Continuation &text, int32_t token, const ContinueOptions &options,
                         bool isInterrupted) {
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

Result<void> forge::continueTexts(Generator &generator, std::span<Continuation> texts,
                                  const ContinueOptions &options, ContinueTimes &times) {
  std::vector<std::vector<int32_t>> inputs;
  for (const Continuation &text : texts)
    inputs.push_back(text.input);
  // Sequences that no text needs.
  inputs.resize(static_cast<size_t>(generator.batch()));
  auto start = std::chrono::steady_clock::now();
  Result<std::vector<int32_t>> next = generator.prefill(inputs);
  times.prefill += msSince(start);
  start = std::chrono::steady_clock::now();
  double before = times.decode;
  while (next) {
    bool isInterrupted = options.isInterrupted();
    for (size_t i = 0; i < texts.size(); ++i) {
      if (!texts[i].finish.empty())
        continue;
      if (Result<void> taken = take(texts[i], (*next)[i], options, isInterrupted); !taken)
        return taken;
      if (!texts[i].finish.empty())
        options.onEnd(i);
    }
    if (std::ranges::none_of(texts, [](const Continuation &t) { return t.finish.empty(); }))
      return {};
    times.decodeBytes += generator.stepBytes();
    for (size_t i = 0; i < texts.size(); ++i)
      if (!texts[i].finish.empty())
        (*next)[i] = Generator::kLeftOut;
    next = generator.decode(*next);
    times.decode = before + msSince(start);
  }
  return next.error();
}
