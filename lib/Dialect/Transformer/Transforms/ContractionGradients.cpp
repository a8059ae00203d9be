// Gradients of matrix products: matrix products with a transposed factor.
#include "GradientBuilders.h"

using namespace mlir;

namespace forge::transformer {

/// `value` with its last two dimensions exchanged.
static Value transposeMatrices(ImplicitLocOpBuilder &b, Value value) {
  auto order = llvm::to_vector(llvm::seq<int64_t>(0, typeOf(value).getRank()));
  std::swap(order[order.size() - 2], order[order.size() - 1]);
  return transpose(b, value, order);
}

/// With z = lhs . rhs + bias and result = activation(z) + residual:
///
/// 1. dresidual = dresult.
/// 2. dz = dresult * activation'(z), where z is computed again without its epilogue.
/// 3. dbias = dz summed over all rows.
/// 4. dlhs = dz . rhs^T, or its transpose.
/// 5. drhs = lhs^T . dz; a rhs that all batches share gets the rows of all of them in one product.
class MatmulGradients {
public:
  MatmulGradients(MatmulOp op, ImplicitLocOpBuilder &b, Cotangents &c) : op(op), b(b), c(c) {}

  LogicalResult build() {
    Value cotangent = c.lookup(op.getResult());
    if (op.getResidual())
      c.add(b, op.getResidual(), cotangent);
    bool more = c.isActive(op.getLhs()) || c.isActive(op.getRhs()) ||
                (op.getBias() && c.isActive(op.getBias()));
    if (!more)
      return success();
    Type element = typeOf(op.getLhs()).getElementType();
    if (!isFloatTensor(op.getLhs().getType()) || !isFloatTensor(op.getRhs().getType()))
      return op.emitError("'transformer.matmul' is not differentiable for factors of ") << element;
    dz = op.getActivation() ? throughActivation(cotangent) : cotangent;
    int64_t rank = typeOf(dz).getRank();
    if (op.getBias() && c.isActive(op.getBias()))
      c.add(b, op.getBias(), sumOver(b, dz, llvm::to_vector(llvm::seq<int64_t>(0, rank - 1))));
    dz = convertTo(b, dz, element);
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

  Value throughActivation(Value cotangent) {
    auto bare = cast<MatmulOp>(b.clone(*op));
    bare.getResidualMutable().clear();
    bare.removeActivationAttr();
    return ActivationGradOp::create(b, *op.getActivation(), cotangent, bare.getResult());
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

void attachContractionModels(MLIRContext *context) {
  attachGradient<MatmulOp, matmulGradients>(context);
}

} // namespace forge::transformer
