// Operations that are started in one place and waited for in another.
#ifndef FORGE_IMPORT_ASYNC_H
#define FORGE_IMPORT_ASYNC_H

#include "mlir/IR/BuiltinOps.h"

namespace forge {

/// On one device what stablehlo.async_start starts is done: its body takes its place, and what
/// waits for it has the values. Fails, at the place, where a future is used for anything else.
mlir::LogicalResult inlineAsync(mlir::ModuleOp module);

} // namespace forge

#endif // FORGE_IMPORT_ASYNC_H
