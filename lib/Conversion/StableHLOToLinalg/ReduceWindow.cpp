// reduce_window, and the custom call frameworks print for it when its shape is dynamic: running
// reductions as one scan, all others as a linalg.generic with the window as reduction loops.
#include "Refuse.h"
#include "RuntimeWindow.h"
#include "Scan.h"
#include "WindowLowering.h"
#include "forge/Conversion/Utils/IndexBuilder.h"
#include "forge/Conversion/Utils/RuntimeShape.h"

#include "forge/Conversion/StableHLOToLinalg/Patterns.h"
#include "forge/Conversion/StableHLOToLinalg/ScalarOps.h"
#include "forge/Conversion/Utils/TensorUtils.h"
#include "forge/Dialect/StableHLO/IR/DynamicCalls.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace forge;
using stablehlo::CustomCallOp;
using stablehlo::DynamicReduceWindow;
using stablehlo::ReduceWindowOp;
using stablehlo::WindowDim;

static bool isUnit(const WindowDim &window) {
  return window.size == 1 && window.stride == 1 && window.padLow == 0 && window.padHigh == 0 &&
         window.baseDilation == 1;
}

/// How cumsum and its like are printed: along one dimension the window is as long as the input and
/// reaches back to its start (or on to its end), along the others it is one element.
static std::optional<Scan> matchScan(ArrayRef<WindowDim> window, RankedTensorType type) {
  std::optional<Scan> scan;
  for (auto [dim, w] : llvm::enumerate(window)) {
    int64_t size = type.getDimSize(dim);
    if (isUnit(w))
      continue;
    if (ShapedType::isDynamic(size))
      return std::nullopt;
    bool forward = w.padLow == size - 1 && w.padHigh == 0;
    bool backward = w.padHigh == size - 1 && w.padLow == 0;
    if (scan || w.size != size || w.stride != 1 || w.baseDilation != 1 || w.windowDilation != 1 ||
        (!forward && !backward))
      return std::nullopt;
    scan = Scan{static_cast<int64_t>(dim), !forward};
  }
  return scan;
}

/// Whether a running reduction, which takes `init` once, is what windows give, which are filled up
/// with it: a sum or product has to be from the neutral element. What other bodies make of several
/// is not known; those that frameworks print take a neutral or an idempotent one.
static bool takesInitOnce(Region &body, Value init) {
  Operation *combiner = getSingleCombiner(body);
  if (isa_and_nonnull<stablehlo::AddOp>(combiner))
    return matchPattern(init, m_AnyZeroFloat()) || matchPattern(init, m_Zero());
  if (isa_and_nonnull<stablehlo::MulOp>(combiner))
    return matchPattern(init, m_OneFloat()) || matchPattern(init, m_One());
  return true;
}

namespace {

/// A reduction over windows on converted values.
struct WindowReduction {
  Location loc;
  Region &body;
  ValueRange inputs;
  SmallVector<Value> inits;            // scalars
  SmallVector<RankedTensorType> types; // of the results
};

} // namespace

/// linalg.generic over results and window, which reads the padded inputs at
/// result * stride + window * dilation. The results are of type f32 where `wide` is not null.
static FailureOr<SmallVector<Value>> createLoops(OpBuilder &builder, const WindowReduction &r,
                                                 ValueRange inputs, ValueRange inits,
                                                 ArrayRef<RuntimeWindowDim> window,
                                                 Operation *wide) {
  int64_t rank = window.size();
  SmallVector<AffineExpr> read, write, windowDims;
  SmallVector<OpFoldResult> windowShape;
  for (auto [dim, w] : llvm::enumerate(window)) {
    AffineExpr place = builder.getAffineDimExpr(dim);
    windowDims.push_back(builder.getAffineDimExpr(rank + dim));
    read.push_back(place * w.stride + windowDims.back() * w.windowDilation);
    write.push_back(place);
    windowShape.push_back(w.size);
  }
  // Nothing is read from the last operand: it tells the sizes of the window's loops.
  SmallVector<Value> operands(inputs);
  operands.push_back(tensor::EmptyOp::create(builder, r.loc, windowShape, builder.getI1Type()));
  MLIRContext *context = builder.getContext();
  SmallVector<AffineMap> maps(inputs.size(), AffineMap::get(2 * rank, 0, read, context));
  maps.push_back(AffineMap::get(2 * rank, 0, windowDims, context));
  maps.append(inits.size(), AffineMap::get(2 * rank, 0, write, context));
  SmallVector<utils::IteratorType> iterators = parallelIterators(rank);
  iterators.append(rank, utils::IteratorType::reduction);
  bool hasScalarForm = true;
  auto generic = linalg::GenericOp::create(
      builder, r.loc, inits.getTypes(), operands, inits, maps, iterators,
      [&](OpBuilder &b, Location l, ValueRange values) {
        // The region takes what is accumulated first, then the elements.
        SmallVector<Value> args(values.take_back(inits.size()));
        llvm::append_range(args, values.take_front(inputs.size()));
        FailureOr<SmallVector<Value>> next = emitCombiner(b, r.body, args, wide);
        hasScalarForm = succeeded(next);
        linalg::YieldOp::create(b, l,
                                hasScalarForm ? ValueRange(*next) : values.take_back(inits.size()));
      });
  if (!hasScalarForm)
    return failure();
  return SmallVector<Value>(generic.getResults());
}

