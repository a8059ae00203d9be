// Updates of rows at computed places, grouped by row: scatters of many updates on devices.
#ifndef FORGE_CONVERSION_UTILS_GROUPEDUPDATES_H
#define FORGE_CONVERSION_UTILS_GROUPEDUPDATES_H

#include "forge/Conversion/Utils/IndexBuilder.h"

namespace forge {

/// Updates, in order, of rows of elements. All sizes are static.
struct GroupedUpdates {
  int64_t count = 0, rows = 0;
  llvm::SmallVector<int64_t> window; // sizes of the loops over a row
  /// The number of the row that an update goes to, or `rows` where it goes nowhere: an index.
  llvm::function_ref<mlir::Value(IndexBuilder, mlir::Value update)> row;
  /// Where an element of a row is in the results.
  llvm::function_ref<llvm::SmallVector<mlir::Value>(IndexBuilder, mlir::Value row,
                                                    mlir::ValueRange window)>
      place;
  /// What an update brings for an element: one scalar for each result.
  llvm::function_ref<llvm::SmallVector<mlir::Value>(IndexBuilder, mlir::Value update,
                                                    mlir::ValueRange window)>
      read;
  /// What an element becomes, which has to be associative up to rounding.
  llvm::function_ref<llvm::SmallVector<mlir::Value>(IndexBuilder, mlir::ValueRange old,
                                                    mlir::ValueRange update)>
      combine;
};

/// Whether that many updates of that many rows are better grouped, and can be.
bool shouldGroup(int64_t updates, int64_t rows);

/// Updates elements of `results`, in an order that depends on nothing but the rows they go to, in
/// O(n log n) steps, however many of them go to one row: nests of loops whose steps do not depend
/// on each other (`forge.independent`).
llvm::SmallVector<mlir::Value> createGroupedUpdates(mlir::OpBuilder &builder, mlir::Location loc,
                                                    mlir::ValueRange results,
                                                    const GroupedUpdates &updates);

} // namespace forge

#endif // FORGE_CONVERSION_UTILS_GROUPEDUPDATES_H
