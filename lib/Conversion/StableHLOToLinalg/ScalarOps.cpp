// Which family an op belongs to, and in which type it is computed.
#include "ScalarBuilder.h"

#include "forge/Conversion/StableHLOToLinalg/TypeConverter.h"
#include "forge/Conversion/Utils/TensorUtils.h"
#include "forge/Diagnostics/ErrorKind.h"
#include "forge/Dialect/StableHLO/IR/Chlo.h"
#include "forge/Dialect/StableHLO/IR/StableHLO.h"
#include "forge/Dialect/StableHLO/IR/TypeUtils.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace forge;

/// The scalar of a rank-0 (or splat) constant.
static Value emitConstant(ScalarBuilder &s, Attribute value) {
  if (auto elements = dyn_cast<DenseElementsAttr>(value)) {
    if (!elements.isSplat())
      return nullptr;
    value = elements.getSplatValue<Attribute>();
  }
  if (auto real = dyn_cast<FloatAttr>(value)) {
    if (stablehlo::isStoredElementType(real.getType()))
      return s.constant(getSignlessType(real.getType()), real.getValue().bitcastToAPInt());
    return arith::ConstantOp::create(s.b, real);
  }
  if (auto integer = dyn_cast<IntegerAttr>(value))
    return s.constant(getSignlessType(integer.getType()), integer.getValue());
  return nullptr;
}

/// High half of the product of two integers.
static Value emitMulhi(ScalarBuilder &s, ValueRange a, bool isUnsigned) {
  if (isUnsigned)
    return arith::MulUIExtendedOp::create(s.b, a[0], a[1]).getHigh();
  return arith::MulSIExtendedOp::create(s.b, a[0], a[1]).getHigh();
}

/// Float arithmetic in the compute type, rounded to the type of the operands.
static Value emitWideFloatOp(ScalarBuilder &s, Operation *op, ValueRange args) {
  Type type = args.front().getType();
  SmallVector<Value> wide;
  for (Value arg : args)
    wide.push_back(widen(s, arg));
  Value result = emitFloatOp(s, op, wide);
  if (!result)
    result = emitChloOp(s, op, wide);
  return result ? narrow(s, result, type) : result;
}

Value forge::emitScalarOp(OpBuilder &builder, Operation *op, ValueRange args, TypeRange inputTypes,
                          Type resultType) {
  ScalarBuilder s(builder, op->getLoc());
  if (isa<stablehlo::ConstantOp, chlo::ConstantOp, chlo::ConstantLikeOp>(op))
    return emitConstant(s, op->getAttr("value"));
  if (args.empty())
    return nullptr;
  for (Type type : inputTypes)
    if (!isa<FloatType, IntegerType>(type))
      return nullptr;
  if (isa<stablehlo::CompareOp>(op) && stablehlo::isStoredElementType(inputTypes.front())) {
    Type single = s.b.getF32Type(), stored = inputTypes.front();
    Value wide[] = {decodeStored(s, args[0], stored), decodeStored(s, args[1], stored)};
    return emitScalarOp(builder, op, wide, {single, single}, resultType);
  }
  ScalarContext context{inputTypes, resultType};
  if (Value result = emitConversionOp(s, op, args, context))
    return result;
  if (Value result = emitSelectionOp(s, op, args, context))
    return result;
  if (isa<chlo::NextAfterOp>(op))
    return emitNextAfter(s, args[0], args[1]);
  if (isa<chlo::MulhiOp>(op))
    return emitMulhi(s, args, context.isUnsigned());
  if (isa<FloatType>(args.front().getType()))
    return emitWideFloatOp(s, op, args);
  return emitIntegerOp(s, op, args, context);
}

Value forge::emitScalarOp(OpBuilder &builder, Operation *op, ValueRange args) {
  SmallVector<Type> inputTypes;
  for (Type type : op->getOperandTypes())
    inputTypes.push_back(getElementTypeOrSelf(type));
  return emitScalarOp(builder, op, args, inputTypes,
                      getElementTypeOrSelf(op->getResult(0).getType()));
}

/// True for ops that only rearrange: on one element they do nothing.
static bool isRearrangement(Operation *op) {
  using namespace stablehlo;
  return isa<ReshapeOp, BroadcastInDimOp, BroadcastOp, TransposeOp, ReverseOp,
             OptimizationBarrierOp>(op);
}

/// The end of a region, or of a function that a custom call names as its computation.
static bool isReturn(Operation *op) { return isa<stablehlo::ReturnOp, func::ReturnOp>(op); }

/// True if every tensor of `op` has one element.
static bool isScalarLike(Operation *op) {
  auto single = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.hasStaticShape() && tensor.getNumElements() == 1;
  };
  return llvm::all_of(op->getOperandTypes(), single) && llvm::all_of(op->getResultTypes(), single);
}

FailureOr<SmallVector<Value>> forge::emitScalarRegion(OpBuilder &builder, Region &region,
                                                      ValueRange args) {
  Block &block = region.front();
  IRMapping scalars;
  scalars.map(block.getArguments(), args);
  auto lookup = [&](OperandRange operands, SmallVector<Value> &values) {
    for (Value operand : operands)
      if (Value scalar = scalars.lookupOrNull(operand))
        values.push_back(scalar);
      else if (auto constant = operand.getDefiningOp<stablehlo::ConstantOp>())
        values.push_back(emitScalarOp(builder, constant, {})); // from outside of the region
    return values.size() == operands.size() && !llvm::is_contained(values, Value());
  };
  for (Operation &op : block) {
    SmallVector<Value> values;
    if (!lookup(op.getOperands(), values)) {
      emitUserError(&op) << "unsupported stablehlo op '" << op.getName()
                         << "' on values from outside of its region";
      return failure();
    }
    if (isReturn(&op))
      return values;
    if (isScalarLike(&op) && isRearrangement(&op)) {
      scalars.map(op.getResults(), values);
      continue;
    }
    Value result = isScalarLike(&op) ? emitScalarOp(builder, &op, values) : Value();
    if (!result) {
      emitUserError(&op) << "unsupported stablehlo op '" << op.getName() << "' in a scalar region";
      return failure();
    }
    scalars.map(op.getResult(0), result);
  }
  emitUserError(region.getParentOp()) << "expected a region that ends in stablehlo.return";
  return failure();
}

Operation *forge::getSingleCombiner(Region &region) {
  Block &block = region.front();
  if (block.getNumArguments() != 2 || !llvm::hasNItems(block, 2))
    return nullptr;
  Operation &op = block.front();
  if (!isReturn(&block.back()) || op.getNumOperands() != 2 || op.getNumResults() != 1 ||
      block.back().getOperands() != op.getResults())
    return nullptr;
  Value a = block.getArgument(0), b = block.getArgument(1);
  bool straight = op.getOperand(0) == a && op.getOperand(1) == b;
  bool swapped = op.getOperand(0) == b && op.getOperand(1) == a;
  return straight || (swapped && op.hasTrait<OpTrait::IsCommutative>()) ? &op : nullptr;
}
