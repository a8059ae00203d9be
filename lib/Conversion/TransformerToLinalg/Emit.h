// Builders of the linalg operations that the lowerings share. Sizes may be dynamic throughout.
#ifndef FORGE_LIB_CONVERSION_TRANSFORMERTOLINALG_EMIT_H
#define FORGE_LIB_CONVERSION_TRANSFORMERTOLINALG_EMIT_H

#include "forge/Conversion/Utils/MergeSort.h"
#include "forge/Dialect/Transformer/IR/Transformer.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"

namespace forge {

/// Computes one element from the block arguments of a linalg.generic.
using Body = llvm::function_ref<mlir::Value(mlir::ImplicitLocOpBuilder &, mlir::ValueRange)>;
using Sizes = llvm::SmallVector<mlir::OpFoldResult>;

/// A tensor operand and how the loops index it.
struct Operand {
  mlir::Value value;
  mlir::AffineMap map;
};

/// The type that sums and formulas are computed in: f64 for f64, otherwise f32.
mlir::Type computeType(mlir::Type element);

/// `value` extended, or rounded, to float type `type`; an integer sign-extended to integer type
/// `type`, or converted to float type `type`.
mlir::Value toType(mlir::ImplicitLocOpBuilder &b, mlir::Value value, mlir::Type type);

/// `value` in a float type, or an integer type that holds it.
mlir::Value constant(mlir::ImplicitLocOpBuilder &b, mlir::Type type, double value);

/// lhs + rhs of one float or integer type.
mlir::Value emitAdd(mlir::ImplicitLocOpBuilder &b, mlir::Value lhs, mlir::Value rhs);

Sizes sizesOf(mlir::ImplicitLocOpBuilder &b, mlir::Value tensor);

/// Loop `dims` of `rank` loops, in that order.
mlir::AffineMap dimsMap(mlir::Builder &b, int64_t rank, llvm::ArrayRef<int64_t> dims);

/// All loops but `dim`.
mlir::AffineMap mapWithout(mlir::Builder &b, int64_t rank, int64_t dim);

/// One result element per point of `sizes`.
mlir::Value emitElementwise(mlir::ImplicitLocOpBuilder &b, const Sizes &sizes, mlir::Type element,
                            llvm::ArrayRef<Operand> inputs, Body body);

/// A tensor of `sizes` with `value` in every element.
mlir::Value emitFilled(mlir::ImplicitLocOpBuilder &b, const Sizes &sizes, mlir::Type element,
                       double value);

/// Reduces dimension `dim` of the loops `sizes`; the last argument of `body` is the accumulator,
/// which begins as `init`.
mlir::Value emitReduction(mlir::ImplicitLocOpBuilder &b, const Sizes &sizes, int64_t dim,
                          double init, mlir::Type element, llvm::ArrayRef<Operand> inputs,
                          Body body);

/// The sum over the loops `dims`, in type `element`, of what `body` makes of the inputs at each
/// point.
mlir::Value emitSum(mlir::ImplicitLocOpBuilder &b, const Sizes &sizes, llvm::ArrayRef<int64_t> dims,
                    mlir::Type element, llvm::ArrayRef<Operand> inputs, Body body);

/// `sums` rounded to `element`, if they are not of that type.
mlir::Value emitRounded(mlir::ImplicitLocOpBuilder &b, mlir::Value sums, mlir::Type element);

/// Values of several results at once, of the loops `sizes`: each element begins as `inits`[i] of
/// type `elements`[i] and is what `body` makes of the inputs' elements and of its values so far.
/// Results are indexed by `result`; the loops that it leaves out are reductions.
llvm::SmallVector<mlir::Value>
emitReductions(mlir::ImplicitLocOpBuilder &b, const Sizes &sizes, mlir::AffineMap result,
               llvm::ArrayRef<mlir::Type> elements, llvm::ArrayRef<double> inits,
               llvm::ArrayRef<Operand> inputs,
               llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::ImplicitLocOpBuilder &,
                                                                 mlir::ValueRange)>
                   body);

/// Sum over the loops that `result` does not index of lhs * rhs, in float or integer type
/// `element`.
mlir::Value emitContraction(mlir::ImplicitLocOpBuilder &b, const Sizes &resultSizes,
                            mlir::Type element, Operand lhs, Operand rhs, mlir::AffineMap result);

/// `kind` of `x`, in the type of `x`.
mlir::Value emitActivation(mlir::ImplicitLocOpBuilder &b, transformer::ActivationKind kind,
                           mlir::Value x);

/// The derivative of `kind` at `x`, in the type of `x`.
mlir::Value emitActivationSlope(mlir::ImplicitLocOpBuilder &b, transformer::ActivationKind kind,
                                mlir::Value x);

/// The result with the type that the operation had (dimensions may be known better now, or less
/// well).
mlir::Value castTo(mlir::ImplicitLocOpBuilder &b, mlir::Value value, mlir::Type type);

/// `value` with every dimension as those of its group, of the sizes `to`. A size that one side does
/// not know is taken from the other, so the run must have checked that they agree.
mlir::Value emitExpanded(mlir::ImplicitLocOpBuilder &b, mlir::Value value,
                         llvm::ArrayRef<mlir::ReassociationIndices> groups, const Sizes &to);

/// Lowers an operation with one result by a class that is made from a builder and the operation,
/// and whose run() gives the result.
template <typename Op, typename Lowering> struct LowerWith : mlir::OpRewritePattern<Op> {
  using mlir::OpRewritePattern<Op>::OpRewritePattern;
  llvm::LogicalResult matchAndRewrite(Op op, mlir::PatternRewriter &rewriter) const override {
    mlir::ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    mlir::Value result = Lowering(b, op).run();
    rewriter.replaceOp(op, castTo(b, result, op.getResult().getType()));
    return mlir::success();
  }
};

void populateActivationPatterns(mlir::RewritePatternSet &patterns);
void populateAttentionGradPatterns(mlir::RewritePatternSet &patterns);
void populateAttentionPatterns(mlir::RewritePatternSet &patterns);
void populateElementwiseGradPatterns(mlir::RewritePatternSet &patterns, SortForm form);
void populateGroupedMatmulByIndexPatterns(mlir::RewritePatternSet &patterns);
void populateGroupedMatmulPatterns(mlir::RewritePatternSet &patterns);
void populateGroupedOuterPatterns(mlir::RewritePatternSet &patterns);
void populateKvAppendGradPatterns(mlir::RewritePatternSet &patterns);
/// With `byElement`, loops over elements that a kernel does side by side.
void populateKvAppendPatterns(mlir::RewritePatternSet &patterns, bool byElement);
void populateMatmulPatterns(mlir::RewritePatternSet &patterns);
void populateNormalizationGradPatterns(mlir::RewritePatternSet &patterns);
void populateNormalizationPatterns(mlir::RewritePatternSet &patterns);
void populatePagedAttentionPatterns(mlir::RewritePatternSet &patterns);
void populateQuantizationPatterns(mlir::RewritePatternSet &patterns);
void populateRopePatterns(mlir::RewritePatternSet &patterns);
void populateRoutingPatterns(mlir::RewritePatternSet &patterns, SortForm form);
void populateSamplePatterns(mlir::RewritePatternSet &patterns, SortForm form);
void populateSelectionGradPatterns(mlir::RewritePatternSet &patterns);
void populateSelectionPatterns(mlir::RewritePatternSet &patterns, SortForm form);

} // namespace forge

#endif // FORGE_LIB_CONVERSION_TRANSFORMERTOLINALG_EMIT_H