/// 1. Fill the results with the initial values, in f32 where a narrow sum is taken there.
/// 2. Loop over results and window.
/// 3. Round what step 1 made wider.
/// `inputs` are padded; `sizes` are those of the results.
static FailureOr<SmallVector<Value>> createReduction(OpBuilder &builder, const WindowReduction &r,
                                                     ValueRange inputs,
                                                     ArrayRef<RuntimeWindowDim> window,
                                                     ArrayRef<OpFoldResult> sizes) {
  Operation *wide = getWideCombiner(r.body);
  SmallVector<Value> inits;
  for (auto [init, type] : llvm::zip(r.inits, r.types)) {
    Type element = wide ? builder.getF32Type() : type.getElementType();
    Value scalar = wide ? castFloat(builder, r.loc, init, element) : init;
    auto filled = RankedTensorType::get(type.getShape(), element);
    inits.push_back(createFill(builder, r.loc, filled, scalar, sizes));
  }
  FailureOr<SmallVector<Value>> results = createLoops(builder, r, inputs, inits, window, wide);
  if (succeeded(results) && wide)
    results->front() = roundTensor(builder, r.loc, results->front(), r.types.front(), sizes);
  return results;
}

/// The general form for dynamic shapes.
/// 1. Count the windows; where a result's size is known, that is a check.
/// 2. Pad and dilate the inputs with the initial values.
/// 3. Reduce.
static FailureOr<SmallVector<Value>> createRuntimeReduction(OpBuilder &builder,
                                                            const WindowReduction &r,
                                                            ArrayRef<RuntimeWindowDim> window) {
  SmallVector<OpFoldResult> sizes;
  for (auto [dim, w] : llvm::enumerate(window)) {
    Value size = getDim(builder, r.loc, r.inputs.front(), dim);
    Value count = createWindowCount(builder, r.loc, size, w);
    assertDeclaredSize(builder, r.loc, "reduce_window", count, r.types.front(), dim);
    sizes.push_back(getAsOpFoldResult(count));
  }
  SmallVector<Value> inputs(r.inputs);
  if (needsPadding(window))
    for (auto [input, init] : llvm::zip(inputs, r.inits))
      input = createRuntimePadded(builder, r.loc, input, init, window);
  return createReduction(builder, r, inputs, window, sizes);
}

namespace {

/// What the two ops have in common.
template <typename OpTy> struct WindowPattern : OpConversionPattern<OpTy> {
  using OpConversionPattern<OpTy>::OpConversionPattern;

  /// The results' types, unless one is wider than its input, which the specification allows and no
  /// framework prints.
  FailureOr<SmallVector<RankedTensorType>> getTypes(OpTy op, ValueRange inputs) const {
    SmallVector<RankedTensorType> types;
    for (auto [input, result] : llvm::zip(inputs, op->getResults())) {
      types.push_back(
          this->getTypeConverter()->template convertType<RankedTensorType>(result.getType()));
      if (types.back().getElementType() != getElementTypeOrSelf(input.getType()))
        return refuseOp(op, "its result is wider than its input");
    }
    return types;
  }

  static SmallVector<Value> getScalars(OpBuilder &builder, Location loc, ValueRange tensors) {
    return llvm::map_to_vector(tensors,
                               [&](Value tensor) { return extractScalar(builder, loc, tensor); });
  }

  LogicalResult replace(OpTy op, const FailureOr<SmallVector<Value>> &results,
                        ConversionPatternRewriter &rewriter) const {
    if (failed(results))
      return rewriter.notifyMatchFailure(op, "its body has no scalar form");
    rewriter.replaceOp(op, *results);
    return success();
  }
};

struct ReduceWindowPattern : WindowPattern<ReduceWindowOp> {
  ReduceWindowPattern(const TypeConverter &converter, MLIRContext *context, bool sumsInBlocks)
      : WindowPattern(converter, context), sumsInBlocks(sumsInBlocks) {}
  bool sumsInBlocks;

