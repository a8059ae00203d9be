#include "Folding.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace forge::stablehlo {

bool isFoldable(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape() && tensor.getElementType().isIntOrIndex() &&
         tensor.getNumElements() <= maxFoldedElements;
}

std::optional<Integers> integersOf(Attribute constant) {
  auto elements = dyn_cast_or_null<DenseIntElementsAttr>(constant);
  if (!elements || !isFoldable(elements.getType()))
    return std::nullopt;
  return llvm::to_vector(elements.getValues<APInt>());
}

std::optional<SmallVector<int64_t>> sizesOf(Attribute constant) {
  std::optional<Integers> values = integersOf(constant);
  if (!values)
    return std::nullopt;
  bool isUnsigned = isReadUnsigned(cast<DenseElementsAttr>(constant).getElementType());
  return llvm::map_to_vector(*values, [&](const APInt &value) {
    return isUnsigned ? static_cast<int64_t>(value.getLimitedValue(INT64_MAX))
                      : value.getSExtValue();
  });
}

std::optional<SmallVector<int64_t>> sizesOf(Value value) {
  Attribute constant;
  if (!matchPattern(value, m_Constant(&constant)))
    return std::nullopt;
  return sizesOf(constant);
}

Attribute integersAttr(Type type, ArrayRef<APInt> values) {
  return DenseElementsAttr::get(cast<RankedTensorType>(type), values);
}

bool isReadUnsigned(Type elementType) {
  return elementType.isUnsignedInteger() || elementType.isInteger(1);
}

Attribute foldElementwise(Type type, ArrayRef<Attribute> operands,
                          llvm::function_ref<std::optional<APInt>(ArrayRef<APInt>)> fn) {
  if (!isFoldable(type))
    return {};
  int64_t count = cast<RankedTensorType>(type).getNumElements();
  SmallVector<Integers> inputs;
  for (Attribute operand : operands) {
    std::optional<Integers> values = integersOf(operand);
    if (!values || static_cast<int64_t>(values->size()) != count)
      return {};
    inputs.push_back(std::move(*values));
  }
  Integers results;
  for (int64_t i = 0; i < count; ++i) {
    std::optional<APInt> result =
        fn(llvm::map_to_vector(inputs, [&](const Integers &input) { return input[i]; }));
    if (!result)
      return {};
    results.push_back(*result);
  }
  return integersAttr(type, results);
}

} // namespace forge::stablehlo
