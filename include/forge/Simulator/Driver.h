// The simulator as a driver of the runtime: devices sim:sm_75 to sim:gfx1100.
#ifndef FORGE_SIMULATOR_DRIVER_H
#define FORGE_SIMULATOR_DRIVER_H

#include "forge/Runtime/Device.h"

#include "mlir/IR/DialectRegistry.h"

namespace forge::sim {

/// The dialects a module of kernels may use.
void registerDialects(mlir::DialectRegistry &registry);

Result<std::unique_ptr<rt::Driver>> createDriver();

/// Makes "sim" known to rt::openDevice. More than once does no harm.
void registerDriver();

} // namespace forge::sim

#endif // FORGE_SIMULATOR_DRIVER_H
