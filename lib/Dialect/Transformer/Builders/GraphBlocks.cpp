// Numbers in the blocks of GGUF files, and of 4 bits in words.
#include "CallCheck.h"

#include "forge/Support/NibbleFormat.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace forge::transformer {

namespace {
/// One element of a row of blocks, in f32, as ggml computes it (ggml/src/ggml-quants.c,
/// dequantize_row_*).
class BlockElement {
public:
  /// `rows`: [N, bytes of a row]; the element is `column` of `row`.
  BlockElement(OpBuilder &builder, Location loc, Value rows, Value row, Value column,
               BlockFormat format)
      : b(loc, builder), rows(rows), row(row) {
    Value elements = index(elementsOf(format));
    begin = b.createOrFold<arith::MulIOp>(b.createOrFold<arith::DivUIOp>(column, elements),
                                          index(bytesOf(format)));
    inside = b.createOrFold<arith::RemUIOp>(column, elements);
  }

  Value q4_0() {
    Value code = b.createOrFold<arith::SubIOp>(
        nibble(at(index(2), rem(inside, 16)), div(inside, 16)), i32(8));
    return times(half(0), number(code));
  }
  Value q8_0() { return times(half(0), number(signedByte(at(index(2), inside)))); }
  Value q4_K() {
    // 1. Pairs of 32 elements share 32 bytes, the first in their low halves.
    Value part = div(inside, 32);
    Value place = at(index(16), at(mul(div(part, 2), 32), rem(inside, 32)));
    Value code = number(nibble(place, rem(part, 2)));
    // 2. Scale and minimum of six bits each, those of the first four parts in a byte of their own;
    //    of the others the upper two bits are there, too.
    Value isFirst = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, part, index(4));
    Value low = unsignedByte(at(index(4), rem(part, 4))), own = unsignedByte(at(index(4), part)),
          next = unsignedByte(at(index(8), part));
    Value scale = select(isFirst, bits(low, 63), joined(bits(next, 15), shifted(low, 6)));
    Value minimum = select(isFirst, bits(next, 63), joined(shifted(next, 4), shifted(own, 6)));
    return arith::SubFOp::create(b, times(times(half(0), number(scale)), code),
                                 times(half(2), number(minimum)));
  }
  Value q6_K() {
    // Of each half, quarters of 32: the low four bits of a quarter in halves of bytes, the upper
    // two bits of all quarters in one byte; a scale for 16.
    Value side = div(inside, 128), within = rem(inside, 128);
    Value quarter = div(within, 32), place = rem(within, 32);
    Value lowByte = at(mul(side, 64), at(mul(rem(quarter, 2), 32), place));
    Value low = nibble(lowByte, div(quarter, 2));
    Value highByte = at(index(128), at(mul(side, 32), place));
    Value high = bits(arith::ShRUIOp::create(b, unsignedByte(highByte), toI32(mul(quarter, 2))), 3);
    Value code = b.createOrFold<arith::SubIOp>(joined(low, high), i32(32));
    Value scaleByte = at(index(192), at(mul(side, 8), at(mul(quarter, 2), div(place, 16))));
    return times(times(half(208), number(signedByte(scaleByte))), number(code));
  }

private:
  Value index(int64_t value) { return arith::ConstantIndexOp::create(b, value); }
  Value i32(int64_t value) { return arith::ConstantIntOp::create(b, value, 32); }
  Value div(Value value, int64_t by) { return arith::DivUIOp::create(b, value, index(by)); }
  Value rem(Value value, int64_t by) { return arith::RemUIOp::create(b, value, index(by)); }
  Value mul(Value value, int64_t by) { return arith::MulIOp::create(b, value, index(by)); }
  Value at(Value offset, Value more) { return arith::AddIOp::create(b, offset, more); }
  Value toI32(Value value) { return arith::IndexCastOp::create(b, b.getI32Type(), value); }
  Value byte(Value offset) {
    return tensor::ExtractOp::create(b, rows, ValueRange{row, at(begin, offset)});
  }
  Value unsignedByte(Value offset) {
    return arith::ExtUIOp::create(b, b.getI32Type(), byte(offset));
  }
  Value signedByte(Value offset) { return arith::ExtSIOp::create(b, b.getI32Type(), byte(offset)); }
  /// The low or the high four bits of a byte.
  Value nibble(Value offset, Value isHigh) {
    return bits(arith::ShRUIOp::create(b, unsignedByte(offset), toI32(mul(isHigh, 4))), 15);
  }
  Value bits(Value value, int64_t mask) { return arith::AndIOp::create(b, value, i32(mask)); }
  Value shifted(Value value, int64_t by) { return arith::ShRUIOp::create(b, value, i32(by)); }
  /// `high` above the four bits of `low`.
  Value joined(Value low, Value high) {
    return arith::OrIOp::create(b, low, arith::ShLIOp::create(b, high, i32(4)));
  }
  Value select(Value condition, Value yes, Value no) {
    return arith::SelectOp::create(b, condition, yes, no);
  }
  Value number(Value integer) { return arith::SIToFPOp::create(b, b.getF32Type(), integer); }
  Value times(Value x, Value y) { return arith::MulFOp::create(b, x, y); }
  /// The number in f16 at byte `offset` of the block.
  Value half(int64_t offset) {
    Value word =
        arith::OrIOp::create(b, unsignedByte(index(offset)),
                             arith::ShLIOp::create(b, unsignedByte(index(offset + 1)), i32(8)));
    Value bits16 = arith::TruncIOp::create(b, b.getI16Type(), word);
    Value number = arith::BitcastOp::create(b, b.getF16Type(), bits16);
    return arith::ExtFOp::create(b, b.getF32Type(), number);
  }

