#include "WordHalves.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace forge;

/// As vectors, of which LLVM and ptxas make one instruction (prmt); of masks and shifts they make
/// two.
static Value shuffled(ImplicitLocOpBuilder &b, Value low, Value high, ArrayRef<int64_t> halves) {
  auto word = VectorType::get({1}, b.getI32Type()), pair = VectorType::get({2}, b.getI16Type());
  auto asPair = [&](Value value) -> Value {
    return vector::BitCastOp::create(b, pair, vector::FromElementsOp::create(b, word, value));
  };
  Value made = vector::ShuffleOp::create(b, asPair(low), asPair(high), halves);
  return vector::ExtractOp::create(b, vector::BitCastOp::create(b, word, made), 0);
}

Value forge::lowHalves(ImplicitLocOpBuilder &b, Value low, Value high) {
  return shuffled(b, low, high, {0, 2});
}

Value forge::highHalves(ImplicitLocOpBuilder &b, Value low, Value high) {
  return shuffled(b, low, high, {1, 3});
}
