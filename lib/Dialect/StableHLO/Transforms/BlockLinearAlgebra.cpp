// Cholesky factorizations and triangular systems by blocks of rows: products of matrices do all but
// the blocks on the diagonal. The factorization is the left-looking one of LAPACK's potrf; systems
// are solved with the inverses of the diagonal's blocks, as MAGMA's trsm does (Dongarra et al.,
// "Accelerating Numerical Dense Linear Algebra Calculations with GPUs", 2014).
#include "Algebra.h"

#include "forge/Dialect/StableHLO/IR/BlockMatrices.h"
#include "forge/Dialect/StableHLO/Transforms/Passes.h"

#include "llvm/Support/MathExtras.h"

namespace forge {
#define GEN_PASS_DEF_BLOCKLINEARALGEBRAPASS
#include "forge/Dialect/StableHLO/Transforms/Passes.h.inc"
} // namespace forge

using namespace mlir;
using namespace forge;
using namespace forge::stablehlo;

/// Rows of a block of a system, and of one that is factored, which one thread does alone. Smaller
/// matrices stay.
static constexpr int64_t kThreadSystem = 32, kThreadFactor = 16, kLeastRows = 64;

namespace {
/// Blocks of batches of matrices [..., m, n]. Dimensions count from the end: 2 is that of rows.
class Blocks : public Algebra {
public:
  using Algebra::Algebra;

  /// `count` rows or columns from `start`, a scalar, on.
  Value take(Value matrix, int64_t fromEnd, Value start, int64_t count) {
    RankedTensorType type = typeOf(matrix);
    SmallVector<int64_t> sizes(type.getShape());
    sizes[type.getRank() - fromEnd] = count;
    return DynamicSliceOp::create(b, loc, type.clone(sizes), matrix,
                                  startsAt(type.getRank(), fromEnd, start), sizes);
  }
  /// `matrix` with `block` at `start`.
  Value put(Value matrix, Value block, int64_t fromEnd, Value start) {
    int64_t rank = typeOf(matrix).getRank();
    return DynamicUpdateSliceOp::create(b, loc, matrix.getType(), matrix, block,
                                        startsAt(rank, fromEnd, start));
  }
  /// `matrix` with `block` on its diagonal, from row and column `start` on.
  Value putDiagonal(Value matrix, Value block, Value start) {
    SmallVector<Value> starts = startsAt(typeOf(matrix).getRank(), 2, start);
    starts.back() = start;
    return DynamicUpdateSliceOp::create(b, loc, matrix.getType(), matrix, block, starts);
  }
  /// The first rows and columns, so many.
  Value first(Value matrix, int64_t rows, int64_t columns) {
    RankedTensorType type = typeOf(matrix);
    SmallVector<int64_t> limits(type.getShape()), ones(type.getRank(), 1), none(type.getRank(), 0);
    limits[type.getRank() - 2] = rows;
    limits[type.getRank() - 1] = columns;
    return SliceOp::create(b, loc, type.clone(limits), matrix, none, limits, ones);
  }
  /// `matrix` with zeros below and on the right, up to so many rows and columns.
  Value extend(Value matrix, int64_t rows, int64_t columns) {
    RankedTensorType type = typeOf(matrix);
    SmallVector<int64_t> shape(type.getShape()), none(type.getRank(), 0), high(none);
    high[type.getRank() - 2] = rows - shape[type.getRank() - 2];
    high[type.getRank() - 1] = columns - shape[type.getRank() - 1];
    shape[type.getRank() - 2] = rows;
    shape[type.getRank() - 1] = columns;
    Value zero = splat(RankedTensorType::get({}, type.getElementType()), 0);
    return PadOp::create(b, loc, type.clone(shape), matrix, zero, none, high, none);
  }
  /// x y, or x y^T.
  Value product(Value x, Value y, bool transposed = false) {
    int64_t rank = typeOf(x).getRank();
    SmallVector<int64_t> batch = llvm::to_vector(llvm::seq<int64_t>(0, rank - 2));
    SmallVector<int64_t> shape(typeOf(x).getShape());
    shape.back() = typeOf(y).getDimSize(transposed ? rank - 2 : rank - 1);
    auto dims = DotDimensionNumbersAttr::get(b.getContext(), batch, batch, {rank - 1},
                                             {transposed ? rank - 1 : rank - 2});
    auto highest = PrecisionAttr::get(b.getContext(), Precision::HIGHEST);
    return DotGeneralOp::create(b, loc, typeOf(x).clone(shape), x, y, dims,
                                b.getArrayAttr({highest, highest}), DotAlgorithmAttr());
  }
  Value reshape(Value x, ArrayRef<int64_t> shape) {
    return ReshapeOp::create(b, loc, typeOf(x).clone(shape), x);
  }
  /// Comparison of the rows' numbers with the columns'.
  Value rowsAre(Direction direction, Value matrix) {
    int64_t rank = typeOf(matrix).getRank();
    return is(direction, index(matrix, rank - 2), index(matrix, rank - 1));
  }
  Value identity(RankedTensorType type) {
    Value zero = splat(type, 0);
    return select(rowsAre(Direction::EQ, zero), splat(type, 1), zero);
  }
  /// The inverses of triangular matrices.
  Value inverse(Value matrix, bool lower) {
    return TriangularSolveOp::create(b, loc, matrix.getType(), matrix, identity(typeOf(matrix)),
                                     /*left_side=*/true, lower, /*unit_diagonal=*/false,
                                     Transpose::NO_TRANSPOSE);
  }
  /// x with x l^T = y.
  Value solveRows(Value l, Value y) {
    return TriangularSolveOp::create(b, loc, y.getType(), l, y, /*left_side=*/false, /*lower=*/true,
                                     /*unit_diagonal=*/false, Transpose::TRANSPOSE);
  }
  Value choleskyOf(Value matrix) {
    return CholeskyOp::create(b, loc, matrix.getType(), matrix, /*lower=*/true);
  }
  Value times(Value k, double factor) { return mul(k, constant(k, factor)); }

private:
  SmallVector<Value> startsAt(int64_t rank, int64_t fromEnd, Value start) {
    SmallVector<Value> starts(rank, constant(start, 0));
    starts[rank - fromEnd] = start;
    return starts;
  }
};
} // namespace

