// Greatest and smallest floats found by comparing integers.
#ifndef FORGE_LIB_CODEGEN_ROWS_ORDEREDKEY_H
#define FORGE_LIB_CODEGEN_ROWS_ORDEREDKEY_H

#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace forge {

/// Integers of the width of floats, in an order that has all of IEEE 754's maximum (or minimum) in
/// it: -0 below +0, and any NaN beyond all numbers on the side that wins. So one integer
/// instruction takes the place of the six or seven that arith.maximumf becomes, and its latency is
/// one cycle.
class OrderedKey {
public:
  /// For the combining kind of a reduction of `element`; nothing if it has no keys.
  static std::optional<OrderedKey> of(mlir::vector::CombiningKind kind, mlir::Type element);

  /// The combining kind of the keys.
  mlir::vector::CombiningKind kind() const;
  /// The keys of floats (a scalar or a vector), and back.
  mlir::Value encode(mlir::OpBuilder &b, mlir::Location loc, mlir::Value floats) const;
  mlir::Value decode(mlir::OpBuilder &b, mlir::Location loc, mlir::Value keys) const;
  /// The winner of two keys.
  mlir::Value combine(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x, mlir::Value y) const;

private:
  OrderedKey(bool isMaximum, mlir::FloatType element) : isMaximum(isMaximum), element(element) {}
  mlir::Value constant(mlir::OpBuilder &b, mlir::Location loc, mlir::Type like,
                       int64_t value) const;
  /// Turns the order of negative numbers round, or back.
  mlir::Value reflect(mlir::OpBuilder &b, mlir::Location loc, mlir::Value bits) const;
  int64_t numNaNs() const;

  bool isMaximum;
  mlir::FloatType element;
};

} // namespace forge

#endif // FORGE_LIB_CODEGEN_ROWS_ORDEREDKEY_H
