// Constraints of the chlo dialect.
#include "forge/Dialect/StableHLO/IR/Chlo.h"

#include "StructuredVerify.h"

using namespace mlir;
using namespace forge::stablehlo;

namespace forge::chlo {

/// The size two sizes are broadcast to; nothing where they do not go together.
static std::optional<int64_t> broadcastSize(int64_t a, int64_t b) {
  if (a == 1 || a == b)
    return b;
  if (b == 1)
    return a;
  if (ShapedType::isDynamic(a))
    return b; // the other is above one, so it decides
  if (ShapedType::isDynamic(b))
    return a;
  return std::nullopt;
}

/// Broadcasts `shape` into `into` with its dimension i at dims[i].
static LogicalResult broadcastInto(Operation *op, SmallVector<int64_t> &into,
                                   ArrayRef<int64_t> shape, ArrayRef<int64_t> dims) {
  for (auto [size, dim] : llvm::zip(shape, dims)) {
    std::optional<int64_t> together = broadcastSize(into[dim], size);
    if (!together)
      return op->emitOpError() << "expected sizes that can be broadcast in dimension " << dim
                               << ", but got " << into[dim] << " and " << size;
    into[dim] = *together;
  }
  return success();
}

/// NumPy's rule: the shapes end together.
static LogicalResult broadcastTrailing(Operation *op, SmallVector<int64_t> &into,
                                       ArrayRef<int64_t> shape) {
  if (into.size() < shape.size())
    into.insert(into.begin(), shape.size() - into.size(), 1);
  auto dims = llvm::to_vector(llvm::seq<int64_t>(into.size() - shape.size(), into.size()));
  return broadcastInto(op, into, shape, dims);
}

template <typename BroadcastOp> static LogicalResult verifyBroadcast(BroadcastOp op) {
  RankedTensorType lhs = op.getLhs().getType(), rhs = op.getRhs().getType();
  if (lhs.getRank() < rhs.getRank())
    std::swap(lhs, rhs);
  SmallVector<int64_t> expected(lhs.getShape());
  if (std::optional<ArrayRef<int64_t>> dims = op.getBroadcastDimensions()) {
    // broadcast_c1
    if (failed(verifyCount(op, "broadcast_dimensions", dims->size(), rhs.getRank())) ||
        failed(verifyDistinct(op, "broadcast_dimensions", *dims)) ||
        failed(verifySorted(op, "broadcast_dimensions", *dims)) ||
        failed(verifyDimsInRange(op, "broadcast_dimensions", *dims, lhs.getRank())))
      return failure();
    // broadcast_c2
    if (failed(broadcastInto(op, expected, rhs.getShape(), *dims)))
      return failure();
  } else if (failed(broadcastTrailing(op, expected, rhs.getShape()))) {
    return failure();
  }
  return verifyShape(op, "the result", op.getType(), expected);
}

LogicalResult BroadcastAddOp::verify() { return verifyBroadcast(*this); }
LogicalResult BroadcastAndOp::verify() { return verifyBroadcast(*this); }
LogicalResult BroadcastAtan2Op::verify() { return verifyBroadcast(*this); }
LogicalResult BroadcastCompareOp::verify() { return verifyBroadcast(*this); }
LogicalResult BroadcastDivOp::verify() { return verifyBroadcast(*this); }
LogicalResult BroadcastMaxOp::verify() { return verifyBroadcast(*this); }
LogicalResult BroadcastMinOp::verify() { return verifyBroadcast(*this); }
LogicalResult BroadcastMulOp::verify() { return verifyBroadcast(*this); }
LogicalResult BroadcastNextAfterOp::verify() { return verifyBroadcast(*this); }
LogicalResult BroadcastOrOp::verify() { return verifyBroadcast(*this); }
LogicalResult BroadcastPolygammaOp::verify() { return verifyBroadcast(*this); }
LogicalResult BroadcastPowOp::verify() { return verifyBroadcast(*this); }
LogicalResult BroadcastRemOp::verify() { return verifyBroadcast(*this); }
LogicalResult BroadcastShiftLeftOp::verify() { return verifyBroadcast(*this); }
LogicalResult BroadcastShiftRightArithmeticOp::verify() { return verifyBroadcast(*this); }
LogicalResult BroadcastShiftRightLogicalOp::verify() { return verifyBroadcast(*this); }
LogicalResult BroadcastSubOp::verify() { return verifyBroadcast(*this); }
LogicalResult BroadcastXorOp::verify() { return verifyBroadcast(*this); }
LogicalResult BroadcastZetaOp::verify() { return verifyBroadcast(*this); }

LogicalResult BroadcastSelectOp::verify() {
  // broadcast_select_c2
  Type element = getType().getElementType();
  if (failed(verifyElementType(*this, "on_true", getOnTrue().getType(), element)) ||
      failed(verifyElementType(*this, "on_false", getOnFalse().getType(), element)))
    return failure();
  // broadcast_select_c1
  SmallVector<int64_t> expected(getPred().getType().getShape());
  if (failed(broadcastTrailing(*this, expected, getOnTrue().getType().getShape())) ||
      failed(broadcastTrailing(*this, expected, getOnFalse().getType().getShape())))
    return failure();
  return verifyShape(*this, "the result", getType(), expected);
}

LogicalResult ConstantOp::verify() {
  // constant_c1
  if (getType() != getValue().getType())
    return emitOpError() << "expected result type " << getValue().getType() << ", but got "
                         << getType();
  return success();
}

LogicalResult ConstantLikeOp::verify() {
  // constant_like_c1
  return verifyElementType(*this, "the result", getType(), getValue().getType());
}

LogicalResult TopKOp::verify() {
  RankedTensorType operand = getOperand().getType();
  // top_k_c1
  if (operand.getRank() == 0)
    return emitOpError() << "expected rank 1 or more for operand, but got 0";
  // top_k_c2
  int64_t k = getK(), size = operand.getShape().back();
  if (k < 0 || (!ShapedType::isDynamic(size) && k > size))
    return emitOpError() << "expected k in [0, " << size << "], but got " << k;
  // top_k_c3
  SmallVector<int64_t> expected(operand.getShape());
  expected.back() = k;
  if (failed(verifyShape(*this, "values", getValues().getType(), expected)) ||
      failed(verifyShape(*this, "indices", getIndices().getType(), expected)))
    return failure();
  // top_k_c4
  return success(succeeded(verifyElementType(*this, "values", getValues().getType(),
                                             operand.getElementType())) &&
                 succeeded(verifyElementType(*this, "indices", getIndices().getType(),
                                             IntegerType::get(getContext(), 32))));
}

} // namespace forge::chlo
