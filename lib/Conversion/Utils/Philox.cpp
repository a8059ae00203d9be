#include "forge/Conversion/Utils/Philox.h"

using namespace mlir;
using namespace forge;

Words forge::emitPhilox(WordBuilder &w, ArrayRef<Value> key, Words counter) {
  Value key0 = key[0], key1 = key[1];
  auto multiply = [&](Value x, uint32_t by) {
    return w.op<arith::MulIOp>(w.op<arith::ExtUIOp>(w.i64(), x), w.constant(w.i64(), int64_t(by)));
  };
  for (int round = 0; round < 10; ++round) {
    Value first = multiply(counter[0], 0xD2511F53), second = multiply(counter[2], 0xCD9E8D57);
    counter = {w.exclusiveOr(w.exclusiveOr(w.high(second), counter[1]), key0), w.low(second),
               w.exclusiveOr(w.exclusiveOr(w.high(first), counter[3]), key1), w.low(first)};
    key0 = w.add(key0, w.word(0x9E3779B9)); // the golden ratio
    key1 = w.add(key1, w.word(0xBB67AE85)); // the square root of 3, less one
  }
  return counter;
}
