#include "VerifyUtils.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/Support/CheckedArithmetic.h"

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

LogicalResult verifyBroadcastSizes(Operation *op, RankedTensorType operand, ArrayRef<int64_t> shape,
                                   ArrayRef<int64_t> dims) {
  for (auto [from, to] : llvm::enumerate(dims)) {
    int64_t size = operand.getDimSize(from), resultSize = shape[to];
    if (size != 1 && !compatibleDims(size, resultSize))
      return op->emitOpError() << "expected operand dimension " << from << " of size 1 or "
                               << resultSize << ", but got " << size;
  }
  return success();
}

/// Size of a padded dimension: nothing when it does not fit in 63 bits.
static std::optional<int64_t> paddedSize(int64_t size, int64_t low, int64_t high,
                                         int64_t interior) {
  std::optional<int64_t> holes = llvm::checkedMul(std::max<int64_t>(size - 1, 0), interior);
  std::optional<int64_t> edges = llvm::checkedAdd(low, high);
  if (!holes || !edges)
    return std::nullopt;
  std::optional<int64_t> inside = llvm::checkedAdd(size, *holes);
  return inside ? llvm::checkedAdd(*inside, *edges) : std::nullopt;
}

LogicalResult verifyPaddedShape(Operation *op, ArrayRef<int64_t> shape, ArrayRef<int64_t> low,
                                ArrayRef<int64_t> high, ArrayRef<int64_t> interior) {
  SmallVector<int64_t> expected;
  for (auto [dim, size] : llvm::enumerate(shape)) {
    if (ShapedType::isDynamic(size)) {
      expected.push_back(size);
      continue;
    }
    std::optional<int64_t> padded = paddedSize(size, low[dim], high[dim], interior[dim]);
    if (!padded || *padded < 0)
      return op->emitOpError() << "expected padding to a size between 0 and 2^63 - 1 in dimension "
                               << dim << ", but got size " << size << ", low " << low[dim]
                               << ", high " << high[dim] << " and interior " << interior[dim];
    expected.push_back(*padded);
  }
  return verifyResultShape(op, expected);
}

std::optional<SmallVector<int64_t>> constantIntegers(Value tensor) {
  DenseIntElementsAttr constant;
  if (!matchPattern(tensor, m_Constant(&constant)))
    return std::nullopt;
  bool isUnsigned = constant.getElementType().isUnsignedInteger();
  return llvm::map_to_vector(constant.getValues<APInt>(), [&](const APInt &value) {
    return isUnsigned ? static_cast<int64_t>(value.getLimitedValue(INT64_MAX))
                      : value.getSExtValue();
  });
}

} // namespace forge::stablehlo
