// What the gradients of several operations are built from.
#ifndef FORGE_LIB_DIALECT_TRANSFORMER_TRANSFORMS_GRADIENTBUILDERS_H
#define FORGE_LIB_DIALECT_TRANSFORMER_TRANSFORMS_GRADIENTBUILDERS_H

#include "forge/Dialect/Transformer/IR/Transformer.h"
#include "forge/Dialect/Transformer/Transforms/Differentiation.h"

#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/PatternMatch.h"

namespace forge::transformer {

inline mlir::RankedTensorType typeOf(mlir::Value value) {
  return mlir::cast<mlir::RankedTensorType>(value.getType());
}
bool isFloatTensor(mlir::Type type);

/// A tensor, or a number, of a float type that gradients may have.
bool isDifferentiableType(mlir::Type type);

/// Zeros of the type of `value`, of its size where that is known only at run time; 0 for a number.
mlir::Value zerosLike(mlir::ImplicitLocOpBuilder &b, mlir::Value value);
/// `number` in every element, with the type and size of `value`.
mlir::Value splatLike(mlir::ImplicitLocOpBuilder &b, mlir::Value value, double number);
/// `value` without its dimensions `dims`, which are summed over.
mlir::Value sumOver(mlir::ImplicitLocOpBuilder &b, mlir::Value value, llvm::ArrayRef<int64_t> dims);
/// `value`, repeated along the dimensions `dims` of `like`, whose other dimensions it has.
mlir::Value broadcastLike(mlir::ImplicitLocOpBuilder &b, mlir::Value value, mlir::Value like,
                          llvm::ArrayRef<int64_t> dims);
/// linalg.transpose into a new tensor.
mlir::Value transpose(mlir::ImplicitLocOpBuilder &b, mlir::Value value,
                      llvm::ArrayRef<int64_t> permutation);
/// `value` with its first `count` dimensions as one.
mlir::Value collapseLeading(mlir::ImplicitLocOpBuilder &b, mlir::Value value, int64_t count);
/// `value` with the shape of `type`, whose sizes are `sizes`.
mlir::Value reshapeTo(mlir::ImplicitLocOpBuilder &b, mlir::Value value, mlir::RankedTensorType type,
                      llvm::ArrayRef<mlir::OpFoldResult> sizes);
/// The same where each dimension d of `value` becomes `groups[d]`. Where one becomes several of
/// sizes that are not known, a reshape: an expansion could not be lowered.
mlir::Value expandTo(mlir::ImplicitLocOpBuilder &b, mlir::Value value, mlir::RankedTensorType type,
                     llvm::ArrayRef<mlir::ReassociationIndices> groups,
                     llvm::ArrayRef<mlir::OpFoldResult> sizes);
/// `value` rounded or extended to `element`.
mlir::Value convertTo(mlir::ImplicitLocOpBuilder &b, mlir::Value value, mlir::Type element);

/// The derivative of an operation of math, or arith.remf, on numbers or tensors by operand `i`;
/// null where it is not known.
mlir::Value slopeAt(mlir::ImplicitLocOpBuilder &b, mlir::Operation *op, unsigned i);

/// The gradient of `Op` as a function, made an interface. `build` is a LogicalResult (Op,
/// ImplicitLocOpBuilder &, Cotangents &).
template <typename Op, auto build>
struct GradientModel : DifferentiableOpInterface::ExternalModel<GradientModel<Op, build>, Op> {
  llvm::LogicalResult buildGradients(mlir::Operation *op, mlir::ImplicitLocOpBuilder &b,
                                     Cotangents &cotangents) const {
    return build(llvm::cast<Op>(op), b, cotangents);
  }
};

/// An operation whose results do not change with small changes of its operands.
template <typename Op>
struct ConstantModel : DifferentiableOpInterface::ExternalModel<ConstantModel<Op>, Op> {
  llvm::LogicalResult buildGradients(mlir::Operation *, mlir::ImplicitLocOpBuilder &,
                                     Cotangents &) const {
    return mlir::success();
  }
  bool isLocallyConstant(mlir::Operation *) const { return true; }
};

template <typename Op, auto build> void attachGradient(mlir::MLIRContext *context) {
  Op::template attachInterface<GradientModel<Op, build>>(*context);
}
template <typename... Ops> void attachConstant(mlir::MLIRContext *context) {
  (Ops::template attachInterface<ConstantModel<Ops>>(*context), ...);
}

void attachArithModels(mlir::MLIRContext *context);
void attachAttentionModels(mlir::MLIRContext *context);
void attachContractionModels(mlir::MLIRContext *context);
void attachElementwiseModels(mlir::MLIRContext *context);
void attachControlFlowModels(mlir::MLIRContext *context);
void attachLinalgModels(mlir::MLIRContext *context);
void attachMathModels(mlir::MLIRContext *context);
void attachNormalizationModels(mlir::MLIRContext *context);
void attachQuantizationModels(mlir::MLIRContext *context);
void attachSelectionModels(mlir::MLIRContext *context);
void attachStructuredModels(mlir::MLIRContext *context);
void attachTensorModels(mlir::MLIRContext *context);

/// Attention over pages becomes attention over the keys of each sequence, taken out of the pool.
void populateDecomposePagedAttentionPatterns(mlir::RewritePatternSet &patterns);

/// Replaces every func.call in `function` by a copy of what it calls, and those in the copies.
/// Fails at a call of a function that is absent, has no body, or calls itself.
llvm::LogicalResult inlineCallsInto(mlir::func::FuncOp function);

/// The gradients of what is in `block`, in reverse order, from the cotangents of `results`,
/// values of it: of everything active that they are computed from.
llvm::LogicalResult sweep(mlir::Block &block, llvm::ArrayRef<mlir::Value> results,
                          mlir::ImplicitLocOpBuilder &b, Cotangents &cotangents);

/// Operations that loops become at most.
constexpr int64_t kMostUnrolled = 100'000;

/// Replaces every scf.for with results and constant bounds by its rounds, as far as kMostUnrolled
/// goes.
void unrollLoops(mlir::func::FuncOp function);

/// Copies what computes numbers that score regions take from outside into them, so that they read
/// nothing but elements of tensors.
void sinkIntoScores(mlir::func::FuncOp function);

} // namespace forge::transformer

#endif // FORGE_LIB_DIALECT_TRANSFORMER_TRANSFORMS_GRADIENTBUILDERS_H
