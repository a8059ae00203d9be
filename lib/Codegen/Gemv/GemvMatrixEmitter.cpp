#include "GemvBlock.h"
#include "GemvEmitter.h"

#include "../Tile/MmaSync.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
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
//    32 neighbouring terms of a column, 8 each, which are the terms of two instructions.
// 2. Rows that x does not have are its last one again; their sums are not stored.
// 3. The warps share the terms. A step: all its accesses to the matrix first, so that they are
//    under way together, then those to x, which all blocks read and the caches keep, and the
//    products.
// 4. What is left behind the last whole step: groups of 32 terms, the last one only by those warps
//    that have one.
// 5. The warps' sums go to shared memory; the rest is as for single rows.
class GemvMatrixEmitter {
public:
  GemvMatrixEmitter(ImplicitLocOpBuilder &b, const GemvProduct &product, const GemvPlan &plan,
                    int64_t warpSize, const GemvPrologue *prologue)
      : b(b), product(product), plan(plan), warpSize(warpSize), prologue(prologue),
        block(b, product, plan, warpSize), halves(block.sumsOfRow() / kHalf),
        rowTiles(llvm::divideCeil(product.rows, kHalf)),
        element(getElementTypeOrSelf(product.left())) {}

  void emit() {
    lane = arith::RemUIOp::create(b, block.thread(), index(warpSize));
    warp = arith::DivUIOp::create(b, block.thread(), index(warpSize));
    group = arith::DivUIOp::create(b, lane, index(kQuad));
    quad = arith::RemUIOp::create(b, lane, index(kQuad));
    for (int64_t half = 0; half < halves; ++half) {
      int64_t number = half * kHalf;
      const GemvMatrix &matrix = product.matrices[number / plan.columns];
      Value within = add(group, number % plan.columns);
      columns.push_back(
          {asMatrix(b, matrix.value(), product.columns, product.length), block.columnOf(within)});
    }
    Value last = index(product.rows - 1);
    for (int64_t tile = 0; tile < rowTiles; ++tile) {
      Value row = add(group, tile * kHalf);
      rows.push_back((tile + 1) * kHalf > product.rows ? arith::MinUIOp::create(b, row, last)
                                                       : row);
    }
    // The terms of a warp's first access begin here.
    firstTerm = arith::AddIOp::create(b, arith::MulIOp::create(b, warp, index(perGroup())),
                                      arith::MulIOp::create(b, quad, index(product.vector)));
    if (prologue) {
      if (steps() == 1)
        ahead = loadStep(placesOf(firstTerm));
      prologue->emit(b);
    }
    left = asMatrix(b, product.left(), product.rows, product.length);
    block.storeResults(joinWarps(sumUp()));
  }

private:
  Value index(int64_t value) { return arith::ConstantIndexOp::create(b, value); }
  Value add(Value x, int64_t y) {
    return y == 0 ? x : arith::AddIOp::create(b, x, index(y)).getResult();
  }

  /// Terms of four lanes, of all warps, and of a step.
  int64_t perGroup() const { return kQuad * product.vector; }
  int64_t perRound() const { return block.warps() * perGroup(); }
  int64_t perStep() const { return perRound() * plan.depth; }
  int64_t steps() const { return product.length / perStep(); }

  //===--- sums ---===//

  /// Four words of two elements each.
  using Words = SmallVector<Value, 4>;
  /// For each place one access to each half.
  using Loaded = SmallVector<SmallVector<Words>>;

  Words access(Value matrix, Value row, Value at) {
    Value loaded = vector::LoadOp::create(b, VectorType::get({product.vector}, element), matrix,
                                          ValueRange{row, at}, /*nontemporal=*/false,
                                          llvm::MaybeAlign(kAccessBytes));
    int64_t count = product.vector / 2;
    Value words = vector::BitCastOp::create(b, VectorType::get(count, b.getI32Type()), loaded);
    Words list;
    for (int64_t word = 0; word < count; ++word)
      list.push_back(vector::ExtractOp::create(b, words, word));
    return list;
  }

  Loaded loadStep(ArrayRef<Value> places) {
    Loaded loaded;
    for (Value place : places)
      loaded.push_back(llvm::map_to_vector(columns, [&](const Column &column) {
        return access(column.matrix, column.number, place);
      }));
    return loaded;
  }

