// The code of a row kernel: what one thread does.
#ifndef FORGE_LIB_CODEGEN_ROWKERNELS_ROWEMITTER_H
#define FORGE_LIB_CODEGEN_ROWKERNELS_ROWEMITTER_H

#include "RowPlan.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace forge {

/// Emits, at the builder's place in the kernel function, what one thread of `plan` does. Shared
/// memory is allocated by memref.alloc in the workgroup's address space.
void emitRows(mlir::ImplicitLocOpBuilder &b, const RowProgram &program, const RowPlan &plan,
              const RowPlanLimits &limits);

/// The same for row number `row` alone, which all threads of every block compute: a plan with one
/// block for a row, and one row of a block.
void emitRow(mlir::ImplicitLocOpBuilder &b, const RowProgram &program, const RowPlan &plan,
             const RowPlanLimits &limits, mlir::Value row);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_ROWKERNELS_ROWEMITTER_H
