// Contractions whose terms are in parts: split-K.
#ifndef FORGE_LIB_CODEGEN_LIBRARY_TERMPARTS_H
#define FORGE_LIB_CODEGEN_LIBRARY_TERMPARTS_H

#include "forge/Codegen/Target.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace forge {

/// The terms of a contraction in so many parts: each has a sum of its own, and these are added up.
struct TermParts {
  /// A loop of terms that is divided.
  unsigned loop = 0;
  int64_t count = 1;
};

/// Ways to divide the terms of `contraction`, of known sizes, the whole first; others where there
/// are fewer tiles of the result than multiprocessors. Tiles of all parts are a few for each of
/// these.
llvm::SmallVector<TermParts> termPartsOf(mlir::linalg::LinalgOp contraction, const GPUChip &chip);

/// What an operation computes the sums of all parts of, [parts, ...], from zeros.
struct ContractionParts {
  llvm::SmallVector<mlir::Value> inputs;
  mlir::Value init;
  /// Of the inputs and of the sums; the first loop is that of the parts.
  llvm::SmallVector<mlir::AffineMap> maps;
  llvm::SmallVector<mlir::utils::IteratorType> loops;
};

/// `inputs` in parts, each read as operand `numbers[i]` of `contraction` is, which reads the
/// divided loop as it is. As they are where there is one part: then the sums begin as those of
/// `contraction`.
ContractionParts inParts(mlir::OpBuilder &builder, mlir::linalg::LinalgOp contraction,
                         mlir::ValueRange inputs, llvm::ArrayRef<unsigned> numbers,
                         TermParts parts);

/// `contraction`, a sum from zeros, with its terms in more than one part, before it.
mlir::linalg::GenericOp divideTerms(mlir::linalg::LinalgOp contraction, TermParts parts);

/// The sums of parts, added to `init`.
mlir::Value addParts(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value sums,
                     mlir::Value init);

/// Seconds that parts take for `seconds` of their products, with adding up `sums` of all parts: the
/// tiles have fewer stages each, and what follows is a kernel of its own.
double secondsOfParts(double seconds, int64_t sums, const GPUChip &chip);

/// Erases what has been made in parts, with its initial value and its inputs' reshapes, but for
/// inputs that are `kept`.
void eraseParts(mlir::linalg::GenericOp divided, llvm::function_ref<bool(mlir::Value)> isKept);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_LIBRARY_TERMPARTS_H
