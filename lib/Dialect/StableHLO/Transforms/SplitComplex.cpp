#include "SplitComplex.h"
#include "FftComposites.h"

#include "forge/Diagnostics/ErrorKind.h"
#include "forge/Dialect/StableHLO/IR/Check.h"
#include "forge/Dialect/StableHLO/IR/Chlo.h"
#include "forge/Dialect/StableHLO/IR/StableHLO.h"
#include "forge/Dialect/StableHLO/IR/TypeUtils.h"
#include "forge/Dialect/StableHLO/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

namespace forge {
#define GEN_PASS_DEF_SPLITCOMPLEXPASS
#include "forge/Dialect/StableHLO/Transforms/Passes.h.inc"
} // namespace forge

using namespace mlir;
using namespace forge;
using namespace forge::stablehlo;

/// Other types of complex numbers are no operation's of StableHLO.
static bool isComplex(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && !tensor.getEncoding() && isComplexElementType(tensor.getElementType());
}

/// Of the parts; other types stay.
static Type partType(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.clone(partTypeOf(tensor.getElementType())) : type;
}

/// With two types for each complex one.
static SmallVector<Type> splitTypes(TypeRange types) {
  SmallVector<Type> split;
  for (Type type : types)
    split.append(isComplex(type) ? 2 : 1, partType(type));
  return split;
}

namespace {
class Splitter {
public:
  Splitter(ModuleOp module, bool forGPU)
      : module(module), forGPU(forGPU), builder(module.getContext()), interleaver(builder),
        composites(module, builder, forGPU) {}
  LogicalResult run();

private:
  LogicalResult splitFunction(func::FuncOp function);
  LogicalResult splitArguments(func::FuncOp function);
  LogicalResult splitBlock(Block &block, func::FuncOp entry = {});
  LogicalResult split(Operation *op, func::FuncOp entry);
  LogicalResult splitKnown(Operation *op);
  /// Whether the operation has to do with complex numbers itself, what is in its regions aside.
  bool isInvolved(Operation *op);

  Complex partsOf(Value value) { return parts.lookup(value); }
  SmallVector<Value> splitValues(ValueRange values);
  /// Replaces all results; two new ones for each complex one.
  void replace(Operation *op, ValueRange values);
  void replace(Operation *op, Complex z) { replace(op, ValueRange{z.re, z.im}); }
  Operation *cloneWith(Operation *op, ValueRange operands, TypeRange results);
  LogicalResult splitInPlace(Operation *op, ValueRange operands);
  LogicalResult splitEachPart(Operation *op);
  LogicalResult splitRegionArguments(Region &region, bool pairsOfArguments);
  LogicalResult splitProduct(Operation *op);
  LogicalResult splitConstant(ConstantOp op);
  LogicalResult splitConvert(ConvertOp op);
  LogicalResult splitClamp(ClampOp op);
  LogicalResult splitFft(FftOp op);
  LogicalResult splitReturn(Operation *op, func::FuncOp entry);
  bool splitEachPartOfBody(Operation *op);

  ModuleOp module;
  bool forGPU;
  OpBuilder builder;
  Interleaver interleaver;
  FftComposites composites;
  DenseMap<Value, Complex> parts;
  SmallVector<Operation *> dead;
  SmallVector<BlockArgument> deadArguments;
};
} // namespace