  ImplicitLocOpBuilder b;
  Value rows, row;
  /// Of the block, in bytes; and of the element, in the block.
  Value begin, inside;
};
} // namespace

static Value elementOf(OpBuilder &b, Location loc, Value rows, Value row, Value column,
                       BlockFormat format) {
  BlockElement element(b, loc, rows, row, column, format);
  switch (format) {
  case BlockFormat::Q4_0:
    return element.q4_0();
  case BlockFormat::Q8_0:
    return element.q8_0();
  case BlockFormat::Q4_K:
    return element.q4_K();
  case BlockFormat::Q6_K:
    return element.q6_K();
  }
  return {};
}

Value Graph::fromBlocks(Value rows, BlockFormat format, Type element, Value ids) {
  CallCheck check(*this, "fromBlocks", rows);
  check.rank(rows, "rows", 2);
  if (!check || !check.require(typeOf(rows).hasStaticShape() &&
                                   typeOf(rows).getElementType().isSignlessInteger(8) &&
                                   typeOf(rows).getDimSize(1) % bytesOf(format) == 0,
                               "expected rows of whole blocks, of i8 and of static shape"))
    return {};
  if (ids)
    check.integers(ids, "ids");
  if (!check.require(element && isa<FloatType>(element) && element.getIntOrFloatBitWidth() <= 32,
                     "expected numbers of f32 or a narrower float type"))
    return {};
  int64_t columns = typeOf(rows).getDimSize(1) / bytesOf(format) * elementsOf(format);
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, b.getLoc(), ids ? ids : rows);
  if (!ids)
    sizes.pop_back();
  sizes.push_back(b.getIndexAttr(columns));
  Value empty = tensor::EmptyOp::create(b, sizes, element);
  auto rank = static_cast<unsigned>(sizes.size());
  SmallVector<AffineMap> maps;
  if (ids)
    maps.push_back(b.getMultiDimIdentityMap(rank).dropResult(rank - 1));
  maps.push_back(b.getMultiDimIdentityMap(rank));
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  int64_t last = typeOf(rows).getDimSize(0) - 1;
  auto numbers = linalg::GenericOp::create(
      b, empty.getType(), ids ? ValueRange(ids) : ValueRange(), empty, maps, loops,
      [&](OpBuilder &inner, Location loc, ValueRange args) {
        Value column = linalg::IndexOp::create(inner, loc, rank - 1);
        Value row;
        if (ids) {
          row = arith::IndexCastOp::create(inner, loc, inner.getIndexType(), args.front());
          Value zero = arith::ConstantIndexOp::create(inner, loc, 0);
          row = arith::MaxSIOp::create(inner, loc, row, zero);
          row = arith::MinSIOp::create(inner, loc, row,
                                       arith::ConstantIndexOp::create(inner, loc, last));
        } else {
          row = linalg::IndexOp::create(inner, loc, 0);
        }
        Value value = elementOf(inner, loc, rows, row, column, format);
        if (!element.isF32())
          value = arith::TruncFOp::create(inner, loc, element, value);
        linalg::YieldOp::create(inner, loc, value);
      });
  return numbers.getResult(0);
}

