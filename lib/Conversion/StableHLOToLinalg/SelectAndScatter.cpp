// select_and_scatter: sequential loops over the windows; for devices, what each window selects, and
// then what each place gets of the windows around it.
#include "Refuse.h"
#include "RuntimeWindow.h"

#include "forge/Conversion/Utils/IndexBuilder.h"

#include "forge/Conversion/StableHLOToLinalg/Patterns.h"
#include "forge/Conversion/StableHLOToLinalg/ScalarOps.h"
#include "forge/Conversion/Utils/TensorUtils.h"
#include "forge/Dialect/StableHLO/IR/Window.h"

using namespace mlir;
using namespace forge;
using stablehlo::SelectAndScatterOp;
using stablehlo::WindowDim;

namespace {

struct SelectAndScatterPattern : OpConversionPattern<SelectAndScatterOp> {
  SelectAndScatterPattern(const TypeConverter &converter, MLIRContext *context, bool sideBySide)
      : OpConversionPattern(converter, context), sideBySide(sideBySide) {}
  bool sideBySide;

  // 1. Fill the result with the initial value.
  // 2. Loop over the source; its element's window starts at element * stride - low padding.
  // 3. Loop over the part of the window inside the operand, carrying whether an element was seen,
  //    the selected one, and where it is.
  // 4. Combine the source's element into the result at that place; not when the window is empty.
  LogicalResult matchAndRewrite(SelectAndScatterOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto type = getTypeConverter()->convertType<RankedTensorType>(op.getType());
    Value operand = adaptor.getOperand(), source = adaptor.getSource();
    if (getElementTypeOrSelf(operand.getType()) != type.getElementType())
      return refuseOp(op, "its result is wider than its operand");
    Value init =
        createFill(rewriter, loc, type, extractScalar(rewriter, loc, adaptor.getInitValue()),
                   getSizes(rewriter, loc, operand));
    SmallVector<WindowDim> window = getWindow(op);
    SmallVector<Value> sourceSizes, sizes;
    assertSourceSizes(rewriter, loc, operand, source, window);
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      sourceSizes.push_back(getDim(rewriter, loc, source, dim));
      sizes.push_back(getDim(rewriter, loc, operand, dim));
    }
    IndexBuilder ib{rewriter, loc};
    bool hasScalarForm = true;
    bool isStatic =
        type.hasStaticShape() && cast<RankedTensorType>(source.getType()).hasStaticShape();
    if (sideBySide && isStatic && type.getNumElements() > 0) {
      Value start = extractScalar(rewriter, loc, adaptor.getInitValue());
      Value result = createSideBySide(ib, op, operand, source, start, window, sourceSizes, sizes,
                                      hasScalarForm);
      if (!hasScalarForm)
        return rewriter.notifyMatchFailure(op, "one of its regions has no scalar form");
      rewriter.replaceOp(op, result);
      return success();
    }
    SmallVector<Value> results =
        ib.loops(sourceSizes, init, [&](IndexBuilder in, ValueRange place, ValueRange result) {
          SmallVector<Value> start = startOf(in, window, place);
          SmallVector<Value> selected =
              emitSelection(in, op, operand, window, start, sizes, hasScalarForm);
          return SmallVector<Value>{
              emitScatter(in, op, in.read(source, place), selected, result.front(), hasScalarForm)};
        });
    if (!hasScalarForm)
      return rewriter.notifyMatchFailure(op, "one of its regions has no scalar form");
    rewriter.replaceOp(op, results);
    return success();
  }

private:
  /// Ends the run unless there is one source element per window, where sizes are dynamic.
  static void assertSourceSizes(OpBuilder &builder, Location loc, Value operand, Value source,
                                ArrayRef<WindowDim> window) {
    auto operandType = cast<RankedTensorType>(operand.getType());
    auto sourceType = cast<RankedTensorType>(source.getType());
    for (auto [dim, w] : llvm::enumerate(getRuntimeWindow(builder, window))) {
      if (!operandType.isDynamicDim(dim) && !sourceType.isDynamicDim(dim))
        continue;
      Value count = createWindowCount(builder, loc, getDim(builder, loc, operand, dim), w);
      Value size = getDim(builder, loc, source, dim);
      Value same = builder.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, size, count);
      createRuntimeAssert(builder, loc, same,
                          "select_and_scatter: expected {1} source elements along dimension " +
                              std::to_string(dim) + ", but got {0}",
                          {size, count});
    }
  }

  /// The window is the source element's own place.
  static bool isElement(const WindowDim &w) {
    return w.size == 1 && w.stride == 1 && w.padLow == 0 && w.padHigh == 0;
  }

  /// Whether any element is in the window, the selected one, and its place.
  static SmallVector<Value> emitSelection(IndexBuilder ib, SelectAndScatterOp op, Value operand,
                                          ArrayRef<WindowDim> window, ValueRange start,
                                          ValueRange sizes, bool &hasScalarForm) {
    SmallVector<Value> lower, upper;
    Value zero = ib.constant(0);
    for (auto [w, begin, size] : llvm::zip(window, start, sizes)) {
      if (isElement(w))
        continue;
      lower.push_back(ib.max(zero, ib.sub(zero, begin)));
      upper.push_back(ib.min(ib.constant(w.size), ib.sub(size, begin)));
    }
    Type element = getElementTypeOrSelf(operand.getType());
    Value none = arith::ConstantOp::create(ib.b, ib.loc, ib.b.getBoolAttr(false));
    SmallVector<Value> carried = {
        none, arith::ConstantOp::create(ib.b, ib.loc, ib.b.getZeroAttr(element))};
    carried.append(start.size(), zero);
    SmallVector<Value> selected =
        ib.loops(lower, upper, carried, [&](IndexBuilder in, ValueRange offset, ValueRange best) {
          SmallVector<Value> place;
          for (auto [w, begin] : llvm::zip(window, start)) {
            place.push_back(isElement(w) ? begin : in.add(begin, offset.front()));
            offset = offset.drop_front(!isElement(w));
          }
          Value candidate = in.read(operand, place);
          FailureOr<SmallVector<Value>> stays =
              emitScalarRegion(in.b, op.getSelect(), {best[1], candidate});
          hasScalarForm &= succeeded(stays);
          Value keep = succeeded(stays) ? stays->front() : none;
          keep = in.b.createOrFold<arith::AndIOp>(in.loc, best[0], keep);
          SmallVector<Value> next = {
              arith::ConstantOp::create(in.b, in.loc, in.b.getBoolAttr(true)),
              in.select(keep, best[1], candidate)};
          for (auto [old, index] : llvm::zip(best.drop_front(2), place))
            next.push_back(in.select(keep, old, index));
          return next;
        });
    for (auto [dim, w] : llvm::enumerate(window))
      if (isElement(w))
        selected[dim + 2] = start[dim];
    return selected;
  }

  /// Where `offsets` from a window's start are in it, counted through its dimensions.
  static Value numberInWindow(IndexBuilder ib, ArrayRef<WindowDim> window, ValueRange offsets) {
    Value number = ib.constant(0);
    for (auto [w, offset] : llvm::zip_equal(window, offsets))
      if (!isElement(w))
        number = ib.add(ib.mul(number, w.size), offset);
    return arith::IndexCastOp::create(ib.b, ib.loc, ib.b.getI64Type(), number);
  }

  static SmallVector<Value> startOf(IndexBuilder ib, ArrayRef<WindowDim> window, ValueRange place) {
    return llvm::map_to_vector(llvm::zip_equal(place, window), [&](auto pair) {
      const WindowDim &w = std::get<1>(pair);
      return ib.add(ib.mul(std::get<0>(pair), w.stride), -w.padLow);
    });
  }

  /// 1. Of each window the number of the element that it selects; -1 of an empty one.
  /// 2. At each place, of the windows that reach it, in the order of their numbers, the source's
  ///    elements of those that have selected it: the order in which a loop over windows adds them.
  static Value createSideBySide(IndexBuilder ib, SelectAndScatterOp op, Value operand, Value source,
                                Value init, ArrayRef<WindowDim> window, ValueRange sourceSizes,
                                ValueRange sizes, bool &hasScalarForm) {
    auto sourceType = cast<RankedTensorType>(source.getType());
    Type i64 = ib.b.getI64Type();
    Value none = arith::ConstantOp::create(ib.b, ib.loc, ib.b.getI64IntegerAttr(-1));
    Value empty = tensor::EmptyOp::create(ib.b, ib.loc, sourceType.getShape(), i64);
    auto select = [&](IndexBuilder in, ValueRange place, ValueRange chosen) {
      SmallVector<Value> start = startOf(in, window, place);
      SmallVector<Value> selected =
          emitSelection(in, op, operand, window, start, sizes, hasScalarForm);
      SmallVector<Value> offsets;
      for (auto [at, begin] : llvm::zip_equal(ArrayRef(selected).drop_front(2), start))
        offsets.push_back(in.sub(at, begin));
      Value number = in.select(selected.front(), numberInWindow(in, window, offsets), none);
      return SmallVector<Value>{in.write(number, chosen.front(), place)};
    };
    Value chosen = ib.independentLoops(sourceSizes, empty, select).front();
    auto operandType = cast<RankedTensorType>(operand.getType());
    Value result = tensor::EmptyOp::create(ib.b, ib.loc, operandType.getShape(), init.getType());
    auto gather = [&](IndexBuilder in, ValueRange place, ValueRange results) {
      SmallVector<Value> lower, upper;
      for (auto [at, w, count] : llvm::zip_equal(place, window, sourceSizes)) {
        if (isElement(w))
          continue;
        Value zero = in.constant(0), stride = in.constant(w.stride);
        auto dividedFrom = [&](int64_t offset) {
          return in.b.createOrFold<arith::DivUIOp>(in.loc, in.max(in.add(at, offset), zero),
                                                   stride);
        };
        lower.push_back(dividedFrom(w.padLow - w.size + w.stride));
        upper.push_back(in.min(dividedFrom(w.padLow + w.stride), count));
      }
      auto add = [&](IndexBuilder inner, ValueRange counters, ValueRange sum) {
        SmallVector<Value> from, offsets;
        for (auto [at, w] : llvm::zip_equal(place, window)) {
          from.push_back(isElement(w) ? at : counters.front());
          counters = counters.drop_front(!isElement(w));
        }
        for (auto [at, begin] : llvm::zip_equal(place, startOf(inner, window, from)))
          offsets.push_back(inner.sub(at, begin));
        Value isSelected =
            arith::CmpIOp::create(inner.b, inner.loc, arith::CmpIPredicate::eq,
                                  inner.read(chosen, from), numberInWindow(inner, window, offsets));
        FailureOr<SmallVector<Value>> combined =
            emitScalarRegion(inner.b, op.getScatter(), {sum.front(), inner.read(source, from)});
        hasScalarForm &= succeeded(combined);
        if (failed(combined))
          return SmallVector<Value>(sum);
        return SmallVector<Value>{inner.select(isSelected, combined->front(), sum.front())};
      };
      Value sum = in.loops(lower, upper, init, add).front();
      return SmallVector<Value>{in.write(sum, results.front(), place)};
    };
    return ib.independentLoops(sizes, result, gather).front();
  }

  static Value emitScatter(IndexBuilder ib, SelectAndScatterOp op, Value source,
                           ArrayRef<Value> selected, Value result, bool &hasScalarForm) {
    auto branch = scf::IfOp::create(
        ib.b, ib.loc, selected.front(),
        [&](OpBuilder &b, Location l) {
          IndexBuilder in{b, l};
          ArrayRef<Value> place = selected.drop_front(2);
          FailureOr<SmallVector<Value>> combined =
              emitScalarRegion(b, op.getScatter(), {in.read(result, place), source});
          hasScalarForm &= succeeded(combined);
          Value next = succeeded(combined) ? in.write(combined->front(), result, place) : result;
          scf::YieldOp::create(b, l, next);
        },
        [&](OpBuilder &b, Location l) { scf::YieldOp::create(b, l, result); });
    return branch.getResult(0);
  }
};

} // namespace

void forge::populateSelectAndScatterPatterns(const TypeConverter &converter,
                                             RewritePatternSet &patterns, bool sideBySide) {
  patterns.add<SelectAndScatterPattern>(converter, patterns.getContext(), sideBySide);
}
