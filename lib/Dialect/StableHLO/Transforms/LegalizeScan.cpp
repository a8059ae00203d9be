// chlo.scan as a window that grows with each step, or as a loop.
#include "forge/Dialect/StableHLO/IR/Chlo.h"
#include "forge/Dialect/StableHLO/Transforms/Passes.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace forge;

/// The one value of a constant, or of one that is broadcast; null for another value.
static TypedAttr splatOf(Value value) {
  if (auto broadcast = value.getDefiningOp<stablehlo::BroadcastInDimOp>())
    value = broadcast.getOperand();
  DenseElementsAttr constant;
  if (!matchPattern(value, m_Constant(&constant)) || !constant.isSplat())
    return {};
  return constant.getSplatValue<TypedAttr>();
}

/// Whether `value` is what `op` combines any element with to get the element. A sum that begins
/// with +0 turns -0 into +0, as the scan does.
static bool isNeutral(Operation *op, TypedAttr value) {
  if (auto number = dyn_cast<FloatAttr>(value)) {
    APFloat x = number.getValue();
    const llvm::fltSemantics &format = x.getSemantics();
    if (isa<stablehlo::AddOp>(op))
      return x.isZero();
    if (isa<stablehlo::MulOp>(op))
      return x == APFloat::getOne(format);
    bool isEnd = APFloat::semanticsHasInf(format) ? x.isInfinity() : x.isLargest();
    return (isa<stablehlo::MaxOp>(op) && isEnd && x.isNegative()) ||
           (isa<stablehlo::MinOp>(op) && isEnd && !x.isNegative());
  }
  auto number = dyn_cast<IntegerAttr>(value);
  if (!number)
    return false;
  APInt x = number.getValue();
  bool isUnsigned = number.getType().isUnsignedInteger() || x.getBitWidth() == 1;
  if (isa<stablehlo::AddOp, stablehlo::OrOp>(op))
    return x.isZero();
  if (isa<stablehlo::MulOp>(op))
    return x.isOne();
  if (isa<stablehlo::AndOp>(op))
    return x.isAllOnes();
  if (isa<stablehlo::MaxOp>(op))
    return isUnsigned ? x.isZero() : x.isMinSignedValue();
  return isa<stablehlo::MinOp>(op) && (isUnsigned ? x.isAllOnes() : x.isMaxSignedValue());
}

/// The one operation of the body that joins the input with what is carried, if the body is that,
/// and `inits` is neutral: then step i is a reduction of the elements up to i.
static Operation *matchRunningReduction(chlo::ScanOp scan) {
  if (scan.getInputs().size() != 1 || scan.getOutputs().size() != 1 || scan.getInits().size() != 1)
    return nullptr;
  Block &body = scan.getBody().front();
  Operation *returned = body.getTerminator(), *join = returned->getOperand(0).getDefiningOp();
  if (!join || join->getBlock() != &body || returned->getOperand(1) != join->getResult(0) ||
      &body.front() != join || join->getNextNode() != returned || join->getNumOperands() != 2)
    return nullptr;
  Value element = body.getArgument(0), carried = body.getArgument(1);
  bool joinsBoth = (join->getOperand(0) == element && join->getOperand(1) == carried) ||
                   (join->getOperand(0) == carried && join->getOperand(1) == element);
  TypedAttr init = splatOf(scan.getInits().front());
  return joinsBoth && init && isNeutral(join, init) ? join : nullptr;
}

/// `whole` at `step` along the scan's dimension, without the dimension.
static Value sliceAt(OpBuilder &b, chlo::ScanOp scan, Value whole, ValueRange starts) {
  Location loc = scan.getLoc();
  auto type = cast<RankedTensorType>(whole.getType());
  SmallVector<int64_t> sizes(type.getShape());
  sizes[scan.getDimension()] = 1;
  Value line =
      stablehlo::DynamicSliceOp::create(b, loc, RankedTensorType::get(sizes, type.getElementType()),
                                        whole, starts, b.getDenseI64ArrayAttr(sizes));
  return stablehlo::ReshapeOp::create(b, loc, scan.getSliceType(type), line);
}

