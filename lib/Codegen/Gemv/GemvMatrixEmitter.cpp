#include "GemvBlock.h"
#include "GemvEmitter.h"
#include "NibbleMatrix.h"
#include "WordHalves.h"

#include "../Tile/MmaSync.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace forge {
namespace {

/// Lanes that share the terms of an instruction, and columns, or rows of x, of half of one.
constexpr int64_t kQuad = 4, kHalf = 8;

// 1. Both factors are read where they are, 16 bytes a lane. An instruction multiplies 16 columns of
//    the block by 8 rows of x. Terms may come in any order that both factors share: four lanes have
//    32 neighbouring terms of a column, 8 each, which are the terms of two instructions. Of a
//    matrix of nibbles they have those of one scale, an access of each lane, which multiplies their
//    sums. Of a matrix with its columns inside a lane has 2, 4 or 8 neighbouring columns, an access
//    to each of 8 neighbouring rows, whose numbers it pairs by column. An instruction's columns are
//    two neighbours of each of the eight lanes with the same terms.
// 2. Rows that x does not have are its last one again; their sums are not stored.
// 3. The warps share the terms. A step: all accesses of the next one to the matrix first, so that
//    there are always some under way, then its own to x, which all blocks read and the caches keep,
//    and the products. Those of the first step are before anything else.
// 4. What is left behind the last whole step: groups of 32 terms, the last one only by those warps
//    that have one; terms that it lacks are zeros.
// 5. The warps' sums go to shared memory; the rest is as for single rows.
class GemvMatrixEmitter {
public:
  GemvMatrixEmitter(ImplicitLocOpBuilder &b, const GemvProduct &product, const GemvPlan &plan,
                    int64_t warpSize, const GemvPrologue *prologue)
      : b(b), product(product), plan(plan), warpSize(warpSize), prologue(prologue),
        sumsOfRow(plan.columns * product.numMatrices()), warps(plan.threads / warpSize),
        halves(sumsOfRow / kHalf), perStrip(product.columnsInside ? plan.columns / kHalf : 1),
        rowTiles(llvm::divideCeil(product.rows, kHalf)),
        element(getElementTypeOrSelf(product.left())) {}

  void emit() {
    Value thread = gpu::ThreadIdOp::create(b, gpu::Dimension::x);
    lane = arith::RemUIOp::create(b, thread, index(warpSize));
    warp = arith::DivUIOp::create(b, thread, index(warpSize));
    group = arith::DivUIOp::create(b, lane, index(kQuad));
    quad = arith::RemUIOp::create(b, lane, index(kQuad));
    for (const GemvMatrix &matrix : product.matrices) {
      nibbles.push_back(matchNibbles(matrix.prologue));
      matrices.push_back(
          nibbles.back()
              ? asMatrix(b, nibbles.back()->words, product.columns, product.length / perWord())
          : product.columnsInside ? asMatrix(b, matrix.value(), product.length, product.columns)
                                  : asMatrix(b, matrix.value(), product.columns, product.length));
    }
    Value last = index(product.rows - 1);
    for (int64_t tile = 0; tile < rowTiles; ++tile) {
      Value row = add(group, tile * kHalf);
      rows.push_back((tile + 1) * kHalf > product.rows ? arith::MinUIOp::create(b, row, last)
                                                       : row);
    }
    // The terms of a warp's first access begin here.
    firstTerm = arith::AddIOp::create(b, arith::MulIOp::create(b, warp, index(perGroup())),
                                      arith::MulIOp::create(b, quad, index(perLane())));
    Value first = gpu::BlockIdOp::create(b, gpu::Dimension::x);
    GemvAhead ahead = loadFirst(first);
    if (prologue)
      prologue->emit(b);
    left = asMatrix(b, product.left(), product.rows, product.length);
    buffer = GemvBlock(b, product, plan, warpSize, first)
                 .allocSums(rowTiles * kHalf * strideOfSums(product, plan), b.getF32Type());
    emitGroups(
        b, product, plan, first, ahead, [&](Value number) { return loadFirst(number); },
        [&](Value number, ValueRange loaded) {
          enter(number);
          return sumUp(loaded);
        },
        [&](Value number, ValueRange sums) {
          joinWarps(sums);
          GemvBlock(b, product, plan, warpSize, number).storeResults(buffer);
        });
  }

private:
  Value index(int64_t value) { return arith::ConstantIndexOp::create(b, value); }
  Value add(Value x, int64_t y) {
    return y == 0 ? x : arith::AddIOp::create(b, x, index(y)).getResult();
  }

