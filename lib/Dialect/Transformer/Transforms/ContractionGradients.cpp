// Gradients of matrix products: matrix products with a transposed factor.
#include "GradientBuilders.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace forge::transformer {

/// `value` with its last two dimensions exchanged.
static Value transposeMatrices(ImplicitLocOpBuilder &b, Value value) {
  auto order = llvm::to_vector(llvm::seq<int64_t>(0, typeOf(value).getRank()));
  std::swap(order[order.size() - 2], order[order.size() - 1]);
  return transpose(b, value, order);
}

/// Fails unless both factors are floats that are computed with.
template <typename OpTy> static LogicalResult checkFactors(OpTy op) {
  for (Value factor : {Value(op.getLhs()), Value(op.getRhs())})
    if (!isFloatTensor(factor.getType()))
      return op.emitError("'") << op->getName() << "' is not differentiable for factors of "
                               << typeOf(factor).getElementType();
  return success();
}

/// Of result = lhs . rhs + bias (transformer-decompose has split off the rest of the epilogue):
///
/// 1. dbias = dresult summed over all rows.
/// 2. dlhs = dresult . rhs^T, or its transpose.
/// 3. drhs = lhs^T . dresult; a rhs that all batches share gets the rows of all of them in one
///    product.
class MatmulGradients {
public:
  MatmulGradients(MatmulOp op, ImplicitLocOpBuilder &b, Cotangents &c) : op(op), b(b), c(c) {}

  LogicalResult build() {
    if (op.getActivation() || op.getResidual())
      return op.emitError("expected a product without activation and residual");
    dz = c.lookup(op.getResult());
    int64_t rank = typeOf(dz).getRank();
    if (op.getBias() && c.isActive(op.getBias()))
      c.add(b, op.getBias(), sumOver(b, dz, llvm::to_vector(llvm::seq<int64_t>(0, rank - 1))));
    if (!c.isActive(op.getLhs()) && !c.isActive(op.getRhs()))
      return success();
    if (failed(checkFactors(op)))
      return failure();
    dz = convertTo(b, dz, typeOf(op.getLhs()).getElementType());
    if (c.isActive(op.getLhs()))
      c.add(b, op.getLhs(), lhsGradient());
    if (c.isActive(op.getRhs()))
      c.add(b, op.getRhs(), rhsGradient());
    return success();
  }

private:
  /// lhs . rhs, accumulated as `op` is.
  Value product(Value lhs, Value rhs, bool transposeLhs, bool transposeRhs) {
    auto result = MatmulOp::create(b, lhs, rhs, transposeLhs, transposeRhs);
    result.setAccumulateAttr(op.getAccumulateAttr());
    return result;
  }

  Value lhsGradient() {
    if (!op.getTransposeLhs())
      return product(dz, op.getRhs(), false, !op.getTransposeRhs());
    if (typeOf(op.getRhs()).getRank() == typeOf(dz).getRank())
      return product(op.getRhs(), dz, op.getTransposeRhs(), true);
    return transposeMatrices(b, product(dz, op.getRhs(), false, !op.getTransposeRhs()));
  }

  Value rhsGradient() {
    int64_t batch = typeOf(dz).getRank() - 2;
    bool shared = batch > 0 && typeOf(op.getRhs()).getRank() == 2;
    Value lhs = op.getLhs(), rows = dz;
    if (shared && !op.getTransposeLhs()) {
      lhs = collapseLeading(b, lhs, batch + 1);
      rows = collapseLeading(b, rows, batch + 1);
    }
    Value gradient = op.getTransposeRhs() ? product(rows, lhs, true, op.getTransposeLhs())
                                          : product(lhs, rows, !op.getTransposeLhs(), false);
    if (shared && op.getTransposeLhs())
      gradient = sumOver(b, gradient, llvm::to_vector(llvm::seq<int64_t>(0, batch)));
    return gradient;
  }

  MatmulOp op;
  ImplicitLocOpBuilder &b;
  Cotangents &c;
  Value dz;
};

static LogicalResult matmulGradients(MatmulOp op, ImplicitLocOpBuilder &b, Cotangents &c) {
  return MatmulGradients(op, b, c).build();
}

/// With z[t] = lhs[t] . rhs[e] + bias[e] for the rows t of group e: dlhs is a grouped product with
/// the transposed matrices, drhs one of outer products, and dbias one with ones.
static LogicalResult groupedGradients(GroupedMatmulOp op, ImplicitLocOpBuilder &b, Cotangents &c) {
  if (failed(checkFactors(op)))
    return failure();
  Value dz = c.lookup(op.getResult());
  if (op.getActivation()) {
    auto bare = cast<GroupedMatmulOp>(b.clone(*op));
    bare.removeActivationAttr();
    dz = ActivationGradOp::create(b, *op.getActivation(), dz, bare.getResult());
  }
  auto outer = [&](Value lhs, Value rhs, RankedTensorType type) -> Value {
    return GroupedOuterOp::create(b, type, lhs, rhs, op.getGroups(), op.getOffsetsAttr(),
                                  op.getAccumulateAttr());
  };
  if (op.getBias() && c.isActive(op.getBias())) {
    RankedTensorType bias = typeOf(op.getBias());
    SmallVector<OpFoldResult> sizes = {tensor::getMixedSize(b, b.getLoc(), dz, 0),
                                       b.getIndexAttr(1)};
    Value one = arith::ConstantOp::create(b, b.getFloatAttr(bias.getElementType(), 1.0));
    Value empty = tensor::EmptyOp::create(b, sizes, bias.getElementType());
    Value ones = linalg::FillOp::create(b, one, empty).getResult(0);
    Value sums = outer(ones, dz, bias.clone({bias.getDimSize(0), 1, bias.getDimSize(1)}));
    c.add(b, op.getBias(),
          tensor::CollapseShapeOp::create(b, sums, SmallVector<ReassociationIndices>{{0, 1}, {2}}));
  }
  dz = convertTo(b, dz, typeOf(op.getLhs()).getElementType());
  if (c.isActive(op.getLhs()))
    c.add(b, op.getLhs(),
          GroupedMatmulOp::create(b, op.getLhs().getType(), dz, op.getRhs(), op.getGroups(),
                                  /*bias=*/Value(), op.getOffsets(), !op.getTransposeRhs(),
                                  /*activation=*/ActivationKindAttr(), op.getAccumulateAttr()));
  if (c.isActive(op.getRhs()))
    c.add(b, op.getRhs(),
          op.getTransposeRhs() ? outer(dz, op.getLhs(), typeOf(op.getRhs()))
                               : outer(op.getLhs(), dz, typeOf(op.getRhs())));
  return success();
}

void attachContractionModels(MLIRContext *context) {
  attachGradient<GroupedMatmulOp, groupedGradients>(context);
  attachGradient<MatmulOp, matmulGradients>(context);
}

} // namespace forge::transformer
