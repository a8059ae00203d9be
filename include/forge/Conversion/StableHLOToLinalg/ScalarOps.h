// One StableHLO op on scalars. The same code makes the bodies of linalg.generic, the combiners of
// reduce, scatter and sort, and the arithmetic of rank-0 tensors (loop counters, slice starts).
#ifndef FORGE_CONVERSION_STABLEHLOTOLINALG_SCALAROPS_H
#define FORGE_CONVERSION_STABLEHLOTOLINALG_SCALAROPS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/Region.h"

namespace forge {

/// Emits `op`, an elementwise op of stablehlo or chlo, for one element. `args`: one signless scalar
/// per operand of `op`; whether an integer is unsigned is read from the type of `op`'s operand.
/// Returns the scalar result, of the signless element type of `op`'s result; a null value if `op`
/// is not elementwise or has a type that Forge does not compute with.
mlir::Value emitScalarOp(mlir::OpBuilder &builder, mlir::Operation *op, mlir::ValueRange args);

/// The same for operands and result of the given element types instead of `op`'s own (for instance
/// an `add` of bf16 done in f32). `inputTypes`: one per operand, may be unsigned integers.
mlir::Value emitScalarOp(mlir::OpBuilder &builder, mlir::Operation *op, mlir::ValueRange args,
                         mlir::TypeRange inputTypes, mlir::Type resultType);

/// Emits the single block of `region` (a combiner, comparator or update computation over rank-0
/// tensors) for scalars. `args`: one signless scalar per block argument. Returns the scalars that
/// the block returns. Failure, with an error at the offending op, if some op has no scalar form.
mlir::FailureOr<llvm::SmallVector<mlir::Value>>
emitScalarRegion(mlir::OpBuilder &builder, mlir::Region &region, mlir::ValueRange args);

/// If `region` is `^bb(%a, %b): return op(%a, %b)` (or with a and b swapped, for a commutative op),
/// that op, otherwise null.
mlir::Operation *getSingleCombiner(mlir::Region &region);

/// True for f16, bf16, f8E4M3FN and f8E5M2: types that are computed with in f32.
bool isNarrowFloat(mlir::Type type);
/// `value`, a float of any supported type, as `type`; rounds once (to nearest, ties to even).
mlir::Value castFloat(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                      mlir::Type type);

} // namespace forge

#endif // FORGE_CONVERSION_STABLEHLOTOLINALG_SCALAROPS_H
