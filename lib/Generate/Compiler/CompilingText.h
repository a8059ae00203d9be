// What is said while a decoder's functions are compiled.
#ifndef FORGE_LIB_GENERATE_COMPILER_COMPILINGTEXT_H
#define FORGE_LIB_GENERATE_COMPILER_COMPILINGTEXT_H

#include "forge/Execution/ObjectCode.h"

#include "llvm/ADT/StringExtras.h"

namespace forge {

/// "compiling @decode, @prefill".
inline std::string compilingText(llvm::ArrayRef<CompileJob> jobs) {
  return "compiling " +
         llvm::join(llvm::map_range(
                        jobs, [](const CompileJob &job) { return "@" + job.options.function; }),
                    ", ");
}

} // namespace forge

#endif // FORGE_LIB_GENERATE_COMPILER_COMPILINGTEXT_H
