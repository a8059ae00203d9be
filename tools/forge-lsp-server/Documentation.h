// The documentation of operations, as mlir-tblgen prints it, inside the program.
#ifndef FORGE_TOOLS_LSP_DOCUMENTATION_H
#define FORGE_TOOLS_LSP_DOCUMENTATION_H

#include "llvm/ADT/StringRef.h"

namespace forge::lsp {

/// The page of an operation ("transformer.softmax") in Markdown, without its heading; empty if
/// there is none.
llvm::StringRef documentationOf(llvm::StringRef operation);

} // namespace forge::lsp

#endif // FORGE_TOOLS_LSP_DOCUMENTATION_H
