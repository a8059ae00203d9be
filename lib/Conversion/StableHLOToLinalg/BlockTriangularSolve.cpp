// Triangular systems, each by blocks of threads: a block has the matrix and a tile of right-hand
// sides in its memory, a thread one of these.
#include "BlockSolve.h"
#include "ScalarBuilder.h"

#include "forge/Conversion/Utils/TensorUtils.h"

#include <array>

using namespace mlir;
using namespace forge;
using stablehlo::kBankPadding;
using stablehlo::kBlockColumns;
using stablehlo::kPanelRows;

namespace {
// 1. Read the matrix, with its rows and columns from the last one on if it is upper triangular: so
//    it is lower triangular.
// 2. Read the right-hand sides, likewise.
// 3. A thread substitutes in its right-hand side, panel by panel of rows in registers:
//    a. less the products with all rows before the panel, in order;
//    b. row by row of the panel, less the products with those before it, and times the inverse of
//       the diagonal, which is the same for all.
// 4. Write the solutions.
class BlockSystem {
public:
  BlockSystem(OpBuilder &builder, Location loc, Value a, Value b, bool left, bool transposed,
              bool lower, bool unitDiagonal)
      : ib{builder, loc}, b(b), left(left), unitDiagonal(unitDiagonal),
        matrix(a, transposed, /*reversed=*/!lower) {
    auto type = cast<RankedTensorType>(b.getType());
    int64_t dim = type.getRank() - (left ? 1 : 2), size = type.getDimSize(dim);
    columns = getDim(builder, loc, b, dim);
    // A loop of one step would be taken for code of all threads.
    width =
        ShapedType::isDynamic(size) ? kBlockColumns : std::clamp<int64_t>(size, 2, kBlockColumns);
    areWhole = !ShapedType::isDynamic(size) && size % width == 0;
  }

  Value create() {
    OpBuilder &builder = ib.b;
    Location loc = ib.loc;
    SmallVector<Value> extents = getBatchSizes(builder, loc, b);
    extents.push_back(builder.createOrFold<arith::CeilDivUIOp>(loc, columns, ib.constant(width)));
    Value target =
        createEmpty(builder, loc, cast<RankedTensorType>(b.getType()), getSizes(builder, loc, b));
    return overBlocks(ib, extents, target, [&](IndexBuilder in, ValueRange at, Value into) {
      Value first = in.mul(at.back(), width);
      Value a = matrix.read(in, at.drop_back());
      if (!unitDiagonal)
        a = invertDiagonal(in, a);
      Value x = solve(in, a, readSides(in, at.drop_back(), first));
      return writeSides(in, at.drop_back(), first, x, into);
    });
  }

private:
  /// Visits elements of right-hand sides: those of threads side by side are side by side in `b`.
  void visit(IndexBuilder in, Value step, BlockMatrix::Visit body) const {
    Value inner = in.constant(left ? width : kPanelRows);
    Value major = in.b.createOrFold<arith::DivUIOp>(in.loc, step, inner);
    Value minor = in.b.createOrFold<arith::RemUIOp>(in.loc, step, inner);
    for (int64_t from = 0; from < matrix.wholeRows(); from += kPanelRows)
      body(in, in.add(left ? major : minor, from), left ? minor : major);
  }

  Value readSides(IndexBuilder in, ValueRange batch, Value first) const {
    Matrix sides{SmallVector<Value>(batch), !left};
    Value memory = tensor::EmptyOp::create(in.b, in.loc, {matrix.wholeRows(), width + kBankPadding},
                                           matrix.element());
    auto step = [&](IndexBuilder s, ValueRange at, ValueRange carried) {
      Value last = s.sub(columns, s.constant(1));
      SmallVector<std::array<Value, 3>> elements;
      visit(s, at[0], [&](IndexBuilder v, Value row, Value column) {
        Value place = v.add(first, column);
        if (!areWhole)
          place = v.min(place, last);
        Value element = readWide(v, b, sides.at(matrix.numberInTensor(v, row), place));
        if (Value isBehind = matrix.isBehind(v, row))
          element =
              v.select(isBehind, ScalarBuilder(v.b, v.loc).real(matrix.element(), 0), element);
        elements.push_back({row, column, element});
      });
      Value into = carried[0];
      for (auto [row, column, element] : elements)
        into = s.write(element, into, {row, column});
      return SmallVector<Value>{into};
    };
    return in.sharedLoop(in.constant(width * kPanelRows), memory, step).front();
  }

