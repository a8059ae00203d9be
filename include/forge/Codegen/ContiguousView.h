// Contiguous memory seen with other sizes.
#ifndef FORGE_CODEGEN_CONTIGUOUSVIEW_H
#define FORGE_CODEGEN_CONTIGUOUSVIEW_H

#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace forge {

/// The product of two sizes, an attribute where both are.
mlir::OpFoldResult multiplySizes(mlir::OpBuilder &builder, mlir::Location loc, mlir::OpFoldResult a,
                                 mlir::OpFoldResult b);

/// The elements of `source`, which is contiguous, as a row-major `type` of these `sizes`.
mlir::Value viewAs(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value source,
                   mlir::MemRefType type, llvm::ArrayRef<mlir::OpFoldResult> sizes);

} // namespace forge

#endif // FORGE_CODEGEN_CONTIGUOUSVIEW_H
