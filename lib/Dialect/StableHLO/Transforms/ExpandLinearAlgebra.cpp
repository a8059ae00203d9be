// Factorizations as loops over columns: QR by Householder reflections, products of reflections, and
// on complex matrices the Cholesky factorization and triangular systems. Each step works on whole
// matrices, with masks for the part that it changes, so that batches cost nothing more.
//
// QR and products of reflections have the form of LAPACK's geqrf and orgqr (LAPACK Users' Guide,
// "QR Factorization"): H_k = I - tau_k v_k v_k^H, v_k is 0 before row k, 1 there, and below the
// diagonal of the result after it.
#include "Algebra.h"
#include "LapackCalls.h"

#include "forge/Dialect/StableHLO/Transforms/Passes.h"

namespace forge {
#define GEN_PASS_DEF_EXPANDLINEARALGEBRAPASS
#include "forge/Dialect/StableHLO/Transforms/Passes.h.inc"
} // namespace forge

using namespace mlir;
using namespace forge;
using namespace forge::stablehlo;

/// `Qr(a)`: R and the vectors v in one matrix [..., m, n], and the factors tau [..., min(m, n)].
static SmallVector<Value> expandQr(OpBuilder &builder, Location loc, Value a,
                                   RankedTensorType tausType) {
  Algebra m(builder, loc);
  int64_t rank = typeOf(a).getRank();
  return m.loop(
      tausType.getShape().back(), {a, m.splat(tausType, 0)},
      [&](Value k, ValueRange carried) -> SmallVector<Value> {
        Value a = carried[0], taus = carried[1];
        // 1. beta = -sign(Re alpha) |x|, where x is the column from alpha at k down.
        Value x = m.column(a, k);
        Value rows = m.index(x, rank - 2), here = m.spread(k, rows);
        Value below = m.is(Direction::GT, rows, here), at = m.is(Direction::EQ, rows, here);
        Value zero = m.constant(x, 0), tail = m.select(below, x, zero);
        Value alpha = m.sum(m.select(at, x, zero), rank - 2);
        Value rest = m.sum(m.square(tail), rank - 2), re = m.real(alpha), im = m.imag(alpha);
        Value size = m.sqrt(m.add(rest, m.square(alpha)));
        Value none = m.constant(re, 0);
        Value beta = m.select(m.is(Direction::GE, re, none), m.neg(size), size);
        // 2. tau = (beta - alpha) / beta, v = x / (alpha - beta); nothing to reflect: tau = 0.
        Value trivial = m.both(m.is(Direction::EQ, rest, none), m.is(Direction::EQ, im, none));
        beta = m.select(trivial, re, beta);
        Value safe = m.select(trivial, m.constant(beta, 1), beta);
        Value tauRe = m.select(trivial, none, m.div(m.sub(beta, re), safe));
        Value tau = m.number(tauRe, m.select(trivial, none, m.div(m.neg(im), safe)), a);
        Value full = m.number(beta, none, a);
        Value difference = m.select(trivial, m.constant(alpha, 1), m.sub(alpha, full));
        Value v = m.div(tail, m.repeat(difference, tail));
        Value reflector = m.select(at, m.constant(v, 1), v);
        // 3. The columns after k: a - v (conj(tau) v^H a); column k itself becomes R above v.
        Value w = multiplyAdjoint(m, reflector, a);
        w = m.mul(w, m.repeat(m.conj(tau), w));
        Value columns = m.index(a, rank - 1), there = m.spread(k, columns);
        Value reflected = subtractOuter(m, a, reflector, w);
        Value column = m.select(below, v, m.select(at, m.repeat(full, x), x));
        a = m.select(m.is(Direction::GT, columns, there), reflected,
                     m.select(m.is(Direction::EQ, columns, there), m.asColumns(column, a), a));
        Value number = m.index(taus, rank - 2);
        Value isHere = m.is(Direction::EQ, number, m.spread(k, number));
        return {a, m.select(isHere, m.repeat(tau, taus), taus)};
      });
}

