// Convolutions of few features, which threads compute from their input without patches.
#ifndef FORGE_LIB_CODEGEN_LIBRARY_NARROWWINDOWS_H
#define FORGE_LIB_CODEGEN_LIBRARY_NARROWWINDOWS_H

#include "forge/Codegen/Target.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace forge {

/// Whether threads that read windows of its left factor compute `contraction`, on tensors, whose
/// columns are so few that each number of its patches is multiplied a few times, in less time than
/// patches take to be written and read.
bool beatsPatches(mlir::linalg::GenericOp contraction, const GPUChip &chip);

/// `contraction`, which has one result and one use at most, without loops of one iteration and
/// dimensions of one element that these go over: then the innermost loop is the one along memory.
/// Replaces it, and returns the result in its old shape. Returns null and changes nothing if it has
/// no such loop.
mlir::Value dropUnitLoops(mlir::RewriterBase &rewriter, mlir::linalg::GenericOp contraction);

/// Lets threads multiply and add at once, and in any order, as products of matrices do.
void allowReassociation(mlir::linalg::GenericOp contraction);

/// What `kernel` was before its rows were padded for tensor maps, of which it is a slice; else
/// itself.
mlir::Value withoutPadding(mlir::Value kernel);

/// Folds reshapes of reshapes, fills and constants in `root`.
void foldReshapes(mlir::Operation *root);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_LIBRARY_NARROWWINDOWS_H
