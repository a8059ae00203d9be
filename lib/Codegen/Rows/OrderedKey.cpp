#include "OrderedKey.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace forge {

std::optional<OrderedKey> OrderedKey::of(vector::CombiningKind kind, Type element) {
  auto type = dyn_cast<FloatType>(element);
  if (!type || !(type.isF16() || type.isBF16() || type.isF32() || type.isF64()))
    return std::nullopt;
  if (kind != vector::CombiningKind::MAXIMUMF && kind != vector::CombiningKind::MINIMUMF)
    return std::nullopt;
  return OrderedKey(kind == vector::CombiningKind::MAXIMUMF, type);
}

vector::CombiningKind OrderedKey::kind() const {
  return isMaximum ? vector::CombiningKind::MAXSI : vector::CombiningKind::MINSI;
}

static Type withElement(Type type, Type element) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? Type(vector.cloneWith(std::nullopt, element)) : element;
}

Value OrderedKey::constant(OpBuilder &b, Location loc, Type like, int64_t value) const {
  TypedAttr attr = b.getIntegerAttr(getElementTypeOrSelf(like), value);
  if (auto vector = dyn_cast<VectorType>(like))
    attr = DenseElementsAttr::get(vector, attr);
  return arith::ConstantOp::create(b, loc, attr);
}

/// How many NaNs of one sign there are: one less than the fractions.
int64_t OrderedKey::numNaNs() const {
  FloatType type = element;
  return (int64_t(1) << (type.getFPMantissaWidth() - 1)) - 1;
}

// Negative numbers are sign and magnitude: as integers, their order is the wrong way round. All
// bits but the sign are flipped.
Value OrderedKey::reflect(OpBuilder &b, Location loc, Value bits) const {
  FloatType type = element;
  int64_t width = type.getWidth();
  Value sign = arith::ShRSIOp::create(b, loc, bits, constant(b, loc, bits.getType(), width - 1));
  Value magnitude = constant(b, loc, bits.getType(), llvm::maxIntN(width));
  Value flip = arith::AndIOp::create(b, loc, sign, magnitude);
  return arith::XOrIOp::create(b, loc, bits, flip);
}

// In the reflected order, NaNs with a sign lie below -inf and the others above +inf. Moved by their
// number, round the end of the integers, the ones follow the others, and -inf (+inf for a minimum)
// is the last integer.
Value OrderedKey::encode(OpBuilder &b, Location loc, Value floats) const {
  FloatType type = element;
  Type bits = withElement(floats.getType(), b.getIntegerType(type.getWidth()));
  Value reflected = reflect(b, loc, arith::BitcastOp::create(b, loc, bits, floats));
  Value shift = constant(b, loc, bits, isMaximum ? -numNaNs() : numNaNs());
  return arith::AddIOp::create(b, loc, reflected, shift);
}

Value OrderedKey::decode(OpBuilder &b, Location loc, Value keys) const {
  Value shift = constant(b, loc, keys.getType(), isMaximum ? numNaNs() : -numNaNs());
  Value bits = reflect(b, loc, arith::AddIOp::create(b, loc, keys, shift));
  return arith::BitcastOp::create(b, loc, withElement(keys.getType(), element), bits);
}

Value OrderedKey::combine(OpBuilder &b, Location loc, Value x, Value y) const {
  if (isMaximum)
    return arith::MaxSIOp::create(b, loc, x, y);
  return arith::MinSIOp::create(b, loc, x, y);
}

} // namespace forge