  LogicalResult matchAndRewrite(ReduceWindowOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto types = getTypes(op, adaptor.getInputs());
    if (failed(types))
      return failure();
    assertSameShape(rewriter, loc, "reduce_window", adaptor.getInputs());
    WindowReduction reduction{loc, op.getBody(), adaptor.getInputs(),
                              getScalars(rewriter, loc, adaptor.getInitValues()), *types};
    SmallVector<WindowDim> window = getWindow(op);
    SmallVector<RuntimeWindowDim> values = getRuntimeWindow(rewriter, window);
    auto inputType = cast<RankedTensorType>(adaptor.getInputs().front().getType());
    std::optional<Scan> scan = matchScan(window, inputType);
    if (scan && takesInitOnce(op.getBody(), op.getInitValues().front()))
      return replace(op,
                     createScan(rewriter, loc, *scan, reduction.inputs, reduction.inits, *types,
                                op.getBody(), sumsInBlocks),
                     rewriter);
    if (!inputType.hasStaticShape() || !types->front().hasStaticShape())
      return replace(op, createRuntimeReduction(rewriter, reduction, values), rewriter);
    SmallVector<Value> inputs(adaptor.getInputs());
    if (needsPadding(values)) // an op that is lowered in its turn
      for (auto [input, source, init] : llvm::zip(inputs, op.getInputs(), op.getInitValues()))
        input = createPadded(rewriter, *getTypeConverter(), loc, source, init, window);
    return replace(op, createReduction(rewriter, reduction, inputs, values, {}), rewriter);
  }
};

struct DynamicReduceWindowPattern : WindowPattern<CustomCallOp> {
  using WindowPattern::WindowPattern;

  // 1. Take the window's numbers out of the operands. Strides and dilations must be constants.
  // 2. If one dimension alone has a window, and that of a size known only at run time, it may be a
  //    running reduction: ask at run time, and have both.
  LogicalResult matchAndRewrite(CustomCallOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (op.getCallTargetName() != stablehlo::kDynamicReduceWindow)
      return rewriter.notifyMatchFailure(op, "it calls something else");
    Location loc = op.getLoc();
    DynamicReduceWindow form(op);
    ValueRange inputs = adaptor.getInputs().take_front(form.inputs);
    auto types = getTypes(op, inputs);
    auto function = stablehlo::getCalledComputation(op, 2 * form.inputs, form.inputs);
    if (failed(types) || failed(function))
      return failure();
    auto window = getWindowOperands(op, adaptor.getInputs(), form, rewriter);
    if (failed(window))
      return refuseOp(op, "its strides or dilations are not constants");
    assertSameShape(rewriter, loc, "dynamic_reduce_window", inputs);
    ValueRange initValues = adaptor.getInputs().slice(form.initValues(), form.inputs);
    WindowReduction reduction{loc, function->getBody(), inputs,
                              getScalars(rewriter, loc, initValues), *types};
    Scan scan;
    bool mayBeScan = takesInitOnce(function->getBody(), op.getInputs()[form.initValues()]);
    Value isScan =
        mayBeScan ? matchRuntimeScan(rewriter, loc, inputs.front(), *window, scan) : Value();
    if (!isScan)
      return replace(op, createRuntimeReduction(rewriter, reduction, *window), rewriter);
    return replace(op, createEither(rewriter, isScan, scan, reduction, *window), rewriter);
  }

private:
  static FailureOr<SmallVector<RuntimeWindowDim>> getWindowOperands(CustomCallOp op,
                                                                    ValueRange operands,
                                                                    const DynamicReduceWindow &form,
                                                                    OpBuilder &builder) {
    Location loc = op.getLoc();
    SmallVector<RuntimeWindowDim> window;
    int64_t rank = cast<RankedTensorType>(op->getResult(0).getType()).getRank();
    for (int64_t dim = 0; dim < rank; ++dim) {
      auto number = [&](size_t operand) {
        return getAsOpFoldResult(extractIndex(builder, loc, operands[operand], dim));
      };
      auto pad = [&](int64_t side) {
        Value amount = extractElement(builder, loc, operands[form.padding()], dim, side);
        return getAsOpFoldResult(castToIndex(builder, loc, amount));
      };
      auto stride = getConstantIntValue(number(form.windowStrides()));
      auto dilation = getConstantIntValue(number(form.windowDilations()));
      OpFoldResult baseDilation = number(form.baseDilations());
      if (!stride || !dilation || *stride < 1 || *dilation < 1 ||
          !getConstantIntValue(baseDilation))
        return failure();
      window.push_back(
          {number(form.windowDimensions()), pad(0), pad(1), baseDilation, *stride, *dilation});
    }
    return window;
  }

