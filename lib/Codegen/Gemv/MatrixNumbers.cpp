// Elements of a matrix that threads compute: arithmetic, and integers of few bits as floats.
#include "MatrixPrologue.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

#include <bit>
#include <cmath>
#include <limits>

using namespace mlir;
using namespace forge;

/// The largest number that `value`, of i32 and seen as unsigned, may be, where it has few bits.
static std::optional<int64_t> boundOf(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return std::nullopt;
  if (isa<arith::ExtUIOp>(op))
    return (int64_t(1) << op->getOperand(0).getType().getIntOrFloatBitWidth()) - 1;
  APInt number;
  bool hasNumber = op->getNumOperands() == 2 &&
                   matchPattern(op->getOperand(1), m_ConstantInt(&number)) &&
                   !number.isNegative() && number.getActiveBits() <= 23;
  if (isa<arith::AndIOp>(op) && hasNumber)
    return number.getSExtValue();
  if (isa<arith::OrIOp>(op)) {
    std::optional<int64_t> x = boundOf(op->getOperand(0)), y = boundOf(op->getOperand(1));
    return x && y ? std::optional<int64_t>(llvm::NextPowerOf2(std::max(*x, *y)) - 1) : std::nullopt;
  }
  if (isa<arith::ShRUIOp, arith::ShLIOp>(op) && hasNumber && number.ult(32)) {
    std::optional<int64_t> x = boundOf(op->getOperand(0));
    if (!x)
      return std::nullopt;
    return isa<arith::ShRUIOp>(op) ? *x >> number.getZExtValue()
                                   : std::min<int64_t>(*x << number.getZExtValue(),
                                                       std::numeric_limits<uint32_t>::max());
  }
  return std::nullopt;
}

/// Bits of the mantissa of an f32.
static constexpr unsigned kMantissa = 23;

namespace {
/// `word` >> shift, of which the low `bits` bits count; or, without a mask, all of them.
struct BitField {
  Value word;
  unsigned shift = 0, bits = 0;
  bool isMasked = false;

  uint32_t mask() const { return (uint32_t(1) << bits) - 1; }
};
} // namespace

static std::optional<int64_t> constantOf(Value value) {
  APInt number;
  if (!matchPattern(value, m_ConstantInt(&number)) || number.isNegative())
    return std::nullopt;
  return number.getSExtValue();
}

/// Nothing where `value`, of i32, may have more bits than a mantissa.
static std::optional<BitField> fieldOf(Value value) {
  if (auto both = value.getDefiningOp<arith::AndIOp>()) {
    std::optional<int64_t> mask = constantOf(both.getRhs());
    if (mask && llvm::isMask_64(*mask) && *mask < (int64_t(1) << kMantissa)) {
      BitField field = {both.getLhs(), 0, static_cast<unsigned>(llvm::popcount(uint64_t(*mask))),
                        true};
      auto shifted = field.word.getDefiningOp<arith::ShRUIOp>();
      std::optional<int64_t> shift = shifted ? constantOf(shifted.getRhs()) : std::nullopt;
      if (shift && *shift < 32) {
        field.word = shifted.getLhs();
        field.shift = static_cast<unsigned>(*shift);
      }
      return field;
    }
  }
  std::optional<int64_t> bound = boundOf(value);
  if (!bound || *bound >= int64_t(1) << kMantissa)
    return std::nullopt;
  return BitField{value, 0, llvm::Log2_64_Ceil(static_cast<uint64_t>(*bound) + 1), false};
}

