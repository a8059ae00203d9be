#include "Shuffle.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace forge {

static Value shuffle32(ImplicitLocOpBuilder &b, Value value, int64_t mask, int64_t warpSize) {
  return gpu::ShuffleOp::create(b, value, static_cast<int32_t>(mask),
                                static_cast<int32_t>(warpSize), gpu::ShuffleMode::XOR)
      .getShuffleResult();
}

/// Shuffles exist for 32 bits: narrower values are extended, wider ones go in two halves.
Value shuffleXor(ImplicitLocOpBuilder &b, Value value, int64_t mask, int64_t warpSize) {
  Type type = value.getType();
  if (type.isIndex()) {
    Value wide = arith::IndexCastOp::create(b, b.getI64Type(), value);
    return arith::IndexCastOp::create(b, type, shuffleXor(b, wide, mask, warpSize));
  }
  unsigned bits = type.getIntOrFloatBitWidth();
  if (bits == 32)
    return shuffle32(b, value, mask, warpSize);
  if (isa<FloatType>(type)) {
    Type integer = b.getIntegerType(bits);
    Value raw = arith::BitcastOp::create(b, integer, value);
    return arith::BitcastOp::create(b, type, shuffleXor(b, raw, mask, warpSize));
  }
  Type word = b.getI32Type();
  if (bits < 32) {
    Value wide = shuffle32(b, arith::ExtUIOp::create(b, word, value), mask, warpSize);
    return arith::TruncIOp::create(b, type, wide);
  }
  Value half = arith::ConstantOp::create(b, b.getIntegerAttr(type, 32));
  Value low = shuffle32(b, arith::TruncIOp::create(b, word, value), mask, warpSize);
  Value high = shuffle32(
      b, arith::TruncIOp::create(b, word, arith::ShRUIOp::create(b, value, half)), mask, warpSize);
  return arith::OrIOp::create(b,
                              arith::ShLIOp::create(b, arith::ExtUIOp::create(b, type, high), half),
                              arith::ExtUIOp::create(b, type, low));
}

void giveHalf(ImplicitLocOpBuilder &b, SmallVectorImpl<Value> &sums, Value lane, int64_t mask,
              int64_t warpSize) {
  Value bit = arith::AndIOp::create(b, lane, arith::ConstantIndexOp::create(b, mask));
  Value upper =
      arith::CmpIOp::create(b, arith::CmpIPredicate::ne, bit, arith::ConstantIndexOp::create(b, 0));
  size_t half = sums.size() / 2;
  for (size_t i = 0; i < half; ++i) {
    Value kept = arith::SelectOp::create(b, upper, sums[half + i], sums[i]);
    Value given = arith::SelectOp::create(b, upper, sums[i], sums[half + i]);
    sums[i] = arith::AddFOp::create(b, kept, shuffleXor(b, given, mask, warpSize));
  }
  sums.truncate(half);
}

} // namespace forge
