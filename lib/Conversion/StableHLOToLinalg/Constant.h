// Constants under signless types; private to this library.
#ifndef FORGE_LIB_CONVERSION_STABLEHLOTOLINALG_CONSTANT_H
#define FORGE_LIB_CONVERSION_STABLEHLOTOLINALG_CONSTANT_H

#include "mlir/IR/BuiltinAttributes.h"

namespace forge {

/// `value` with its integers made signless; null if it is of an unknown kind.
mlir::ElementsAttr getSignlessElements(mlir::ElementsAttr value);

} // namespace forge

#endif // FORGE_LIB_CONVERSION_STABLEHLOTOLINALG_CONSTANT_H
