// Locations as people read them.
#ifndef FORGE_DIAGNOSTICS_LOCATION_H
#define FORGE_DIAGNOSTICS_LOCATION_H

#include "mlir/IR/Location.h"

#include <string>

namespace forge {

/// The place `location` names, as "file:line:col"; "" when it names none. Of several (a call, a
/// fusion) the innermost.
std::string locationString(mlir::Location location);

} // namespace forge

#endif // FORGE_DIAGNOSTICS_LOCATION_H
