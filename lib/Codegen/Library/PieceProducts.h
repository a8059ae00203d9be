// The operations of a product of f32 factors in pieces.
#ifndef FORGE_LIB_CODEGEN_LIBRARY_PIECEPRODUCTS_H
#define FORGE_LIB_CODEGEN_LIBRARY_PIECEPRODUCTS_H

#include "TermParts.h"

namespace forge {

/// The pieces of an f32: 8 bits of 24 each.
inline constexpr unsigned kPieces = 3;

/// What `factor` is, in bf16, if it is only that extended; null if not.
mlir::Value narrowSource(mlir::Value factor);

/// An operation right behind `factor`, of a static shape, that gives its pieces.
mlir::linalg::GenericOp makePieces(mlir::Value factor);

bool isReshape(mlir::Operation *op);
/// `reshape` of another tensor.
mlir::Value reshapeAlike(mlir::OpBuilder &builder, mlir::Operation *reshape, mlir::Value of);

/// `contraction` of the pieces of its two factors, before it, with its terms in `parts`.
mlir::linalg::GenericOp makeOfPieces(mlir::linalg::LinalgOp contraction,
                                     llvm::ArrayRef<llvm::SmallVector<mlir::Value>> factors,
                                     TermParts parts);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_LIBRARY_PIECEPRODUCTS_H
