// What the relay changes in the messages of the language server protocol, version 3.17.
#ifndef FORGE_TOOLS_LSP_MESSAGES_H
#define FORGE_TOOLS_LSP_MESSAGES_H

#include "llvm/Support/JSON.h"

#include <map>
#include <mutex>
#include <string>

namespace forge::lsp {

/// 1. The server's name is Forge's.
/// 2. A hover over an operation ends with its documentation.
/// 3. Symbols of a document are a flat list for editors that do not understand a tree; MLIR's
/// server answers only those
///    that do.
/// One thread for each direction may use it.
class Messages {
public:
  /// Changes a message of the editor.
  void fromEditor(llvm::json::Object &message);
  /// Changes a message of the server.
  void fromServer(llvm::json::Object &message);

private:
  struct Request {
    std::string method, uri;
  };
  std::mutex mutex;
  /// Requests without an answer yet, by their identifiers as JSON.
  std::map<std::string, Request> pending;
  bool editorKnowsTrees = false;
};

} // namespace forge::lsp

#endif // FORGE_TOOLS_LSP_MESSAGES_H
