#include "Families.h"

#include "forge/Dialect/StableHLO/IR/StableHLO.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace forge;
using namespace forge::mutate;

bool mutate::isFloatLike(Type type) { return isa<FloatType>(getElementTypeOrSelf(type)); }

bool mutate::isNamed(Operation *op, StringRef name) { return op->getName().getStringRef() == name; }

StringRef mutate::counterpart(Operation *op, ArrayRef<NamePair> pairs) {
  for (auto [from, to] : pairs)
    if (isNamed(op, from))
      return to;
  return "";
}

Operation *mutate::rename(Operation *op, StringRef name) {
  OpBuilder builder(op);
  OperationState state(op->getLoc(), name);
  state.addOperands(op->getOperands());
  state.addTypes(op->getResultTypes());
  state.addAttributes(op->getDiscardableAttrDictionary().getValue());
  Operation *renamed = builder.create(state);
  op->replaceAllUsesWith(renamed);
  op->erase();
  return renamed;
}

void mutate::replaceBy(Operation *op, Value value) {
  op->getResult(0).replaceAllUsesWith(value);
  op->erase();
}

Value mutate::create(OpBuilder &builder, Location location, StringRef name, ValueRange operands,
                     Type type, ArrayRef<NamedAttribute> attributes) {
  OperationState state(location, name);
  state.addOperands(operands);
  state.addTypes(type);
  state.addAttributes(attributes);
  return builder.create(state)->getResult(0);
}

static std::optional<double> splatOf(Attribute attribute) {
  if (auto number = dyn_cast<FloatAttr>(attribute))
    return number.getValueAsDouble();
  if (auto elements = dyn_cast<DenseFPElementsAttr>(attribute); elements && elements.isSplat()) {
    APFloat value = elements.getSplatValue<APFloat>();
    bool loses;
    value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &loses);
    return value.convertToDouble();
  }
  return std::nullopt;
}

std::optional<double> mutate::splatOf(Value value) {
  Operation *op = value.getDefiningOp();
  while (op && (isa<stablehlo::BroadcastInDimOp>(op) || isNamed(op, "vector.broadcast") ||
                isNamed(op, "tensor.splat")))
    op = op->getOperand(0).getDefiningOp();
  Attribute attribute;
  if (!op || !matchPattern(op, m_Constant(&attribute)))
    return std::nullopt;
  return ::splatOf(attribute);
}

Value mutate::constantLike(OpBuilder &builder, Location location, Value like, double value) {
  Type type = like.getType();
  auto shaped = dyn_cast<ShapedType>(type);
  FloatAttr number = builder.getFloatAttr(getElementTypeOrSelf(type), value);
  TypedAttr attribute =
      shaped ? TypedAttr(DenseElementsAttr::get(shaped, number.getValue())) : TypedAttr(number);
  Operation *op = like.getDefiningOp();
  bool isStableHLO = op && op->getName().getDialectNamespace() == "stablehlo";
  return create(builder, location, isStableHLO ? "stablehlo.constant" : "arith.constant", {}, type,
                builder.getNamedAttr("value", attribute));
}

Value mutate::shifted(OpBuilder &builder, Location location, Value index, int64_t delta) {
  Value step = arith::ConstantIndexOp::create(builder, location, delta);
  return arith::AddIOp::create(builder, location, index, step);
}
