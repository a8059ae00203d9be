#include "BackwardTiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace forge;

Value BackwardTiles::i32(int64_t value) {
  return arith::ConstantOp::create(b, b.getI32IntegerAttr(static_cast<int32_t>(value)));
}

Value BackwardTiles::toIndex(Value value) {
  return arith::IndexCastOp::create(b, b.getIndexType(), value);
}

BackwardWork BackwardTiles::workOf(Value number) {
  BackwardWork work;
  work.begin.resize(flash.graph().columnAxis() + 1);
  sequence().place(b, flash.graph(), flash.conditions, flash.numTurns(), number, work.begin);
  work.limits = tileLimits(b, flash.graph(), flash.conditions, flash.axes(), work.begin);
  TileSpan span{work.begin[flash.own], plan.own, flash.sizeOf(flash.own), plan.along,
                flash.sizeOf(flash.along)};
  auto [first, end] = tilesThatCount(b, work.limits, span);
  work.first = first;
  work.perTurn = arith::SubIOp::create(b, end, first);
  work.count = arith::MulIOp::create(b, work.perTurn, i32(flash.numTurns()));
  return work;
}

BackwardPosition BackwardTiles::next(const BackwardWork &work, const BackwardPosition &position) {
  Value inTurn = arith::AddIOp::create(b, position.inTurn, i32(1));
  if (flash.turns.empty())
    return {position.turn, inTurn};
  Value wraps = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, inTurn, work.perTurn);
  Value turn = arith::AddIOp::create(b, position.turn,
                                     arith::ExtUIOp::create(b, b.getI32Type(), wraps).getResult());
  return {turn, arith::SelectOp::create(b, wraps, i32(0), inTurn)};
}

SmallVector<Value> BackwardTiles::beginOf(const BackwardWork &work,
                                          const BackwardPosition &position) {
  SmallVector<Value> begin = work.begin;
  spreadOver(b, flash.graph(), position.turn, flash.turns, begin);
  Value tile = arith::AddIOp::create(b, work.first, position.inTurn);
  begin[flash.along] = toIndex(arith::MulIOp::create(b, tile, i32(plan.along)));
  return begin;
}
