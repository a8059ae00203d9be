// Scatters that add up rows.
#ifndef FORGE_LIB_DIALECT_STABLEHLO_TRANSFORMS_ROWSCATTERS_H
#define FORGE_LIB_DIALECT_STABLEHLO_TRANSFORMS_ROWSCATTERS_H

#include "Zeros.h"

namespace forge::stablehlo {

inline mlir::RankedTensorType tensorTypeOf(mlir::Value value) {
  return mlir::cast<mlir::RankedTensorType>(value.getType());
}

/// Whether `op` adds rows to zeros: one input, static sizes, index vectors innermost, windows
/// behind all places of the updates, and a sum in the type of the result.
inline bool addsRowsToZeros(ScatterOp op) {
  ScatterDimensionNumbersAttr dims = op.getScatterDimensionNumbers();
  if (op.getInputs().size() != 1 || !isZeros(op.getInputs()[0]) ||
      op.getInputs()[0].getType() != op.getResult(0).getType() ||
      !dims.getInputBatchingDims().empty())
    return false;
  mlir::RankedTensorType indices = tensorTypeOf(op.getScatterIndices()),
                         updates = tensorTypeOf(op.getUpdates()[0]);
  int64_t places = indices.getRank() - 1;
  if (!tensorTypeOf(op.getResult(0)).hasStaticShape() || !indices.hasStaticShape() ||
      !updates.hasStaticShape() || dims.getIndexVectorDim() != places)
    return false;
  for (auto [number, dim] : llvm::enumerate(dims.getUpdateWindowDims()))
    if (dim != places + static_cast<int64_t>(number))
      return false;
  mlir::Block &body = op.getUpdateComputation().front();
  auto sum = body.getTerminator()->getOperand(0).getDefiningOp<AddOp>();
  return sum && sum.getLhs() != sum.getRhs() &&
         llvm::all_of(sum->getOperands(), llvm::IsaPred<mlir::BlockArgument>) &&
         sum.getType() == body.getArgument(1).getType();
}

} // namespace forge::stablehlo

#endif // FORGE_LIB_DIALECT_STABLEHLO_TRANSFORMS_ROWSCATTERS_H
