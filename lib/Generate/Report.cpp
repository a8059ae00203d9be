#include "forge/Generate/Report.h"

#include <nlohmann/json.hpp>

#include <cstdio>

using namespace forge;
using nlohmann::ordered_json;

void GenerateReport::add(const Continuation &text) {
  ++texts;
  promptTokens += text.numPrompt;
  newTokens += text.numNew();
}

void GenerateReport::add(const GenerateReport &next) {
  texts += next.texts;
  promptTokens += next.promptTokens;
  newTokens += next.newTokens;
  times.prefill += next.times.prefill;
  times.decode += next.times.decode;
  times.decodeBytes += next.times.decodeBytes;
  prefilled = prefilled.value_or(0) + next.prefilled.value_or(next.promptTokens);
}

void GenerateReport::measureMemory(const Generator &generator) {
  if (times.decodeBytes > 0)
    memoryRate = generator.memoryRate(generator.stepBytes());
}

/// The text of the new tokens of a continuation.
static Result<std::string> newText(const Continuation &text, const Tokenizer &tokenizer) {
  std::vector<int32_t> fresh(text.tokens.begin() + static_cast<ptrdiff_t>(text.numPrompt),
                             text.tokens.end());
  return tokenizer.decode(fresh, /*skipSpecial=*/true);
}

Result<ordered_json> forge::describe(const Continuation &text, const Tokenizer *tokenizer) {
  ordered_json object;
  object["tokens"] = text.tokens;
  object["text"] = nullptr;
  object["new_text"] = nullptr;
  if (tokenizer) {
    Result<std::string> all = tokenizer->decode(text.tokens), added = newText(text, *tokenizer);
    if (!all || !added)
      return all ? added.error() : all.error();
    object["text"] = *all;
    // What is printed ends in front of a stop string.
    object["new_text"] = text.output.stopped() ? text.output.given() : *added;
  }
  object["prompt_tokens"] = text.numPrompt;
  object["new_tokens"] = text.numNew();
  object["finish"] = text.finish;
  return object;
}

Result<std::string> forge::describe(const GenerateReport &report,
                                    std::span<const Continuation> texts,
                                    const Tokenizer *tokenizer) {
  ordered_json object;
  for (const Continuation &text : texts) {
    Result<ordered_json> described = describe(text, tokenizer);
    if (!described)
      return described.error();
    if (texts.size() == 1)
      object = std::move(*described);
    else
      object["sequences"].push_back(std::move(*described));
  }
  object["prompt_tokens"] = report.promptTokens;
  if (report.prefilled)
    object["prefilled_tokens"] = *report.prefilled;
  object["new_tokens"] = report.newTokens;
  object["target"] = report.target;
  object["cached"] = report.isCached;
  object["start_ms"] = report.startMs;
  object["prefill_ms"] = report.times.prefill;
  object["decode_ms"] = report.times.decode;
  object["prefill_tokens_per_second"] = report.prefillRate();
  object["decode_tokens_per_second"] = report.decodeRate();
  object["decode_bytes_per_second"] = report.decodeByteRate();
  object["memory_bytes_per_second"] = nullptr;
  object["bandwidth_share"] = nullptr;
  if (report.memoryRate > 0) {
    object["memory_bytes_per_second"] = report.memoryRate;
    object["bandwidth_share"] = report.decodeByteRate() / report.memoryRate;
  }
  return object.dump(-1, ' ', /*ensure_ascii=*/false, nlohmann::json::error_handler_t::replace);
}

std::string forge::summary(const GenerateReport &report) {
  auto count = [](size_t number) { return std::to_string(number); };
  std::string text = count(report.prefilled.value_or(report.promptTokens)) + " tokens in, " +
                     count(report.newTokens) + " out" +
                     (report.texts > 1 ? " in " + count(report.texts) + " texts" : "");
  auto decimal = [](double number, int digits) {
    char decimal[64];
    std::snprintf(decimal, sizeof decimal, "%.*f", digits, number);
    return std::string(decimal);
  };
  std::string share;
  if (report.memoryRate > 0 && report.times.decode > 0)
    share = " (" + decimal(report.decodeByteRate() / 1e9, 2) + " GB/s of " +
            decimal(report.memoryRate / 1e9, 1) + ", " +
            decimal(100 * report.decodeByteRate() / report.memoryRate, 0) +
            " % of memory's bandwidth)";
  return text + "; started in " + decimal(report.startMs / 1000, 2) + " s (" + report.code +
         "), prefill " + decimal(report.prefillRate(), 1) + ", decode " +
         decimal(report.decodeRate(), 1) + " tokens a second" + share;
}
