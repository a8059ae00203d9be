// reduce_window: running reductions as one scan, all others as a linalg.generic with the window as
// reduction loops.
#include "WindowLowering.h"
#include "forge/Conversion/Utils/IndexBuilder.h"
#include "forge/Conversion/Utils/RuntimeShape.h"

#include "forge/Conversion/StableHLOToLinalg/Patterns.h"
#include "forge/Conversion/StableHLOToLinalg/ScalarOps.h"
#include "forge/Conversion/Utils/TensorUtils.h"
#include "forge/Dialect/StableHLO/IR/Window.h"

using namespace mlir;
using namespace forge;
using stablehlo::ReduceWindowOp;
using stablehlo::WindowDim;

namespace {

/// How cumsum and its like are printed: along one dimension the window is as long as the input and
/// reaches back to its start (or on to its end), along the others it is one element.
struct Scan {
  int64_t dim;
  bool reversed;
};

} // namespace

static bool isUnit(const WindowDim &window) {
  return window.size == 1 && window.stride == 1 && window.padLow == 0 && window.padHigh == 0 &&
         window.baseDilation == 1;
}

static std::optional<Scan> matchScan(ArrayRef<WindowDim> window, RankedTensorType type) {
  std::optional<Scan> scan;
  for (auto [dim, w] : llvm::enumerate(window)) {
    int64_t size = type.getDimSize(dim);
    if (isUnit(w))
      continue;
    bool forward = w.padLow == size - 1 && w.padHigh == 0;
    bool backward = w.padHigh == size - 1 && w.padLow == 0;
    if (scan || w.size != size || w.stride != 1 || w.baseDilation != 1 || w.windowDilation != 1 ||
        (!forward && !backward))
      return std::nullopt;
    scan = Scan{static_cast<int64_t>(dim), !forward};
  }
  return scan;
}

namespace {

struct ScanPattern : OpConversionPattern<ReduceWindowOp> {
  ScanPattern(const TypeConverter &converter, MLIRContext *context)
      : OpConversionPattern(converter, context, /*benefit=*/2) {}

  // 1. Loop over the lines; what is accumulated starts as the initial values.
  // 2. Along the line, combine with each element and write the result at its place. Narrow sums and
  //    products are carried in f32 and rounded where they are written.
  LogicalResult matchAndRewrite(ReduceWindowOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto inputType = cast<RankedTensorType>(adaptor.getInputs().front().getType());
    std::optional<Scan> scan = matchScan(getWindow(op), inputType);
    if (!scan)
      return rewriter.notifyMatchFailure(op, "it is no running reduction");
    assertSameShape(rewriter, loc, "reduce_window", adaptor.getInputs());
    IndexBuilder ib{rewriter, loc};
    SmallVector<OpFoldResult> sizes = getSizes(rewriter, loc, adaptor.getInputs().front());
    SmallVector<Value> outerSizes, results, inits;
    for (auto [dim, size] : llvm::enumerate(sizes))
      if (int64_t(dim) != scan->dim)
        outerSizes.push_back(getDim(rewriter, loc, adaptor.getInputs().front(), dim));
    Value size = getDim(rewriter, loc, adaptor.getInputs().front(), scan->dim);
    Operation *wide = getWideCombiner(op.getBody());
    for (auto [init, type] : llvm::zip(adaptor.getInitValues(), op.getResultTypes())) {
      auto converted = getTypeConverter()->convertType<RankedTensorType>(type);
      if (converted.getElementType() != getElementTypeOrSelf(init.getType()))
        return rewriter.notifyMatchFailure(op, "its result is wider than its input");
      results.push_back(createEmpty(rewriter, loc, converted, sizes));
      Value scalar = extractScalar(rewriter, loc, init);
      inits.push_back(wide ? castFloat(rewriter, loc, scalar, rewriter.getF32Type()) : scalar);
    }
    bool hasScalarForm = true;
    auto step = [&](IndexBuilder in, ValueRange position, ValueRange values) {
      SmallVector<Value> next = emitStep(in, op, adaptor.getInputs(), position, values, wide);
      hasScalarForm &= !next.empty();
      return next.empty() ? SmallVector<Value>(values) : next;
    };
    results = ib.loops(outerSizes, results,
                       [&](IndexBuilder outer, ValueRange coordinates, ValueRange tensors) {
                         return emitLine(outer, *scan, size, coordinates, inits, tensors, step);
                       });
    if (!hasScalarForm)
      return rewriter.notifyMatchFailure(op, "its body has no scalar form");
    rewriter.replaceOp(op, results);
    return success();
  }

private:
  using Step = llvm::function_ref<SmallVector<Value>(IndexBuilder, ValueRange, ValueRange)>;