  /// Adds the products of the accesses at `places`.
  void addLoaded(ArrayRef<Value> places, const Loaded &loaded, SmallVectorImpl<Value> &sums) {
    for (auto [place, matrix] : llvm::zip_equal(places, loaded)) {
      SmallVector<Words> x =
          llvm::map_to_vector(rows, [&](Value row) { return access(left, row, place); });
      for (size_t word = 0; word < x.front().size(); word += 2)
        for (int64_t half = 0; half < halves; half += 2)
          for (int64_t tile = 0; tile < rowTiles; ++tile) {
            const Words &upper = matrix[half], &lower = matrix[half + 1];
            MutableArrayRef<Value> four =
                MutableArrayRef<Value>(sums).slice((half / 2 * rowTiles + tile) * 4, 4);
            SmallVector<Value> made =
                mmaSync(b, {upper[word], lower[word], upper[word + 1], lower[word + 1]},
                        {x[tile][word], x[tile][word + 1]}, four, element);
            llvm::copy(made, four.begin());
          }
    }
  }

  void addStep(ArrayRef<Value> places, SmallVectorImpl<Value> &sums) {
    addLoaded(places, loadStep(places), sums);
  }

  SmallVector<Value> placesOf(Value first) {
    SmallVector<Value> places;
    for (int64_t number = 0; number < plan.depth; ++number)
      places.push_back(add(first, number * perRound()));
    return places;
  }

  SmallVector<Value> sumUp() {
    Value zero = arith::ConstantOp::create(b, b.getF32FloatAttr(0));
    SmallVector<Value> sums(halves / 2 * rowTiles * 4, zero);
    if (!ahead.empty()) {
      addLoaded(placesOf(firstTerm), ahead, sums);
    } else if (steps() == 1) {
      addStep(placesOf(firstTerm), sums);
    } else if (steps() > 1) {
      auto loop =
          scf::ForOp::create(b, index(0), index(steps() * perStep()), index(perStep()), sums);
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(loop.getBody());
      SmallVector<Value> inside(loop.getRegionIterArgs());
      addStep(placesOf(arith::AddIOp::create(b, loop.getInductionVar(), firstTerm)), inside);
      scf::YieldOp::create(b, inside);
      sums = SmallVector<Value>(loop.getResults());
    }
    addRest(steps() * perStep(), sums);
    return sums;
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
    Value has = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, warp,
                                      index((product.length - done) / perGroup()));
    SmallVector<Type> types(sums.size(), b.getF32Type());
    auto branch = scf::IfOp::create(b, types, has, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(b, sums);
    b.setInsertionPointToStart(branch.thenBlock());
    addStep({add(firstTerm, done)}, sums);
    scf::YieldOp::create(b, sums);
    sums.assign(branch.getResults().begin(), branch.getResults().end());
  }

  //===--- exchange ---===//

  /// Of an instruction's result a lane has columns `group` and `group` + 8, and of each the rows 2
  /// `quad` and 2 `quad` + 1.
  Value joinWarps(ArrayRef<Value> sums) {
    Value buffer = block.allocSums(rowTiles * kHalf * block.sumsOfRow(), b.getF32Type());
    Value firstRow = arith::MulIOp::create(b, quad, index(2 * block.sumsOfRow()));
    Value first = arith::AddIOp::create(b, firstRow, group);
    for (auto [number, sum] : llvm::enumerate(sums)) {
      auto at = static_cast<int64_t>(number);
      int64_t tile = at / 4 % rowTiles, half = at / 4 / rowTiles * 2 + at % 4 / 2;
      int64_t row = tile * kHalf + at % 2;
      Value place = add(first, row * block.sumsOfRow() + half * kHalf);
      memref::StoreOp::create(b, sum, buffer, ValueRange{warp, place});
    }
    gpu::BarrierOp::create(b);
    return buffer;
  }

  /// The columns of a half: a matrix, [columns, length], and a lane's row of it.
  struct Column {
    Value matrix, number;
  };

  ImplicitLocOpBuilder &b;
  const GemvProduct &product;
  const GemvPlan &plan;
  int64_t warpSize;
  const GemvPrologue *prologue;
  GemvBlock block;
  int64_t halves, rowTiles;
  Type element;
  /// The matrix' part of the only step, under way while the prologue is computed.
  Loaded ahead;
  Value lane, warp, group, quad, firstTerm, left;
  SmallVector<Column> columns;
  SmallVector<Value> rows;
};

} // namespace

void emitGemvByMatrixUnits(ImplicitLocOpBuilder &b, const GemvProduct &product,
                           const GemvPlan &plan, int64_t warpSize, const GemvPrologue *prologue) {
  GemvMatrixEmitter(b, product, plan, warpSize, prologue).emit();
}

} // namespace forge
