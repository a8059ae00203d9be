// What convolutions are lowered to once their input is padded; private to this library.
#ifndef FORGE_LIB_CONVERSION_STABLEHLOTOLINALG_CONVOLUTIONFORMS_H
#define FORGE_LIB_CONVERSION_STABLEHLOTOLINALG_CONVOLUTIONFORMS_H

#include "ScalarBuilder.h"
#include "forge/Conversion/StableHLOToLinalg/Patterns.h"
#include "forge/Dialect/StableHLO/IR/Window.h"

#include "mlir/IR/Builders.h"

#include <optional>

namespace forge {

/// A convolution whose input is padded and dilated and whose kernel stands forward.
struct Conv {
  mlir::Value lhs, rhs;                        // signless
  mlir::Type lhsType, rhsType;                 // original element types
  mlir::RankedTensorType type;                 // of the result, signless
  llvm::SmallVector<mlir::OpFoldResult> sizes; // of the result
  stablehlo::ConvDimensionNumbersAttr dims;
  llvm::SmallVector<stablehlo::WindowDim>
      window; // size, stride and windowDilation of each spatial dimension
  int64_t featureGroups, batchGroups;

  mlir::RankedTensorType lhsShape() const {
    return mlir::cast<mlir::RankedTensorType>(lhs.getType());
  }
  mlir::RankedTensorType rhsShape() const {
    return mlir::cast<mlir::RankedTensorType>(rhs.getType());
  }
  int64_t groups() const { return featureGroups * batchGroups; }
  int64_t rank() const { return type.getRank(); }
  mlir::RankedTensorType accType() const {
    return mlir::RankedTensorType::get(type.getShape(), getComputeType(type.getElementType()));
  }
};

/// The result in the compute type of its elements: a product of matrices of patches and kernel
/// where it can be one, otherwise loops. Patches of more elements than `patches` allows
/// are cut and multiplied part by part.
mlir::Value createConvolution(mlir::OpBuilder &builder, mlir::Location loc, const Conv &conv,
                              PatchLimits patches);

/// acc + lhs * rhs of `args`, lhs, rhs and acc, in the type of acc, the additions in any order.
mlir::Value emitMultiplyAdd(ScalarBuilder &s, const Conv &conv, mlir::ValueRange args);

/// A tensor of these sizes filled with zeros.
mlir::Value createZeros(mlir::OpBuilder &builder, mlir::Location loc,
                        llvm::ArrayRef<mlir::OpFoldResult> sizes, mlir::Type element);

/// The same as loops over the input, of any number of groups.
mlir::Value createDirect(mlir::OpBuilder &builder, mlir::Location loc, const Conv &conv);

/// The same as a product of matrices, of one group and floats.
mlir::Value createAsMatmul(mlir::OpBuilder &builder, mlir::Location loc, const Conv &conv);

/// Elements of the patches that such a product would have, of one image where their number is known
/// only at run time; nothing if it cannot be one.
std::optional<int64_t> countPatchElements(const Conv &conv);

/// The result put together from those of some images, or of some places of an image, each with
/// patches of at most `most` elements, or of a sixteenth of all `elements`. Null if the sizes are
/// not known, or nothing can be divided.
mlir::Value createInParts(mlir::OpBuilder &builder, mlir::Location loc, const Conv &conv,
                          int64_t elements, int64_t most);

} // namespace forge

#endif // FORGE_LIB_CONVERSION_STABLEHLOTOLINALG_CONVOLUTIONFORMS_H
