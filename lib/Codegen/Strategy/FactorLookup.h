// Factors of batches of products whose matrices are looked up in a table: weights of experts.
#ifndef FORGE_LIB_CODEGEN_STRATEGY_FACTORLOOKUP_H
#define FORGE_LIB_CODEGEN_STRATEGY_FACTORLOOKUP_H

#include "ProductAxes.h"

namespace forge {

/// factor[i, ...] = table[number(i), ...]
struct FactorLookup {
  /// That computes the factor.
  mlir::linalg::GenericOp op;
  mlir::Value table;
  /// An index, in the body of `op`.
  mlir::Value number;

  /// On buffers: the number at `index`, an index.
  mlir::Value emitNumber(mlir::OpBuilder &builder, mlir::Value index) const;
};

/// The lookup that makes `factor`, a tensor or a temporary that has one reader, with the outermost
/// dimension of the table looked up; nothing if it is not made so.
std::optional<FactorLookup> lookupOf(mlir::Value factor);

/// `operand`, a factor of `axes`, as the table that it is looked up in: where the table's matrices
/// are on the axis that numbers are of, which is given back. Nothing, and no change, where the
/// table's dimensions are not on these axes.
std::optional<unsigned> readTable(const ProductAxes &axes, ProductOperand &operand,
                                  const FactorLookup &lookup);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_STRATEGY_FACTORLOOKUP_H
