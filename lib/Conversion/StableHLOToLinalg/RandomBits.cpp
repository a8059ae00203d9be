// rng_bit_generator: threefry 2x32 and philox 4x32 (Salmon et al., "Parallel random numbers: as
// easy as 1, 2, 3", SC 2011), counted as XLA counts, so that the bits are those that JAX gives.
#include "ScalarBuilder.h"

#include "forge/Conversion/StableHLOToLinalg/Patterns.h"
#include "forge/Conversion/Utils/Philox.h"
#include "forge/Conversion/Utils/TensorUtils.h"
#include "forge/Dialect/StableHLO/IR/StableHLO.h"

using namespace mlir;
using namespace forge;
using stablehlo::RngAlgorithm;
using stablehlo::RngBitGeneratorOp;

namespace {

/// The generator's state, as 64-bit numbers.
struct State {
  Value key, counter, counterHigh; // the last is null for a counter of 64 bits
};

} // namespace

/// Five groups of four rounds, a word of the key (the third being their parity) added after each.
static Words emitThreefry(WordBuilder &w, ArrayRef<Value> key, Value x, Value y) {
  static constexpr int64_t rotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  Value parity = w.exclusiveOr(w.exclusiveOr(key[0], key[1]), w.word(0x1BD11BDA));
  Value keys[] = {key[0], key[1], parity};
  x = w.add(x, keys[0]);
  y = w.add(y, keys[1]);
  for (int group = 0; group < 5; ++group) {
    for (int64_t rotation : rotations[group % 2]) {
      x = w.add(x, y);
      y = w.exclusiveOr(w.rotate(y, rotation), x);
    }
    x = w.add(x, keys[(group + 1) % 3]);
    y = w.add(w.add(y, keys[(group + 2) % 3]), w.word(group + 1));
  }
  return {x, y};
}

/// counter + steps, with the carry into the high half where there is one.
static State advance(WordBuilder &w, const State &state, Value steps) {
  State next = state;
  next.counter = w.add(state.counter, steps);
  if (!state.counterHigh)
    return next;
  Value carry = w.cmp(arith::CmpIPredicate::ult, next.counter, state.counter);
  next.counterHigh = w.add(state.counterHigh, w.op<arith::ExtUIOp>(w.i64(), carry));
  return next;
}

/// Row-major number of the place `indices` in `shape`.
static Value linearise(WordBuilder &w, ValueRange indices, ArrayRef<int64_t> shape) {
  Value number = w.constant(w.i64(), 0);
  for (auto [index, size] : llvm::zip(indices, shape))
    number = w.add(w.op<arith::MulIOp>(number, w.constant(w.i64(), size)), w.fromIndex(index));
  return number;
}

/// words[which], for an index known at run time.
static Value pick(WordBuilder &w, ArrayRef<Value> words, Value which) {
  Value picked = words.back();
  for (size_t i = words.size() - 1; i-- > 0;)
    picked = w.select(w.cmp(arith::CmpIPredicate::eq, which, w.like(which, i)), words[i], picked);
  return picked;
}

namespace {

/// How the elements of the output are counted. A block is what one call of the generator gives.
struct Layout {
  SmallVector<int64_t> shape; // of the output
  bool philox;
  bool wide;         // elements of 64 bits, of which a block gives half as many
  int64_t split = 0; // threefry, 32 bits: the dimension whose neighbours share a block

  bool pairs() const { return !philox && !wide && !shape.empty(); }
  /// Threefry's blocks fill a shape of their own: the output's with the split dimension halved.
  SmallVector<int64_t> blockShape() const {
    SmallVector<int64_t> half(shape);
    if (pairs())
      half[split] = half[split] / 2 + half[split] % 2;
    return half;
  }
  int64_t numBlocks() const {
    int64_t elements = ShapedType::getNumElements(philox ? ArrayRef(shape) : blockShape());
    if (!philox)
      return elements;
    int64_t perBlock = wide ? 2 : 4;
    return elements / perBlock + (elements % perBlock != 0);
  }
};

} // namespace

/// The dimension that threefry halves: the first even one, else the first of the largest.
static int64_t chooseSplit(ArrayRef<int64_t> shape) {
  for (auto [dim, size] : llvm::enumerate(shape))
    if (size % 2 == 0)
      return dim;
  return shape.empty() ? 0 : std::max_element(shape.begin(), shape.end()) - shape.begin();
}

