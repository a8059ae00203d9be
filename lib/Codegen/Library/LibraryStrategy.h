// The strategy *library*: a plain product, done by the vendor's library.
#ifndef FORGE_LIB_CODEGEN_LIBRARY_LIBRARYSTRATEGY_H
#define FORGE_LIB_CODEGEN_LIBRARY_LIBRARYSTRATEGY_H

#include "forge/Codegen/Strategy.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace forge {

/// A contraction as a batched product of matrices whose rows and columns may each be several
/// dimensions, one behind the other: out[b, m, n] = sum over k of lhs[b, m, k] * rhs[b, k, n].
struct LibraryProduct {
  mlir::linalg::LinalgOp op;
  /// The operand numbers of lhs and rhs: 0 and 1, or 1 and 0.
  unsigned lhs = 0, rhs = 1;
  /// How many dimensions the batch, the rows and the columns have.
  int64_t batchDims = 0, rowDims = 0, columnDims = 0;
  /// Stored as [b, k, m], as [b, n, k].
  bool lhsTransposed = false, rhsTransposed = false;
};

/// The product a kernel function (on tensors or memrefs) is, if it is one and nothing else: zeros,
/// and a contraction of f32, f64, or f16 or bf16 into f32.
std::optional<LibraryProduct> matchLibraryProduct(mlir::func::FuncOp kernel);

/// Only where it is asked for (tier production). Schedule: tile = {}, 1 thread; calls of such
/// kernels become calls of the runtime by forge-call-library.
class LibraryStrategy : public Strategy {
public:
  llvm::StringRef name() const override { return "library"; }
  std::optional<KernelSchedule> plan(mlir::func::FuncOp kernel, const GPUChip &chip) const override;
  mlir::LogicalResult verify(mlir::func::FuncOp kernel, const KernelSchedule &schedule,
                             const GPUChip &chip) const override;
  mlir::FailureOr<LaunchShape> lower(mlir::func::FuncOp kernel, const KernelSchedule &schedule,
                                     const GPUChip &chip) const override;
};

} // namespace forge

#endif // FORGE_LIB_CODEGEN_LIBRARY_LIBRARYSTRATEGY_H
