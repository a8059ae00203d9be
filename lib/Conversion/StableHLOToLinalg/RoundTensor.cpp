#include "RoundTensor.h"

#include "forge/Conversion/StableHLOToLinalg/ScalarOps.h"
#include "forge/Conversion/Utils/TensorUtils.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace forge;

Value forge::roundTensor(OpBuilder &builder, Location loc, Value tensor, RankedTensorType type,
                         ArrayRef<OpFoldResult> sizes) {
  if (tensor.getType() == type)
    return tensor;
  if (type.getRank() == 0) {
    Value scalar = extractScalar(builder, loc, tensor);
    return wrapScalar(builder, loc, castFloat(builder, loc, scalar, type.getElementType()));
  }
  AffineMap map = builder.getMultiDimIdentityMap(type.getRank());
  Value init = createEmpty(builder, loc, type, sizes);
  auto generic = linalg::GenericOp::create(
      builder, loc, type, tensor, init, ArrayRef<AffineMap>{map, map},
      parallelIterators(type.getRank()), [&](OpBuilder &b, Location l, ValueRange args) {
        linalg::YieldOp::create(b, l, castFloat(b, l, args[0], type.getElementType()));
      });
  return generic.getResult(0);
}
