// stablehlo.rng by rng_bit_generator, with a count of the draws of a run that passes through
// branches and loops.
#include "Algebra.h"

#include "forge/Diagnostics/ErrorKind.h"
#include "forge/Dialect/StableHLO/IR/Chlo.h"
#include "forge/Dialect/StableHLO/IR/DynamicCalls.h"
#include "forge/Dialect/StableHLO/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"

#include <cmath>

namespace forge {
#define GEN_PASS_DEF_EXPANDRNGPASS
#include "forge/Dialect/StableHLO/Transforms/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-expand-rng"

using namespace mlir;
using namespace forge;
using namespace forge::stablehlo;

/// The key of every draw: 2^64 / golden ratio.
static constexpr uint64_t kKey = 0x9E3779B97F4A7C15;

namespace {

/// What one draw becomes.
/// 1. 64 random bits for each element: philox, with the number of the draw as the high half of its
///    counter.
/// 2. From them, floats in f64 and integers modulo 2^64, so that each result is rounded once.
class Draw {
public:
  Draw(RngOp op, Value number) : b(op), loc(op.getLoc()), op(op), number(number) {}

  Value create() {
    Value bits = randomBits();
    if (!isa<FloatType>(op.getType().getElementType()))
      return uniformIntegers(bits);
    return op.getRngDistribution() == RngDistribution::NORMAL ? normal(bits) : uniform(bits);
  }

private:
  Value randomBits() {
    auto word = RankedTensorType::get({1}, b.getIntegerType(64, false));
    Value state[] = {ConstantOp::create(b, loc, DenseElementsAttr::get(word, kKey)),
                     ConstantOp::create(b, loc, DenseElementsAttr::get(word, uint64_t(0))),
                     ReshapeOp::create(b, loc, word, number)};
    Value initial = ConcatenateOp::create(b, loc, word.clone({3}), ValueRange(state), 0);
    RankedTensorType bits = op.getType().clone(word.getElementType());
    DenseIntElementsAttr shape;
    if (bits.hasStaticShape() && matchPattern(op.getShape(), m_Constant(&shape)))
      return RngBitGeneratorOp::create(b, loc, word.clone({3}), bits, RngAlgorithm::PHILOX, initial)
          .getOutput();
    OperationState call(loc, CustomCallOp::getOperationName(), ValueRange{initial, op.getShape()},
                        TypeRange{word.clone({3}), bits});
    call.addAttribute("call_target_name", b.getStringAttr(kDynamicRngBitGenerator));
    call.addAttribute("rng_algorithm", RngAlgorithmAttr::get(b.getContext(), RngAlgorithm::PHILOX));
    return b.create(call)->getResult(1);
  }

  /// a + (b - a) u for u in [0, 1). Of the halves, since b - a may be more than the largest number.
  Value uniform(Value bits) {
    RankedTensorType real = op.getType().clone(b.getF64Type());
    Value unit = scaled(convert(shifted(bits, 11), b.getF64Type()), 0x1p-53);
    Value low = scaled(convert(op.getA(), b.getF64Type()), 0.5);
    Value high = scaled(convert(op.getB(), b.getF64Type()), 0.5);
    Value width = SubtractOp::create(b, loc, high, low);
    Value above = MulOp::create(b, loc, unit, spread(width, unit));
    Value half = AddOp::create(b, loc, above, spread(low, unit));
    Value value = AddOp::create(b, loc, real, half, half);
    // Rounding may reach b.
    Value last = chlo::NextAfterOp::create(b, loc, op.getB().getType(), op.getB(), op.getA());
    Value isRange = CompareOp::create(b, loc, op.getA(), op.getB(), ComparisonDirection::LT);
    last = SelectOp::create(b, loc, last.getType(), isRange, last, op.getA());
    Value result = convert(value, op.getType().getElementType());
    return ClampOp::create(b, loc, op.getType(), op.getA(), result, last);
  }

  /// a + b sqrt(2) erfinv(x) for odd multiples x of 2^-53 in (-1, 1).
  Value normal(Value bits) {
    Value k = bitcast(shifted(bits, 11), b.getI64Type());
    Value odd = AddOp::create(b, loc, AddOp::create(b, loc, k, k), like(k, 1 - (int64_t(1) << 53)));
    Value x = scaled(convert(odd, b.getF64Type()), 0x1p-53);
    Value z = scaled(chlo::ErfInvOp::create(b, loc, x.getType(), x), M_SQRT2);
    Value deviation = convert(op.getB(), b.getF64Type()), mean = convert(op.getA(), b.getF64Type());
    Value away = MulOp::create(b, loc, z, spread(deviation, z));
    Value value = AddOp::create(b, loc, away, spread(mean, away));
    return convert(value, op.getType().getElementType());
  }

  /// a + bits mod (b - a), modulo 2^64.
  Value uniformIntegers(Value bits) {
    Value low = toBits(op.getA()), high = toBits(op.getB());
    Value isRange = CompareOp::create(b, loc, op.getA(), op.getB(), ComparisonDirection::LT);
    Value size = SubtractOp::create(b, loc, high, low);
    size = SelectOp::create(b, loc, size.getType(), isRange, size, like(size, 1));
    Value above = RemOp::create(b, loc, bits, spread(size, bits));
    Value sum = AddOp::create(b, loc, above, spread(low, above));
    Type element = op.getType().getElementType();
    return convert(isSigned() ? bitcast(sum, b.getI64Type()) : sum, element);
  }

  bool isSigned() {
    Type element = op.getType().getElementType();
    return element.isSignlessInteger() && !element.isInteger(1);
  }

  /// An integer as ui64, sign-extended if it has a sign.
  Value toBits(Value value) {
    Type bits = b.getIntegerType(64, false);
    return isSigned() ? bitcast(convert(value, b.getI64Type()), bits) : convert(value, bits);
  }

