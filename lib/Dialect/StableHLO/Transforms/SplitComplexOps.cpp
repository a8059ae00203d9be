// What becomes of each operation on complex numbers.
#include "ComplexSplitter.h"

#include "forge/Diagnostics/ErrorKind.h"
#include "forge/Dialect/StableHLO/IR/Check.h"
#include "forge/Dialect/StableHLO/IR/Chlo.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace forge;
using namespace forge::stablehlo;

LogicalResult stablehlo::refuseComplex(Operation *op) {
  if (auto call = dyn_cast<CustomCallOp>(op))
    return emitUserError(op->getLoc()) << "unsupported custom_call target '@"
                                       << call.getCallTargetName() << "' of complex numbers";
  for (Type type : llvm::to_vector(llvm::concat<const Type>(llvm::to_vector(op->getOperandTypes()),
                                                            llvm::to_vector(op->getResultTypes()))))
    if (isComplex(type))
      return emitUserError(op->getLoc()) << "unsupported stablehlo op '" << op->getName()
                                         << "': element type " << getElementTypeOrSelf(type);
  return emitUserError(op->getLoc())
         << "unsupported stablehlo op '" << op->getName() << "' of complex numbers";
}
/// The operation with other operands and results; its regions stay where they are.
Operation *ComplexSplitter::cloneWith(Operation *op, ValueRange operands, TypeRange results) {
  OperationState state(op->getLoc(), op->getName(), operands, results, op->getAttrs());
  for (unsigned i = 0; i < op->getNumRegions(); ++i)
    state.addRegion();
  return builder.create(state);
}

/// As one operation on all parts, which takes the regions along.
LogicalResult ComplexSplitter::splitInPlace(Operation *op, ValueRange operands) {
  Operation *made = cloneWith(op, operands, splitTypes(op->getResultTypes()));
  bool pairs = isa<SortOp>(op);
  for (auto [from, to] : llvm::zip_equal(op->getRegions(), made->getRegions())) {
    to.takeBody(from);
    if (failed(splitRegionArguments(to, pairs)))
      return failure();
    for (Block &block : to)
      if (failed(splitBlock(block)))
        return failure();
  }
  builder.setInsertionPointAfter(made);
  replace(op, made->getResults());
  return success();
}

/// As one operation on the real parts and one on the imaginary ones.
LogicalResult ComplexSplitter::splitEachPart(Operation *op) {
  SmallVector<Value> made;
  for (bool imaginary : {false, true}) {
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(!isComplex(operand.getType()) ? operand
                         : imaginary                   ? partsOf(operand).im
                                                       : partsOf(operand).re);
    SmallVector<Type> types = llvm::map_to_vector(op->getResultTypes(), partType);
    Operation *part = cloneWith(op, operands, types);
    for (auto [from, to] : llvm::zip_equal(op->getRegions(), part->getRegions())) {
      IRMapping mapping;
      from.cloneInto(&to, mapping);
      to.walk([](Block *block) {
        for (BlockArgument argument : block->getArguments())
          argument.setType(partType(argument.getType()));
        for (Operation &inner : *block)
          for (OpResult result : inner.getResults())
            result.setType(partType(result.getType()));
      });
    }
    if (op->getNumResults() == 0)
      continue;
    if (!isComplex(op->getResultTypes().front())) { // told by one part alone
      replace(op, part->getResults());
      return success();
    }
    made.push_back(part->getResult(0));
  }
  replace(op, made);
  return success();
}

/// Whether a body of two scalars is their sum, or gives one of them back: then it does the same to
/// each part.
bool ComplexSplitter::splitEachPartOfBody(Operation *op) {
  Block &body = op->getRegion(0).front();
  if (op->getNumResults() != 1 || body.getNumArguments() != 2)
    return false;
  Value returned = body.getTerminator()->getOperand(0);
  if (body.getOperations().size() == 1)
    return returned.getParentBlock() == &body;
  auto sum = returned.getDefiningOp<AddOp>();
  return sum && body.getOperations().size() == 2 && isa<BlockArgument>(sum.getLhs()) &&
         isa<BlockArgument>(sum.getRhs());
}

/// A product of sums: four products of the parts.
LogicalResult ComplexSplitter::splitProduct(Operation *op) {
  Complex a = partsOf(op->getOperand(0)), b = partsOf(op->getOperand(1));
  Type type = partType(op->getResult(0).getType());
  auto product = [&](Value lhs, Value rhs) {
    SmallVector<Value> operands(op->getOperands());
    operands[0] = lhs;
    operands[1] = rhs;
    return cloneWith(op, operands, type)->getResult(0);
  };
  Location loc = op->getLoc();
  Value re = SubtractOp::create(builder, loc, product(a.re, b.re), product(a.im, b.im));
  Value im = AddOp::create(builder, loc, product(a.re, b.im), product(a.im, b.re));
  replace(op, Complex{re, im});
  return success();
}

