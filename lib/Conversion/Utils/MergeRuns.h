// Merges of two neighbouring sorted runs of a line, whole or in parts.
#ifndef FORGE_LIB_CONVERSION_UTILS_MERGERUNS_H
#define FORGE_LIB_CONVERSION_UTILS_MERGERUNS_H

#include "forge/Conversion/Utils/MergeSort.h"

namespace forge {

/// Elements that one part merges: a compromise between the search before it and how many there are.
inline constexpr int64_t kMergePart = 16;

/// Lines of several tensors: where element `i` of a line lies.
struct Lines {
  llvm::SmallVector<mlir::Value> outer; // the other coordinates, in order; empty for a scratch line
  int64_t dim = 0;

  llvm::SmallVector<mlir::Value> at(mlir::Value i) const {
    llvm::SmallVector<mlir::Value> position(outer);
    position.insert(position.begin() + dim, i);
    return position;
  }
};

/// The elements at a place of a line: one scalar for each tensor.
using ReadPlace =
    llvm::function_ref<llvm::SmallVector<mlir::Value>(IndexBuilder, mlir::Value place)>;

/// Two neighbouring runs, [begin, middle) and [middle, end) of a line.
struct RunPair {
  mlir::Value begin, middle, end;
};

/// A part of a merge: the places [lower, upper) of the target, from the heads `left` and `right`
/// on up to `leftEnd` and `rightEnd`.
struct Part {
  mlir::Value lower, upper, left, right, leftEnd, rightEnd;
};

/// Merges a part of a pair of runs of the lines `from` of `source` into the lines `to` of `target`.
/// `mayBeEmpty`: the part may have no element of the line's first run.
llvm::SmallVector<mlir::Value> createMerge(IndexBuilder ib, Part part, mlir::ValueRange source,
                                           const Lines &from, mlir::ValueRange target,
                                           const Lines &to, ComesBefore comesBefore,
                                           bool mayBeEmpty);

/// Sets where `part` begins in both runs, and where it ends: it begins `done` places behind the
/// first of the merge, of `pairWidth` places, and is one of parts of `partWidth`, both powers of
/// two.
void findPart(IndexBuilder ib, RunPair runs, mlir::Value done, mlir::Value partWidth,
              mlir::Value pairWidth, Part &part, ReadPlace read, const Order &order);

/// How many of the first `count` elements of a merge are the left run's, which is not empty, for a
/// strict weak order: in rounds of several comparisons, which wait for memory together.
mlir::Value findSplitInRounds(IndexBuilder ib, RunPair runs, mlir::Value count, ReadPlace read,
                              ComesBefore comesBefore);

/// A constant of the type of `value`: places are of `index` or of another integer type.
mlir::Value constantLike(IndexBuilder ib, mlir::Value value, int64_t number);

} // namespace forge

#endif // FORGE_LIB_CONVERSION_UTILS_MERGERUNS_H
