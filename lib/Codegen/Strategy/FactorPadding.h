// Factors of products that are a tensor with zeros around it: images of convolutions.
#ifndef FORGE_LIB_CODEGEN_STRATEGY_FACTORPADDING_H
#define FORGE_LIB_CODEGEN_STRATEGY_FACTORPADDING_H

#include "OperandView.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace forge {

/// factor[i, ...] = source[i - low, ...], and zero where that is outside of the source.
struct FactorPadding {
  /// That computes the factor.
  mlir::linalg::GenericOp op;
  mlir::Value source;
  /// Of the factor and of what is inside; all sizes are known.
  llvm::SmallVector<int64_t, 5> shape, inside;
  /// The factor's dimensions that each of the source is; none: one of one element.
  llvm::SmallVector<llvm::SmallVector<int64_t, 2>, 5> sourceDims;
  /// Zeros in front.
  llvm::SmallVector<int64_t, 5> low;

  int64_t high(unsigned dim) const { return shape[dim] - inside[dim] - low[dim]; }
  bool isAround(unsigned dim) const { return shape[dim] != inside[dim]; }
};

/// `op`, on tensors or buffers, if it does nothing but surround a tensor with zeros.
std::optional<FactorPadding> paddingOf(mlir::linalg::GenericOp op);
/// The same of a source that may have dimensions of one element besides those of the result, or,
/// for two of these without zeros, one.
std::optional<FactorPadding> reshapedPaddingOf(mlir::linalg::GenericOp op);
/// The operation that makes `factor` so, a tensor or a buffer that it alone writes, no matter how
/// many read it.
std::optional<FactorPadding> paddingOf(mlir::Value factor);
/// On tensors: `source` with `low` zeros in front, and behind it so many that it has `shape`.
mlir::linalg::GenericOp makePadding(mlir::OpBuilder &builder, mlir::Location loc,
                                    mlir::Value source, llvm::ArrayRef<int64_t> low,
                                    llvm::ArrayRef<int64_t> shape);

/// The source of `padding` where the factor is read, with zeros around it.
std::optional<OperandView> viewOf(const FactorPadding &padding);

/// Whether `op` of a kernel makes a factor for other operations of the kernel so.
bool padsFactor(mlir::linalg::LinalgOp op);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_STRATEGY_FACTORPADDING_H