/// The bits of the element at `indices`: an i32, or an i64 for wide elements.
static Value emitThreefryElement(WordBuilder &w, const Layout &layout, const State &state,
                                 ValueRange indices) {
  SmallVector<Value> block(indices);
  Value part;
  if (layout.pairs()) {
    Value two = arith::ConstantIndexOp::create(w.b, 2);
    part = w.fromIndex(w.op<arith::RemUIOp>(indices[layout.split], two));
    block[layout.split] = w.op<arith::DivUIOp>(indices[layout.split], two);
  }
  State at = advance(w, state, linearise(w, block, layout.blockShape()));
  Words words =
      emitThreefry(w, {w.low(state.key), w.high(state.key)}, w.low(at.counter), w.high(at.counter));
  if (layout.wide)
    return w.join(words[0], words[1]);
  return part ? pick(w, words, part) : words[0];
}

static Value emitPhiloxElement(WordBuilder &w, const Layout &layout, const State &state,
                               ValueRange indices) {
  Value number = linearise(w, indices, layout.shape);
  Value perBlock = w.like(number, layout.wide ? 2 : 4);
  State at = advance(w, state, w.op<arith::DivUIOp>(number, perBlock));
  Value part = w.op<arith::RemUIOp>(number, perBlock);
  Value top = at.counterHigh ? at.counterHigh : w.constant(w.i64(), 0);
  if (!at.counterHigh) // the carry out of a counter of 64 bits still reaches the generator
    top =
        w.op<arith::ExtUIOp>(w.i64(), w.cmp(arith::CmpIPredicate::ult, at.counter, state.counter));
  Words words = emitPhilox(w, {w.low(state.key), w.high(state.key)},
                           {w.low(at.counter), w.high(at.counter), w.low(top), w.high(top)});
  if (!layout.wide)
    return pick(w, words, part);
  return pick(w, {w.join(words[0], words[1]), w.join(words[2], words[3])}, part);
}

/// Random bits as a number of `type`: integers keep the low bits, floats have the bits themselves.
static Value castBits(WordBuilder &w, Value bits, Type type) {
  if (type.getIntOrFloatBitWidth() < w.width(bits))
    bits = w.op<arith::TruncIOp>(w.b.getIntegerType(type.getIntOrFloatBitWidth()), bits);
  return w.bitcast(bits, type);
}

namespace {

struct RngBitGeneratorPattern : OpConversionPattern<RngBitGeneratorOp> {
  using OpConversionPattern::OpConversionPattern;

  // 1. Take the state apart: a key, and a counter of one or two numbers.
  // 2. Every element of the output finds its block's counter and its place in the block from its
  //    own indices.
  // 3. The counter of the next state is that of the first block not used.
  LogicalResult matchAndRewrite(RngBitGeneratorOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    int64_t numWords = op.getInitialState().getType().getDimSize(0);
    if (ShapedType::isDynamic(numWords))
      return rewriter.notifyMatchFailure(op, "the size of its state is dynamic");
    auto type = getTypeConverter()->convertType<RankedTensorType>(op.getOutput().getType());
    Type element = type.getElementType();
    if (element.isInteger(1))
      return rewriter.notifyMatchFailure(op, "it makes booleans");
    RngAlgorithm algorithm = op.getRngAlgorithm();
    bool philox =
        algorithm == RngAlgorithm::PHILOX || (algorithm == RngAlgorithm::DEFAULT && numWords == 3);
    Layout layout{SmallVector<int64_t>(type.getShape()), philox,
                  element.getIntOrFloatBitWidth() == 64, chooseSplit(type.getShape())};
    Value words = adaptor.getInitialState();
    State state{extractElement(rewriter, loc, words, 0), extractElement(rewriter, loc, words, 1),
                numWords == 3 ? extractElement(rewriter, loc, words, 2) : Value()};
    Value init = createEmpty(rewriter, loc, type, getSizes(type, rewriter));
    Value output = createIndexed(
        rewriter, loc, init, [&](OpBuilder &b, Location l, ValueRange indices) -> Value {
          WordBuilder w(b, l);
          Value bits = layout.philox ? emitPhiloxElement(w, layout, state, indices)
                                     : emitThreefryElement(w, layout, state, indices);
          return castBits(w, bits, element);
        });
    WordBuilder w(rewriter, loc);
    State next = advance(w, state, w.constant(w.i64(), layout.numBlocks()));
    SmallVector<Value> nextWords = {next.key, next.counter};
    if (next.counterHigh)
      nextWords.push_back(next.counterHigh);
    Value nextState = tensor::FromElementsOp::create(rewriter, loc, nextWords);
    Type stateType = getTypeConverter()->convertType(op.getOutputState().getType());
    rewriter.replaceOp(op, {castTensor(rewriter, loc, nextState, stateType), output});
    return success();
  }

private:
  static SmallVector<OpFoldResult> getSizes(RankedTensorType type, OpBuilder &builder) {
    return getAsIndexOpFoldResult(builder.getContext(), type.getShape());
  }
};

} // namespace

void forge::populateRandomBitsPatterns(const TypeConverter &converter,
                                       RewritePatternSet &patterns) {
  patterns.add<RngBitGeneratorPattern>(converter, patterns.getContext());
}
