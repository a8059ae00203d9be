// A random token of every row: order, cuts, a number from Philox, and the running sum that exceeds
// its share.
#include "FallingOrder.h"
#include "SizeChecks.h"

#include "forge/Conversion/Utils/IndexBuilder.h"
#include "forge/Conversion/Utils/Philox.h"
#include "forge/Conversion/Utils/TensorUtils.h"

#include <limits>

using namespace mlir;
using namespace forge::transformer;

namespace forge {
namespace {

/// 1. The argmax and the largest logit of every row; weights exp((x - largest) / temperature).
/// 2. With top_k or top_p: the rows in falling order, how many of each are kept, and the last kept
///    one: a token is kept if it is not behind that.
/// 3. Per row a number in [0, 1) from its seed and step; the first kept token at which the running
///    sum of weights, in f64, exceeds that share of their sum.
/// 4. The argmax instead, where the temperature is not above 0 or the largest logit not finite.
class SampleLowering {
public:
  SampleLowering(ImplicitLocOpBuilder &b, SampleOp op, SortForm form)
      : b(b), op(op), form(form), compute(computeType(op.getLogits().getType().getElementType())),
        sizes(sizesOf(b, op.getLogits())) {}

  Value run() {
    assertRows(b, "sample", op.getLogits());
    for (auto [name, vector] : {std::pair<StringRef, Value>("seeds", op.getSeeds()),
                                {"steps", op.getSteps()},
                                {"temperature", op.getTemperature()},
                                {"top_k", op.getTopK()},
                                {"top_p", op.getTopP()}})
      checkVector(b, op, name, vector, op.getLogits(), 0);
    Type indexType = op.getResult().getType().getElementType();
    Value greedy = emitArgmax(b, op.getLogits(), indexType);
    largest = emitLargest();
    weights = emitWeights();
    if (op.getTopK() || op.getTopP())
      ordered = emitOrdered(b, op.getLogits(), indexType, form);
    IndexBuilder ib{b, b.getLoc()};
    rowLength = getDim(b, b.getLoc(), op.getLogits(), 1);
    Value empty = tensor::EmptyOp::create(b, {sizes[0]}, indexType);
    Value rows = getDim(b, b.getLoc(), op.getLogits(), 0);
    Value drawn = ib.loops(rows, empty, [&](IndexBuilder in, ValueRange row, ValueRange values) {
                      Value token = castFromIndex(in, drawRow(in, row[0]), indexType);
                      return SmallVector<Value>{in.write(token, values[0], row[0])};
                    }).front();
    return emitChoice(drawn, greedy, indexType);
  }

private:
  AffineMap all() { return b.getMultiDimIdentityMap(2); }
  AffineMap row() { return dimsMap(b, 2, {0}); }

  static Value castFromIndex(IndexBuilder in, Value index, Type type) {
    return arith::IndexCastOp::create(in.b, in.loc, type, index);
  }

  Value emitLargest() {
    return emitReduction(
        b, sizes, 1, -std::numeric_limits<double>::infinity(), compute, {{op.getLogits(), all()}},
        [&](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
          return arith::MaximumFOp::create(inner, args[1], toType(inner, args[0], compute));
        });
  }

  Value emitWeights() {
    SmallVector<Operand> inputs = {{op.getLogits(), all()}, {largest, row()}};
    if (op.getTemperature())
      inputs.push_back({op.getTemperature(), row()});
    return emitElementwise(
        b, sizes, compute, inputs, [&](ImplicitLocOpBuilder &inner, ValueRange args) {
          Value x = arith::SubFOp::create(inner, toType(inner, args[0], compute), args[1]);
          if (op.getTemperature())
            x = arith::DivFOp::create(inner, x, toType(inner, args[2], compute));
          return Value(math::ExpOp::create(inner, x));
        });
  }

  //===--------------------------------------------------------------------===//
  // One row
  //===--------------------------------------------------------------------===//

