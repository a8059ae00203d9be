#include "forge/Tokenizer/TextStream.h"

#include "Unicode.h"

using namespace forge;
using namespace forge::tokenizer;

TextStream::TextStream(const Tokenizer &tokenizer, std::vector<int32_t> context, bool skipSpecial)
    : tokenizer(&tokenizer), skipSpecial(skipSpecial), ids(std::move(context)), known(ids.size()) {}

Result<std::string> TextStream::add(int32_t id) {
  ids.push_back(id);
  return take(/*all=*/false);
}

Result<std::string> TextStream::finish() { return take(/*all=*/true); }

/// What the tokens since the last text add to those before it.
Result<std::string> TextStream::take(bool all) {
  std::vector<int32_t> before(ids.begin(), ids.begin() + static_cast<ptrdiff_t>(known));
  Result<std::string> old = tokenizer->decode(before, skipSpecial),
                      now = tokenizer->decode(ids, skipSpecial);
  if (!old || !now)
    return old ? now : old;
  if (!all && (now->ends_with("\xef\xbf\xbd") || countCodePoints(*now) <= countCodePoints(*old)))
    return std::string();
  // Where later bytes make earlier ones no text, what was given stays.
  size_t begin = 0;
  for (size_t left = countCodePoints(*old); left > 0 && begin < now->size(); --left)
    nextCodePoint(*now, begin);
  std::string text = now->substr(begin);
  // The tokens of this text are what the next is decoded behind; not spaces alone, which a
  // tokenizer may leave out at the beginning.
  if (text.find_first_not_of(' ') != std::string::npos)
    ids.erase(ids.begin(), ids.begin() + static_cast<ptrdiff_t>(known));
  known = ids.size();
  return text;
}
