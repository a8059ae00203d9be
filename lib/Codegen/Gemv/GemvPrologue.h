// What computes the left factor of a product of a few rows in the product's own kernel: a norm.
#ifndef FORGE_LIB_CODEGEN_GEMV_GEMVPROLOGUE_H
#define FORGE_LIB_CODEGEN_GEMV_GEMVPROLOGUE_H

#include "GemvPlan.h"

#include "../RowKernels/RowPlan.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace forge {

/// Whether `members`, on tensors, which compute the left factor of `product`, cost each of its
/// blocks little beside its part of the matrix, and the factor fits the blocks' shared memory.
bool isWorthPrologue(const GemvProduct &product, mlir::ArrayRef<mlir::Operation *> members,
                     const GPUChip &chip);

/// Whether `members`, of which the last computes the left factor of `product`, are a program whose
/// rows are those of the factor: not, as of a mean of each term, one whose rows are the terms.
bool hasRowsOfFactor(const GemvProduct &product, mlir::ArrayRef<mlir::Operation *> members);

/// On memrefs: all threads of a block compute the left factor, one row after the other, in shared
/// memory.
class GemvPrologue {
public:
  /// The prologue of `product`, whose left factor is in shared memory from then on. Fails, with the
  /// reason in `why`, where it is none of rows.
  static mlir::FailureOr<GemvPrologue> prepare(GemvProduct &product, const GemvPlan &plan,
                                               const GPUChip &chip, std::string &why);

  /// Emits what a thread does, and a barrier behind it.
  void emit(mlir::ImplicitLocOpBuilder &b) const;

private:
  RowProgram program;
  RowPlan plan;
  RowPlanLimits limits;
  int64_t rows = 1;
};

} // namespace forge

#endif // FORGE_LIB_CODEGEN_GEMV_GEMVPROLOGUE_H