/// `ProductOfElementaryHouseholderReflectors(a, taus)`: the first columns of H_0 H_1 ...
static Value expandReflectors(OpBuilder &builder, Location loc, Value a, Value taus) {
  Algebra m(builder, loc);
  int64_t rank = typeOf(a).getRank(), count = typeOf(taus).getShape().back();
  Value identity = m.select(m.is(Direction::EQ, m.index(a, rank - 2), m.index(a, rank - 1)),
                            m.constant(a, 1), m.constant(a, 0));
  return m
      .loop(count, identity,
            [&](Value step, ValueRange carried) -> SmallVector<Value> {
              Value q = carried[0];
              Value k = m.sub(m.constant(step, static_cast<double>(count - 1)), step);
              Value x = m.column(a, k);
              Value rows = m.index(x, rank - 2), here = m.spread(k, rows);
              Value v = m.select(
                  m.is(Direction::GT, rows, here), x,
                  m.select(m.is(Direction::EQ, rows, here), m.constant(x, 1), m.constant(x, 0)));
              Value number = m.index(taus, rank - 2);
              Value tau = m.sum(m.select(m.is(Direction::EQ, number, m.spread(k, number)), taus,
                                         m.constant(taus, 0)),
                                rank - 2);
              Value w = multiplyAdjoint(m, v, q);
              return {subtractOuter(m, q, v, m.mul(w, m.repeat(tau, w)))};
            })
      .front();
}

/// Forward or backward substitution on all columns of b at once.
static Value expandTriangularSolve(OpBuilder &builder, TriangularSolveOp op) {
  Algebra m(builder, op.getLoc());
  Value a = op.getA(), b = op.getB();
  // x op(a) = b is op(a)^T x^T = b^T.
  bool adjoint = op.getTransposeA() == Transpose::ADJOINT;
  bool transposed = (op.getTransposeA() != Transpose::NO_TRANSPOSE) == op.getLeftSide();
  if (adjoint)
    a = m.conj(a);
  if (transposed)
    a = m.transpose(a);
  if (!op.getLeftSide())
    b = m.transpose(b);
  bool lower = op.getLower() != transposed;
  int64_t rank = typeOf(a).getRank(), n = typeOf(a).getShape().back();
  Value x =
      m.loop(n, b, [&](Value step, ValueRange carried) -> SmallVector<Value> {
         Value b = carried[0];
         Value k = lower ? step : m.sub(m.constant(step, static_cast<double>(n - 1)), step);
         Value column = m.column(a, k), solved = m.row(b, k);
         Value rows = m.index(column, rank - 2), here = m.spread(k, rows);
         if (!op.getUnitDiagonal()) {
           Value diagonal = m.sum(
               m.select(m.is(Direction::EQ, rows, here), column, m.constant(column, 0)), rank - 2);
           solved = m.div(solved, m.repeat(diagonal, solved));
         }
         Value open = m.is(lower ? Direction::GT : Direction::LT, rows, here);
         Value rest = subtractOuter(m, b, m.select(open, column, m.constant(column, 0)), solved);
         Value allRows = m.index(b, rank - 2);
         return {m.select(m.is(Direction::EQ, allRows, m.spread(k, allRows)), m.asRows(solved, b),
                          rest)};
       }).front();
  return op.getLeftSide() ? x : m.transpose(x);
}

/// a = l l^H, column by column; what is above the diagonal becomes zero.
static Value expandCholesky(OpBuilder &builder, CholeskyOp op) {
  Algebra m(builder, op.getLoc());
  bool lower = op.getLower();
  Value a = lower ? op.getA() : m.conj(m.transpose(op.getA()));
  int64_t rank = typeOf(a).getRank(), n = typeOf(a).getShape().back();
  Value factor =
      m.loop(n, {a, m.constant(a, 0)}, [&](Value k, ValueRange carried) -> SmallVector<Value> {
        Value a = carried[0], l = carried[1];
        Value x = m.column(a, k), rows = m.index(x, rank - 2), here = m.spread(k, rows);
        Value zero = m.constant(x, 0);
        Value pivot = m.real(m.sum(m.select(m.is(Direction::EQ, rows, here), x, zero), rank - 2));
        Value root = m.number(m.sqrt(pivot), m.constant(pivot, 0), a);
        Value column = m.div(m.select(m.is(Direction::GE, rows, here), x, zero), m.repeat(root, x));
        // A negative pivot is no number, nor is anything after it.
        column = m.select(m.is(Direction::GE, rows, here), column, zero);
        Value columns = m.index(a, rank - 1);
        l = m.select(m.is(Direction::EQ, columns, m.spread(k, columns)), m.asColumns(column, a), l);
        return {subtractOuter(m, a, column, m.conj(column)), l};
      })[1];
  return lower ? factor : m.conj(m.transpose(factor));
}