  /// Elements of a word of nibbles.
  int64_t perWord() const { return product.vector; }
  /// Terms of a lane that are read together, of four lanes, of all warps, and of a step.
  int64_t perLane() const { return product.matrixTerms / kQuad; }
  int64_t perGroup() const { return product.matrixTerms; }
  int64_t perRound() const { return warps * perGroup(); }
  int64_t perStep() const { return perRound() * plan.depth; }
  int64_t steps() const { return product.length / perStep(); }

  //===--- sums ---===//

  /// The columns of a half: a matrix, [columns, length] or words of it, and a lane's row of it.
  /// With the columns inside those of all halves of one matrix: [length, columns], and a lane's
  /// first column of it.
  struct Column {
    Value matrix, number;
    std::optional<NibbleMatrix> nibbles;
  };

  /// The matrix, of which each block reads another part, leaves a multiprocessor's cache to several
  /// rows of x, which all blocks read.
  bool streamsMatrix() const { return product.rows > 1 && !prologue; }

  using Words = SmallVector<Value, 4>;
  /// What a lane has of a `Column`: words, of row after row with the columns inside, and what their
  /// sums are to be multiplied by, or null.
  struct Piece {
    Words words;
    Value scale;
  };
  /// For each place one piece of each `Column`.
  using Loaded = SmallVector<SmallVector<Piece>>;

