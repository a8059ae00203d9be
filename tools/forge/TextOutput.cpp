#include "TextOutput.h"

#include "llvm/Support/raw_ostream.h"

using namespace forge;
using namespace forge::tool;

TextOutput::TextOutput(const Tokenizer *tokenizer, const std::vector<int32_t> &prompt,
                       const std::vector<std::string> &stops, bool shown)
    : stops(stops), shown(shown) {
  if (tokenizer)
    stream.emplace(*tokenizer, prompt, /*skipSpecial=*/true);
}

void TextOutput::print(const std::string &text) const {
  if (!shown || text.empty())
    return;
  llvm::outs() << text;
  llvm::outs().flush();
}

Result<void> TextOutput::add(int32_t token) {
  if (!stream) {
    print((std::exchange(isFirst, false) ? "" : " ") + std::to_string(token));
    return {};
  }
  Result<std::string> text = stream->add(token);
  if (!text)
    return text.error();
  print(stops.add(*text));
  return {};
}

Result<void> TextOutput::finish() {
  if (!stream || stops.stopped())
    return {};
  Result<std::string> text = stream->finish();
  if (!text)
    return text.error();
  print(stops.add(*text) + stops.finish());
  return {};
}
