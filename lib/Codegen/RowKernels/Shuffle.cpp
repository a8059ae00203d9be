#include "Shuffle.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace forge {

/// Shuffles exist for 32 bits: narrower values are extended, wider ones go in two halves.
static Value shuffle(ImplicitLocOpBuilder &b, Value value, Value source, int64_t warpSize,
                     gpu::ShuffleMode mode) {
  auto shuffle32 = [&](Value word) -> Value {
    Value width = arith::ConstantIntOp::create(b, warpSize, 32);
    return gpu::ShuffleOp::create(b, word, source, width, mode).getShuffleResult();
  };
  Type type = value.getType();
  if (type.isIndex()) {
    Value wide = arith::IndexCastOp::create(b, b.getI64Type(), value);
    return arith::IndexCastOp::create(b, type, shuffle(b, wide, source, warpSize, mode));
  }
  unsigned bits = type.getIntOrFloatBitWidth();
  if (bits == 32)
    return shuffle32(value);
  if (isa<FloatType>(type)) {
    Type integer = b.getIntegerType(bits);
    Value raw = arith::BitcastOp::create(b, integer, value);
    return arith::BitcastOp::create(b, type, shuffle(b, raw, source, warpSize, mode));
  }
  Type word = b.getI32Type();
  if (bits < 32) {
    Value wide = shuffle32(arith::ExtUIOp::create(b, word, value));
    return arith::TruncIOp::create(b, type, wide);
  }
  Value half = arith::ConstantOp::create(b, b.getIntegerAttr(type, 32));
  Value low = shuffle32(arith::TruncIOp::create(b, word, value));
  Value high = shuffle32(arith::TruncIOp::create(b, word, arith::ShRUIOp::create(b, value, half)));
  return arith::OrIOp::create(b,
                              arith::ShLIOp::create(b, arith::ExtUIOp::create(b, type, high), half),
                              arith::ExtUIOp::create(b, type, low));
}

Value shuffleXor(ImplicitLocOpBuilder &b, Value value, int64_t mask, int64_t warpSize) {
  return shuffle(b, value, arith::ConstantIntOp::create(b, mask, 32), warpSize,
                 gpu::ShuffleMode::XOR);
}

Value shuffleIndex(ImplicitLocOpBuilder &b, Value value, Value lane, int64_t warpSize) {
  return shuffle(b, value, lane, warpSize, gpu::ShuffleMode::IDX);
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
