// Questions about types that verifiers, folders and conversions of stablehlo ask.
#pragma once

#include "mlir/IR/BuiltinTypes.h"
#include <optional>

namespace forge::stablehlo {

/// Whether tensors of `type` can be computed with: i1, signless and unsigned integers of 2 to 64
/// bits, f64, f32, f16, bf16, f8E4M3FN, f8E5M2; and `index`, which only shape operands may have.
bool isSupportedElementType(mlir::Type type);

/// Whether tensors of `type` can be stored, moved, compared and converted, but not computed with:
/// f8E3M4, f8E4M3, f8E4M3B11FNUZ, f8E4M3FNUZ, f8E5M2FNUZ, f8E8M0FNU, f4E2M1FN.
bool isStoredElementType(mlir::Type type);

/// Whether `type` is complex<f32> or complex<f64>, which forge-split-complex takes apart.
bool isComplexElementType(mlir::Type type);

/// The type of the parts of complex numbers; other types stay.
mlir::Type partTypeOf(mlir::Type elementType);

/// Whether two sizes can be equal at run time: a dynamic one goes with any.
bool compatibleDims(int64_t a, int64_t b);

/// Whether two shapes can be equal at run time.
bool compatibleShapes(llvm::ArrayRef<int64_t> a, llvm::ArrayRef<int64_t> b);

/// Whether two types can be equal at run time: equal, or tensors of one element type whose shapes
/// are compatible.
bool compatibleTypes(mlir::Type a, mlir::Type b);

/// compatibleTypes, pair by pair.
bool compatibleTypes(mlir::TypeRange a, mlir::TypeRange b);

/// Number of elements of a shape; nothing when a size is dynamic or negative or the product does
/// not fit in 63 bits.
std::optional<int64_t> numElementsOf(llvm::ArrayRef<int64_t> shape);

/// A size as diagnostics print it: `4`, or `?` when it is dynamic.
std::string sizeToString(int64_t size);

/// A shape as diagnostics print it: `[2, ?, 4]`.
std::string shapeToString(llvm::ArrayRef<int64_t> shape);

} // namespace forge::stablehlo
