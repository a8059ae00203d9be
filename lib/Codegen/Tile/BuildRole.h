// Roles of tile programs that strategies build.
#ifndef FORGE_LIB_CODEGEN_TILE_BUILDROLE_H
#define FORGE_LIB_CODEGEN_TILE_BUILDROLE_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace forge {

/// Adds a role of `warps` warps with `registers` registers a thread, or as many as the launch
/// gives; `body` builds what is in it.
void buildRole(mlir::ImplicitLocOpBuilder &b, llvm::StringRef name, int64_t warps,
               std::optional<int64_t> registers, llvm::function_ref<void()> body);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_TILE_BUILDROLE_H