LogicalResult ComplexSplitter::splitConstant(ConstantOp op) {
  auto elements = dyn_cast<DenseElementsAttr>(op.getValue());
  if (!elements)
    return refuseComplex(op);
  auto type = cast<RankedTensorType>(partType(op.getType()));
  SmallVector<APFloat> re, im;
  if (elements.isSplat()) {
    auto z = elements.getSplatValue<std::complex<APFloat>>();
    re.push_back(z.real());
    im.push_back(z.imag());
  } else {
    for (const std::complex<APFloat> &z : elements.getValues<std::complex<APFloat>>()) {
      re.push_back(z.real());
      im.push_back(z.imag());
    }
  }
  auto constant = [&](ArrayRef<APFloat> values) -> Value {
    return ConstantOp::create(builder, op.getLoc(), DenseElementsAttr::get(type, values));
  };
  replace(op, Complex{constant(re), constant(im)});
  return success();
}

LogicalResult ComplexSplitter::splitConvert(ConvertOp op) {
  Value operand = op.getOperand();
  bool fromComplex = isComplex(operand.getType());
  Type type = partType(op.getType());
  auto convert = [&](Value value) { return cloneWith(op, value, type)->getResult(0); };
  Value re = convert(fromComplex ? partsOf(operand).re : operand);
  if (!isComplex(op.getType())) {
    replace(op, re);
    return success();
  }
  Value im = fromComplex ? convert(partsOf(operand).im)
                         : ComplexMath(builder, op.getLoc()).constant(re, 0);
  replace(op, Complex{re, im});
  return success();
}

LogicalResult ComplexSplitter::splitClamp(ClampOp op) {
  auto type = cast<RankedTensorType>(partType(op.getType()));
  ComplexMath math(builder, op.getLoc());
  // A bound may be one number for all.
  auto bound = [&](Value value) -> Complex {
    Complex z = partsOf(value);
    if (cast<RankedTensorType>(value.getType()).getRank() == type.getRank())
      return z;
    auto broadcast = [&](Value part) -> Value {
      return BroadcastInDimOp::create(builder, op.getLoc(), type, part, ArrayRef<int64_t>());
    };
    return {broadcast(z.re), broadcast(z.im)};
  };
  Value low = op->getOperand(0), middle = op->getOperand(1), high = op->getOperand(2);
  if (!type.hasStaticShape() &&
      (low.getType() != middle.getType() || high.getType() != middle.getType()))
    return refuseComplex(op);
  replace(op, math.minimum(math.maximum(bound(low), partsOf(middle)), bound(high)));
  return success();
}

LogicalResult ComplexSplitter::splitFft(FftOp op) {
  Value operand = op.getOperand();
  bool fromComplex = isComplex(operand.getType()), toComplex = isComplex(op.getType());
  auto result = cast<RankedTensorType>(op.getType());
  if (result.hasStaticShape() && result.getNumElements() == 0) {
    FailureOr<Complex> none = expandFft(builder, problemOf(op),
                                        fromComplex ? partsOf(operand) : Complex{operand, {}}, {});
    if (failed(none))
      return failure();
    if (toComplex)
      replace(op, *none);
    else
      replace(op, none->re);
    return success();
  }
  SmallVector<Value> operands{operand};
  if (fromComplex && forGPU)
    operands = {partsOf(operand).re, partsOf(operand).im};
  else if (fromComplex)
    operands = {interleaver.pack(op.getLoc(), partsOf(operand))};
  FailureOr<SmallVector<Value>> transformed = composites.create(op, operands);
  if (failed(transformed))
    return failure();
  if (toComplex && !forGPU)
    replace(op, interleaver.unpack(transformed->front()));
  else
    replace(op, *transformed);
  return success();
}

