// A random token of every row: order, cuts, a number from Philox, and the place where the running
// sum exceeds its share.
#include "FallingOrder.h"
#include "RunningSums.h"
#include "SizeChecks.h"

#include "forge/Conversion/Utils/IndexBuilder.h"
#include "forge/Conversion/Utils/Philox.h"
#include "forge/Conversion/Utils/TensorUtils.h"

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
    largest = emitLargest(greedy);
    rowLength = getDim(b, b.getLoc(), op.getLogits(), 1);
    sums.emplace(b, sizes[0], sizes[1]);
    if (op.getTopK() || op.getTopP()) {
      kept = emitCounts();
      ordered = emitOrdered(b, op.getLogits(), indexType, form, /*behind=*/{},
                            /*count=*/std::nullopt, [&](IndexBuilder in, ValueRange row) {
                              // One is read in any case.
                              return in.max(toIndex(in, in.read(kept, row)), in.constant(1));
                            });
      if (op.getTopP())
        kept = emitShares();
    }
    return emitChoice(emitDrawn(indexType), greedy, indexType);
  }

private:
  AffineMap all() { return b.getMultiDimIdentityMap(2); }
  AffineMap row() { return dimsMap(b, 2, {0}); }
  Type f64() { return b.getF64Type(); }

  /// The logits that `greedy` has the places of: NaN before all others, as the largest is.
  Value emitLargest(Value greedy) {
    return emitElementwise(
        b, {sizes[0]}, compute, {{greedy, b.getMultiDimIdentityMap(1)}},
        [&](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
          Value row = linalg::IndexOp::create(inner, 0);
          Value place = castToIndex(inner, inner.getLoc(), args[0]);
          return toType(inner,
                        tensor::ExtractOp::create(inner, op.getLogits(), ValueRange{row, place}),
                        compute);
        });
  }

  //===--------------------------------------------------------------------===//
  // Weights
  //===--------------------------------------------------------------------===//

  /// Weights of all rows in f64, [B, filled], of the logits that `logitAt` gives for a row and a
  /// place in it; zero where `isIn` does not hold. `row` are values of each row that `isIn` takes.
  Value emitWeights(
      ArrayRef<Value> ofRow, function_ref<Value(IndexBuilder, Value row, Value place)> logitAt,
      function_ref<Value(IndexBuilder, Value row, Value place, Value logit, ValueRange ofRow)>
          isIn) {
    SmallVector<Operand> inputs = {{largest, row()}};
    if (op.getTemperature())
      inputs.push_back({op.getTemperature(), row()});
    size_t before = inputs.size();
    for (Value value : ofRow)
      inputs.push_back({value, row()});
    return emitElementwise(
        b, {sizes[0], sums->filled()}, f64(), inputs,
        [&](ImplicitLocOpBuilder &inner, ValueRange args) {
          IndexBuilder in{inner, inner.getLoc()};
          Value batch = linalg::IndexOp::create(inner, 0),
                place = linalg::IndexOp::create(inner, 1);
          Value exists = in.less(place, rowLength);
          place = in.min(place, in.sub(rowLength, in.constant(1)));
          Value logit = logitAt(in, batch, place);
          Value x = arith::SubFOp::create(inner, toType(inner, logit, compute), args[0]);
          if (op.getTemperature())
            x = arith::DivFOp::create(inner, x, toType(inner, args[1], compute));
          Value weight = toType(inner, math::ExpOp::create(inner, x), f64());
          Value has = arith::AndIOp::create(
              inner, exists, isIn(in, batch, place, logit, args.slice(before, ofRow.size())));
          return in.select(has, weight, real(in, 0));
        });
  }

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
  Value either(IndexBuilder in, Value x, Value y) {
    return arith::OrIOp::create(in.b, in.loc, x, y);
  }
  Value notOf(IndexBuilder in, Value x) {
    return arith::XOrIOp::create(in.b, in.loc, x, boolean(in, true));
  }
  Value multiplyReal(IndexBuilder in, Value x, Value y) {
    return arith::MulFOp::create(in.b, in.loc, x, y);
  }

  //===--------------------------------------------------------------------===//
  // One row
  //===--------------------------------------------------------------------===//

  static Value toIndex(IndexBuilder in, Value number) {
    return arith::IndexCastOp::create(in.b, in.loc, in.b.getIndexType(), number);
  }

  /// Whether a row draws a token, and does not take the argmax.
  Value emitDraws(ImplicitLocOpBuilder &inner, Value most, Value temperature) {
    Value infinity = constant(inner, compute, std::numeric_limits<double>::infinity());
    Value draws = arith::CmpFOp::create(inner, arith::CmpFPredicate::OLT,
                                        math::AbsFOp::create(inner, most), infinity);
    if (!temperature)
      return draws;
    Value isWarm = arith::CmpFOp::create(inner, arith::CmpFPredicate::OGT, temperature,
                                         constant(inner, temperature.getType(), 0.0));
    return arith::AndIOp::create(inner, draws, isWarm);
  }

  /// Whether row `row` draws a token.
  Value drawsAt(IndexBuilder in, Value row) {
    ImplicitLocOpBuilder inner(in.loc, in.b);
    return emitDraws(inner, in.read(largest, row),
                     op.getTemperature() ? in.read(op.getTemperature(), row) : Value());
  }

  /// A number for each row, of type `element`, that `body` computes.
  Value emitRows(Type element, function_ref<Value(IndexBuilder, Value row)> body) {
    IndexBuilder ib{b, b.getLoc()};
    Value empty = tensor::EmptyOp::create(b, {sizes[0]}, element);
    return ib
        .loops(getValueOrCreateConstantIndexOp(b, b.getLoc(), sizes[0]), empty,
               [&](IndexBuilder in, ValueRange row, ValueRange values) {
                 return SmallVector<Value>{in.write(body(in, row[0]), values[0], row[0])};
               })
        .front();
  }

  //===--------------------------------------------------------------------===//
  // Cuts
  //===--------------------------------------------------------------------===//

  /// How many tokens top_k leaves of each row, i64.
  Value emitCounts() {
    SmallVector<Operand> inputs;
    AffineMap rows = b.getMultiDimIdentityMap(1);
    for (Value value : {largest, Value(op.getTemperature()), Value(op.getTopK())})
      if (value)
        inputs.push_back({value, rows});
    Type i64 = b.getI64Type();
    Value length = arith::IndexCastOp::create(b, i64, rowLength);
    return emitElementwise(
        b, {sizes[0]}, i64, inputs, [&](ImplicitLocOpBuilder &inner, ValueRange args) -> Value {
          IndexBuilder in{inner, inner.getLoc()};
          Value one = constant(inner, i64, 1), kept = length;
          if (op.getTopK()) {
            Value k = toType(inner, args[op.getTemperature() ? 2 : 1], i64);
            kept = in.select(in.less(k, one), length, in.min(k, length));
          }
          Value draws = emitDraws(inner, args[0], op.getTemperature() ? args[1] : Value());
          return in.select(draws, kept, constant(inner, i64, 0));
        });
  }

  /// How many of those top_p leaves.
  Value emitShares() {
    Value counts = kept;
    Value weights = emitWeights(
        counts,
        [&](IndexBuilder in, Value row, Value place) {
          // What is behind the kept ones is not ordered.
          Value last = in.sub(toIndex(in, in.read(counts, row)), in.constant(1));
          return in.read(ordered.values, {row, in.min(place, in.max(last, in.constant(0)))});
        },
        [&](IndexBuilder in, Value, Value place, Value, ValueRange ofRow) {
          return in.less(place, toIndex(in, ofRow[0]));
        });
    RunningSums::Levels levels = sums->emitLevels(weights);
    return emitRows(b.getI64Type(), [&](IndexBuilder in, Value row) {
      ImplicitLocOpBuilder inner(in.loc, in.b);
      Value share = toType(inner, in.read(op.getTopP(), row), f64());
      Value cuts = compare(in, arith::CmpFPredicate::OLT, share, real(in, 1));
      Value isWanted = both(in, cuts, drawsAt(in, row));
      Value enough = multiplyReal(in, share, sums->emitSum(in, levels, row, isWanted));
      Value place = sums->emitPlace(in, levels, row, arith::CmpFPredicate::OGE, enough, isWanted);
      Value shortest = arith::IndexCastOp::create(inner, b.getI64Type(), in.add(place, 1));
      Value count = in.read(counts, row);
      return in.select(cuts, in.min(shortest, count), count);
    });
  }

  /// Whether the token at `place` is not behind the last kept one in falling order.
  Value isKept(IndexBuilder in, Value row, Value place, Value logit, Value count) {
    ImplicitLocOpBuilder inner(in.loc, in.b);
    Value last = arith::IndexCastOp::create(inner, b.getIndexType(), count);
    last = in.max(in.sub(last, in.constant(1)), in.constant(0));
    Value lastLogit = in.read(ordered.values, {row, last});
    Value lastToken = castToIndex(in.b, in.loc, in.read(ordered.indices, {row, last}));
    Value notLater = arith::CmpIOp::create(inner, arith::CmpIPredicate::sle, place, lastToken);
    Value isTied = both(in, notOf(in, emitComesBefore(inner, lastLogit, logit)), notLater);
    return either(in, emitComesBefore(inner, logit, lastLogit), isTied);
  }

  //===--------------------------------------------------------------------===//
  // The draw
  //===--------------------------------------------------------------------===//

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

  Value emitDrawn(Type indexType) {
    SmallVector<Value> ofRow;
    if (kept)
      ofRow.push_back(kept);
    Value weights = emitWeights(
        ofRow,
        [&](IndexBuilder in, Value row, Value place) {
          return in.read(op.getLogits(), {row, place});
        },
        [&](IndexBuilder in, Value row, Value place, Value logit, ValueRange args) {
          return kept ? isKept(in, row, place, logit, args[0]) : boolean(in, true);
        });
    RunningSums::Levels levels = sums->emitLevels(weights);
    return emitRows(indexType, [&](IndexBuilder in, Value row) -> Value {
      Value draws = drawsAt(in, row);
      Value target = multiplyReal(in, emitUniform(in, row), sums->emitSum(in, levels, row, draws));
      Value token = sums->emitPlace(in, levels, row, arith::CmpFPredicate::OGT, target, draws);
      return arith::IndexCastOp::create(in.b, in.loc, indexType, token);
    });
  }

  /// The drawn token, or the argmax where nothing is to be drawn.
  Value emitChoice(Value drawn, Value greedy, Type indexType) {
    AffineMap rows = b.getMultiDimIdentityMap(1);
    SmallVector<Operand> inputs = {{drawn, rows}, {greedy, rows}, {largest, rows}};
    if (op.getTemperature())
      inputs.push_back({op.getTemperature(), rows});
    return emitElementwise(
        b, {sizes[0]}, indexType, inputs, [&](ImplicitLocOpBuilder &inner, ValueRange args) {
          Value draws = emitDraws(inner, args[2], op.getTemperature() ? args[3] : Value());
          return Value(arith::SelectOp::create(inner, draws, args[0], args[1]));
        });
  }

  ImplicitLocOpBuilder &b;
  SampleOp op;
  SortForm form;
  Type compute;
  Sizes sizes;
  Value largest, rowLength;
  std::optional<RunningSums> sums;
  Ordered ordered;
  /// How many tokens of the falling order are kept, i64 [B]; null for all.
  Value kept;
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