  /// `value` for every element of a tensor of the shape of `model`.
  Value spread(Value value, Value model) {
    RankedTensorType type = typeOf(model).clone(typeOf(value).getElementType());
    auto none = b.getDenseI64ArrayAttr({});
    if (type.hasStaticShape())
      return BroadcastInDimOp::create(b, loc, type, value, none);
    return DynamicBroadcastInDimOp::create(b, loc, type, value, op.getShape(), none,
                                           DenseI64ArrayAttr(), DenseI64ArrayAttr());
  }

  Value scalar(TypedAttr value) {
    return ConstantOp::create(
        b, loc, DenseElementsAttr::get(RankedTensorType::get({}, value.getType()), value));
  }
  Value like(Value model, int64_t value) {
    return spread(scalar(b.getIntegerAttr(typeOf(model).getElementType(), value)), model);
  }
  Value scaled(Value value, double factor) {
    return MulOp::create(b, loc, value, spread(scalar(b.getF64FloatAttr(factor)), value));
  }
  Value shifted(Value bits, int64_t distance) {
    return ShiftRightLogicalOp::create(b, loc, bits, like(bits, distance));
  }
  Value convert(Value value, Type element) {
    if (typeOf(value).getElementType() == element)
      return value;
    return ConvertOp::create(b, loc, typeOf(value).clone(element), value);
  }
  Value bitcast(Value value, Type element) {
    return BitcastConvertOp::create(b, loc, typeOf(value).clone(element), value);
  }

  OpBuilder b;
  Location loc;
  RngOp op;
  Value number;
};

/// A branch or loop that also gives the number of the next draw; its regions are those of `op`,
/// and their terminators are not yet complete.
class Carrier {
public:
  Carrier(Operation *op, Value number) {
    OpBuilder b(op);
    bool isLoop = isa<WhileOp>(op);
    OperationState state(op->getLoc(), op->getName(), op->getOperands(), op->getResultTypes(),
                         op->getAttrs());
    if (isLoop)
      state.addOperands(number);
    state.addTypes(number.getType());
    for (Region &region : op->getRegions()) {
      if (isLoop)
        region.addArgument(number.getType(), number.getLoc());
      state.addRegion()->takeBody(region);
    }
    carrier = b.create(state);
    op->replaceAllUsesWith(carrier->getResults().drop_back());
    op->erase();
  }

  Operation *operator->() const { return carrier; }
  Value next() const { return carrier->getResults().back(); }

private:
  Operation *carrier;
};

/// 1. A function begins with draw 0. What it calls is part of it by now.
/// 2. Go through its operations in order. A draw takes the number, and leaves the next one.
/// 3. An `if` or `case` with a draw in it gives the number as another result; a `while` carries it.
///    Elsewhere (the condition of a loop, the body of a reduction) there is no order of execution
///    that the number could go along.
struct ExpandRngPass : forge::impl::ExpandRngPassBase<ExpandRngPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    for (func::FuncOp function : module.getOps<func::FuncOp>()) {
      RngOp first = firstDraw(function);
      if (!first)
        continue;
      if (!SymbolTable::symbolKnownUseEmpty(function, module)) {
        emitUserError(first) << "unsupported stablehlo op 'stablehlo.rng' in a function that is "
                                "not inlined, '@"
                             << function.getName() << "'";
        return signalPassFailure();
      }
      OpBuilder b = OpBuilder::atBlockBegin(&function.front());
      auto type = RankedTensorType::get({}, b.getIntegerType(64, false));
      Value number =
          ConstantOp::create(b, first.getLoc(), DenseElementsAttr::get(type, uint64_t(0)));
      if (failed(expand(function.front(), number)))
        return signalPassFailure();
    }
  }

private:
  static RngOp firstDraw(Operation *op) {
    RngOp first;
    op->walk([&](RngOp draw) {
      first = draw;
      return WalkResult::interrupt();
    });
    return first;
  }

  /// The number after the operations of `block`.
  FailureOr<Value> expand(Block &block, Value number) {
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (auto draw = dyn_cast<RngOp>(op)) {
        draw.replaceAllUsesWith(Draw(draw, number).create());
        OpBuilder b(draw);
        Value one = ConstantOp::create(b, draw.getLoc(),
                                       DenseElementsAttr::get(typeOf(number), uint64_t(1)));
        number = AddOp::create(b, draw.getLoc(), number, one);
        draw.erase();
        continue;
      }
      RngOp inner = firstDraw(&op);
      if (!inner)
        continue;
      FailureOr<Value> after = expandInside(&op, inner, number);
      if (failed(after))
        return failure();
      number = *after;
    }
    return number;
  }

  FailureOr<Value> expandInside(Operation *op, RngOp inner, Value number) {
    auto loop = dyn_cast<WhileOp>(op);
    bool inCondition = loop && loop.getCond().isAncestor(inner->getParentRegion());
    if (inCondition || !isa<WhileOp, IfOp, CaseOp>(op))
      return emitUserError(inner) << "unsupported stablehlo op 'stablehlo.rng' in "
                                  << (inCondition ? "the condition of " : "") << "'"
                                  << op->getName() << "'";
    bool isLoop = static_cast<bool>(loop);
    Carrier carrier(op, number);
    for (Region &region : carrier->getRegions()) {
      if (isLoop && region.getRegionNumber() == 0)
        continue;
      Block &block = region.front();
      FailureOr<Value> after = expand(block, isLoop ? block.getArguments().back() : number);
      if (failed(after))
        return failure();
      Operation *terminator = block.getTerminator();
      terminator->insertOperands(terminator->getNumOperands(), *after);
    }
    return carrier.next();
  }
};

} // namespace
