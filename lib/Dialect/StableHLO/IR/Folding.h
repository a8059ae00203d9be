// Constant folding of small integer tensors: the shape arithmetic of modules with dynamic
// dimensions. Larger tensors are left to the compiled program: folding them would only make modules
// bigger.
#pragma once

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/APInt.h"
#include <optional>

namespace forge::stablehlo {

using Integers = llvm::SmallVector<llvm::APInt>;

/// The most elements that are folded.
constexpr int64_t maxFoldedElements = 64;

/// Whether a constant of this type would be folded to: static, of integers, and small.
bool isFoldable(mlir::Type type);

/// The elements of a constant, in row-major order; nothing unless it is of a foldable type.
std::optional<Integers> integersOf(mlir::Attribute constant);

/// The elements of a constant that holds sizes or positions, as signed numbers.
std::optional<llvm::SmallVector<int64_t>> sizesOf(mlir::Attribute constant);

/// The elements of a value made by a constant op, as signed numbers.
std::optional<llvm::SmallVector<int64_t>> sizesOf(mlir::Value value);

/// A constant of type `type`.
mlir::Attribute integersAttr(mlir::Type type, llvm::ArrayRef<llvm::APInt> values);

/// Whether integers of the type are read without a sign: unsigned ones and booleans.
bool isReadUnsigned(mlir::Type elementType);

/// The constant whose element i is `fn` of elements i of the operands; null when an operand is not
/// a foldable constant, the result is not foldable, or `fn` gives nothing for some element.
mlir::Attribute
foldElementwise(mlir::Type type, llvm::ArrayRef<mlir::Attribute> operands,
                llvm::function_ref<std::optional<llvm::APInt>(llvm::ArrayRef<llvm::APInt>)> fn);

} // namespace forge::stablehlo
