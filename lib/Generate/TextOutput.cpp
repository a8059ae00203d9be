#include "forge/Generate/TextOutput.h"

using namespace forge;

TextOutput::TextOutput(const Tokenizer *tokenizer, const std::vector<int32_t> &prompt,
                       const std::vector<std::string> &stops,
                       std::function<void(const std::string &)> print)
    : stops(stops), print(std::move(print)) {
  if (tokenizer)
    stream.emplace(*tokenizer, prompt, /*skipSpecial=*/true);
}

void TextOutput::give(const std::string &text) {
  if (text.empty())
    return;
  whole += text;
  print(text);
}

Result<void> TextOutput::add(int32_t token) {
  if (!stream) {
    give((std::exchange(isFirst, false) ? "" : " ") + std::to_string(token));
    return {};
  }
  Result<std::string> text = stream->add(token);
  if (!text)
    return text.error();
  give(stops.add(*text));
  return {};
}

Result<void> TextOutput::finish() {
  if (!stream || stops.stopped())
    return {};
  Result<std::string> text = stream->finish();
  if (!text)
    return text.error();
  give(stops.add(*text) + stops.finish());
  return {};
}