  /// Whether the windows are those of `scan` in this run; null if they cannot be.
  static Value matchRuntimeScan(OpBuilder &builder, Location loc, Value input,
                                ArrayRef<RuntimeWindowDim> window, Scan &scan) {
    auto isOne = [](OpFoldResult number) { return isConstantIntValue(number, 1); };
    int64_t found = -1;
    for (auto [dim, w] : llvm::enumerate(window)) {
      if (w.stride != 1 || w.windowDilation != 1 || !isOne(w.baseDilation))
        return nullptr;
      if (isOne(w.size) && !needsPadding(w))
        continue;
      if (found >= 0 || getConstantIntValue(w.size))
        return nullptr;
      found = dim;
    }
    if (found < 0)
      return nullptr;
    const RuntimeWindowDim &w = window[found];
    scan = Scan{found, isConstantIntValue(w.padLow, 0)};
    if (!scan.reversed && !isConstantIntValue(w.padHigh, 0))
      return nullptr;
    IndexBuilder ib{builder, loc};
    auto same = [&](OpFoldResult x, Value y) {
      return builder.createOrFold<arith::CmpIOp>(
          loc, arith::CmpIPredicate::eq, getValueOrCreateConstantIndexOp(builder, loc, x), y);
    };
    Value size = getDim(builder, loc, input, found);
    Value reach = same(scan.reversed ? w.padHigh : w.padLow, ib.sub(size, ib.constant(1)));
    return builder.createOrFold<arith::AndIOp>(loc, same(w.size, size), reach);
  }

  static FailureOr<SmallVector<Value>> createEither(OpBuilder &builder, Value isScan,
                                                    const Scan &scan,
                                                    const WindowReduction &reduction,
                                                    ArrayRef<RuntimeWindowDim> window) {
    Location loc = reduction.loc;
    // Not by the builder's callbacks: assertions look for the module, so the branches must be in
    // it.
    SmallVector<Type> types(reduction.types.begin(), reduction.types.end());
    auto branch = scf::IfOp::create(builder, loc, types, isScan,
                                    /*addThenBlock=*/true, /*addElseBlock=*/true);
    OpBuilder::InsertionGuard guard(builder);
    auto yield = [&](FailureOr<SmallVector<Value>> results) -> LogicalResult {
      if (failed(results))
        return failure();
      for (auto [value, type] : llvm::zip(*results, reduction.types))
        value = castTensor(builder, loc, value, type);
      scf::YieldOp::create(builder, loc, *results);
      return success();
    };
    builder.setInsertionPointToStart(branch.thenBlock());
    for (int64_t dim = 0; dim < reduction.types.front().getRank(); ++dim)
      assertDeclaredSize(builder, loc, "dynamic_reduce_window",
                         getDim(builder, loc, reduction.inputs.front(), dim),
                         reduction.types.front(), dim);
    if (failed(yield(createScan(builder, loc, scan, reduction.inputs, reduction.inits,
                                reduction.types, reduction.body))))
      return failure();
    builder.setInsertionPointToStart(branch.elseBlock());
    if (failed(yield(createRuntimeReduction(builder, reduction, window))))
      return failure();
    return SmallVector<Value>(branch.getResults());
  }
};

} // namespace

void forge::populateReduceWindowPatterns(const TypeConverter &converter,
                                         RewritePatternSet &patterns, bool sumsInBlocks) {
  patterns.add<ReduceWindowPattern>(converter, patterns.getContext(), sumsInBlocks);
  patterns.add<DynamicReduceWindowPattern>(converter, patterns.getContext());
}
