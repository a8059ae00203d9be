// Kernels of plain loops whose steps update elements at computed positions: a scatter. Works on
// tensors (to plan) and on buffers (to lower).
#ifndef FORGE_LIB_CODEGEN_GENERIC_DESTINATIONS_H
#define FORGE_LIB_CODEGEN_GENERIC_DESTINATIONS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace forge {

/// A dimension of what the kernel writes.
struct DestinationDim {
  /// Loop over its coordinates; null where an update has one coordinate, `start`.
  mlir::scf::ForOp loop;
  /// The coordinate, or what is added to the counter to get it; null where that is nothing.
  mlir::Value start;
  /// Whether what an update's place depends on depends on this coordinate too.
  bool decidesPlaces = false;
};

/// A nest of loops and branches around one body, which reads and writes one element of each of
/// `bases`, all at the same indices.
struct Destinations {
  /// The nest, outermost first. What decides where an update goes, and whether it is done at all,
  /// is computed outside of those from `numOuter` on.
  llvm::SmallVector<mlir::Operation *> path;
  size_t numOuter = 0;
  /// The loops of the nest that no dimension belongs to, outermost first: a step of all of them is
  /// an update.
  llvm::SmallVector<mlir::scf::ForOp> updates;
  llvm::SmallVector<DestinationDim> dims;
  llvm::SmallVector<mlir::Value> bases;
  mlir::Block *body = nullptr;

  explicit operator bool() const { return body != nullptr; }
};

/// Nothing where the kernel is not such a nest, or where no coordinate is computed.
Destinations findDestinations(mlir::func::FuncOp kernel);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_GENERIC_DESTINATIONS_H
