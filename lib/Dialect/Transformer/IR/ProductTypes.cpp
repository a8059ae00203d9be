#include "ProductTypes.h"

#include "forge/Dialect/Transformer/IR/Accumulation.h"

using namespace mlir;

namespace forge::transformer {

bool isFloat8(Type type) { return isa<Float8E4M3FNType, Float8E5M2Type>(type); }

static LogicalResult checkResult(Operation *op, const ProductTypes &types) {
  auto expected = [&](auto what) {
    return op->emitOpError("expected element type ")
           << what << " for result, but got " << types.result;
  };
  if (isFloat8(types.lhs)) {
    bool known = types.result.isF32() || types.result.isF16() || types.result.isBF16() ||
                 types.result == accumulationType(types.lhs, types.accumulate);
    return known ? success() : LogicalResult(expected("bf16, f16 or f32"));
  }
  if (isa<IntegerType>(types.lhs))
    return types.result.isSignlessInteger(32) ? success() : LogicalResult(expected("i32"));
  Type sums = accumulationType(types.lhs, types.accumulate);
  if (types.result == types.lhs || types.result == sums)
    return success();
  return op->emitOpError("expected element type ")
         << types.lhs << " or " << sums << " for result, but got " << types.result;
}

LogicalResult checkProductTypes(Operation *op, const ProductTypes &types) {
  if (types.lhs != types.rhs && !(isFloat8(types.lhs) && isFloat8(types.rhs)))
    return op->emitOpError("expected element type ")
           << types.lhs << " for rhs, but got " << types.rhs;
  if (failed(checkAccumulation(op, types.lhs, types.accumulate)) || failed(checkResult(op, types)))
    return failure();
  if (isa<IntegerType>(types.lhs) && types.hasActivation)
    return op->emitOpError("expected no activation of a product of integers");
  return success();
}

} // namespace forge::transformer
