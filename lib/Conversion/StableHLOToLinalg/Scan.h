// Running reductions; private to this library.
#ifndef FORGE_LIB_CONVERSION_STABLEHLOTOLINALG_SCAN_H
#define FORGE_LIB_CONVERSION_STABLEHLOTOLINALG_SCAN_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace forge {

/// Along `dim`, element i of the result combines elements 0 to i, or i to the last (`reversed`).
struct Scan {
  int64_t dim;
  bool reversed;
};

/// The running reduction of `inputs` (of one shape) by `body`, from the scalars `inits`; `types`
/// are those of the results. Failure, with an error, if the body has no scalar form.
mlir::FailureOr<llvm::SmallVector<mlir::Value>>
createScan(mlir::OpBuilder &builder, mlir::Location loc, const Scan &scan, mlir::ValueRange inputs,
           mlir::ValueRange inits, llvm::ArrayRef<mlir::RankedTensorType> types,
           mlir::Region &body);

} // namespace forge

#endif // FORGE_LIB_CONVERSION_STABLEHLOTOLINALG_SCAN_H