  Value invertDiagonal(IndexBuilder in, Value a) const {
    auto element = [](IndexBuilder s, ValueRange at, ValueRange carried) {
      Value i = at[0], inverse = reciprocal(s, s.read(carried[0], {i, i}));
      return SmallVector<Value>{s.write(inverse, carried[0], {i, i})};
    };
    return in.sharedLoop(in.constant(matrix.wholeRows()), a, element).front();
  }

  Value solve(IndexBuilder in, Value a, Value x) const {
    auto side = [&](IndexBuilder s, ValueRange column, ValueRange carried) {
      auto panel = [&](IndexBuilder p, ValueRange number, ValueRange known) {
        return SmallVector<Value>{solvePanel(p, number[0], column[0], a, known[0])};
      };
      return s.loops(s.constant(matrix.panels()), carried, panel);
    };
    return in.sharedLoop(in.constant(width), x, side).front();
  }

  Value solvePanel(IndexBuilder in, Value number, Value column, Value a, Value x) const {
    auto rowOf = [](IndexBuilder s, Value panel, int64_t i) {
      return s.add(s.mul(panel, kPanelRows), i);
    };
    SmallVector<Value> rest;
    for (int64_t i = 0; i < kPanelRows; ++i)
      rest.push_back(in.read(x, {rowOf(in, number, i), column}));
    rest = in.loops(number, rest, [&](IndexBuilder s, ValueRange before, ValueRange carried) {
      SmallVector<Value> next(carried);
      for (int64_t k = 0; k < kPanelRows; ++k) {
        Value place = rowOf(s, before[0], k), known = s.read(x, {place, column});
        for (int64_t i = 0; i < kPanelRows; ++i)
          next[i] = subtractProduct(s, next[i], s.read(a, {rowOf(s, number, i), place}), known);
      }
      return next;
    });
    for (int64_t i = 0; i < kPanelRows; ++i) {
      Value row = rowOf(in, number, i);
      auto factor = [&](int64_t k) { return in.read(a, {row, rowOf(in, number, k)}); };
      for (int64_t k = 0; k < i; ++k)
        rest[i] = subtractProduct(in, rest[i], factor(k), rest[k]);
      if (!unitDiagonal)
        rest[i] = arith::MulFOp::create(in.b, in.loc, rest[i], factor(i));
    }
    for (auto [i, value] : llvm::enumerate(rest))
      x = in.write(value, x, {rowOf(in, number, static_cast<int64_t>(i)), column});
    return x;
  }

  Value writeSides(IndexBuilder in, ValueRange batch, Value first, Value x, Value target) const {
    Matrix sides{SmallVector<Value>(batch), !left};
    auto step = [&](IndexBuilder s, ValueRange at, ValueRange carried) {
      SmallVector<Value> into(carried);
      visit(s, at[0], [&](IndexBuilder v, Value row, Value column) {
        Value place = v.add(first, column), isInside;
        if (!areWhole)
          isInside = v.less(place, columns);
        if (matrix.wholeRows() != matrix.rows()) {
          Value isRow = v.less(row, v.constant(matrix.rows()));
          isInside = isInside ? v.b.createOrFold<arith::AndIOp>(v.loc, isInside, isRow) : isRow;
        }
        auto write = [&](IndexBuilder w) {
          return SmallVector<Value>{writeNarrow(w, w.read(x, {row, column}), into[0],
                                                sides.at(matrix.numberInTensor(w, row), place))};
        };
        into = isInside ? v.when(isInside, into, write) : write(v);
      });
      return into;
    };
    return in.sharedLoop(in.constant(width * kPanelRows), target, step).front();
  }

  IndexBuilder ib;
  Value b, columns;
  bool left, unitDiagonal;
  BlockMatrix matrix;
  int64_t width;
  /// Whether each block has `width` right-hand sides.
  bool areWhole;
};
} // namespace

Value forge::createBlockSolve(OpBuilder &builder, Location loc, Value a, Value b, bool left,
                              bool transposed, bool lower, bool unitDiagonal) {
  return BlockSystem(builder, loc, a, b, left, transposed, lower, unitDiagonal).create();
}