  /// Words of `elements` elements; zeros where `hasTerms` is not.
  Words access(Value matrix, Value row, Value at, int64_t elements, bool isStreamed) {
    if (!hasTerms)
      return load(matrix, row, at, elements, isStreamed);
    int64_t bits = elements * getElementTypeOrSelf(matrix).getIntOrFloatBitWidth();
    SmallVector<Type> types(bits / 32, b.getI32Type());
    auto branch = scf::IfOp::create(b, types, hasTerms, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    scf::YieldOp::create(b, load(matrix, row, at, elements, isStreamed));
    b.setInsertionPointToStart(branch.elseBlock());
    Value none = arith::ConstantIntOp::create(b, 0, 32);
    scf::YieldOp::create(b, SmallVector<Value>(types.size(), none));
    return Words(branch.getResults());
  }

  Words load(Value matrix, Value row, Value at, int64_t elements, bool isStreamed) {
    Type type = getElementTypeOrSelf(matrix);
    int64_t bytes = elements * type.getIntOrFloatBitWidth() / 8, count = bytes / 4;
    Value words =
        vector::LoadOp::create(b, VectorType::get({elements}, type), matrix, ValueRange{row, at},
                               /*nontemporal=*/isStreamed, llvm::MaybeAlign(bytes));
    if (count != elements)
      words = vector::BitCastOp::create(b, VectorType::get({count}, b.getI32Type()), words);
    Words list;
    for (int64_t word = 0; word < count; ++word)
      list.push_back(vector::ExtractOp::create(b, words, word));
    return list;
  }

  Piece pieceOf(const Column &column, Value place) {
    if (product.columnsInside) {
      Piece piece;
      for (int64_t row = 0; row < perLane(); ++row)
        llvm::append_range(piece.words, access(column.matrix, add(place, row), column.number,
                                               perStrip, streamsMatrix()));
      return piece;
    }
    if (!column.nibbles)
      return {access(column.matrix, column.number, place, product.vector, streamsMatrix()),
              Value()};
    Value word = arith::DivUIOp::create(b, place, index(perWord()));
    Piece piece{access(column.matrix, column.number, word, perLane() / perWord(), streamsMatrix()),
                Value()};
    Value group = arith::DivUIOp::create(b, place, index(column.nibbles->group));
    piece.scale =
        memref::LoadOp::create(b, column.nibbles->scales, ValueRange{column.number, group});
    return piece;
  }

  /// The columns of group number `number` are those that follows.
  void enter(Value number) {
    GemvBlock block(b, product, plan, warpSize, number);
    columns.clear();
    if (product.columnsInside) {
      Value first = block.columnsOf(arith::MulIOp::create(b, group, index(perStrip)), perStrip);
      for (Value matrix : matrices)
        columns.push_back({matrix, first, std::nullopt});
      return;
    }
    for (int64_t column = 0; column < sumsOfRow; column += kHalf) {
      int64_t matrix = column / plan.columns;
      columns.push_back(
          {matrices[matrix], block.columnOf(add(group, column % plan.columns)), nibbles[matrix]});
    }
  }

  /// The accesses of the first step of group number `number`.
  GemvAhead loadFirst(Value number) {
    if (steps() == 0)
      return {};
    enter(number);
    return valuesOf(loadStep(placesOf(firstTerm)));
  }

  /// All words and scales, and the same as `Loaded`.
  static GemvAhead valuesOf(const Loaded &loaded) {
    GemvAhead values;
    for (ArrayRef<Piece> pieces : loaded)
      for (const Piece &piece : pieces) {
        llvm::append_range(values, piece.words);
        if (piece.scale)
          values.push_back(piece.scale);
      }
    return values;
  }
  int64_t wordsOf(const Column &column) const {
    return column.nibbles ? perLane() / perWord() : perStrip * kAccessBytes / 4;
  }
  Loaded loadedOf(ValueRange values) const {
    Loaded loaded(plan.depth);
    for (SmallVector<Piece> &pieces : loaded)
      for (const Column &column : columns) {
        size_t words = wordsOf(column);
        Piece &piece = pieces.emplace_back();
        llvm::append_range(piece.words, values.take_front(words));
        values = values.drop_front(words);
        if (column.nibbles) {
          piece.scale = values.front();
          values = values.drop_front();
        }
      }
    return loaded;
  }

  Loaded loadStep(ArrayRef<Value> places) {
    Loaded loaded;
    for (Value place : places)
      loaded.push_back(llvm::map_to_vector(
          columns, [&](const Column &column) { return pieceOf(column, place); }));
    return loaded;
  }

  /// Four words of pairs of unit number `unit` of a half, 8 elements.
  Words pairsOf(ArrayRef<Piece> pieces, int64_t half, int64_t unit) {
    if (product.columnsInside)
      return pairsOfColumn(pieces[half / perStrip].words, half % perStrip);
    const Column &column = columns[half];
    const Piece &piece = pieces[half];
    return column.nibbles ? unpackNibbles(b, piece.words[unit], column.nibbles->zero, element)
                          : piece.words;
  }
  /// Of 8 rows of words of pairs of columns the pairs of rows of one column.
  Words pairsOfColumn(ArrayRef<Value> words, int64_t column) {
    int64_t perRow = perStrip / 2;
    Words pairs;
    for (int64_t row = 0; row < perLane(); row += 2) {
      Value one = words[row * perRow + column / 2], next = words[(row + 1) * perRow + column / 2];
      pairs.push_back(column % 2 == 0 ? lowHalves(b, one, next) : highHalves(b, one, next));
    }
    return pairs;
  }
  Words pairsOfRow(Value row, Value place) {
    Words words = access(left, row, place, product.vector, /*isStreamed=*/false);
    return columns.front().nibbles ? pairAsNibbles(b, words) : words;
  }

  /// Adds the products of the accesses at `places`.
  void addLoaded(ArrayRef<Value> places, const Loaded &loaded, SmallVectorImpl<Value> &sums) {
    for (auto [place, pieces] : llvm::zip_equal(places, loaded)) {
      bool isScaled = bool(pieces.front().scale);
      SmallVector<Value> parts(sums.begin(), sums.end());
      if (isScaled)
        parts.assign(sums.size(), zero());
      for (int64_t unit = 0; unit < perLane() / product.vector; ++unit)
        addUnit(add(place, unit * product.vector), pieces, unit, parts);
      for (auto [number, part] : llvm::enumerate(parts))
        sums[number] =
            isScaled ? scaled(pieces, static_cast<int64_t>(number), part, sums[number]) : part;
    }
  }

  void addUnit(Value place, ArrayRef<Piece> pieces, int64_t unit, SmallVectorImpl<Value> &sums) {
    SmallVector<Words> x =
        llvm::map_to_vector(rows, [&](Value row) { return pairsOfRow(row, place); });
    for (int64_t half = 0; half < halves; half += 2) {
      Words upper = pairsOf(pieces, half, unit), lower = pairsOf(pieces, half + 1, unit);
      for (size_t word = 0; word < upper.size(); word += 2)
        for (int64_t tile = 0; tile < rowTiles; ++tile) {
          MutableArrayRef<Value> four =
              MutableArrayRef<Value>(sums).slice((half / 2 * rowTiles + tile) * 4, 4);
          SmallVector<Value> made =
              mmaSync(b, {upper[word], lower[word], upper[word + 1], lower[word + 1]},
                      {x[tile][word], x[tile][word + 1]}, four, element);
          llvm::copy(made, four.begin());
        }
    }
  }

  /// Sum number `number` and the part of it that has the scale of its column.
  Value scaled(ArrayRef<Piece> pieces, int64_t number, Value part, Value sum) {
    Value scale = pieces[halfOf(number)].scale;
    if (scale.getType() != b.getF32Type())
      scale = arith::ExtFOp::create(b, b.getF32Type(), scale);
    return math::FmaOp::create(b, scale, part, sum);
  }

  Value zero() { return arith::ConstantOp::create(b, b.getF32FloatAttr(0)); }

  void addStep(ArrayRef<Value> places, SmallVectorImpl<Value> &sums) {
    addLoaded(places, loadStep(places), sums);
  }

  SmallVector<Value> placesOf(Value first) {
    SmallVector<Value> places;
    for (int64_t number = 0; number < plan.depth; ++number)
      places.push_back(add(first, number * perRound()));
    return places;
  }

  /// The sums of the columns, of whose first step `ahead` is.
  GemvAhead sumUp(ValueRange ahead) {
    SmallVector<Value> sums(halves / 2 * rowTiles * 4, zero());
    if (!ahead.empty())
      addSteps(ahead, sums);
    addRest(steps() * perStep(), sums);
    return sums;
  }

  /// All whole steps.
  void addSteps(ValueRange ahead, SmallVectorImpl<Value> &sums) {
    int64_t last = (steps() - 1) * perStep();
    SmallVector<Value> loaded(ahead);
    if (last > 0) {
      SmallVector<Value> carried(sums.begin(), sums.end());
      llvm::append_range(carried, ahead);
      auto loop = scf::ForOp::create(b, index(0), index(last), index(perStep()), carried);
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(loop.getBody());
      ValueRange arguments = loop.getRegionIterArgs();
      SmallVector<Value> inside(arguments.take_front(sums.size()));
      Value first = arith::AddIOp::create(b, loop.getInductionVar(), firstTerm);
      GemvAhead next = valuesOf(loadStep(placesOf(add(first, perStep()))));
      addLoaded(placesOf(first), loadedOf(arguments.drop_front(sums.size())), inside);
      llvm::append_range(inside, next);
      scf::YieldOp::create(b, inside);
      ValueRange results = loop.getResults();
      sums.assign(results.begin(), results.begin() + sums.size());
      loaded.assign(results.begin() + sums.size(), results.end());
    }
    addLoaded(placesOf(add(firstTerm, last)), loadedOf(loaded), sums);
  }

  /// The terms from `done` on.
  void addRest(int64_t done, SmallVectorImpl<Value> &sums) {
    SmallVector<Value> places;
    for (; product.length - done >= perRound(); done += perRound())
      places.push_back(add(firstTerm, done));
    if (!places.empty())
      addStep(places, sums);
    if (done == product.length)
      return;
    int64_t groups = llvm::divideCeil(product.length - done, perGroup());
    Value has = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, warp, index(groups));
    SmallVector<Type> types(sums.size(), b.getF32Type());
    auto branch = scf::IfOp::create(b, types, has, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(b, sums);
    b.setInsertionPointToStart(branch.thenBlock());
    Value place = add(firstTerm, done);
    if (product.length % perGroup() != 0)
      hasTerms = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, place, index(product.length));
    addStep({place}, sums);
    hasTerms = Value();
    scf::YieldOp::create(b, sums);
    sums.assign(branch.getResults().begin(), branch.getResults().end());
  }

