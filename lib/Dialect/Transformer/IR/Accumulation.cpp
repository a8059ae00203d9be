#include "forge/Dialect/Transformer/IR/Accumulation.h"

using namespace mlir;

namespace forge::transformer {

Type accumulationType(Type element, std::optional<Type> accumulate) {
  if (accumulate)
    return *accumulate;
  if (element.isF64())
    return element;
  return isa<IntegerType>(element) ? Type(IntegerType::get(element.getContext(), 32))
                                   : Type(Float32Type::get(element.getContext()));
}

LogicalResult checkAccumulation(Operation *op, Type element, std::optional<Type> accumulate) {
  if (!accumulate)
    return success();
  if (isa<IntegerType>(element)) {
    if (accumulate->isSignlessInteger(32))
      return success();
    return op->emitOpError("expected accumulate to be i32 for element type ")
           << element << ", but got " << *accumulate;
  }
  if (accumulate->isF64() || (accumulate->isF32() && !element.isF64()))
    return success();
  return op->emitOpError("expected accumulate to be ")
         << (element.isF64() ? "f64" : "f32 or f64") << " for element type " << element
         << ", but got " << *accumulate;
}

} // namespace forge::transformer
