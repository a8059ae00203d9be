// A stable merge sort on tensors, for sort and top_k.
#ifndef FORGE_CONVERSION_UTILS_MERGESORT_H
#define FORGE_CONVERSION_UTILS_MERGESORT_H

#include "forge/Conversion/Utils/IndexBuilder.h"

namespace forge {

/// Whether the elements `a` (one scalar per tensor) come before the elements `b`: an i1.
using ComesBefore =
    llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::ValueRange a, mlir::ValueRange b)>;

/// Sorts tensors of one shape together along `dim`, in O(n log n) steps per line; elements of which
/// neither comes before the other keep their order. Ends for any `comesBefore`, an inconsistent one
/// too.
llvm::SmallVector<mlir::Value> createMergeSort(mlir::OpBuilder &builder, mlir::Location loc,
                                               mlir::ValueRange tensors, int64_t dim,
                                               ComesBefore comesBefore);

} // namespace forge

#endif // FORGE_CONVERSION_UTILS_MERGESORT_H
