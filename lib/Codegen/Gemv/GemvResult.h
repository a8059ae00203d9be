// What both ways of computing a product of a few rows share: factors as matrices, results.
#ifndef FORGE_LIB_CODEGEN_GEMV_GEMVRESULT_H
#define FORGE_LIB_CODEGEN_GEMV_GEMVRESULT_H

#include "GemvPlan.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace forge {

/// `memory`, contiguous, as [rows, columns].
mlir::Value asMatrix(mlir::ImplicitLocOpBuilder &b, mlir::Value memory, int64_t rows,
                     int64_t columns);

/// Computes what follows the product on one sum of each matrix, and stores it.
void storeGemvResult(mlir::ImplicitLocOpBuilder &b, const GemvProduct &product, mlir::Value row,
                     mlir::Value column, mlir::ValueRange sums);

/// What the product and what follows it give at `row` and `column`, from one sum of each matrix.
mlir::Value gemvResult(mlir::ImplicitLocOpBuilder &b, const GemvProduct &product, mlir::Value row,
                       mlir::Value column, mlir::ValueRange sums);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_GEMV_GEMVRESULT_H
