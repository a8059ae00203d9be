// What a framework passes to a compilation: XLA's CompileOptionsProto.
#ifndef FORGE_LIB_PJRT_COMPILEOPTIONS_H
#define FORGE_LIB_PJRT_COMPILEOPTIONS_H

#include "Error.h"

#include <string>
#include <string_view>

namespace forge::pjrt {

struct CompileOptions {
  /// The device that runs the code; 0 by default.
  int device = 0;
  /// `compiler_options` of jax.jit and of Lowered.compile.
  std::string tier, dumpFolder;
};

/// Reads the protocol buffer: its device assignment and env_option_overrides; the rest is about
/// what other compilers do, and so are overrides of XLA's flags. Fails on malformed bytes and on
/// other overrides that Forge does not have.
Error *readCompileOptions(std::string_view bytes, CompileOptions &options);

} // namespace forge::pjrt

#endif // FORGE_LIB_PJRT_COMPILEOPTIONS_H
