// Running reductions; private to this library.
#ifndef FORGE_LIB_CONVERSION_STABLEHLOTOLINALG_SCAN_H
#define FORGE_LIB_CONVERSION_STABLEHLOTOLINALG_SCAN_H

#include "forge/Conversion/Utils/IndexBuilder.h"

namespace forge {

/// Along `dim`, element i of the result combines elements 0 to i, or i to the last (`reversed`).
struct Scan {
  int64_t dim;
  bool reversed;
};

/// The elements that the step at `position` takes.
using ReadStep =
    llvm::function_ref<llvm::SmallVector<mlir::Value>(IndexBuilder, mlir::ValueRange position)>;
/// What a step makes of these, and of what is carried.
using ScanStep = llvm::function_ref<llvm::SmallVector<mlir::Value>(
    IndexBuilder, mlir::ValueRange position, mlir::ValueRange elements, mlir::ValueRange values)>;

/// The steps of one line, of `size` elements, at the other `coordinates`. What is accumulated
/// starts as `inits`; `step` makes the next of it, and of `results`, which are returned. Of a
/// static size on devices, `isAhead`, the elements of several steps are read before the first of
/// them: each would wait for its own.
llvm::SmallVector<mlir::Value> emitLine(IndexBuilder ib, const Scan &scan, mlir::Value size,
                                        mlir::ValueRange coordinates, mlir::ValueRange inits,
                                        mlir::ValueRange results, bool isAhead, ReadStep read,
                                        ScanStep step);

/// The running reduction of `inputs` (of one shape) by `body`, from the scalars `inits`; `types`
/// are those of the results. Failure, with an error, if the body has no scalar form. `inBlocks`:
/// blocks of a long line are reduced side by side, for devices, where the body is one operation
/// with a neutral element.
mlir::FailureOr<llvm::SmallVector<mlir::Value>>
createScan(mlir::OpBuilder &builder, mlir::Location loc, const Scan &scan, mlir::ValueRange inputs,
           mlir::ValueRange inits, llvm::ArrayRef<mlir::RankedTensorType> types, mlir::Region &body,
           bool inBlocks = false);

/// A running reduction in the type of `init`, that of accumulation: first those inside of blocks of
/// `block` elements, from `neutral`; then what comes before each block; then both together. The
/// bits of a sum of floats are those of createScan, which carries the same two sums along the line,
/// if it is not reversed. All sizes are static.
mlir::FailureOr<mlir::Value> createBlockedScan(mlir::OpBuilder &builder, mlir::Location loc,
                                               const Scan &scan, mlir::Value input,
                                               mlir::Value init, mlir::TypedAttr neutral,
                                               mlir::RankedTensorType type, mlir::Region &body,
                                               int64_t block);

} // namespace forge

#endif // FORGE_LIB_CONVERSION_STABLEHLOTOLINALG_SCAN_H
