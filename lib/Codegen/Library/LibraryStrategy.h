// The strategy *library*: a product, with what it does to its sums, done by the vendor's library.
#ifndef FORGE_LIB_CODEGEN_LIBRARY_LIBRARYSTRATEGY_H
#define FORGE_LIB_CODEGEN_LIBRARY_LIBRARYSTRATEGY_H

#include "forge/Codegen/Strategy.h"

namespace forge {

/// Checks what strategy "library" wants of `kernel`, with a diagnostic there.
mlir::LogicalResult verifyLibraryKernel(mlir::func::FuncOp kernel);
/// Only where it is asked for (tiers hybrid and production). Schedule: `min_macs`, the fewest
/// multiplications for which the library is called. forge-call-library makes calls of the runtime
/// of it.
extern const Strategy libraryStrategy;

} // namespace forge

#endif // FORGE_LIB_CODEGEN_LIBRARY_LIBRARYSTRATEGY_H
