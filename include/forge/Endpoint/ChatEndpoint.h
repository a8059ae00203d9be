// A language model behind an OpenAI-compatible endpoint, asked by libcurl. No MLIR.
#ifndef FORGE_ENDPOINT_CHATENDPOINT_H
#define FORGE_ENDPOINT_CHATENDPOINT_H

#include "forge/Support/Result.h"

#include <cstddef>
#include <string>

namespace forge {

struct ChatEndpoint {
  /// What is before "/chat/completions": "http://127.0.0.1:8080/v1". Only http and https are
  /// spoken, and redirections are not taken: the key is for this server.
  std::string url;
  std::string model;
  /// Sent as "Authorization: Bearer KEY"; empty: not sent.
  std::string key;
  /// Of one request, from the name's look-up to the last byte.
  double mostSeconds = 120;
  /// Of an answer, beyond which the transfer is given up.
  size_t mostBytes = size_t(1) << 20;
};

/// What the model answers to `question` under `instructions`, the message of role system:
/// choices[0].message.content. Fails, with one line that begins with the URL, where libcurl is
/// missing, no answer comes in time, it is too long, its status is not 200 or it has no such text.
Result<std::string> askModel(const ChatEndpoint &endpoint, const std::string &instructions,
                             const std::string &question);

} // namespace forge

#endif // FORGE_ENDPOINT_CHATENDPOINT_H
