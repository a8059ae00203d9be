// Products of rows with the matrix of each row's group, as modules write them.
#ifndef FORGE_LIB_CONVERSION_STABLEHLOTOLINALG_ROWGROUPS_H
#define FORGE_LIB_CONVERSION_STABLEHLOTOLINALG_ROWGROUPS_H

#include "forge/Dialect/StableHLO/IR/StableHLO.h"

namespace forge {

/// out[r..., n...] = sum over k... of rows[r..., k...] * matrices[group(r...), k..., n...], summed
/// over some of r...
struct RowGroups {
  /// With dimension `groupDim` of as many matrices as there are groups.
  mlir::Value matrices;
  int64_t groupDim = 0;
  /// Of the other dimensions of `matrices`, in order: its place among the sums, or -1.
  llvm::SmallVector<int64_t> sums;

  mlir::Value rows;
  /// Per dimension of `rows`: a dimension of the row's index, or a sum; both -1 where it is 0.
  struct RowDim {
    int64_t row = -1, sum = -1;
  };
  llvm::SmallVector<RowDim> rowDims;
  llvm::SmallVector<int64_t> shape;    ///< of the row's index
  llvm::SmallVector<int64_t> added;    ///< its dimensions over which products are summed
  llvm::SmallVector<int64_t> sumSizes; ///< of the sums

  /// Per dimension of the result: a dimension of the row's index, or one of `matrices` without
  /// `groupDim`; both -1 where it is 0.
  struct ResultDim {
    int64_t row = -1, column = -1;
  };
  llvm::SmallVector<ResultDim> resultDims;

  /// 1. The matrices were looked up: [r..., 1], or [r...], integers. An index outside is the
  /// nearest
  ///    one.
  mlir::Value lookup;
  bool unsignedLookup = false;
  /// 2. Or elements of rows in other groups are zero: group g has the indices from starts[g] up to,
  ///    not including, ends[g], along `rangeDim` of the row's index, and no index is in two groups.
  mlir::Value starts, ends;
  int64_t rangeDim = 0;

  int64_t numGroups() const;
  int64_t numRows() const;
};

/// `dot` as such; nothing if it is not.
std::optional<RowGroups> matchRowGroups(stablehlo::DotGeneralOp dot);

} // namespace forge

#endif // FORGE_LIB_CONVERSION_STABLEHLOTOLINALG_ROWGROUPS_H