static Value scalarOf(OpBuilder &b, Location loc, int64_t value) {
  auto type = RankedTensorType::get({}, b.getI64Type());
  return stablehlo::ConstantOp::create(b, loc, DenseElementsAttr::get(type, value));
}

/// Where a slice of `type` at `step` begins.
static SmallVector<Value> startsOf(OpBuilder &b, chlo::ScanOp scan, Type type, Value step) {
  SmallVector<Value> starts(cast<RankedTensorType>(type).getRank());
  for (auto [dim, start] : llvm::enumerate(starts))
    start = dim == scan.getDimension() ? step : scalarOf(b, scan.getLoc(), 0);
  return starts;
}

namespace {

/// A running reduction is a window over all elements up to each one.
struct RunningReductionPattern : OpRewritePattern<chlo::ScanOp> {
  RunningReductionPattern(MLIRContext *context) : OpRewritePattern(context, /*benefit=*/2) {}

  LogicalResult matchAndRewrite(chlo::ScanOp scan, PatternRewriter &b) const override {
    Operation *join = matchRunningReduction(scan);
    auto type = cast<RankedTensorType>(scan.getOutputs().front().getType());
    int64_t steps = scan.getNumSteps();
    if (!join || steps == 0 || !type.hasStaticShape())
      return failure();
    Location loc = scan.getLoc();
    auto scalar = RankedTensorType::get({}, type.getElementType());
    Value init = stablehlo::ConstantOp::create(
        b, loc, DenseElementsAttr::get(scalar, splatOf(scan.getInits().front())));
    SmallVector<int64_t> window(type.getRank(), 1), padding(2 * type.getRank(), 0);
    int64_t dimension = scan.getDimension();
    window[dimension] = steps;
    padding[2 * dimension + (scan.getIsReverse() ? 1 : 0)] = steps - 1;
    auto pairs = RankedTensorType::get({type.getRank(), 2}, b.getI64Type());
    auto windows = stablehlo::ReduceWindowOp::create(
        b, loc, TypeRange{type}, scan.getInputs(), ValueRange{init}, b.getDenseI64ArrayAttr(window),
        DenseI64ArrayAttr(), DenseI64ArrayAttr(), DenseI64ArrayAttr(),
        DenseIntElementsAttr::get(pairs, padding));
    {
      OpBuilder::InsertionGuard guard(b);
      Block *body = b.createBlock(&windows.getBody(), {}, {scalar, scalar}, {loc, loc});
      OperationState state(join->getLoc(), join->getName(), body->getArguments(), {scalar},
                           join->getAttrs());
      Value joined = b.create(state)->getResult(0);
      stablehlo::ReturnOp::create(b, loc, joined);
    }
    Value whole = windows->getResult(0);
    Value last = scalarOf(b, loc, scan.getIsReverse() ? 0 : steps - 1);
    Value carried = sliceAt(b, scan, whole, startsOf(b, scan, type, last));
    b.replaceOp(scan, ValueRange{whole, carried});
    return success();
  }
};

/// Any other scan is a loop.
/// 1. It carries its counter, the values that the scan carries, and the outputs so far.
/// 2. A step takes the inputs' slices, computes the body, and puts the outputs' slices where they
///    belong.
struct ScanPattern : OpRewritePattern<chlo::ScanOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(chlo::ScanOp scan, PatternRewriter &b) const override {
    Location loc = scan.getLoc();
    auto isStatic = [](Type type) { return cast<RankedTensorType>(type).hasStaticShape(); };
    if (!llvm::all_of(scan.getOutputs().getTypes(), isStatic) ||
        !llvm::all_of(scan.getInputs().getTypes(), isStatic))
      return b.notifyMatchFailure(scan, "its shapes are dynamic");
    SmallVector<Value> outputs =
        llvm::map_to_vector(scan.getOutputs().getTypes(), [&](Type type) -> Value {
          auto zeros = DenseElementsAttr::get(cast<RankedTensorType>(type),
                                              b.getZeroAttr(getElementTypeOrSelf(type)));
          return stablehlo::ConstantOp::create(b, loc, zeros);
        });
    if (scan.getNumSteps() == 0) {
      llvm::append_range(outputs, scan.getInits());
      b.replaceOp(scan, outputs);
      return success();
    }
    SmallVector<Value> initial{scalarOf(b, loc, 0)};
    llvm::append_range(initial, scan.getInits());
    llvm::append_range(initial, outputs);
    auto loop = stablehlo::WhileOp::create(b, loc, ValueRange(initial).getTypes(), initial);
    SmallVector<Location> locs(initial.size(), loc);
    OpBuilder::InsertionGuard guard(b);
    Block *condition = b.createBlock(&loop.getCond(), {}, ValueRange(initial).getTypes(), locs);
    Value goesOn = stablehlo::CompareOp::create(
        b, loc, RankedTensorType::get({}, b.getI1Type()), condition->getArgument(0),
        scalarOf(b, loc, scan.getNumSteps()), stablehlo::ComparisonDirection::LT,
        stablehlo::ComparisonTypeAttr::get(b.getContext(), stablehlo::ComparisonType::SIGNED));
    stablehlo::ReturnOp::create(b, loc, goesOn);
    Block *body = b.createBlock(&loop.getBody(), {}, ValueRange(initial).getTypes(), locs);
    stablehlo::ReturnOp::create(b, loc, step(b, scan, body->getArguments()));
    size_t numCarries = scan.getInits().size();
    SmallVector<Value> results(loop.getResults().drop_front(1 + numCarries));
    llvm::append_range(results, loop.getResults().slice(1, numCarries));
    b.replaceOp(scan, results);
    return success();
  }

