// 1. Rows in chunks of about the root of their number; how many of each group a chunk has.
// 2. How many of each group are in the chunks before.
// 3. At which tile each group begins: tiles of the groups before it.
// 4. A row's place: its group's first tile, rows of the group in chunks before, and in its chunk.
// 5. The other way round: what is in a place.
#include "forge/Conversion/Utils/RowTiles.h"

#include "forge/Conversion/Utils/TensorUtils.h"

#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;
using namespace forge;

/// Rows of a tile of matrix units, and the least that are worth a tile.
static constexpr int64_t kMostRows = 128, kFewestRows = 16;

bool RowTiles::isWorth(int64_t rows, int64_t groups, int64_t matrix, int64_t least) {
  constexpr int64_t most = std::numeric_limits<int32_t>::max();
  int64_t multiplications = 0;
  return rows < most / (2 * kMostRows) && groups < most / (2 * kMostRows) &&
         (llvm::MulOverflow(rows, matrix, multiplications) || multiplications >= least);
}

int64_t RowTiles::count(int64_t rows, int64_t groups, int64_t height) {
  return std::min((rows + groups * (height - 1)) / height, rows);
}

int64_t RowTiles::chooseHeight(int64_t rows, int64_t groups) {
  int64_t height = kMostRows;
  while (height > kFewestRows && groups * height > rows)
    height /= 2;
  return height;
}

std::pair<Value, Value> RowTiles::split(IndexBuilder ib, Value place) const {
  SmallVector<Value> at = ib.delinearize(place, {tiles, height});
  return {at[0], at[1]};
}

namespace {
class TileBuilder {
public:
  TileBuilder(OpBuilder &builder, Location loc, int64_t rows, int64_t groups)
      : b(builder), loc(loc), rows(rows), groups(groups),
        length(int64_t(1) << ((llvm::Log2_64_Ceil(rows) + 1) / 2)),
        chunks(llvm::divideCeil(rows, length)) {}

  RowTiles create(int64_t height, function_ref<Value(IndexBuilder, Value)> owner);

private:
  Value i32(OpBuilder &in, int64_t value) {
    return arith::ConstantOp::create(in, loc, in.getI32IntegerAttr(static_cast<int32_t>(value)));
  }
  Value toI32(OpBuilder &in, Value index) {
    return arith::IndexCastOp::create(in, loc, in.getI32Type(), index);
  }
  Value toIndex(OpBuilder &in, Value number) {
    return arith::IndexCastOp::create(in, loc, in.getIndexType(), number);
  }
  Value is(OpBuilder &in, arith::CmpIPredicate predicate, Value x, Value y) {
    return arith::CmpIOp::create(in, loc, predicate, x, y);
  }

  /// Sums of `term`, over the last of three loops, of the elements of `input`, which has the loops
  /// `dims`: i32 of this shape. Or of two loops.
  using Term = function_ref<Value(OpBuilder &, ValueRange loops, Value element)>;
  Value sum(ArrayRef<int64_t> shape, Value input, ArrayRef<unsigned> dims, Term term) {
    int64_t loops = static_cast<int64_t>(shape.size()) + 1;
    auto type = RankedTensorType::get(shape, b.getI32Type());
    Value init = createFill(b, loc, type, i32(b, 0), {});
    SmallVector<AffineExpr> read;
    for (unsigned dim : dims)
      read.push_back(b.getAffineDimExpr(dim));
    SmallVector<AffineMap> maps{AffineMap::get(loops, 0, read, b.getContext()),
                                AffineMap::getMultiDimIdentityMap(loops, b.getContext())
                                    .getMajorSubMap(static_cast<unsigned>(shape.size()))};
    SmallVector<utils::IteratorType> iterators = parallelIterators(loops);
    iterators.back() = utils::IteratorType::reduction;
    auto generic = linalg::GenericOp::create(
        b, loc, type, input, init, maps, iterators,
        [&](OpBuilder &in, Location l, ValueRange args) {
          SmallVector<Value> at;
          for (int64_t loop = 0; loop < loops; ++loop)
            at.push_back(toI32(in, linalg::IndexOp::create(in, l, loop)));
          Value added = arith::AddIOp::create(in, l, args[1], term(in, at, args[0]));
          linalg::YieldOp::create(in, l, added);
        });
    return generic.getResult(0);
  }
  Value countIf(OpBuilder &in, Value condition) {
    return arith::ExtUIOp::create(in, loc, in.getI32Type(), condition);
  }
  /// The last row of `matrix`.
  Value lastRow(Value matrix, int64_t row) {
    auto type = RankedTensorType::get({groups}, b.getI32Type());
    return tensor::ExtractSliceOp::create(
        b, loc, type, matrix, ArrayRef<OpFoldResult>{b.getIndexAttr(row), b.getIndexAttr(0)},
        ArrayRef<OpFoldResult>{b.getIndexAttr(1), b.getIndexAttr(groups)},
        SmallVector<OpFoldResult>(2, b.getIndexAttr(1)));
  }
  Value createSources(const RowTiles &made);

