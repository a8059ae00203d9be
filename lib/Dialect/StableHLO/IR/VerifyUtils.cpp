#include "VerifyUtils.h"

#include "llvm/ADT/SmallSet.h"

using namespace mlir;

namespace forge::stablehlo {

LogicalResult verifySize(Operation *op, StringRef name, int64_t size, int64_t rank) {
  if (size == rank)
    return success();
  return op->emitOpError() << "expected " << rank << " entries in " << name << ", but got " << size;
}

LogicalResult verifyDimsInRange(Operation *op, StringRef name, ArrayRef<int64_t> dims,
                                int64_t rank) {
  for (int64_t dim : dims)
    if (dim < 0 || dim >= rank)
      return op->emitOpError() << "expected " << name << " in the range [0, " << rank
                               << "), but got " << dim;
  return success();
}

LogicalResult verifyUnique(Operation *op, StringRef name, ArrayRef<int64_t> dims) {
  llvm::SmallSet<int64_t, 8> seen;
  for (int64_t dim : dims)
    if (!seen.insert(dim).second)
      return op->emitOpError() << "expected unique " << name << ", but got " << dim << " twice";
  return success();
}

LogicalResult verifyAtLeast(Operation *op, StringRef name, ArrayRef<int64_t> values,
                            int64_t minimum) {
  for (int64_t value : values)
    if (value < minimum)
      return op->emitOpError() << "expected " << name << " of at least " << minimum << ", but got "
                               << value;
  return success();
}

LogicalResult verifyResultShape(Operation *op, ArrayRef<int64_t> expected) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  if (compatibleShapes(expected, type.getShape()))
    return success();
  return op->emitOpError() << "expected result of shape " << shapeToString(expected) << ", but got "
                           << shapeToString(type.getShape());
}

LogicalResult verifyBroadcastSizes(Operation *op, RankedTensorType operand, RankedTensorType result,
                                   ArrayRef<int64_t> dims) {
  for (auto [from, to] : llvm::enumerate(dims)) {
    int64_t size = operand.getDimSize(from), resultSize = result.getDimSize(to);
    if (size != 1 && !compatibleDims(size, resultSize))
      return op->emitOpError() << "expected operand dimension " << from << " of size 1 or "
                               << resultSize << ", but got " << size;
  }
  return success();
}

} // namespace forge::stablehlo