  static SmallVector<Value> step(PatternRewriter &b, chlo::ScanOp scan, ValueRange carried) {
    Location loc = scan.getLoc();
    Value counter = carried.front(), at = counter;
    if (scan.getIsReverse())
      at = stablehlo::SubtractOp::create(b, loc, scalarOf(b, loc, scan.getNumSteps() - 1), counter);
    size_t numCarries = scan.getInits().size();
    SmallVector<Value> arguments;
    for (Value input : scan.getInputs())
      arguments.push_back(sliceAt(b, scan, input, startsOf(b, scan, input.getType(), at)));
    llvm::append_range(arguments, carried.slice(1, numCarries));
    IRMapping mapping;
    mapping.map(scan.getBody().getArguments(), arguments);
    Block &body = scan.getBody().front();
    for (Operation &op : body.without_terminator())
      b.clone(op, mapping);
    SmallVector<Value> returned =
        llvm::map_to_vector(body.getTerminator()->getOperands(),
                            [&](Value value) { return mapping.lookupOrDefault(value); });
    Value one = scalarOf(b, loc, 1);
    SmallVector<Value> next{stablehlo::AddOp::create(b, loc, counter, one)};
    size_t numOutputs = scan.getOutputs().size();
    llvm::append_range(next, ArrayRef(returned).drop_front(numOutputs));
    for (auto [slice, whole] : llvm::zip_equal(ArrayRef(returned).take_front(numOutputs),
                                               carried.drop_front(1 + numCarries))) {
      SmallVector<int64_t> sizes(cast<RankedTensorType>(whole.getType()).getShape());
      sizes[scan.getDimension()] = 1;
      Value line = stablehlo::ReshapeOp::create(
          b, loc, RankedTensorType::get(sizes, getElementTypeOrSelf(whole.getType())), slice);
      next.push_back(stablehlo::DynamicUpdateSliceOp::create(
          b, loc, whole.getType(), whole, line, startsOf(b, scan, whole.getType(), at)));
    }
    return next;
  }
};

} // namespace

void forge::populateLegalizeScanPatterns(RewritePatternSet &patterns) {
  patterns.add<RunningReductionPattern, ScanPattern>(patterns.getContext());
}
