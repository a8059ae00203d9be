// Which reductions are divided among threads or blocks, and along which loops.
#ifndef FORGE_LIB_CODEGEN_ROWKERNELS_SPLITPLAN_H
#define FORGE_LIB_CODEGEN_ROWKERNELS_SPLITPLAN_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <optional>

namespace forge {

/// A reduction loop and the number of parts it is divided into: all its elements, or a divisor of
/// their number.
struct Division {
  unsigned loop;
  int64_t parts;
  int64_t elementsOfPart;

  /// Whether a part has a loop of its own.
  bool hasLoop() const { return elementsOfPart > 1; }
};

/// What a second reduction is left with.
struct Split {
  /// The reduction loops that are divided, in order.
  llvm::SmallVector<Division, 2> divisions;
  /// A reduction loop that the first reduction leaves alone.
  std::optional<unsigned> inner;

  const Division *find(unsigned loop) const {
    const Division *found =
        llvm::find_if(divisions, [&](const Division &division) { return division.loop == loop; });
    return found == divisions.end() ? nullptr : found;
  }

  /// The number of a loop, or of that of its parts, once each divided one has become two: that of
  /// its parts, then that of the elements of a part.
  unsigned numberOf(unsigned loop) const {
    return loop + llvm::count_if(divisions, [&](const Division &division) {
             return division.loop < loop && division.hasLoop();
           });
  }

  unsigned numLoops(mlir::linalg::GenericOp op) const { return numberOf(op.getNumLoops()); }

  /// The index of an old loop in terms of the new ones.
  mlir::AffineExpr indexOf(unsigned loop, mlir::MLIRContext *context) const {
    mlir::AffineExpr index = mlir::getAffineDimExpr(numberOf(loop), context);
    const Division *division = find(loop);
    if (!division || !division->hasLoop())
      return index;
    return index * division->elementsOfPart + mlir::getAffineDimExpr(numberOf(loop) + 1, context);
  }
};

/// How `op`, a reduction on tensors, should become partial results and a reduction of those;
/// nothing where one is enough, where a matrix unit computes it, or where sizes are not known.
std::optional<Split> planSplit(mlir::linalg::GenericOp op);

/// The one value of a constant; null for another value, or for several.
mlir::TypedAttr splatOf(mlir::Value value);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_ROWKERNELS_SPLITPLAN_H