  static SmallVector<Value> emitLine(IndexBuilder ib, const Scan &scan, Value size,
                                     ValueRange coordinates, ValueRange inits, ValueRange tensors,
                                     Step step) {
    SmallVector<Value> carried(inits);
    llvm::append_range(carried, tensors);
    SmallVector<Value> done =
        ib.loops(size, carried, [&](IndexBuilder in, ValueRange counter, ValueRange values) {
          Value place = counter[0];
          if (scan.reversed)
            place = in.sub(in.sub(size, in.constant(1)), place);
          SmallVector<Value> position(coordinates);
          position.insert(position.begin() + scan.dim, place);
          return step(in, position, values);
        });
    return SmallVector<Value>(llvm::drop_begin(done, inits.size()));
  }

  /// `values`: what is accumulated, then the results. Empty when the body has no scalar form.
  static SmallVector<Value> emitStep(IndexBuilder ib, ReduceWindowOp op, ValueRange inputs,
                                     ValueRange position, ValueRange values, Operation *wide) {
    SmallVector<Value> args(values.take_front(inputs.size()));
    for (Value input : inputs)
      args.push_back(ib.read(input, position));
    FailureOr<SmallVector<Value>> next = emitCombiner(ib.b, op.getBody(), args, wide);
    if (failed(next))
      return {};
    SmallVector<Value> carried(*next);
    for (auto [value, tensor] : llvm::zip(*next, values.drop_front(inputs.size()))) {
      Value element = value;
      if (wide)
        element = castFloat(ib.b, ib.loc, value, getElementTypeOrSelf(tensor.getType()));
      carried.push_back(ib.write(element, tensor, position));
    }
    return carried;
  }
};

struct ReduceWindowPattern : OpConversionPattern<ReduceWindowOp> {
  using OpConversionPattern::OpConversionPattern;

