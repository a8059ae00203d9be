#include "BackwardTiles.h"

#include "../FlashAttention/TileOrder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace forge;

Value BackwardTiles::i32(int64_t value) {
  return arith::ConstantOp::create(b, b.getI32IntegerAttr(static_cast<int32_t>(value)));
}

Value BackwardTiles::index(int64_t value) { return arith::ConstantIndexOp::create(b, value); }

Value BackwardTiles::toIndex(Value value) {
  return arith::IndexCastOp::create(b, b.getIndexType(), value);
}

void BackwardTiles::spread(Value number, ArrayRef<unsigned> axes, MutableArrayRef<Value> begin) {
  for (unsigned axis : llvm::reverse(axes)) {
    Value size = i32(flash.sizeOf(axis));
    begin[axis] = toIndex(arith::RemUIOp::create(b, number, size));
    number = arith::DivUIOp::create(b, number, size);
  }
}

/// Tiles of one place after the other: they go through the same factors. First those that see most
/// where the mask is causal: the last rows, or the first keys.
BackwardWork BackwardTiles::workOf(Value number) {
  BackwardWork work;
  work.begin.resize(flash.graph().columnAxis() + 1);
  Value tiles = i32(ownTiles());
  Value tile = arith::RemUIOp::create(b, number, tiles);
  if (flash.overKeys)
    tile = arith::SubIOp::create(b, i32(ownTiles() - 1), tile);
  work.begin[flash.own] = toIndex(arith::MulIOp::create(b, tile, i32(plan.own)));
  spread(arith::DivUIOp::create(b, number, tiles), flash.places, work.begin);
  for (const KeyLimit &limit : flash.conditions.limits)
    work.limits.push_back(limitValue(b, flash.graph(), limit, flash.axes(), work.begin));
  findTiles(work);
  return work;
}

/// Those in which any row sees any key, as far as limits say so; of rows only limits that go with
/// the row, by steps of one, do.
void BackwardTiles::findTiles(BackwardWork &work) {
  int64_t size = flash.sizeOf(flash.along), ownSize = flash.sizeOf(flash.own);
  int64_t tiles = llvm::divideCeil(size, plan.along);
  Value first = index(0), end = index(tiles);
  Value ownFirst = work.begin[flash.own];
  Value ownLast = arith::MinSIOp::create(b, arith::AddIOp::create(b, ownFirst, index(plan.own - 1)),
                                         index(ownSize - 1));
  for (auto [limit, value] : llvm::zip_equal(flash.conditions.limits, work.limits)) {
    Value at; // the last place along the axis that counts, or the first
    bool isLast = limit.isUpper;
    if (flash.overKeys) {
      Value row = limit.isUpper == (limit.perRow > 0) ? ownLast : ownFirst;
      at = arith::AddIOp::create(b, value, arith::MulIOp::create(b, row, index(limit.perRow)));
    } else {
      if (limit.perRow != 1)
        continue;
      // key <= row + value: from row key - value on.
      isLast = !limit.isUpper;
      at = arith::SubIOp::create(b, isLast ? ownLast : ownFirst, value);
    }
    at = arith::MaxSIOp::create(b, arith::MinSIOp::create(b, at, index(isLast ? size - 1 : size)),
                                index(isLast ? -1 : 0));
    if (isLast)
      end = arith::MinSIOp::create(
          b, end,
          arith::DivUIOp::create(b, arith::AddIOp::create(b, at, index(plan.along)),
                                 index(plan.along)));
    else
      first = arith::MaxSIOp::create(b, first, arith::DivUIOp::create(b, at, index(plan.along)));
  }
  // Where nothing is seen there is one tile too, which is masked.
  first = arith::MinSIOp::create(b, first, index(tiles - 1));
  end = arith::MaxSIOp::create(b, end, arith::AddIOp::create(b, first, index(1)));
  work.first = arith::IndexCastOp::create(b, b.getI32Type(), first);
  work.perTurn = arith::IndexCastOp::create(b, b.getI32Type(),
                                            arith::SubIOp::create(b, end, first).getResult());
  work.count = arith::MulIOp::create(b, work.perTurn, i32(flash.numTurns()));
}

SmallVector<Value> BackwardTiles::beginOf(const BackwardWork &work, Value number) {
  SmallVector<Value> begin = work.begin;
  Value inTurn = number;
  if (!flash.turns.empty()) {
    inTurn = arith::RemUIOp::create(b, number, work.perTurn);
    spread(arith::DivUIOp::create(b, number, work.perTurn), flash.turns, begin);
  }
  Value tile = arith::AddIOp::create(b, work.first, inTurn);
  begin[flash.along] = toIndex(arith::MulIOp::create(b, tile, i32(plan.along)));
  return begin;
}
