// The rows along one dimension of a tensor, and sums over them: what norms, softmax and their
// gradients share.
#ifndef FORGE_LIB_CONVERSION_TRANSFORMERTOLINALG_ROWS_H
#define FORGE_LIB_CONVERSION_TRANSFORMERTOLINALG_ROWS_H

#include "Emit.h"

namespace forge {

/// The rows of an operation: their tensor, sizes, loops, and the type computed in.
struct Rows {
  Rows(mlir::ImplicitLocOpBuilder &b, mlir::Value input, int64_t dim, mlir::Type compute)
      : input(input), dim(dim), sizes(sizesOf(b, input)),
        all(b.getMultiDimIdentityMap(sizes.size())), row(mapWithout(b, sizes.size(), dim)),
        element(mlir::cast<mlir::RankedTensorType>(input.getType()).getElementType()),
        compute(compute) {}

  /// Sums, over a row, of `body` of the element and of the values per row given.
  mlir::Value sum(mlir::ImplicitLocOpBuilder &b, llvm::ArrayRef<Operand> more, Body body) const {
    llvm::SmallVector<Operand> inputs = {{input, all}};
    llvm::append_range(inputs, more);
    return emitReduction(
        b, sizes, dim, 0.0, compute, inputs,
        [&](mlir::ImplicitLocOpBuilder &inner, mlir::ValueRange args) -> mlir::Value {
          llvm::SmallVector<mlir::Value> values(args.drop_back());
          values[0] = toType(inner, values[0], compute);
          return mlir::arith::AddFOp::create(inner, args.back(), body(inner, values));
        });
  }

  /// The length of a row, as a number.
  mlir::Value length(mlir::ImplicitLocOpBuilder &b) const {
    if (std::optional<int64_t> known = mlir::getConstantIntValue(sizes[dim]))
      return constant(b, compute, *known);
    mlir::Value size =
        mlir::arith::IndexCastOp::create(b, b.getI64Type(), mlir::cast<mlir::Value>(sizes[dim]));
    return mlir::arith::SIToFPOp::create(b, compute, size);
  }

  /// 1 / sqrt(sum / length + epsilon), per row.
  mlir::Value inverseRoot(mlir::ImplicitLocOpBuilder &b, mlir::Value sums, double epsilon) const {
    mlir::Value count = length(b);
    Sizes rows(sizes);
    rows.erase(rows.begin() + dim);
    return emitElementwise(
        b, rows, compute, {{sums, b.getMultiDimIdentityMap(rows.size())}},
        [&](mlir::ImplicitLocOpBuilder &inner, mlir::ValueRange args) -> mlir::Value {
          mlir::Value mean = mlir::arith::DivFOp::create(inner, args[0], count);
          mlir::Value shifted =
              mlir::arith::AddFOp::create(inner, mean, constant(inner, compute, epsilon));
          return mlir::arith::DivFOp::create(inner, constant(inner, compute, 1.0),
                                             mlir::math::SqrtOp::create(inner, shifted));
        });
  }

  mlir::Value input;
  int64_t dim;
  Sizes sizes;
  mlir::AffineMap all, row;
  mlir::Type element, compute;
};

} // namespace forge

#endif // FORGE_LIB_CONVERSION_TRANSFORMERTOLINALG_ROWS_H
