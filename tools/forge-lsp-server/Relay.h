// Between the editor and MLIR's language server, whose classes are not among its public headers.
#ifndef FORGE_TOOLS_LSP_RELAY_H
#define FORGE_TOOLS_LSP_RELAY_H

#include "llvm/ADT/STLFunctionalExtras.h"

namespace forge::lsp {

/// Runs `serve`, a language server on standard input and output that returns false on failure, in a
/// child process, and relays its messages, changed by `Messages`, between it and the editor at this
/// process's input and output. `-lit-test` is the relay's: messages separated by `// -----` come
/// in, indented JSON goes out. Returns the exit status.
int runRelayed(int argc, char **argv, llvm::function_ref<bool(int, char **)> serve);

} // namespace forge::lsp

#endif // FORGE_TOOLS_LSP_RELAY_H
