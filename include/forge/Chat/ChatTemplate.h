// Chat templates of checkpoints: messages as the text that a model continues. No MLIR.
#ifndef FORGE_CHAT_CHATTEMPLATE_H
#define FORGE_CHAT_CHATTEMPLATE_H

#include "forge/Support/Result.h"

#include <nlohmann/json.hpp>

#include <memory>
#include <string_view>

namespace forge {

/// A template in the language of jinja2, as Hugging Face transformers runs it: trim_blocks,
/// lstrip_blocks and loop controls; tojson as transformers has it; raise_exception and
/// strftime_now. There are no call blocks, no recursive loops, no inheritance and no
/// imports. Templates come with checkpoints of others: time, memory and depth are bounded.
class ChatTemplate {
public:
  /// Errors start with "line N: ".
  static Result<ChatTemplate> parse(std::string_view source);
  /// From chat_template.jinja of a folder in Hugging Face form, or else from chat_template of
  /// tokenizer_config.json: a text, or of several named ones the default. Names that end in _token
  /// there are names of the template. In the place of the folder there may be a GGUF file with
  /// tokenizer.chat_template. Errors start with the file's path.
  static Result<ChatTemplate> loadFolder(const std::string &folder);

  /// The text of messages, a list of {"role": ..., "content": ...}, and what tells the model that
  /// it is its turn.
  Result<std::string> apply(const nlohmann::ordered_json &messages) const;
  /// The text for any names: messages, tools, add_generation_prompt ...
  Result<std::string> render(const nlohmann::ordered_json &names) const;

  ChatTemplate(ChatTemplate &&) noexcept;
  ChatTemplate &operator=(ChatTemplate &&) noexcept;
  ~ChatTemplate();

private:
  static Result<ChatTemplate> loadGguf(const std::string &path);

  struct Impl;
  explicit ChatTemplate(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace forge

#endif // FORGE_CHAT_CHATTEMPLATE_H