  Value real(IndexBuilder in, double value) {
    return arith::ConstantOp::create(in.b, in.loc, in.b.getF64FloatAttr(value));
  }
  Value boolean(IndexBuilder in, bool value) {
    return arith::ConstantOp::create(in.b, in.loc, in.b.getBoolAttr(value));
  }
  Value compare(IndexBuilder in, arith::CmpFPredicate predicate, Value x, Value y) {
    return arith::CmpFOp::create(in.b, in.loc, predicate, x, y);
  }
  Value both(IndexBuilder in, Value x, Value y) {
    return arith::AndIOp::create(in.b, in.loc, x, y);
  }
  Value notOf(IndexBuilder in, Value x) {
    return arith::XOrIOp::create(in.b, in.loc, x, boolean(in, true));
  }
  Value addReal(IndexBuilder in, Value x, Value y) {
    return arith::AddFOp::create(in.b, in.loc, x, y);
  }
  Value multiplyReal(IndexBuilder in, Value x, Value y) {
    return arith::MulFOp::create(in.b, in.loc, x, y);
  }
  Value widen(IndexBuilder in, Value x) {
    return x.getType().isF64() ? x : arith::ExtFOp::create(in.b, in.loc, in.b.getF64Type(), x);
  }

  /// The weight of a token, in f64.
  Value weightOf(IndexBuilder in, Value row, Value token) {
    return widen(in, in.read(weights, {row, token}));
  }
  /// The token at a place of the falling order.
  Value tokenAt(IndexBuilder in, Value row, Value place) {
    return castToIndex(in.b, in.loc, in.read(ordered.indices, {row, place}));
  }

  /// How many tokens top_k leaves.
  Value emitCount(IndexBuilder in, Value row) {
    if (!op.getTopK())
      return rowLength;
    Value k = castToIndex(in.b, in.loc, in.read(op.getTopK(), row));
    Value tooFew = in.less(k, in.constant(1));
    return in.select(tooFew, rowLength, in.min(k, rowLength));
  }

  /// How many of the first `count` tokens top_p leaves.
  Value emitShare(IndexBuilder in, Value row, Value count) {
    if (!op.getTopP())
      return count;
    Value share = widen(in, in.read(op.getTopP(), row));
    Value total =
        in.loops(count, real(in, 0), [&](IndexBuilder inner, ValueRange place, ValueRange values) {
            Value weight = weightOf(inner, row, tokenAt(inner, row, place[0]));
            return SmallVector<Value>{addReal(inner, values[0], weight)};
          }).front();
    Value enough = multiplyReal(in, share, total);
    Value kept =
        in.loops(count, {real(in, 0), count, boolean(in, false)},
                 [&](IndexBuilder inner, ValueRange place, ValueRange values) {
                   Value weight = weightOf(inner, row, tokenAt(inner, row, place[0]));
                   Value sum = addReal(inner, values[0], weight);
                   Value reached = compare(inner, arith::CmpFPredicate::OGE, sum, enough);
                   Value isEnd = both(inner, reached, notOf(inner, values[2]));
                   Value next = inner.add(place[0], 1);
                   Value isDone = arith::OrIOp::create(inner.b, inner.loc, reached, values[2]);
                   return SmallVector<Value>{sum, inner.select(isEnd, next, values[1]), isDone};
                 })[1];
    Value cuts = compare(in, arith::CmpFPredicate::OLT, share, real(in, 1));
    return in.select(cuts, kept, count);
  }

  /// The last kept token of the falling order; null where all are kept.
  Value emitLastKept(IndexBuilder in, Value row) {
    if (!ordered.indices)
      return {};
    Value kept = emitShare(in, row, emitCount(in, row));
    return tokenAt(in, row, in.max(in.sub(kept, in.constant(1)), in.constant(0)));
  }

  /// Whether a token is not behind `last`.
  Value isKept(IndexBuilder in, Value row, Value token, Value last) {
    if (!last)
      return boolean(in, true);
    ImplicitLocOpBuilder inner(in.loc, in.b);
    Value x = in.read(op.getLogits(), {row, token}), y = in.read(op.getLogits(), {row, last});
    Value notLater = arith::CmpIOp::create(inner, arith::CmpIPredicate::sle, token, last);
    Value isTied = both(in, notOf(in, emitComesBefore(inner, y, x)), notLater);
    return arith::OrIOp::create(inner, emitComesBefore(inner, x, y), isTied);
  }

