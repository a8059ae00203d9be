// The order in which elements are chosen: larger numbers first, NaN before all of them, equals by
// rising index; private to this library.
#ifndef FORGE_LIB_CONVERSION_TRANSFORMERTOLINALG_FALLINGORDER_H
#define FORGE_LIB_CONVERSION_TRANSFORMERTOLINALG_FALLINGORDER_H

#include "Emit.h"

namespace forge {

/// Whether x is before y, both floats of one type, by their values alone: an i1.
mlir::Value emitComesBefore(mlir::ImplicitLocOpBuilder &b, mlir::Value x, mlir::Value y);

/// The place of the first element of every row of `input`, along the last dimension; of type
/// `indexType`.
mlir::Value emitArgmax(mlir::ImplicitLocOpBuilder &b, mlir::Value input, mlir::Type indexType);

/// Ends the run where the last dimension of `input`, if it is dynamic, turns out to be empty.
/// `what` names the operation.
void assertRows(mlir::ImplicitLocOpBuilder &b, llvm::StringRef what, mlir::Value input);

/// Whether the integer `value` is `number`, which its type need not be able to hold: an i1.
mlir::Value emitIsNumber(mlir::ImplicitLocOpBuilder &b, mlir::Value value, int64_t number);

struct Ordered {
  mlir::Value values, indices;
};

/// The rows of `input` in falling order, and the places, of type `indexType`, where elements were.
/// Elements for which `behind` is true, where it is given, come after all others. With `count` only
/// the first of each row, and perhaps some of the others; those behind what is `wanted` may be
/// anything.
Ordered emitOrdered(mlir::ImplicitLocOpBuilder &b, mlir::Value input, mlir::Type indexType,
                    SortForm form, mlir::Value behind = {},
                    std::optional<int64_t> count = std::nullopt, WantedOf wanted = nullptr);

/// The first k of them. Ends the run where rows of dynamic length are shorter.
Ordered emitTopK(mlir::ImplicitLocOpBuilder &b, mlir::Value input, int64_t k, mlir::Type indexType,
                 SortForm form, mlir::Value behind = {});

} // namespace forge

#endif // FORGE_LIB_CONVERSION_TRANSFORMERTOLINALG_FALLINGORDER_H
