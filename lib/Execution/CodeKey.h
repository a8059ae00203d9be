// Between the files of lib/Execution: what machine code depends on, as a hash.
#ifndef FORGE_LIB_EXECUTION_CODEKEY_H
#define FORGE_LIB_EXECUTION_CODEKEY_H

#include "forge/Codegen/Target.h"
#include "forge/Execution/Executable.h"

namespace forge {

/// 64 hexadecimal digits: of the module's public functions and what they refer to, locations
/// included; of the target with its chip, the options, and this host's processor; of this compiler
/// and the programs it calls. Nothing where a part of the compiler has no build id.
std::optional<std::string> codeKey(mlir::ModuleOp module, const Target &target,
                                   const CompileOptions &options);

} // namespace forge

#endif // FORGE_LIB_EXECUTION_CODEKEY_H
