// Products of two tensors, private to this library.
#ifndef FORGE_LIB_CONVERSION_STABLEHLOTOLINALG_CONTRACTION_H
#define FORGE_LIB_CONVERSION_STABLEHLOTOLINALG_CONTRACTION_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace forge {

/// A product of two tensors. Loop dimensions are numbered batch first, then the free ones of lhs,
/// the free ones of rhs, and the contracted ones: the order of the result's dimensions.
struct Product {
  llvm::SmallVector<int64_t> lhsLoops, rhsLoops; // per operand dimension: its loop
  int64_t numBatch = 0, numLhs = 0, numRhs = 0, numContracted = 0;
  int64_t numLoops() const { return numBatch + numLhs + numRhs + numContracted; }
  int64_t resultRank() const { return numLoops() - numContracted; }
};

Product planProduct(int64_t lhsRank, int64_t rhsRank, llvm::ArrayRef<int64_t> lhsBatch,
                    llvm::ArrayRef<int64_t> rhsBatch, llvm::ArrayRef<int64_t> lhsContracted,
                    llvm::ArrayRef<int64_t> rhsContracted);

/// The product as `type`. Narrow floats accumulate in f32 and are rounded once. `lhsType`,
/// `rhsType`: original element types. `unitSums`: matrix units may add up the products
/// (kUnitSumsAttr).
mlir::Value createRoundedProduct(mlir::OpBuilder &builder, mlir::Location loc, const Product &plan,
                                 mlir::Value lhs, mlir::Value rhs, mlir::RankedTensorType type,
                                 mlir::Type lhsType, mlir::Type rhsType, bool unitSums = false);

} // namespace forge

#endif // FORGE_LIB_CONVERSION_STABLEHLOTOLINALG_CONTRACTION_H
