// What jax.lax.associative_scan leaves of a running reduction; private to this library.
#ifndef FORGE_LIB_CONVERSION_STABLEHLOTOLINALG_SCANTREE_H
#define FORGE_LIB_CONVERSION_STABLEHLOTOLINALG_SCANTREE_H

#include "forge/Dialect/StableHLO/IR/StableHLO.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace forge {

/// An operand of a combination: one part of what is on the left, or on the right, along the line.
struct ScanLeaf {
  bool isRight;
  unsigned part;
};

/// How a part of the combination of two tuples is computed: elementwise operations of StableHLO on
/// leaves.
struct ScanCombine {
  mlir::Value root = {};
  llvm::DenseMap<mlir::Value, ScanLeaf> leaves = llvm::DenseMap<mlir::Value, ScanLeaf>();
};

/// A running reduction along `dim` of tuples of elements, written as a tree: neighbours are
/// combined, the running reduction of these is that at every second place, and combined with the
/// elements in between it is the rest.
struct ScanTree {
  int64_t dim, size;
  /// One for each part of the tuple.
  llvm::SmallVector<mlir::Value> inputs;
  llvm::SmallVector<ScanCombine> combines;
  /// The parts whose running reductions are computed, and what these are.
  llvm::SmallMapVector<unsigned, mlir::Value, 4> results;
  /// The operations of the tree.
  llvm::SetVector<mlir::Operation *> ops;
};

/// The tree that `root`, the sum of two halves put between each other, is one result of.
std::optional<ScanTree> matchScanTree(mlir::Operation *root);

/// The number that all elements of `value`, a constant, are; null for another value.
mlir::Attribute scanSplatOf(mlir::Value value);

/// Whether the combination can be computed on scalars.
bool hasScalarForm(const ScanTree &tree);

/// The tree's results by loops: independent ones over its lines, and one along each, which combines
/// the same operands as the tree does.
llvm::SmallVector<mlir::Value> emitScanLoops(mlir::OpBuilder &builder, mlir::Location loc,
                                             const ScanTree &tree);

} // namespace forge

#endif // FORGE_LIB_CONVERSION_STABLEHLOTOLINALG_SCANTREE_H
