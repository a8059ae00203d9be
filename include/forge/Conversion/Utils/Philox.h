// The counter-based random numbers that lowerings emit: Philox-4x32-10 (Salmon et al., "Parallel
// random numbers: as easy as 1, 2, 3", SC 2011).
#ifndef FORGE_CONVERSION_UTILS_PHILOX_H
#define FORGE_CONVERSION_UTILS_PHILOX_H

#include "forge/Conversion/Utils/ScalarBuilder.h"

namespace forge {

using Words = llvm::SmallVector<mlir::Value, 4>; // i32 each

/// Arithmetic on 32-bit words and on 64-bit counters.
struct WordBuilder : ScalarBuilder {
  using ScalarBuilder::ScalarBuilder;

  Type i32() { return b.getI32Type(); }
  Type i64() { return b.getI64Type(); }
  Value word(uint32_t value) { return constant(i32(), int64_t(value)); }
  Value add(Value x, Value y) { return op<mlir::arith::AddIOp>(x, y); }
  Value exclusiveOr(Value x, Value y) { return op<mlir::arith::XOrIOp>(x, y); }
  Value low(Value x) { return op<mlir::arith::TruncIOp>(i32(), x); }
  Value high(Value x) { return low(op<mlir::arith::ShRUIOp>(x, like(x, 32))); }
  Value join(Value lowWord, Value highWord) {
    Value shifted =
        op<mlir::arith::ShLIOp>(op<mlir::arith::ExtUIOp>(i64(), highWord), constant(i64(), 32));
    return op<mlir::arith::OrIOp>(op<mlir::arith::ExtUIOp>(i64(), lowWord), shifted);
  }
  Value rotate(Value x, int64_t distance) {
    return op<mlir::arith::OrIOp>(op<mlir::arith::ShLIOp>(x, like(x, distance)),
                                  op<mlir::arith::ShRUIOp>(x, like(x, 32 - distance)));
  }
  Value fromIndex(Value index) { return op<mlir::arith::IndexCastOp>(i64(), index); }
};

/// The block of `counter` (four words) under `key` (two words): ten rounds; the key grows by a
/// constant after each.
Words emitPhilox(WordBuilder &w, llvm::ArrayRef<mlir::Value> key, Words counter);

} // namespace forge

#endif // FORGE_CONVERSION_UTILS_PHILOX_H
