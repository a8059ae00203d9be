// Arithmetic on batches of matrices, as operations of StableHLO.
#ifndef FORGE_LIB_DIALECT_STABLEHLO_TRANSFORMS_ALGEBRA_H
#define FORGE_LIB_DIALECT_STABLEHLO_TRANSFORMS_ALGEBRA_H

#include "forge/Dialect/StableHLO/IR/StableHLO.h"
#include "forge/Dialect/StableHLO/IR/TypeUtils.h"

namespace forge::stablehlo {

using mlir::ArrayRef;
using mlir::Location;
using mlir::OpBuilder;
using mlir::RankedTensorType;
using mlir::SmallVector;
using mlir::Value;
using mlir::ValueRange;
using Direction = ComparisonDirection;

inline RankedTensorType typeOf(Value value) {
  return mlir::cast<RankedTensorType>(value.getType());
}
inline bool isComplex(Value value) {
  return mlir::isa<mlir::ComplexType>(typeOf(value).getElementType());
}

/// Of a matrix [..., m, n].
inline int64_t rowsOf(Value matrix) {
  return typeOf(matrix).getDimSize(typeOf(matrix).getRank() - 2);
}
inline int64_t columnsOf(Value matrix) { return typeOf(matrix).getShape().back(); }

/// Arithmetic on batches of matrices [..., m, n], and of their rows and columns [..., n].
class Algebra {
public:
  Algebra(OpBuilder &builder, Location loc) : b(builder), loc(loc) {}

  Value add(Value x, Value y) { return AddOp::create(b, loc, x, y); }
  Value sub(Value x, Value y) { return SubtractOp::create(b, loc, x, y); }
  Value mul(Value x, Value y) { return MulOp::create(b, loc, x, y); }
  Value div(Value x, Value y) { return DivOp::create(b, loc, x, y); }
  Value neg(Value x) { return NegOp::create(b, loc, x); }
  Value sqrt(Value x) { return SqrtOp::create(b, loc, x); }
  Value both(Value x, Value y) { return AndOp::create(b, loc, x, y); }
  Value select(Value condition, Value x, Value y) {
    return SelectOp::create(b, loc, x.getType(), condition, x, y);
  }
  Value is(Direction direction, Value x, Value y) {
    return CompareOp::create(b, loc, x, y, direction);
  }
  Value real(Value x) { return isComplex(x) ? RealOp::create(b, loc, partType(x), x) : x; }
  Value imag(Value x) {
    return isComplex(x) ? Value(ImagOp::create(b, loc, partType(x), x)) : constant(x, 0);
  }
  Value conj(Value x) {
    return isComplex(x) ? Value(ComplexOp::create(b, loc, x.getType(), real(x), neg(imag(x)))) : x;
  }
  /// Numbers with these parts, of the element type of `like`.
  Value number(Value re, Value im, Value like) {
    if (!isComplex(like))
      return re;
    return ComplexOp::create(b, loc, typeOf(re).clone(typeOf(like).getElementType()), re, im);
  }
  /// |x|², real.
  Value square(Value x) {
    Value re = real(x), im = imag(x);
    return isComplex(x) ? add(mul(re, re), mul(im, im)) : mul(re, re);
  }
  /// A splat of the shape and type of `like`.
  Value constant(Value like, double value) { return splat(typeOf(like), value); }
  Value splat(RankedTensorType type, double value);
  /// The index along `dim`, of the shape of `like`.
  Value index(Value like, int64_t dim) {
    return IotaOp::create(b, loc, typeOf(like).clone(b.getI32Type()), static_cast<uint64_t>(dim));
  }
  /// A scalar everywhere, of the shape of `like`.
  Value spread(Value scalar, Value like) {
    return BroadcastInDimOp::create(b, loc, typeOf(like).clone(typeOf(scalar).getElementType()),
                                    scalar, ArrayRef<int64_t>{});
  }
  /// A column [..., m] beside itself, as often as the matrix `like` has columns.
  Value asColumns(Value column, Value like) { return repeat(column, like, 1); }
  /// A row [..., n] below itself.
  Value asRows(Value row, Value like) { return repeat(row, like, 2); }
  /// The same along dimension rank - `fromEnd` of `like`, which `value` does not have.
  Value repeat(Value value, Value like, int64_t fromEnd = 1);
  Value sum(Value x, int64_t dim);
  /// The largest number, of which all are -1 or more; the smallest, or the size of the dimension.
  Value most(Value x, int64_t dim);
  Value least(Value x, int64_t dim);
  /// Column (or row) `k` of a matrix: [..., m] (or [..., n]).
  Value column(Value matrix, Value k) { return takeAt(matrix, k, 1); }
  Value row(Value matrix, Value k) { return takeAt(matrix, k, 2); }
  Value transpose(Value matrix);
  /// `step(k, carried)` for k = 0 ... count - 1; gives the last values.
  SmallVector<Value> loop(int64_t count, ValueRange start,
                          llvm::function_ref<SmallVector<Value>(Value k, ValueRange carried)> step);

protected:
  OpBuilder &b;
  Location loc;

private:
  RankedTensorType partType(Value x) {
    return typeOf(x).clone(partTypeOf(typeOf(x).getElementType()));
  }
  Value takeAt(Value matrix, Value k, int64_t fromEnd);
  Value reduce(Value x, int64_t dim, Value start, llvm::function_ref<Value(Value, Value)> combine);
};

/// a - v (c w), with v along the rows and w along the columns.
Value subtractOuter(Algebra &m, Value a, Value v, Value w);
/// v^H a: one number for each column.
Value multiplyAdjoint(Algebra &m, Value v, Value a);

} // namespace forge::stablehlo

#endif // FORGE_LIB_DIALECT_STABLEHLO_TRANSFORMS_ALGEBRA_H
