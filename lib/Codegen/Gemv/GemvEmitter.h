// One thread's code of a product of a few rows.
#ifndef FORGE_LIB_CODEGEN_GEMV_GEMVEMITTER_H
#define FORGE_LIB_CODEGEN_GEMV_GEMVEMITTER_H

#include "GemvPrologue.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace forge {

/// Emits at `b`, on memrefs, what a thread of a block of `plan` does of `product`, after
/// `prologue` if it has one.
void emitGemv(mlir::ImplicitLocOpBuilder &b, const GemvProduct &product, const GemvPlan &plan,
              int64_t warpSize, const GemvPrologue *prologue = nullptr);

/// The same by matrix instructions of warps.
void emitGemvByMatrixUnits(mlir::ImplicitLocOpBuilder &b, const GemvProduct &product,
                           const GemvPlan &plan, int64_t warpSize, const GemvPrologue *prologue);

/// The same of a product whose matrix has its columns inside, without matrix instructions.
void emitGemvInside(mlir::ImplicitLocOpBuilder &b, const GemvProduct &product, const GemvPlan &plan,
                    int64_t warpSize, const GemvPrologue *prologue);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_GEMV_GEMVEMITTER_H
