#include "forge/Conversion/StableHLOToLinalg/TypeConverter.h"

#include "forge/Dialect/StableHLO/IR/StableHLO.h"
#include "forge/Dialect/StableHLO/IR/TypeUtils.h"

using namespace mlir;
using namespace forge;

Type forge::getSignlessType(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor.clone(getSignlessType(tensor.getElementType()));
  if (auto integer = dyn_cast<IntegerType>(type))
    return IntegerType::get(type.getContext(), integer.getWidth());
  if (stablehlo::isStoredElementType(type))
    return IntegerType::get(type.getContext(), type.getIntOrFloatBitWidth());
  return type;
}

/// A type that the lowered code can hold: integers, floats, index, and tensors of these (unranked
/// ones are what the runtime's checks take).
static bool isLowered(Type type) {
  if (auto tensor = dyn_cast<TensorType>(type))
    return isLowered(tensor.getElementType());
  return isa<IntegerType, FloatType, IndexType>(type);
}

forge::StableHLOTypeConverter::StableHLOTypeConverter() {
  addConversion([](Type type) -> std::optional<Type> {
    if (isa<stablehlo::TokenType>(type))
      return IntegerType::get(type.getContext(), 1);
    if (isLowered(type))
      return getSignlessType(type);
    return std::nullopt;
  });
  auto cast = [](OpBuilder &builder, Type type, ValueRange inputs, Location loc) -> Value {
    return UnrealizedConversionCastOp::create(builder, loc, type, inputs).getResult(0);
  };
  addSourceMaterialization(cast);
  addTargetMaterialization(cast);
}