  //===--- exchange ---===//

  /// The half whose columns sum number `number` is of.
  int64_t halfOf(int64_t number) const { return number / 4 / rowTiles * 2 + number % 4 / 2; }

  /// Of an instruction's result a lane has columns `group` and `group` + 8, of two halves, and of
  /// each the rows 2 `quad` and 2 `quad` + 1.
  void joinWarps(ValueRange sums) {
    int64_t stride = strideOfSums(product, plan);
    Value firstRow = arith::MulIOp::create(b, quad, index(2 * stride));
    Value column =
        perStrip == 1 ? group : arith::MulIOp::create(b, group, index(perStrip)).getResult();
    Value first = arith::AddIOp::create(b, firstRow, column);
    // Neighbouring columns that a lane has, as many as an access takes.
    int64_t atOnce = std::min<int64_t>(perStrip, kAccessBytes / 4);
    for (int64_t row = 0; row < rowTiles * kHalf; row += row % 2 == 0 ? 1 : kHalf - 1)
      for (int64_t half = 0; half < halves; half += atOnce) {
        SmallVector<Value> values;
        for (int64_t next = half; next < half + atOnce; ++next)
          values.push_back(sums[(next / 2 * rowTiles + row / kHalf) * 4 + next % 2 * 2 + row % 2]);
        // Halves of a matrix are 8 columns each, or, inside, one column of each lane.
        int64_t before = half / perStrip * perStrip * kHalf + half % perStrip;
        store(values, add(first, row * stride + before));
      }
    gpu::BarrierOp::create(b);
  }

