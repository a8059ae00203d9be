// Operations between devices, of a module that one device runs.
#ifndef FORGE_LIB_IMPORT_COLLECTIVES_H
#define FORGE_LIB_IMPORT_COLLECTIVES_H

#include "mlir/IR/BuiltinOps.h"

namespace forge {

/// With device 0 alone, what it gathers, reduces or exchanges is its own value, its numbers are 0,
/// and what it receives from no device is zero: all operations of StableHLO between devices go.
/// Fails, with an error at the operation, where one names another device.
mlir::LogicalResult dropCollectives(mlir::ModuleOp module);

} // namespace forge

#endif // FORGE_LIB_IMPORT_COLLECTIVES_H