/// Whether a matrix has no elements: there is no column to take.
static bool isEmpty(Value matrix) { return typeOf(matrix).getNumElements() == 0; }

/// The results of `op`, or nothing if it is none of these.
static FailureOr<SmallVector<Value>> expand(OpBuilder &builder, Operation *op) {
  auto isKnown = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.getRank() >= 1 && tensor.hasStaticShape() &&
           isa<Float32Type, Float64Type>(partTypeOf(tensor.getElementType()));
  };
  if (!llvm::all_of(op->getOperandTypes(), isKnown) || !llvm::all_of(op->getResultTypes(), isKnown))
    return failure();
  if (isa<TriangularSolveOp, CholeskyOp>(op)) {
    if (!isComplex(op->getOperand(0)))
      return failure();
    if (isEmpty(op->getOperand(0)) || isEmpty(op->getResult(0)))
      return SmallVector<Value>{op->getOperand(op->getNumOperands() - 1)};
    if (auto solve = dyn_cast<TriangularSolveOp>(op))
      return SmallVector<Value>{expandTriangularSolve(builder, solve)};
    return SmallVector<Value>{expandCholesky(builder, cast<CholeskyOp>(op))};
  }
  auto call = dyn_cast<CustomCallOp>(op);
  if (!call || op->getNumOperands() == 0)
    return failure();
  RankedTensorType a = typeOf(op->getOperand(0));
  if (a.getRank() < 2)
    return failure();
  SmallVector<int64_t> taus(a.getShape().drop_back(2));
  int64_t rows = a.getDimSize(a.getRank() - 2), columns = a.getShape().back();
  if (call.getCallTargetName() == "Qr" && op->getNumOperands() == 1 && op->getNumResults() == 2) {
    taus.push_back(std::min(rows, columns));
    if (op->getResult(0).getType() != a || op->getResult(1).getType() != a.clone(taus))
      return failure();
    if (isEmpty(op->getOperand(0)))
      return SmallVector<Value>{op->getOperand(0),
                                Algebra(builder, op->getLoc()).splat(a.clone(taus), 0)};
    return expandQr(builder, op->getLoc(), op->getOperand(0), a.clone(taus));
  }
  if (call.getCallTargetName() == "ProductOfElementaryHouseholderReflectors" &&
      op->getNumOperands() == 2 && op->getNumResults() == 1) {
    RankedTensorType given = typeOf(op->getOperand(1));
    taus.push_back(given.getShape().back());
    if (op->getResult(0).getType() != a || given != a.clone(taus) || rows < columns ||
        taus.back() > columns)
      return failure();
    if (isEmpty(op->getOperand(0)))
      return SmallVector<Value>{op->getOperand(0)};
    return SmallVector<Value>{
        expandReflectors(builder, op->getLoc(), op->getOperand(0), op->getOperand(1))};
  }
  return failure();
}

void forge::expandLinearAlgebra(ModuleOp module) {
  raiseLapackCalls(module);
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) {
    if (isa<CustomCallOp, TriangularSolveOp, CholeskyOp>(op))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    OpBuilder builder(op);
    FailureOr<SmallVector<Value>> results = expand(builder, op);
    if (failed(results))
      continue;
    op->replaceAllUsesWith(*results);
    op->erase();
  }
}

namespace {
struct ExpandLinearAlgebraPass : forge::impl::ExpandLinearAlgebraPassBase<ExpandLinearAlgebraPass> {
  void runOnOperation() override { expandLinearAlgebra(getOperation()); }
};
} // namespace