  OpBuilder &b;
  Location loc;
  int64_t rows, groups, length, chunks;
};
} // namespace

RowTiles TileBuilder::create(int64_t height, function_ref<Value(IndexBuilder, Value)> owner) {
  using P = arith::CmpIPredicate;
  RowTiles made{rows, groups, RowTiles::count(rows, groups, height), height, {}, {}, {}, {}};
  auto matrix = [&](int64_t n, int64_t m) { return RankedTensorType::get({n, m}, b.getI32Type()); };
  // 1.
  Value owners = createIndexed(
      b, loc, createEmpty(b, loc, matrix(chunks, length), {}),
      [&](OpBuilder &in, Location l, ValueRange at) {
        IndexBuilder ib{in, l};
        Value row = ib.add(ib.mul(at[0], length), at[1]);
        Value group = owner(ib, ib.min(row, ib.constant(rows - 1)));
        return toI32(in, ib.select(ib.less(row, ib.constant(rows)), group, ib.constant(-1)));
      });
  Value counts = sum({chunks, groups}, owners, {0, 2}, [&](OpBuilder &in, ValueRange at, Value x) {
    return countIf(in, is(in, P::eq, x, at[1]));
  });
  // 2.
  Value before = sum({chunks + 1, groups}, counts, {2, 1},
                     [&](OpBuilder &in, ValueRange at, Value x) -> Value {
                       Value isBefore = is(in, P::slt, at[2], at[0]);
                       return arith::SelectOp::create(in, loc, isBefore, x, i32(in, 0));
                     });
  // 3.
  Value starts = sum({groups + 1}, lastRow(before, chunks), {1},
                     [&](OpBuilder &in, ValueRange at, Value x) -> Value {
                       Value full = arith::AddIOp::create(in, loc, x, i32(in, height - 1));
                       Value tiles = arith::DivUIOp::create(in, loc, full, i32(in, height));
                       Value isBefore = is(in, P::slt, at[1], at[0]);
                       return arith::SelectOp::create(in, loc, isBefore, tiles, i32(in, 0));
                     });
  auto ends = tensor::ExtractSliceOp::create(
      b, loc, RankedTensorType::get({groups}, b.getI32Type()), starts,
      ArrayRef<OpFoldResult>{b.getIndexAttr(1)}, ArrayRef<OpFoldResult>{b.getIndexAttr(groups)},
      ArrayRef<OpFoldResult>{b.getIndexAttr(1)});
  // The last group's tiles, and those behind them.
  made.owners = sum({made.tiles}, ends, {1}, [&](OpBuilder &in, ValueRange at, Value x) {
    Value isBehind = arith::AndIOp::create(in, loc, is(in, P::sle, x, at[0]),
                                           is(in, P::slt, at[1], i32(in, groups - 1)));
    return countIf(in, isBehind);
  });
  made.starts = starts;
  // 4.
  Value ranks = sum({chunks, length}, owners, {0, 2}, [&](OpBuilder &in, ValueRange at, Value x) {
    Value own = tensor::ExtractOp::create(in, loc, owners,
                                          ValueRange{toIndex(in, at[0]), toIndex(in, at[1])});
    Value isBefore =
        arith::AndIOp::create(in, loc, is(in, P::slt, at[2], at[1]), is(in, P::eq, x, own));
    return countIf(in, isBefore);
  });
  made.places = createIndexed(
      b, loc, createEmpty(b, loc, RankedTensorType::get({rows}, b.getI32Type()), {}),
      [&](OpBuilder &in, Location l, ValueRange at) -> Value {
        IndexBuilder ib{in, l};
        SmallVector<Value> place = ib.delinearize(at[0], {chunks, length});
        Value group = ib.read(owners, place);
        Value isIn = is(in, P::sge, group, i32(in, 0));
        Value index = toIndex(in, arith::MaxSIOp::create(in, l, group, i32(in, 0)));
        Value first = arith::MulIOp::create(in, l, ib.read(starts, index), i32(in, height));
        Value within =
            arith::AddIOp::create(in, l, ib.read(before, {place[0], index}), ib.read(ranks, place));
        return ib.select(isIn, arith::AddIOp::create(in, l, first, within), i32(in, -1));
      });
  made.sources = createSources(made);
  return made;
}

