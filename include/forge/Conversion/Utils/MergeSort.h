// Stable sorts on tensors, for sort and top_k.
#ifndef FORGE_CONVERSION_UTILS_MERGESORT_H
#define FORGE_CONVERSION_UTILS_MERGESORT_H

#include "forge/Conversion/Utils/IndexBuilder.h"

namespace forge {

/// Whether the elements `a` (one scalar per tensor) come before the elements `b`: an i1.
using ComesBefore =
    llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::ValueRange a, mlir::ValueRange b)>;

/// What a sort goes by.
struct Order {
  ComesBefore comesBefore;
  /// It is known to be a strict weak order: elements of which neither comes before the other are
  /// equal, and what is before one of equal elements is before all. Finding chunks is cheaper then.
  bool isStrictWeak = false;
};

/// How many of the first elements of a sorted line are wanted at most: an index. `outer`: the
/// coordinates of the line.
using WantedOf = llvm::function_ref<mlir::Value(IndexBuilder, mlir::ValueRange outer)>;

/// How the merges of a line are written.
enum class SortForm {
  /// One merge after the other, each from its first element to its last; one scratch line.
  Sequential,
  /// Merges in chunks of a few elements that do not depend on each other: each finds its place in
  /// both runs by bisection. The scratch lines of all lines stand side by side. For devices.
  Chunked
};

/// Sorts tensors of one shape together along `dim`, in O(n log n) steps per line; elements of which
/// neither comes before the other keep their order. With any comparator, an inconsistent one too,
/// it ends and gives every element back once; `order` must not call one strict weak that is not.
/// With `count`, only the first `count` elements of each sorted line are wanted: lines of the
/// results may be shorter than those of `tensors`, but not shorter than that. Where `wanted` says
/// so of a line, others than those may be left out, too, and be anything.
llvm::SmallVector<mlir::Value>
createMergeSort(mlir::OpBuilder &builder, mlir::Location loc, mlir::ValueRange tensors, int64_t dim,
                const Order &order, SortForm form = SortForm::Sequential,
                std::optional<int64_t> count = std::nullopt, WantedOf wanted = nullptr);

/// One scalar for each tensor that is sorted: the elements at `position`.
using ReadElements =
    llvm::function_ref<llvm::SmallVector<mlir::Value>(IndexBuilder, mlir::ValueRange position)>;

/// Lines of several tensors of one shape, side by side along `dim`, which is of static size.
struct SortedLines {
  mlir::RankedTensorType shape;
  llvm::SmallVector<mlir::OpFoldResult> sizes;
  int64_t dim;
  llvm::SmallVector<mlir::Type> types; // of the elements of each tensor
  ReadElements read;
  WantedOf wanted = nullptr;
};

/// Whether elements of `types` are small enough for that: a block has two tiles in its memory.
bool canSortInPasses(llvm::ArrayRef<mlir::Type> types);

/// The same in passes over all lines at once, for long lines on devices: nests of loops whose steps
/// do not depend on each other (`forge.independent`), and inside of them loops whose steps the
/// threads of a block share (`forge.shared`).
llvm::SmallVector<mlir::Value> createSortInPasses(mlir::OpBuilder &builder, mlir::Location loc,
                                                  const SortedLines &lines, const Order &order,
                                                  int64_t count);

/// The same for short lines on devices: each element is put to the place that it has among those of
/// its line, n steps an element, all elements side by side. `order` is strict weak.
llvm::SmallVector<mlir::Value> createRankSort(mlir::OpBuilder &builder, mlir::Location loc,
                                              const SortedLines &lines, const Order &order,
                                              int64_t count);

} // namespace forge

#endif // FORGE_CONVERSION_UTILS_MERGESORT_H