static LogicalResult refuse(Operation *op) {
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

SmallVector<Value> Splitter::splitValues(ValueRange values) {
  SmallVector<Value> split;
  for (Value value : values) {
    if (!isComplex(value.getType())) {
      split.push_back(value);
      continue;
    }
    split.push_back(partsOf(value).re);
    split.push_back(partsOf(value).im);
  }
  return split;
}

void Splitter::replace(Operation *op, ValueRange values) {
  size_t next = 0;
  for (Value result : op->getResults()) {
    if (isComplex(result.getType())) {
      parts[result] = {values[next], values[next + 1]};
      next += 2;
    } else {
      result.replaceAllUsesWith(values[next++]);
    }
  }
  dead.push_back(op);
}

/// The operation with other operands and results; its regions stay where they are.
Operation *Splitter::cloneWith(Operation *op, ValueRange operands, TypeRange results) {
  OperationState state(op->getLoc(), op->getName(), operands, results, op->getAttrs());
  for (unsigned i = 0; i < op->getNumRegions(); ++i)
    state.addRegion();
  return builder.create(state);
}

/// As one operation on all parts, which takes the regions along.
LogicalResult Splitter::splitInPlace(Operation *op, ValueRange operands) {
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

/// Two arguments for each complex one; those of a comparator come in pairs, whose parts do too.
LogicalResult Splitter::splitRegionArguments(Region &region, bool pairsOfArguments) {
  for (Block &block : region) {
    SmallVector<BlockArgument> before(block.getArguments());
    Location loc = region.getLoc();
    for (size_t i = 0; i < before.size(); ++i) {
      BlockArgument argument = before[i];
      if (!isComplex(argument.getType()))
        continue;
      Type type = partType(argument.getType());
      if (!pairsOfArguments) {
        BlockArgument re = block.insertArgument(argument.getArgNumber() + 1, type, loc);
        BlockArgument im = block.insertArgument(argument.getArgNumber() + 2, type, loc);
        parts[argument] = {re, im};
        deadArguments.push_back(argument);
        continue;
      }
      BlockArgument other = before[i + 1];
      unsigned at = other.getArgNumber() + 1;
      Value re = block.insertArgument(at, type, loc),
            otherRe = block.insertArgument(at + 1, type, loc);
      Value im = block.insertArgument(at + 2, type, loc),
            otherIm = block.insertArgument(at + 3, type, loc);
      parts[argument] = {re, im};
      parts[other] = {otherRe, otherIm};
      deadArguments.push_back(argument);
      deadArguments.push_back(other);
      ++i;
    }
  }
  return success();
}

/// As one operation on the real parts and one on the imaginary ones.
LogicalResult Splitter::splitEachPart(Operation *op) {
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
bool Splitter::splitEachPartOfBody(Operation *op) {
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
LogicalResult Splitter::splitProduct(Operation *op) {
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

LogicalResult Splitter::splitConstant(ConstantOp op) {
  auto elements = dyn_cast<DenseElementsAttr>(op.getValue());
  if (!elements)
    return refuse(op);
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

LogicalResult Splitter::splitConvert(ConvertOp op) {
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

LogicalResult Splitter::splitClamp(ClampOp op) {
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
    return refuse(op);
  replace(op, math.minimum(math.maximum(bound(low), partsOf(middle)), bound(high)));
  return success();
}

LogicalResult Splitter::splitFft(FftOp op) {
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

LogicalResult Splitter::splitReturn(Operation *op, func::FuncOp entry) {
  if (!entry) {
    builder.setInsertionPoint(op);
    op->setOperands(splitValues(op->getOperands()));
    return success();
  }
  builder.setInsertionPoint(op);
  for (OpOperand &operand : op->getOpOperands())
    if (isComplex(operand.get().getType()))
      operand.set(interleaver.pack(operand.get().getLoc(), partsOf(operand.get())));
  return success();
}

bool Splitter::isInvolved(Operation *op) {
  return llvm::any_of(op->getOperandTypes(), isComplex) ||
         llvm::any_of(op->getResultTypes(), isComplex);
}

LogicalResult Splitter::splitKnown(Operation *op) {
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
          return refuse(op);
        replace(op, partsOf(op->getOperand(0)));
        return success();
      })
      .Case([&](CompareOp compare) {
        ComparisonDirection direction = compare.getComparisonDirection();
        if (direction != ComparisonDirection::EQ && direction != ComparisonDirection::NE)
          return refuse(op);
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
      .Case([&](SelectAndScatterOp) { return refuse(op); })
      .Case<WhileOp, IfOp, CaseOp, SortOp, OptimizationBarrierOp, func::CallOp>(
          [&](auto) { return splitInPlace(op, splitValues(op->getOperands())); })
      .Case([&](CompositeOp composite) {
        auto call =
            func::CallOp::create(builder, op->getLoc(), composite.getDecomposition(),
                                 splitTypes(op->getResultTypes()), splitValues(op->getOperands()));
        replace(op, call.getResults());
        return success();
      })
      .Default([&](Operation *) { return refuse(op); });
}

LogicalResult Splitter::split(Operation *op, func::FuncOp entry) {
  builder.setInsertionPoint(op);
  if (isa<func::ReturnOp, stablehlo::ReturnOp>(op))
    return splitReturn(op, isa<func::ReturnOp>(op) ? entry : func::FuncOp());
  if (isInvolved(op))
    return splitKnown(op);
  // Of a real tensor.
  if (isa<RealOp>(op)) {
    replace(op, op->getOperand(0));
    return success();
  }
  if (isa<ImagOp>(op)) {
    replace(op, ComplexMath(builder, op->getLoc()).constant(op->getOperand(0), 0));
    return success();
  }
  for (Region &region : op->getRegions()) {
    for (Block &block : region) {
      if (llvm::any_of(block.getArgumentTypes(), isComplex))
        return refuse(op);
      if (failed(splitBlock(block)))
        return failure();
    }
  }
  return success();
}

LogicalResult Splitter::splitBlock(Block &block, func::FuncOp entry) {
  SmallVector<Operation *> ops = llvm::map_to_vector(block, [](Operation &op) { return &op; });
  for (Operation *op : ops)
    if (failed(split(op, entry)))
      return failure();
  return success();
}

/// Arguments of an entry function hold their parts next to each other; those of others become two.
LogicalResult Splitter::splitArguments(func::FuncOp function) {
  if (!function.isPublic())
    return splitRegionArguments(function.getBody(), /*pairsOfArguments=*/false);
  builder.setInsertionPointToStart(&function.getBody().front());
  Block &body = function.getBody().front();
  for (BlockArgument argument : SmallVector<BlockArgument>(body.getArguments())) {
    if (!isComplex(argument.getType()))
      continue;
    BlockArgument interleaved = body.insertArgument(
        argument.getArgNumber() + 1, interleavedType(argument.getType()), argument.getLoc());
    parts[argument] = interleaver.unpack(interleaved);
    deadArguments.push_back(argument);
  }
  return success();
}

LogicalResult Splitter::splitFunction(func::FuncOp function) {
  FunctionType type = function.getFunctionType();
  bool isEntry = function.isPublic();
  if (function.isExternal()) {
    if (llvm::any_of(type.getInputs(), isComplex) || llvm::any_of(type.getResults(), isComplex))
      return emitUserError(function.getLoc())
             << "function '" << function.getName()
             << "' without a body takes or returns complex numbers";
    return success();
  }
  // 1. Attributes of arguments and results that become two are of no use to what comes after.
  SmallVector<Attribute> argumentAttrs, resultAttrs;
  for (unsigned i = 0; !isEntry && i < type.getNumInputs(); ++i)
    argumentAttrs.append(isComplex(type.getInput(i)) ? 2 : 1,
                         function.getArgAttrDict(i) ? Attribute(function.getArgAttrDict(i))
                                                    : Attribute(builder.getDictionaryAttr({})));
  for (unsigned i = 0; !isEntry && i < type.getNumResults(); ++i)
    resultAttrs.append(isComplex(type.getResult(i)) ? 2 : 1,
                       Attribute(builder.getDictionaryAttr({})));
  // 2. The body.
  if (failed(splitArguments(function)))
    return failure();
  for (Block &block : function.getBody())
    if (failed(splitBlock(block, isEntry ? function : func::FuncOp())))
      return failure();
  // 3. The type.
  SmallVector<Type> results;
  for (auto [index, result] : llvm::enumerate(type.getResults())) {
    if (isEntry && isComplex(result)) {
      results.push_back(interleavedType(result));
      function.setResultAttr(static_cast<unsigned>(index), kComplexAttr, builder.getUnitAttr());
    } else {
      results.append(splitTypes(result));
    }
  }
  SmallVector<Type> arguments;
  for (auto [index, argument] : llvm::enumerate(type.getInputs())) {
    bool packed = isEntry && isComplex(argument);
    if (packed)
      function.setArgAttr(static_cast<unsigned>(index), kComplexAttr, builder.getUnitAttr());
    arguments.append(packed ? SmallVector<Type>{interleavedType(argument)} : splitTypes(argument));
  }
  function.setFunctionType(builder.getFunctionType(arguments, results));
  if (!isEntry) {
    function.setAllArgAttrs(argumentAttrs);
    function.setAllResultAttrs(resultAttrs);
  }
  return success();
}

LogicalResult Splitter::run() {
  SmallVector<func::FuncOp> functions(module.getOps<func::FuncOp>());
  bool found = false;
  module.walk([&](Operation *op) {
    found |= isa<RealOp, ImagOp>(op) || isInvolved(op) ||
             llvm::any_of(op->getRegions(), [](Region &region) {
               return llvm::any_of(region, [](Block &block) {
                 return llvm::any_of(block.getArgumentTypes(), isComplex);
               });
             });
  });
  if (!found)
    return success();
  for (func::FuncOp function : functions)
    if (failed(splitFunction(function)))
      return failure();
  for (Operation *op : llvm::reverse(dead)) {
    op->dropAllUses();
    op->erase();
  }
  for (BlockArgument argument : llvm::reverse(deadArguments))
    argument.getOwner()->eraseArgument(argument.getArgNumber());
  return success();
}

LogicalResult forge::splitComplex(ModuleOp module, bool forGPU) {
  // Outside of a pass nothing has loaded what constants of dynamic sizes are made of.
  module.getContext()->getOrLoadDialect<chlo::CHLODialect>();
  expandLinearAlgebra(module);
  return Splitter(module, forGPU).run();
}

namespace {
struct SplitComplexPass : forge::impl::SplitComplexPassBase<SplitComplexPass> {
  using SplitComplexPassBase::SplitComplexPassBase;
  void runOnOperation() override {
    if (failed(splitComplex(getOperation(), forGPU)))
      signalPassFailure();
  }
};
} // namespace