/// `integer`, of i32, in f32. One of few bits becomes part of the mantissa of 2^(23 - shift), where
/// it is: that number and the integer, whose sum with another such constant is exact. Two
/// instructions of full rate instead of a shift, a mask and a conversion.
Value MatrixLanes::numberOf(Value integer, Type type) {
  auto i32 = [&](uint32_t value) {
    return once(arith::ConstantIntOp::create(b, b.getI32Type(), value));
  };
  // 1. Minus a zero point; signed bytes have one when their sign is flipped.
  Value bits = integer;
  int64_t zero = 0;
  if (auto minus = integer.getDefiningOp<arith::SubIOp>())
    if (std::optional<int64_t> number = constantOf(minus.getRhs()); number && *number < 256) {
      bits = minus.getLhs();
      zero = *number;
    }
  std::optional<BitField> field = fieldOf(bits);
  if (auto extended = integer.getDefiningOp<arith::ExtSIOp>();
      extended && extended.getIn().getType().isInteger(8)) {
    Value low = once(arith::ExtUIOp::create(b, integer.getType(), extended.getIn()));
    field = {once(arith::XOrIOp::create(b, low, i32(0x80))), 0, 8, false};
    zero = 0x80;
  }
  if (!field)
    return once(arith::SIToFPOp::create(b, type, integer));
  // 2. Fields beyond a mantissa are shifted down first, all of the upper half alike.
  constexpr unsigned kHalf = 16;
  if (field->shift + field->bits > kMantissa) {
    unsigned by = std::min(field->shift, kHalf);
    field->word = once(arith::ShRUIOp::create(b, field->word, i32(by)));
    field->shift -= by;
  }
  if (field->shift + field->bits > kMantissa)
    return once(arith::SIToFPOp::create(b, type, integer));
  // 3. In place.
  if (field->isMasked)
    field->word = once(arith::AndIOp::create(b, field->word, i32(field->mask() << field->shift)));
  float base = std::ldexp(1.0f, static_cast<int>(kMantissa - field->shift));
  Value number = once(arith::OrIOp::create(b, field->word, i32(std::bit_cast<uint32_t>(base))));
  Value wide = once(arith::BitcastOp::create(b, b.getF32Type(), number));
  Value offset =
      once(arith::ConstantOp::create(b, b.getF32FloatAttr(base + static_cast<float>(zero))));
  return once(arith::SubFOp::create(b, wide, offset));
}

Value MatrixLanes::valueOf(Value value, int64_t lane) {
  if (value.getParentBlock() != prologue.getBody())
    return value;
  auto found = values.find({value, lane});
  if (found != values.end())
    return found->second;
  Value result;
  if (std::optional<Place> place = placeOf(value, lane)) {
    result = materialize(*place);
  } else {
    Operation *op = value.getDefiningOp();
    IRMapping mapping;
    for (Value operand : op->getOperands())
      mapping.map(operand, valueOf(operand, lane));
    auto number = dyn_cast<arith::SIToFPOp>(op);
    APInt known;
    if (isa<arith::IndexCastOp>(op) &&
        matchPattern(mapping.lookup(op->getOperand(0)), m_ConstantInt(&known)) &&
        value.getType().isInteger(32))
      result = once(arith::ConstantIntOp::create(b, known.getSExtValue(), 32));
    else if (number && number.getType().isF32() && number.getIn().getType().isInteger(32))
      result = numberOf(mapping.lookup(number.getIn()), number.getType());
    else
      result = once(b.clone(*op, mapping));
  }
  values[{value, lane}] = result;
  return result;
}

MatrixLanes::Numbers MatrixLanes::compute(ImplicitLocOpBuilder &builder) {
  b.setInsertionPoint(builder.getInsertionBlock(), builder.getInsertionPoint());
  Value element = prologue.getBody()->getTerminator()->getOperand(0);
  if (auto rounded = element.getDefiningOp<arith::TruncFOp>();
      rounded && rounded.getIn().getType().getIntOrFloatBitWidth() <= 32)
    element = rounded.getIn();
  auto inLanes = [&](Value value) {
    return llvm::map_to_vector(llvm::seq(lanes),
                               [&](int64_t lane) { return valueOf(value, lane); });
  };
  if (auto product = element.getDefiningOp<arith::MulFOp>()) {
    SmallVector<Value> x = inLanes(product.getLhs()), y = inLanes(product.getRhs());
    if (llvm::all_equal(x))
      return {y, x.front()};
    if (llvm::all_equal(y))
      return {x, y.front()};
  }
  return {inLanes(element), Value()};
}
