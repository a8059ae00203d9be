// Matrices of integers of 4 bits in words, as matrix instructions take them.
#ifndef FORGE_LIB_CODEGEN_GEMV_NIBBLEMATRIX_H
#define FORGE_LIB_CODEGEN_GEMV_NIBBLEMATRIX_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

#include <optional>

namespace forge {

/// Element (n, k) is (((words[n, k / 8] >> 4 (k % 8)) & 15) - zero) * scales[n, k / group].
struct NibbleMatrix {
  mlir::Value words, scales;
  int64_t zero = 0, group = 0;
};

/// The matrix that `prologue`, on tensors or buffers, computes, if it is such a one.
std::optional<NibbleMatrix> matchNibbles(mlir::linalg::GenericOp prologue);

/// The integers of `word` as numbers of `element`, bf16 or f16, which hold them exactly: pairs of
/// the elements 0 and 4, 1 and 5, 2 and 6, 3 and 7, in words.
llvm::SmallVector<mlir::Value, 4> unpackNibbles(mlir::ImplicitLocOpBuilder &b, mlir::Value word,
                                                int64_t zero, mlir::Type element);

/// Four words of pairs of neighbours, 0 and 1, 2 and 3 ..., as pairs of the same elements as those
/// of `unpackNibbles`.
llvm::SmallVector<mlir::Value, 4> pairAsNibbles(mlir::ImplicitLocOpBuilder &b,
                                                llvm::ArrayRef<mlir::Value> words);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_GEMV_NIBBLEMATRIX_H
