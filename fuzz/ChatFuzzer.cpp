// The bytes are a chat template. It makes a text of a conversation, or there is an error.
#include "forge/Chat/ChatTemplate.h"

#include <cstdlib>

using namespace forge;

static void checkError(const Error &error) {
  if (error.message.empty())
    std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const auto names = nlohmann::ordered_json::parse(R"({
    "messages": [{"role": "system", "content": " Be brief.\n"}, {"role": "user", "content": "Wörld"},
                 {"role": "assistant", "content": null, "tool_calls": [{"function": {"name": "f", "arguments": {"a": [1, 2.5, true]}}}]}],
    "tools": null, "add_generation_prompt": true, "bos_token": "<s>", "eos_token": "</s>"})");
  Result<ChatTemplate> chat =
      ChatTemplate::parse(std::string_view(reinterpret_cast<const char *>(data), size));
  if (!chat) {
    checkError(chat.error());
    return 0;
  }
  if (Result<std::string> text = chat->render(names); !text)
    checkError(text.error());
  return 0;
}