  /// The top 24 bits of the first word under the row's seed and step, as a fraction in f64.
  Value emitUniform(IndexBuilder in, Value row) {
    WordBuilder w(in.b, in.loc);
    Value seed = in.read(op.getSeeds(), row), step = in.read(op.getSteps(), row);
    Words words = emitPhilox(w, {w.low(seed), w.high(seed)},
                             {w.low(step), w.high(step), w.word(0), w.word(0)});
    Value bits = w.op<arith::ShRUIOp>(words[0], w.word(8));
    Value number = arith::UIToFPOp::create(w.b, in.b.getF64Type(), bits);
    return multiplyReal(in, number, real(in, 0x1p-24));
  }

  Value drawRow(IndexBuilder in, Value row) {
    Value last = emitLastKept(in, row);
    Value total = in.loops(rowLength, real(in, 0),
                           [&](IndexBuilder inner, ValueRange token, ValueRange values) {
                             Value sum = addReal(inner, values[0], weightOf(inner, row, token[0]));
                             Value kept = isKept(inner, row, token[0], last);
                             return SmallVector<Value>{inner.select(kept, sum, values[0])};
                           })
                      .front();
    Value target = multiplyReal(in, emitUniform(in, row), total);
    return in.loops(
        rowLength, {in.constant(0), real(in, 0), boolean(in, false)},
        [&](IndexBuilder inner, ValueRange token, ValueRange values) {
          Value taken = both(inner, isKept(inner, row, token[0], last), notOf(inner, values[2]));
          Value sum = addReal(inner, values[1], weightOf(inner, row, token[0]));
          Value exceeds = compare(inner, arith::CmpFPredicate::OGT, sum, target);
          return SmallVector<Value>{
              inner.select(taken, token[0], values[0]), inner.select(taken, sum, values[1]),
              arith::OrIOp::create(inner.b, inner.loc, values[2], both(inner, taken, exceeds))};
        })[0];
  }

  /// The drawn token, or the argmax where nothing is to be drawn.
  Value emitChoice(Value drawn, Value greedy, Type indexType) {
    AffineMap rows = b.getMultiDimIdentityMap(1);
    SmallVector<Operand> inputs = {{drawn, rows}, {greedy, rows}, {largest, rows}};
    if (op.getTemperature())
      inputs.push_back({op.getTemperature(), rows});
    return emitElementwise(
        b, {sizes[0]}, indexType, inputs, [&](ImplicitLocOpBuilder &inner, ValueRange args) {
          Value magnitude = math::AbsFOp::create(inner, args[2]);
          Value infinity = constant(inner, compute, std::numeric_limits<double>::infinity());
          Value draws =
              arith::CmpFOp::create(inner, arith::CmpFPredicate::OLT, magnitude, infinity);
          if (op.getTemperature()) {
            Value isWarm = arith::CmpFOp::create(inner, arith::CmpFPredicate::OGT, args[3],
                                                 constant(inner, args[3].getType(), 0.0));
            draws = arith::AndIOp::create(inner, draws, isWarm);
          }
          return Value(arith::SelectOp::create(inner, draws, args[0], args[1]));
        });
  }

  ImplicitLocOpBuilder &b;
  SampleOp op;
  SortForm form;
  Type compute;
  Sizes sizes;
  Value largest, weights, rowLength;
  Ordered ordered;
};

struct LowerSample : OpRewritePattern<SampleOp> {
  LowerSample(MLIRContext *context, SortForm form) : OpRewritePattern(context), form(form) {}
  LogicalResult matchAndRewrite(SampleOp op, PatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    rewriter.replaceOp(op, castTo(b, SampleLowering(b, op, form).run(), op.getResult().getType()));
    return success();
  }

private:
  SortForm form;
};

} // namespace

void populateSamplePatterns(RewritePatternSet &patterns, SortForm form) {
  patterns.add<LowerSample>(patterns.getContext(), form);
}

} // namespace forge