  void store(ArrayRef<Value> values, Value place) {
    if (values.size() == 1) {
      memref::StoreOp::create(b, values.front(), buffer, ValueRange{warp, place});
      return;
    }
    auto count = static_cast<int64_t>(values.size());
    Value vector =
        vector::FromElementsOp::create(b, VectorType::get({count}, b.getF32Type()), values);
    vector::StoreOp::create(b, vector, buffer, ValueRange{warp, place}, /*nontemporal=*/false,
                            llvm::MaybeAlign(count * 4));
  }

  ImplicitLocOpBuilder &b;
  const GemvProduct &product;
  const GemvPlan &plan;
  int64_t warpSize;
  const GemvPrologue *prologue;
  /// `perStrip`: neighbouring columns of a lane.
  int64_t sumsOfRow, warps, halves, perStrip, rowTiles;
  Type element;
  Value lane, warp, group, quad, firstTerm, left;
  /// The sums of all warps, in shared memory.
  Value buffer;
  /// Matrices, [columns, length] or words of them, and the columns of a group.
  SmallVector<Value> matrices;
  SmallVector<std::optional<NibbleMatrix>> nibbles;
  SmallVector<Column> columns;
  SmallVector<Value> rows;
  /// Whether this lane's terms of what is left are some that the factors have; null: they are.
  Value hasTerms;
};

} // namespace

void emitGemvByMatrixUnits(ImplicitLocOpBuilder &b, const GemvProduct &product,
                           const GemvPlan &plan, int64_t warpSize, const GemvPrologue *prologue) {
  GemvMatrixEmitter(b, product, plan, warpSize, prologue).emit();
}

} // namespace forge