/// One element of a matrix of 4 bits, in f32.
static Value nibbleElement(OpBuilder &builder, Location loc, Value words, Value scales) {
  ImplicitLocOpBuilder b(loc, builder);
  Value row = linalg::IndexOp::create(b, 0), column = linalg::IndexOp::create(b, 1);
  auto index = [&](int64_t value) { return arith::ConstantIndexOp::create(b, value); };
  auto i32 = [&](int64_t value) { return arith::ConstantIntOp::create(b, value, 32); };
  Value place = arith::DivUIOp::create(b, column, index(kNibblesOfWord));
  Value word = tensor::ExtractOp::create(b, words, ValueRange{row, place});
  Value within = arith::RemUIOp::create(b, column, index(kNibblesOfWord));
  Value shift =
      arith::IndexCastOp::create(b, b.getI32Type(), arith::MulIOp::create(b, within, index(4)));
  Value code = arith::AndIOp::create(b, arith::ShRUIOp::create(b, word, shift), i32(15));
  Value number =
      arith::SIToFPOp::create(b, b.getF32Type(), arith::SubIOp::create(b, code, i32(kNibbleZero)));
  Value group = arith::DivUIOp::create(b, column, index(kNibbleGroup));
  Value stored = tensor::ExtractOp::create(b, scales, ValueRange{row, group});
  Value scale = arith::ExtFOp::create(b, b.getF32Type(), stored);
  return arith::MulFOp::create(b, scale, number);
}

Value Graph::nibbleArgument(StringRef name, int64_t out, int64_t in, Type element) {
  CallCheck check(*this, "nibbleArgument '" + name.str() + "'");
  check.require(out >= 0 && in >= 0, "expected static sizes");
  if (!check.require(element && isa<FloatType>(element) && element.getIntOrFloatBitWidth() <= 32,
                     "expected numbers of f32 or a narrower float type"))
    return {};
  Value words = argument(name, {out, wordsOfNibbles(in)}, b.getI32Type());
  Value scales = argument((name + "_scale").str(), {out, groupsOfNibbles(in)}, b.getBF16Type());
  if (hasFailed())
    return {};
  Value empty = tensor::EmptyOp::create(b, {out, in}, element);
  SmallVector<utils::IteratorType> loops(2, utils::IteratorType::parallel);
  auto numbers = linalg::GenericOp::create(
      b, empty.getType(), ValueRange(), empty, {b.getMultiDimIdentityMap(2)}, loops,
      [&](OpBuilder &inner, Location loc, ValueRange) {
        Value value = nibbleElement(inner, loc, words, scales);
        if (!element.isF32())
          value = arith::TruncFOp::create(inner, loc, element, value);
        linalg::YieldOp::create(inner, loc, value);
      });
  return numbers.getResult(0);
}

} // namespace forge::transformer
