// Operations between devices, of a module that one device runs.
#ifndef FORGE_LIB_IMPORT_COLLECTIVES_H
#define FORGE_LIB_IMPORT_COLLECTIVES_H

#include "mlir/IR/BuiltinOps.h"

namespace forge {

/// Of one device, what it gathers, reduces or exchanges is its own value, its numbers are 0, and
/// what it receives from no device is zero: all operations of StableHLO between devices go. The
/// module has one replica of `partitions` partitions, which compute the same. Fails, with an error
/// at the operation, where one needs several devices.
mlir::LogicalResult dropCollectives(mlir::ModuleOp module, uint64_t partitions);

} // namespace forge

#endif // FORGE_LIB_IMPORT_COLLECTIVES_H
