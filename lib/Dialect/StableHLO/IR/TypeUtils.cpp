#include "forge/Dialect/StableHLO/IR/TypeUtils.h"

#include "mlir/IR/TypeRange.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace forge::stablehlo {

bool isSupportedElementType(Type type) {
  if (isa<IndexType, Float64Type, Float32Type, Float16Type, BFloat16Type, Float8E4M3FNType,
          Float8E5M2Type>(type))
    return true;
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer || integer.isSigned())
    return false;
  if (integer.getWidth() == 1)
    return integer.isSignless();
  return llvm::is_contained({2u, 4u, 8u, 16u, 32u, 64u}, integer.getWidth());
}

bool isStoredElementType(Type type) {
  return isa<Float8E3M4Type, Float8E4M3Type, Float8E4M3B11FNUZType, Float8E4M3FNUZType,
             Float8E5M2FNUZType, Float8E8M0FNUType, Float4E2M1FNType>(type);
}

bool isComplexElementType(Type type) {
  auto complex = dyn_cast<ComplexType>(type);
  return complex && isa<Float32Type, Float64Type>(complex.getElementType());
}

Type partTypeOf(Type elementType) {
  auto complex = dyn_cast<ComplexType>(elementType);
  return complex ? complex.getElementType() : elementType;
}

bool compatibleDims(int64_t a, int64_t b) {
  return a == b || ShapedType::isDynamic(a) || ShapedType::isDynamic(b);
}

bool compatibleShapes(ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
  return a.size() == b.size() &&
         llvm::all_of(llvm::zip(a, b), [](auto dims) { return std::apply(compatibleDims, dims); });
}

bool compatibleTypes(Type a, Type b) {
  if (a == b)
    return true;
  auto aTensor = dyn_cast<RankedTensorType>(a), bTensor = dyn_cast<RankedTensorType>(b);
  return aTensor && bTensor && aTensor.getElementType() == bTensor.getElementType() &&
         compatibleShapes(aTensor.getShape(), bTensor.getShape());
}

bool compatibleTypes(TypeRange a, TypeRange b) {
  return a.size() == b.size() && llvm::all_of(llvm::zip(a, b), [](auto types) {
           return compatibleTypes(std::get<0>(types), std::get<1>(types));
         });
}

std::optional<int64_t> numElementsOf(ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t size : shape)
    if (size < 0 || llvm::MulOverflow(count, size, count))
      return std::nullopt;
  return count;
}

std::string sizeToString(int64_t size) {
  return ShapedType::isDynamic(size) ? "?" : std::to_string(size);
}

std::string shapeToString(ArrayRef<int64_t> shape) {
  return "[" + llvm::join(llvm::map_range(shape, sizeToString), ", ") + "]";
}

} // namespace forge::stablehlo
