// rng_bit_generator, and the custom call frameworks print for it when the shape of its output is
// dynamic: threefry 2x32 and philox 4x32 (Salmon et al., "Parallel random numbers: as
// easy as 1, 2, 3", SC 2011), counted as XLA counts, so that the bits are those that JAX gives.
#include "Refuse.h"
#include "ScalarBuilder.h"

#include "forge/Conversion/StableHLOToLinalg/Patterns.h"
#include "forge/Conversion/Utils/Philox.h"
#include "forge/Conversion/Utils/RuntimeShape.h"
#include "forge/Conversion/Utils/TensorUtils.h"
#include "forge/Dialect/StableHLO/IR/DynamicCalls.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"

using namespace mlir;
using namespace forge;
using stablehlo::CustomCallOp;
using stablehlo::RngAlgorithm;
using stablehlo::RngBitGeneratorOp;

namespace {

/// The generator's state, as 64-bit numbers. Threefry's counter has no high half.
struct State {
  Value key, counter, counterHigh;
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

/// Row-major number of the place `indices` in a tensor of these sizes (i64 each).
static Value linearise(WordBuilder &w, ValueRange indices, ValueRange sizes) {
  Value number = w.constant(w.i64(), 0);
  for (auto [index, size] : llvm::zip(indices, sizes))
    number = w.add(w.op<arith::MulIOp>(number, size), w.fromIndex(index));
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
  SmallVector<Value> sizes;   // the same, as i64
  bool philox;
  bool wide;         // elements of 64 bits, of which a block gives half as many
  int64_t split = 0; // threefry, 32 bits: the dimension whose neighbours share a block

  int64_t perBlock() const { return philox ? (wide ? 2 : 4) : 1; }
  bool pairs() const { return !philox && !wide && !shape.empty(); }
  /// Threefry's blocks fill a shape of their own: the output's with the split dimension halved.
  SmallVector<Value> blockSizes(WordBuilder &w) const {
    SmallVector<Value> half(sizes);
    if (pairs())
      half[split] = w.constant(w.i64(), shape[split] / 2 + shape[split] % 2);
    return half;
  }
  Value numBlocks(WordBuilder &w) const {
    Value count = w.constant(w.i64(), 1);
    for (Value size : blockSizes(w))
      count = w.op<arith::MulIOp>(count, size);
    return w.op<arith::DivUIOp>(w.add(count, w.like(count, perBlock() - 1)),
                                w.like(count, perBlock()));
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
  State at = advance(w, state, linearise(w, block, layout.blockSizes(w)));
  Words words =
      emitThreefry(w, {w.low(state.key), w.high(state.key)}, w.low(at.counter), w.high(at.counter));
  if (layout.wide)
    return w.join(words[0], words[1]);
  return part ? pick(w, words, part) : words[0];
}

static Value emitPhiloxElement(WordBuilder &w, const Layout &layout, const State &state,
                               ValueRange indices) {
  Value number = linearise(w, indices, layout.sizes);
  Value perBlock = w.like(number, layout.perBlock());
  State at = advance(w, state, w.op<arith::DivUIOp>(number, perBlock));
  Value part = w.op<arith::RemUIOp>(number, perBlock);
  Words words = emitPhilox(
      w, {w.low(state.key), w.high(state.key)},
      {w.low(at.counter), w.high(at.counter), w.low(at.counterHigh), w.high(at.counterHigh)});
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

/// The next state, and an output of `type` and these sizes, `initialState` being converted. A null
/// pair, with the reason in `why`, for what is not supported.
/// 1. Take the state apart: a key and a counter. Philox's counter has two halves; from a state of
///    two words, its high half is the key.
/// 2. Every element of the output finds its block's counter and its place in the block from its own
///    indices.
/// 3. The counter of the next state is that of the first block not used.
std::pair<Value, Value> createRandomBits(OpBuilder &builder, Location loc, RngAlgorithm algorithm,
                                         Value initialState, RankedTensorType type,
                                         ArrayRef<OpFoldResult> sizes, StringRef &why) {
  int64_t numWords = cast<RankedTensorType>(initialState.getType()).getDimSize(0);
  bool philox = algorithm != RngAlgorithm::THREE_FRY;
  Type element = type.getElementType();
  bool wide = element.getIntOrFloatBitWidth() == 64;
  if (numWords != 2 && numWords != 3)
    why = "its state has neither 2 nor 3 words";
  else if (element.isInteger(1))
    why = "it makes booleans";
  else if (!philox && !wide && !type.hasStaticShape())
    why = "the shape of its output is dynamic, which decides how threefry counts";
  if (!why.empty())
    return {};
  WordBuilder w(builder, loc);
  SmallVector<Value> values;
  for (OpFoldResult size : sizes)
    values.push_back(w.fromIndex(getValueOrCreateConstantIndexOp(builder, loc, size)));
  Layout layout{SmallVector<int64_t>(type.getShape()), values, philox, wide,
                chooseSplit(type.getShape())};
  Value key = extractElement(builder, loc, initialState, 0);
  State state{key, extractElement(builder, loc, initialState, 1), Value()};
  if (philox)
    state.counterHigh = numWords == 3 ? extractElement(builder, loc, initialState, 2) : key;
  Value init = createEmpty(builder, loc, type, sizes);
  Value output =
      createIndexed(builder, loc, init, [&](OpBuilder &b, Location l, ValueRange indices) -> Value {
        WordBuilder in(b, l);
        Value bits = philox ? emitPhiloxElement(in, layout, state, indices)
                            : emitThreefryElement(in, layout, state, indices);
        return castBits(in, bits, element);
      });
  State next = advance(w, state, layout.numBlocks(w));
  SmallVector<Value> nextWords = {next.key, next.counter};
  if (numWords == 3)
    nextWords.push_back(philox ? next.counterHigh : extractElement(builder, loc, initialState, 2));
  return {tensor::FromElementsOp::create(builder, loc, nextWords), output};
}

struct RngBitGeneratorPattern : OpConversionPattern<RngBitGeneratorOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(RngBitGeneratorOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = getTypeConverter()->convertType<RankedTensorType>(op.getOutput().getType());
    StringRef why;
    auto [state, output] =
        createRandomBits(rewriter, op.getLoc(), op.getRngAlgorithm(), adaptor.getInitialState(),
                         type, getAsIndexOpFoldResult(rewriter.getContext(), type.getShape()), why);
    if (!output)
      return refuseOp(op, why);
    Type stateType = getTypeConverter()->convertType(op.getOutputState().getType());
    rewriter.replaceOp(op, {castTensor(rewriter, op.getLoc(), state, stateType), output});
    return success();
  }
};

struct DynamicRngPattern : OpConversionPattern<CustomCallOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(CustomCallOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (op.getCallTargetName() != stablehlo::kDynamicRngBitGenerator)
      return rewriter.notifyMatchFailure(op, "it calls something else");
    Location loc = op.getLoc();
    auto type = getTypeConverter()->convertType<RankedTensorType>(op->getResult(1).getType());
    SmallVector<OpFoldResult> sizes =
        getShapeOperand(rewriter, loc, adaptor.getInputs()[1], type, "dynamic_rng_bit_generator");
    StringRef why;
    auto [state, output] = createRandomBits(rewriter, loc, stablehlo::getDynamicRngAlgorithm(op),
                                            adaptor.getInputs()[0], type, sizes, why);
    if (!output)
      return refuseOp(op, why);
    Type stateType = getTypeConverter()->convertType(op->getResult(0).getType());
    rewriter.replaceOp(op, {castTensor(rewriter, loc, state, stateType), output});
    return success();
  }
};

} // namespace

void forge::populateRandomBitsPatterns(const TypeConverter &converter,
                                       RewritePatternSet &patterns) {
  patterns.add<RngBitGeneratorPattern, DynamicRngPattern>(converter, patterns.getContext());
}
