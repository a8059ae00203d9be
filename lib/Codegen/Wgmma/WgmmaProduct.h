// Products of matrices on matrix units, and what is done to their sums in the same kernel.
#ifndef FORGE_LIB_CODEGEN_WGMMA_WGMMAPRODUCT_H
#define FORGE_LIB_CODEGEN_WGMMA_WGMMAPRODUCT_H

#include "../Library/LibraryProduct.h"

#include "forge/Codegen/Target.h"

namespace forge {

/// out = follow(sum over k of lhs[m, k] * rhs[k, n]), or, of a pair of products with one left
/// factor (the gate and the other half of a gated MLP), out = follow(sum over k of lhs[m, k] *
/// rhs0[k, n], sum over k of lhs[m, k] * rhs1[k, n]).
struct WgmmaProduct {
  /// One or two, which only differ in their right factor, without what follows.
  llvm::SmallVector<LibraryProduct, 2> parts;
  /// Elementwise on the sums of all parts, or null.
  mlir::linalg::GenericOp follow;

  /// What all parts have in common.
  const LibraryProduct &matrices() const { return parts.front(); }
  int64_t numParts() const { return static_cast<int64_t>(parts.size()); }
  mlir::Value left() const { return matrices().left(); }
  /// Where the results stand: all have the shape of the sums.
  llvm::SmallVector<mlir::Value> results() const;
  /// The number of the part whose sums `value` is, if it is that.
  std::optional<unsigned> partOf(mlir::Value value) const;
  /// Operations of what follows that instructions for 16 bits of precision may compute.
  llvm::DenseSet<mlir::Operation *> approximate() const;
};

/// Sizes of it, as far as types say: dynamic where they do not.
struct WgmmaSizes {
  /// Columns of each part.
  int64_t batch, rows, columns, terms;

  explicit WgmmaSizes(const WgmmaProduct &product);
};

/// The product that `contractions`, one or two, and `follow` (null: nothing, of one) are, on
/// tensors or buffers, whatever the chip.
std::optional<WgmmaProduct> matchWgmma(llvm::ArrayRef<mlir::linalg::LinalgOp> contractions,
                                       mlir::linalg::GenericOp follow);

/// The product a kernel function is, if it is one and nothing else.
std::optional<WgmmaProduct> matchWgmmaKernel(mlir::func::FuncOp kernel);

/// What matrix units of `chip` would need to compute `product`; null if they can. Tensor maps want
/// rows of multiples of 16 bytes, and stores of 16 bytes columns in eights.
const char *whyNotWgmma(const WgmmaProduct &product, const GPUChip &chip);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_WGMMA_WGMMAPRODUCT_H
