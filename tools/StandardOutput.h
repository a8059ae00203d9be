// The end of what a tool prints with llvm::outs().
#ifndef FORGE_TOOLS_STANDARDOUTPUT_H
#define FORGE_TOOLS_STANDARDOUTPUT_H

#include "forge/Support/Result.h"

#include "llvm/Support/raw_ostream.h"

namespace forge::tool {

/// What was printed must have arrived; a full disk shows only when the last bytes leave. Without
/// this, LLVM ends the process.
inline Result<void> finishStandardOutput() {
  llvm::outs().flush();
  if (!llvm::outs().has_error())
    return {};
  std::string reason = llvm::outs().error().message();
  llvm::outs().clear_error();
  return Error{"standard output: cannot write: " + reason};
}

} // namespace forge::tool

#endif // FORGE_TOOLS_STANDARDOUTPUT_H