  // 1. Pad and dilate the inputs with the initial values (an op that is lowered in its turn).
  // 2. Fill the results with the initial values, in f32 where a narrow sum is taken there.
  // 3. linalg.generic over results and window, which reads the padded inputs at
  //    result * stride + window * dilation.
  LogicalResult matchAndRewrite(ReduceWindowOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<WindowDim> window = getWindow(op);
    auto inputType = cast<RankedTensorType>(op.getInputs().front().getType());
    auto resultType = cast<RankedTensorType>(op.getResultTypes().front());
    if (!inputType.hasStaticShape() || !resultType.hasStaticShape())
      return rewriter.notifyMatchFailure(op, "its shape is dynamic");
    SmallVector<Value> inputs, inits;
    Operation *wide = getWideCombiner(op.getBody());
    for (size_t i = 0; i < op.getInputs().size(); ++i) {
      auto type = getTypeConverter()->convertType<RankedTensorType>(op.getResult(i).getType());
      if (type.getElementType() != getElementTypeOrSelf(adaptor.getInputs()[i].getType()))
        return rewriter.notifyMatchFailure(op, "its result is wider than its input");
      inputs.push_back(padInput(op, adaptor, i, window, rewriter));
      Value init = extractScalar(rewriter, op.getLoc(), adaptor.getInitValues()[i]);
      if (wide) {
        init = castFloat(rewriter, op.getLoc(), init, rewriter.getF32Type());
        type = type.clone(rewriter.getF32Type());
      }
      inits.push_back(createFill(rewriter, op.getLoc(), type, init, {}));
    }
    FailureOr<SmallVector<Value>> results = createLoops(op, inputs, inits, window, wide, rewriter);
    if (failed(results))
      return rewriter.notifyMatchFailure(op, "its body has no scalar form");
    if (wide)
      results->front() = roundTensor(
          rewriter, op.getLoc(), results->front(),
          getTypeConverter()->convertType<RankedTensorType>(op.getResult(0).getType()), {});
    rewriter.replaceOp(op, *results);
    return success();
  }

private:
  Value padInput(ReduceWindowOp op, OpAdaptor adaptor, size_t index, ArrayRef<WindowDim> window,
                 ConversionPatternRewriter &rewriter) const {
    if (llvm::all_of(window, [](const WindowDim &w) {
          return w.padLow == 0 && w.padHigh == 0 && w.baseDilation == 1;
        }))
      return adaptor.getInputs()[index];
    return createPadded(rewriter, *getTypeConverter(), op.getLoc(), op.getInputs()[index],
                        op.getInitValues()[index], window);
  }

  static FailureOr<SmallVector<Value>> createLoops(ReduceWindowOp op, ValueRange inputs,
                                                   ValueRange inits, ArrayRef<WindowDim> window,
                                                   Operation *wide,
                                                   ConversionPatternRewriter &rewriter) {
    Location loc = op.getLoc();
    int64_t rank = window.size();
    SmallVector<AffineExpr> read, write, windowDims;
    SmallVector<int64_t> windowShape;
    for (auto [dim, w] : llvm::enumerate(window)) {
      AffineExpr place = rewriter.getAffineDimExpr(dim);
      windowDims.push_back(rewriter.getAffineDimExpr(rank + dim));
      read.push_back(place * w.stride + windowDims.back() * w.windowDilation);
      write.push_back(place);
      windowShape.push_back(w.size);
    }
    // Nothing is read from the last operand: it tells the sizes of the window's loops.
    SmallVector<Value> operands(inputs);
    operands.push_back(tensor::EmptyOp::create(rewriter, loc, windowShape, rewriter.getI1Type()));
    MLIRContext *context = rewriter.getContext();
    SmallVector<AffineMap> maps(inputs.size(), AffineMap::get(2 * rank, 0, read, context));
    maps.push_back(AffineMap::get(2 * rank, 0, windowDims, context));
    maps.append(inits.size(), AffineMap::get(2 * rank, 0, write, context));
    SmallVector<utils::IteratorType> iterators = parallelIterators(rank);
    iterators.append(rank, utils::IteratorType::reduction);
    bool hasScalarForm = true;
    auto generic = linalg::GenericOp::create(
        rewriter, loc, inits.getTypes(), operands, inits, maps, iterators,
        [&](OpBuilder &b, Location l, ValueRange values) {
          // The region takes what is accumulated first, then the elements.
          SmallVector<Value> args(values.take_back(inits.size()));
          llvm::append_range(args, values.take_front(inputs.size()));
          FailureOr<SmallVector<Value>> next = emitCombiner(b, op.getBody(), args, wide);
          hasScalarForm = succeeded(next);
          linalg::YieldOp::create(
              b, l, hasScalarForm ? ValueRange(*next) : values.take_back(inits.size()));
        });
    if (!hasScalarForm)
      return failure();
    return SmallVector<Value>(generic.getResults());
  }
};

} // namespace

void forge::populateReduceWindowPatterns(const TypeConverter &converter,
                                         RewritePatternSet &patterns) {
  patterns.add<ReduceWindowPattern, ScanPattern>(converter, patterns.getContext());
}
