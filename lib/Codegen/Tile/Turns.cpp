// Turns of warpgroups, and votes of warps.
#include "ThreadEmitter.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"

using namespace mlir;
using namespace forge;

/// Barriers of a block that have a number.
static constexpr int64_t kBarriers = 16;
/// Threads that meet at a turn's barrier: of the warpgroup that waits, and of the one that passes.
static constexpr int64_t kTurnThreads = 256;

/// Each warpgroup has a barrier, which it waits at and the one before it arrives at. The last one
/// arrives at the first one's before all else.
LogicalResult ThreadEmitter::beginTurns() {
  tile::TurnOp turn;
  role->region->walk([&](tile::TurnOp op) { turn = op; });
  if (!turn)
    return success();
  int64_t warpgroups = role->warps / 4;
  if (freeBarrier == 0)
    freeBarrier = 1 + static_cast<int64_t>(program.roles.size());
  turnBarrier = std::exchange(freeBarrier, freeBarrier + warpgroups);
  if (freeBarrier > kBarriers)
    return turn.emitOpError("expected at most ")
           << kBarriers << " barriers of roles and of warpgroups that take turns, but got "
           << freeBarrier;
  auto branch = scf::IfOp::create(b, b.equals(b.div(warp, b.i32(4)), warpgroups - 1),
                                  /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(branch.thenBlock()->getTerminator());
  NVVM::BarrierArriveOp::create(b, b.i32(turnBarrier), b.i32(kTurnThreads));
  return success();
}

void ThreadEmitter::emitTurn(tile::TurnOp) {
  Value own = b.add(b.div(warp, b.i32(4)), b.i32(turnBarrier));
  NVVM::BarrierOp::create(b, TypeRange(), own, b.i32(kTurnThreads), NVVM::BarrierReductionAttr(),
                          Value());
}

void ThreadEmitter::emitPass() {
  Value next = b.add(b.div(warp, b.i32(4)), b.i32(1));
  Value wraps = b.equals(next, role->warps / 4);
  next = arith::SelectOp::create(b, wraps, b.i32(0), next);
  NVVM::BarrierArriveOp::create(b, b.add(next, b.i32(turnBarrier)), b.i32(kTurnThreads));
}

/// Whether `condition` holds in any lane of the warp.
Value ThreadEmitter::vote(Value condition) {
  if (program.chip->dialect == DeviceDialect::NVVM)
    return NVVM::VoteSyncOp::create(b, b.getI1Type(), b.i32(-1), condition,
                                    NVVM::VoteSyncKind::any);
  Type mask = b.getIntegerType(program.chip->warpSize);
  Value lanes = ROCDL::BallotOp::create(b, mask, condition);
  Value none = arith::ConstantOp::create(b, b.getIntegerAttr(mask, 0));
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ne, lanes, none);
}

/// 1. A thread's conditions, then those of the warp's lanes.
/// 2. A branch that all lanes take or none.
LogicalResult ThreadEmitter::emitWhen(tile::WhenOp op) {
  Value any;
  for (Value value : registers(op.getCondition()))
    any = any ? arith::OrIOp::create(b, any, value).getResult() : value;
  any = vote(any);
  SmallVector<Value> initial;
  for (Value value : op.getInitial())
    llvm::append_range(initial, registers(value));
  auto branch = scf::IfOp::create(b, ValueRange(initial).getTypes(), any, /*addThenBlock=*/true,
                                  /*addElseBlock=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(branch.elseBlock());
  scf::YieldOp::create(b, initial);
  b.setInsertionPointToEnd(branch.thenBlock());
  if (failed(emitBlock(op.getBody().front())))
    return failure();
  SmallVector<Value> yields;
  for (Value value : cast<tile::YieldOp>(op.getBody().front().getTerminator()).getValues())
    llvm::append_range(yields, registers(value));
  scf::YieldOp::create(b, yields);
  ValueRange results = branch.getResults();
  for (Value result : op.getResults()) {
    int64_t count = registersOf(result.getType());
    tiles[result].registers = llvm::to_vector(results.take_front(count));
    results = results.drop_front(count);
  }
  return success();
}