/// No two rows have one place.
Value TileBuilder::createSources(const RowTiles &made) {
  auto type = RankedTensorType::get({made.tiles * made.height}, b.getI32Type());
  Value none = createFill(b, loc, type, i32(b, 0), {});
  IndexBuilder outer{b, loc};
  return outer
      .independentLoops(
          outer.constant(rows), none,
          [&](IndexBuilder ib, ValueRange row, ValueRange sources) {
            Value place = ib.read(made.places, row);
            Value isIn = is(ib.b, arith::CmpIPredicate::sge, place, i32(ib.b, 0));
            auto branch = scf::IfOp::create(
                ib.b, loc, isIn,
                [&](OpBuilder &in, Location l) {
                  IndexBuilder at{in, l};
                  Value written = at.write(toI32(in, row[0]), sources[0], toIndex(in, place));
                  scf::YieldOp::create(in, l, written);
                },
                [&](OpBuilder &in, Location l) { scf::YieldOp::create(in, l, sources); });
            return SmallVector<Value>{branch.getResult(0)};
          })
      .front();
}

RowTiles forge::createRowTiles(OpBuilder &builder, Location loc, int64_t rows, int64_t groups,
                               function_ref<Value(IndexBuilder, Value)> owner) {
  int64_t height = RowTiles::chooseHeight(rows, groups);
  return TileBuilder(builder, loc, rows, groups).create(height, owner);
}

static Value toIndex(IndexBuilder ib, Value number) {
  return arith::IndexCastOp::create(ib.b, ib.loc, ib.b.getIndexType(), number);
}

Value forge::createTileRows(OpBuilder &builder, Location loc, const RowTiles &tiles, Type element,
                            ArrayRef<int64_t> rest,
                            function_ref<Value(IndexBuilder, Value, ValueRange)> read) {
  SmallVector<int64_t> shape{tiles.tiles, tiles.height};
  llvm::append_range(shape, rest);
  Value init = createEmpty(builder, loc, RankedTensorType::get(shape, element), {});
  return createIndexed(builder, loc, init, [&](OpBuilder &b, Location l, ValueRange at) {
    IndexBuilder ib{b, l};
    Value place = ib.add(ib.mul(at[0], tiles.height), at[1]);
    return read(ib, toIndex(ib, ib.read(tiles.sources, place)), at.drop_front(2));
  });
}

Value forge::createTileMatrices(OpBuilder &builder, Location loc, const RowTiles &tiles,
                                Value matrices, int64_t groupDim) {
  auto type = cast<RankedTensorType>(matrices.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.erase(shape.begin() + groupDim);
  shape.insert(shape.begin(), tiles.tiles);
  Value init = createEmpty(builder, loc, type.clone(shape), {});
  return createIndexed(builder, loc, init, [&](OpBuilder &b, Location l, ValueRange at) {
    IndexBuilder ib{b, l};
    SmallVector<Value> from(at.drop_front());
    from.insert(from.begin() + groupDim, toIndex(ib, ib.read(tiles.owners, at[0])));
    return ib.read(matrices, from);
  });
}
