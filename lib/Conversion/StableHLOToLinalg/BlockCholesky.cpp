// Cholesky factors of matrices, each by a block of threads: the left-looking algorithm by panels of
// columns (LAPACK's potrf), in which a thread has an element of a panel, and then a row of it.
#include "BlockSolve.h"
#include "ScalarBuilder.h"

#include "forge/Conversion/Utils/TensorUtils.h"

using namespace mlir;
using namespace forge;
using stablehlo::kBankPadding;
using stablehlo::kPanelRows;

namespace {
// 1. Read the matrix.
// 2. Panel by panel, of what is on its diagonal and below:
//    a. p(i, j) = a(i, j) - sum over the columns k before the panel of l(i, k) l(j, k), in order;
//    b. every thread factors the panel's block on the diagonal, in registers, and solves its own
//       row with it. What a row then has behind the diagonal is not read.
// 3. Write the triangle, and zeros in the other.
class BlockFactor {
public:
  BlockFactor(Value a, bool lower)
      : lower(lower), matrix(a, /*transposed=*/!lower, /*reversed=*/false) {}

  Value createMatrix(IndexBuilder in, ValueRange batch, Value target) const {
    Value factor = matrix.read(in, batch);
    Value panel = tensor::EmptyOp::create(
        in.b, in.loc, {matrix.wholeRows(), kPanelRows + kBankPadding}, matrix.element());
    auto step = [&](IndexBuilder p, ValueRange number, ValueRange carried) {
      Value sums = createSums(p, number[0], carried[0], carried[1]);
      return SmallVector<Value>{createRows(p, number[0], sums, carried[0]), sums};
    };
    factor = in.loops(in.constant(matrix.panels()), ValueRange{factor, panel}, step).front();
    return createResult(in, batch, factor, target);
  }

private:
  /// The loop over elements of panel `number`, from its diagonal on; `panel` with their sums.
  Value createSums(IndexBuilder in, Value number, Value factor, Value panel) const {
    Value width = in.constant(kPanelRows), start = in.mul(number, kPanelRows);
    Value elements = in.mul(in.sub(in.constant(matrix.wholeRows()), start), kPanelRows);
    auto element = [&](IndexBuilder s, ValueRange at, ValueRange carried) {
      Value below = s.b.createOrFold<arith::DivUIOp>(s.loc, at[0], width);
      Value place = s.b.createOrFold<arith::RemUIOp>(s.loc, at[0], width);
      Value row = s.add(start, below), column = s.add(start, place);
      auto terms = [&](IndexBuilder t, ValueRange before, ValueRange rest) {
        SmallVector<std::pair<Value, Value>> factors;
        for (int64_t k = 0; k < kPanelRows; ++k) {
          Value known = t.add(t.mul(before[0], kPanelRows), k);
          factors.push_back({t.read(factor, {row, known}), t.read(factor, {column, known})});
        }
        Value sum = rest[0];
        for (auto [x, y] : factors)
          sum = subtractProduct(t, sum, x, y);
        return SmallVector<Value>{sum};
      };
      Value sum = s.loops(number, s.read(factor, {row, column}), terms).front();
      return SmallVector<Value>{s.write(sum, carried[0], {below, place})};
    };
    return in.sharedLoop(elements, panel, element).front();
  }

  /// Of each row of the panel x with x l^T = p, where l is of the block on the diagonal.
  Value createRows(IndexBuilder in, Value number, Value panel, Value factor) const {
    Value start = in.mul(number, kPanelRows);
    Value rows = in.sub(in.constant(matrix.wholeRows()), start);
    auto row = [&](IndexBuilder s, ValueRange at, ValueRange carried) {
      auto element = [&](Value of, int64_t j) { return s.read(panel, {of, s.constant(j)}); };
      SmallVector<SmallVector<Value>> l(kPanelRows);
      SmallVector<Value> x;
      for (int64_t i = 0; i < kPanelRows; ++i)
        for (int64_t j = 0; j <= i; ++j)
          l[i].push_back(element(s.constant(i), j));
      for (int64_t j = 0; j < kPanelRows; ++j)
        x.push_back(element(at[0], j));
      for (int64_t j = 0; j < kPanelRows; ++j) {
        auto solve = [&](SmallVector<Value> &of) {
          for (int64_t k = 0; k < j; ++k)
            of[j] = subtractProduct(s, of[j], of[k], l[j][k]);
        };
        solve(l[j]);
        l[j][j] = math::SqrtOp::create(s.b, s.loc, l[j][j]);
        Value inverse = reciprocal(s, l[j][j]);
        for (int64_t i = j + 1; i < kPanelRows; ++i) {
          solve(l[i]);
          l[i][j] = arith::MulFOp::create(s.b, s.loc, l[i][j], inverse);
        }
        solve(x);
        Value quotient = arith::MulFOp::create(s.b, s.loc, x[j], inverse);
        Value isDiagonal =
            arith::CmpIOp::create(s.b, s.loc, arith::CmpIPredicate::eq, at[0], s.constant(j));
        x[j] = s.select(isDiagonal, l[j][j], quotient);
      }
      Value into = carried[0], place = s.add(start, at[0]);
      for (auto [j, value] : llvm::enumerate(x))
        into = s.write(value, into, {place, s.add(start, static_cast<int64_t>(j))});
      return SmallVector<Value>{into};
    };
    return in.sharedLoop(rows, factor, row).front();
  }

  Value createResult(IndexBuilder in, ValueRange batch, Value factor, Value target) const {
    Matrix result{SmallVector<Value>(batch), !lower};
    auto step = [&](IndexBuilder s, ValueRange at, ValueRange carried) {
      SmallVector<Value> into(carried);
      matrix.visit(s, at[0], [&](IndexBuilder v, Value row, Value column) {
        Value zero = ScalarBuilder(v.b, v.loc).real(matrix.element(), 0);
        auto write = [&](IndexBuilder w) {
          Value value = w.select(w.less(row, column), zero, w.read(factor, {row, column}));
          return SmallVector<Value>{writeNarrow(w, value, into[0], result.at(row, column))};
        };
        if (matrix.wholeRows() == matrix.rows())
          into = write(v);
        else
          into = v.when(v.less(v.max(row, column), v.constant(matrix.rows())), into, write);
      });
      return into;
    };
    return in.sharedLoop(matrix.steps(in), target, step).front();
  }

  bool lower;
  BlockMatrix matrix;
};
} // namespace

Value forge::createBlockCholesky(OpBuilder &builder, Location loc, Value a, bool lower) {
  BlockFactor factor(a, lower);
  Value target =
      createEmpty(builder, loc, cast<RankedTensorType>(a.getType()), getSizes(builder, loc, a));
  return overBlocks({builder, loc}, getBatchSizes(builder, loc, a), target,
                    [&](IndexBuilder in, ValueRange batch, Value into) {
                      return factor.createMatrix(in, batch, into);
                    });
}
