// select_and_scatter: sequential loops over the windows.
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
  using OpConversionPattern::OpConversionPattern;

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
    SmallVector<Value> results =
        ib.loops(sourceSizes, init, [&](IndexBuilder in, ValueRange place, ValueRange result) {
          SmallVector<Value> start;
          for (auto [index, w] : llvm::zip(place, window))
            start.push_back(in.add(in.mul(index, w.stride), -w.padLow));
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
                                             RewritePatternSet &patterns) {
  patterns.add<SelectAndScatterPattern>(converter, patterns.getContext());
}
