// Fusion on tensors: what is computed inside its consumer, and what stays an operation of its own.
#ifndef FORGE_CODEGEN_FUSION_H
#define FORGE_CODEGEN_FUSION_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/StringRef.h"

namespace mlir::linalg {
class GenericOp;
class LinalgOp;
} // namespace mlir::linalg

namespace mlir {
class OpOperand;
class Operation;
class RewritePatternSet;
class RewriterBase;
} // namespace mlir

namespace forge {

/// On the loop along a line of a running reduction (forge-raise-scans).
inline constexpr llvm::StringLiteral kScanAttr = "forge.scan";

/// Marks a loop that writes a place of its own in every step, and reads nothing that it writes.
inline constexpr llvm::StringLiteral kIndependentAttr = "forge.independent";

/// Marks a loop inside of independent ones whose steps do not depend on each other either, and that
/// the threads of a block share: what it writes is a temporary of the step around it, or a place
/// that no other step of any of them writes. It reads nothing that other steps of it write.
inline constexpr llvm::StringLiteral kSharedAttr = "forge.shared";

/// True for a producer that costs no more to compute again than to read: a fill, an iota, a
/// broadcast, or casts and simple arithmetic on one operand no larger than the result.
bool isCheapToRepeat(mlir::Operation *producer);

/// True if the two as one operation would read and write more tensors, or have a longer body, than
/// is worth the registers and the compile time.
bool isTooLargeToFuse(mlir::linalg::LinalgOp first, mlir::linalg::LinalgOp second);

/// True if `op` makes narrow results of the sums of a product that nothing else reads, so that the
/// product's kernel can.
bool narrowsSums(mlir::linalg::LinalgOp op);

/// Decides whether the producer of `operand` is computed inside the consumer that owns `operand`.
bool shouldFuseProducer(mlir::OpOperand *operand);

/// True if computing `producer` at the place of `consumer` would read a tensor after an operation
/// between them has overwritten it: bufferization would then copy that tensor instead of updating
/// it in place.
bool wouldReadOverwritten(mlir::Operation *producer, mlir::Operation *consumer);

/// Merges operations of one block that read a common tensor in the same order over the same loops
/// and do not depend on each other, such as the two sums of mean and variance. Returns whether
/// anything changed.
bool fuseSiblings(mlir::Operation *root);

/// Computes factors of products where they are multiplied, if each of their elements is multiplied
/// once and they are made of much smaller tensors. Returns whether anything changed.
bool fuseGeneratedFactors(mlir::Operation *root);

/// Makes equal calls of scalar functions of the runtime in the body of a linalg.generic one, and
/// erases those, and operations made of them, whose results nothing reads.
void mergeScalarCalls(mlir::Operation *root);

/// In bodies, a choice by a loop's index between computations that are equal but for constant
/// places of the elements that they read becomes one computation at a place that is chosen. Returns
/// whether anything changed.
bool selectPlaces(mlir::Operation *root);

/// Producer-consumer fusion of linalg.generic under `shouldFuseProducer`, with the reshapes between
/// them.
void populateFuseElementwisePatterns(mlir::RewritePatternSet &patterns);

/// Elements that bodies extract from results of cheap elementwise operations, computed there.
void populateExtractOfElementwisePatterns(mlir::RewritePatternSet &patterns);

/// A slice that is reshaped becomes a slice of what is reshaped, where whole parts are sliced.
void populateSlicesOfReshapesPatterns(mlir::RewritePatternSet &patterns);

/// Computes element `loops` of result number `result` of an elementwise `producer`, whose indexing
/// maps are plain: one place for each of its loops.
mlir::Value elementAt(mlir::linalg::GenericOp producer, unsigned result,
                      llvm::ArrayRef<mlir::Value> loops, mlir::Location loc,
                      mlir::RewriterBase &rewriter);

/// Squares and cubes that are written as powers become products.
void populateSmallPowersPatterns(mlir::RewritePatternSet &patterns);

} // namespace forge

#endif // FORGE_CODEGEN_FUSION_H