LogicalResult ComplexSplitter::splitKnown(Operation *op) {
  ComplexMath math(builder, op->getLoc());
  auto unary = [&](Complex (ComplexMath::*function)(Complex)) {
    replace(op, (math.*function)(partsOf(op->getOperand(0))));
    return success();
  };
  auto binary = [&](Complex (ComplexMath::*function)(Complex, Complex)) {
    replace(op, (math.*function)(partsOf(op->getOperand(0)), partsOf(op->getOperand(1))));
    return success();
  };
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](ConstantOp constant) { return splitConstant(constant); })
      .Case([&](ComplexOp made) {
        replace(op, Complex{made.getLhs(), made.getRhs()});
        return success();
      })
      .Case([&](RealOp) {
        replace(op, partsOf(op->getOperand(0)).re);
        return success();
      })
      .Case([&](ImagOp) {
        replace(op, partsOf(op->getOperand(0)).im);
        return success();
      })
      .Case([&](AbsOp) {
        replace(op, math.abs(partsOf(op->getOperand(0))));
        return success();
      })
      .Case([&](MulOp) { return binary(&ComplexMath::multiply); })
      .Case([&](DivOp) { return binary(&ComplexMath::divide); })
      .Case([&](PowOp) { return binary(&ComplexMath::power); })
      .Case([&](ExpOp) { return unary(&ComplexMath::exp); })
      .Case([&](Expm1Op) { return unary(&ComplexMath::expm1); })
      .Case([&](LogOp) { return unary(&ComplexMath::log); })
      .Case([&](Log1pOp) { return unary(&ComplexMath::log1p); })
      .Case([&](SqrtOp) { return unary(&ComplexMath::sqrt); })
      .Case([&](RsqrtOp) { return unary(&ComplexMath::rsqrt); })
      .Case([&](SineOp) { return unary(&ComplexMath::sine); })
      .Case([&](CosineOp) { return unary(&ComplexMath::cosine); })
      .Case([&](TanOp) { return unary(&ComplexMath::tan); })
      .Case([&](TanhOp) { return unary(&ComplexMath::tanh); })
      .Case([&](LogisticOp) { return unary(&ComplexMath::logistic); })
      .Case([&](SignOp) { return unary(&ComplexMath::sign); })
      .Case([&](chlo::SinhOp) { return unary(&ComplexMath::sinh); })
      .Case([&](chlo::CoshOp) { return unary(&ComplexMath::cosh); })
      .Case([&](chlo::TanOp) { return unary(&ComplexMath::tan); })
      .Case([&](chlo::AsinOp) { return unary(&ComplexMath::asin); })
      .Case([&](chlo::AcosOp) { return unary(&ComplexMath::acos); })
      .Case([&](chlo::AtanOp) { return unary(&ComplexMath::atan); })
      .Case([&](chlo::AsinhOp) { return unary(&ComplexMath::asinh); })
      .Case([&](chlo::AcoshOp) { return unary(&ComplexMath::acosh); })
      .Case([&](chlo::AtanhOp) { return unary(&ComplexMath::atanh); })
      .Case([&](chlo::SquareOp) { return unary(&ComplexMath::square); })
      .Case([&](MaxOp) { return binary(&ComplexMath::maximum); })
      .Case([&](MinOp) { return binary(&ComplexMath::minimum); })
      .Case([&](ClampOp clamp) { return splitClamp(clamp); })
      .Case([&](BitcastConvertOp) {
        if (op->getOperand(0).getType() != op->getResult(0).getType())
          return refuseComplex(op);
        replace(op, partsOf(op->getOperand(0)));
        return success();
      })
      .Case([&](CompareOp compare) {
        ComparisonDirection direction = compare.getComparisonDirection();
        if (direction != ComparisonDirection::EQ && direction != ComparisonDirection::NE)
          return refuseComplex(op);
        replace(op, math.compare(partsOf(op->getOperand(0)), partsOf(op->getOperand(1)),
                                 direction == ComparisonDirection::EQ));
        return success();
      })
      .Case([&](ConvertOp convert) { return splitConvert(convert); })
      .Case([&](IotaOp) {
        Value re = cloneWith(op, {}, partType(op->getResult(0).getType()))->getResult(0);
        replace(op, Complex{re, math.constant(re, 0)});
        return success();
      })
      .Case([&](FftOp fft) { return splitFft(fft); })
      .Case<DotGeneralOp, DotOp, ConvolutionOp, DynamicConvOp>(
          [&](auto) { return splitProduct(op); })
      .Case<AddOp, SubtractOp, NegOp, SelectOp, ReshapeOp, BroadcastOp, BroadcastInDimOp,
            TransposeOp, SliceOp, DynamicSliceOp, DynamicUpdateSliceOp, ConcatenateOp, PadOp,
            ReverseOp, GatherOp, DynamicGatherOp, DynamicReshapeOp, DynamicBroadcastInDimOp,
            DynamicPadOp, RealDynamicSliceOp, GetDimensionSizeOp, check::ExpectEqOp,
            check::ExpectAlmostEqOp, check::ExpectCloseOp>([&](auto) { return splitEachPart(op); })
      .Case<ReduceOp, ReduceWindowOp, ScatterOp>([&](auto) {
        if (splitEachPartOfBody(op))
          return splitEachPart(op);
        return splitInPlace(op, splitValues(op->getOperands()));
      })
      .Case([&](SelectAndScatterOp) { return refuseComplex(op); })
      .Case<WhileOp, IfOp, CaseOp, SortOp, OptimizationBarrierOp, func::CallOp>(
          [&](auto) { return splitInPlace(op, splitValues(op->getOperands())); })
      .Case([&](CompositeOp composite) {
        auto call =
            func::CallOp::create(builder, op->getLoc(), composite.getDecomposition(),
                                 splitTypes(op->getResultTypes()), splitValues(op->getOperands()));
        replace(op, call.getResults());
        return success();
      })
      .Default([&](Operation *) { return refuseComplex(op); });
}