/// `a`, of n rows and columns, with the identity behind it up to whole blocks of `blockRows`.
static Value extendByIdentity(Blocks &m, Value a, int64_t blockRows) {
  int64_t n = rowsOf(a), whole = llvm::alignTo(n, blockRows);
  if (whole == n)
    return a;
  Value extended = m.extend(a, whole, whole), rows = m.index(extended, typeOf(a).getRank() - 2);
  Value isBehind = m.both(m.rowsAre(Direction::EQ, extended),
                          m.is(Direction::GE, rows, m.constant(rows, static_cast<double>(n))));
  return m.select(isBehind, m.constant(extended, 1), extended);
}

/// The blocks on the diagonal of a, [..., blocks, rows of a block, columns of a block].
static Value diagonalBlocks(Blocks &m, Value a, int64_t blockRows) {
  int64_t rank = typeOf(a).getRank(), blocks = rowsOf(a) / blockRows;
  SmallVector<int64_t> shape(typeOf(a).getShape().drop_back(2));
  shape.append({blocks, blockRows, blocks, blockRows});
  Value divided = m.reshape(a, shape);
  Value isDiagonal = m.is(Direction::EQ, m.index(divided, rank - 2), m.index(divided, rank));
  return m.sum(m.select(isDiagonal, divided, m.constant(divided, 0)), rank);
}

/// 1. a x = b of a triangular a without elements on its other side, with whole blocks.
/// 2. The inverses of the blocks on the diagonal.
/// 3. Block by block, from that of known rows on: x_j = inverse_j (b_j - a_j x), where x is zero
///    from j on.
static Value solveByBlocks(OpBuilder &builder, TriangularSolveOp op, int64_t blockRows) {
  Blocks m(builder, op.getLoc());
  Value a = op.getA(), b = op.getB();
  // x op(a) = b is op(a)^T x^T = b^T.
  bool transposed = (op.getTransposeA() != Transpose::NO_TRANSPOSE) == op.getLeftSide();
  if (transposed)
    a = m.transpose(a);
  if (!op.getLeftSide())
    b = m.transpose(b);
  bool lower = op.getLower() != transposed;
  if (op.getUnitDiagonal())
    a = m.select(m.rowsAre(Direction::EQ, a), m.constant(a, 1), a);
  a = m.select(m.rowsAre(lower ? Direction::GE : Direction::LE, a), a, m.constant(a, 0));
  int64_t n = rowsOf(b), columns = columnsOf(b);
  a = extendByIdentity(m, a, blockRows);
  int64_t whole = rowsOf(a), blocks = whole / blockRows;
  if (whole != n)
    b = m.extend(b, whole, columns);
  Value inverses = m.inverse(diagonalBlocks(m, a, blockRows), lower);
  SmallVector<int64_t> stacked(typeOf(a).getShape().drop_back(2));
  stacked.append({whole, blockRows});
  inverses = m.reshape(inverses, stacked);
  Value x =
      m.loop(blocks, m.constant(b, 0), [&](Value step, ValueRange carried) {
         Value block =
             lower ? step : m.sub(m.constant(step, static_cast<double>(blocks - 1)), step);
         Value start = m.times(block, blockRows);
         auto at = [&](Value of) { return m.take(of, 2, start, blockRows); };
         Value rest = m.sub(at(b), m.product(at(a), carried[0]));
         return SmallVector<Value>{m.put(carried[0], m.product(at(inverses), rest), 2, start)};
       }).front();
  if (whole != n)
    x = m.first(x, n, columns);
  return op.getLeftSide() ? x : m.transpose(x);
}

/// Block column by block column, with l zero from column j on:
/// 1. p = a[:, j] - l l[j, :]^T, but zero above the diagonal's block.
/// 2. l[j, j] = cholesky(p[j, :]), and below it p l[j, j]^-T, by substitution or with the inverse;
///    this gives zeros above.
static Value factorByBlocks(OpBuilder &builder, CholeskyOp op, int64_t blockRows,
                            bool bySubstitution) {
  Blocks m(builder, op.getLoc());
  bool lower = op.getLower();
  int64_t n = rowsOf(op.getA());
  Value a = extendByIdentity(m, lower ? op.getA() : m.transpose(op.getA()), blockRows);
  int64_t blocks = rowsOf(a) / blockRows, rank = typeOf(a).getRank();
  Value l = m.loop(blocks, m.constant(a, 0), [&](Value step, ValueRange carried) {
               Value l = carried[0], start = m.times(step, blockRows);
               Value p = m.sub(m.take(a, 1, start, blockRows),
                               m.product(l, m.take(l, 2, start, blockRows), /*transposed=*/true));
               Value rows = m.index(p, rank - 2);
               p = m.select(m.is(Direction::GE, rows, m.spread(start, rows)), p, m.constant(p, 0));
               Value diagonal = m.choleskyOf(m.take(p, 2, start, blockRows));
               Value below = bySubstitution ? m.solveRows(diagonal, p)
                                            : m.product(p, m.inverse(diagonal, /*lower=*/true),
                                                        /*transposed=*/true);
               return SmallVector<Value>{m.putDiagonal(m.put(l, below, 1, start), diagonal, start)};
             }).front();
  if (rowsOf(l) != n)
    l = m.first(l, n, n);
  return lower ? l : m.transpose(l);
}

/// Whether `type` is of matrices of known sizes, of real numbers that are not rounded on the way.
static bool isOfMatrices(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getRank() >= 2 && tensor.hasStaticShape() &&
         tensor.getNumElements() > 0 && isa<Float32Type, Float64Type>(tensor.getElementType());
}

namespace {
struct BlockLinearAlgebraPass : forge::impl::BlockLinearAlgebraPassBase<BlockLinearAlgebraPass> {
  using BlockLinearAlgebraPassBase::BlockLinearAlgebraPassBase;

  bool hasColumns(Operation *op) const {
    auto solve = dyn_cast<TriangularSolveOp>(op);
    return !solve ||
           (solve.getLeftSide() ? columnsOf(solve.getB()) : rowsOf(solve.getB())) >= leastColumns;
  }

  /// Whether a block of threads does all of it.
  bool isOfBlock(Operation *op) const {
    Type element = typeOf(op->getOperand(0)).getElementType();
    int64_t rows = rowsOf(op->getOperand(0));
    return isa<CholeskyOp>(op) ? canBlockFactor(rows, element, blockBytes)
                               : canBlockSolve(rows, element, blockBytes);
  }

  /// The most rows, a power of two, that a block of threads does; 0 if it has memory for no more
  /// than a thread does.
  int64_t rowsOfBlock(Type element, bool factors) const {
    for (int64_t rows = kMostBlockRows; rows > kThreadSystem; rows /= 2)
      if (canBlockSolve(rows, element, blockBytes) &&
          (!factors || canBlockFactor(rows, element, blockBytes)))
        return rows;
    return 0;
  }

  Value solve(OpBuilder &builder, TriangularSolveOp op) const {
    int64_t rows = rowsOfBlock(typeOf(op.getA()).getElementType(), /*factors=*/false);
    return solveByBlocks(builder, op, rows > 0 ? rows : kThreadSystem);
  }

  Value factor(OpBuilder &builder, CholeskyOp op) const {
    int64_t rows = rowsOfBlock(typeOf(op.getA()).getElementType(), /*factors=*/true);
    return factorByBlocks(builder, op, rows > 0 ? rows : kThreadFactor,
                          /*bySubstitution=*/rows > 0);
  }

  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      if (isa<TriangularSolveOp, CholeskyOp>(op) &&
          llvm::all_of(op->getOperandTypes(), isOfMatrices) &&
          rowsOf(op->getOperand(0)) > kLeastRows && hasColumns(op) && !isOfBlock(op))
        ops.push_back(op);
    });
    for (Operation *op : ops) {
      OpBuilder builder(op);
      auto system = dyn_cast<TriangularSolveOp>(op);
      Value result = system ? solve(builder, system) : factor(builder, cast<CholeskyOp>(op));
      op->getResult(0).replaceAllUsesWith(result);
      op->erase();
    }
  }
};
} // namespace
