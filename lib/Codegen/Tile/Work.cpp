// Work that blocks share out: one role takes numbers from a counter in memory and hands them to the
// others through two slots of shared memory.
#include "ThreadEmitter.h"

#include "../Hopper/Hopper.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace forge;

Value ThreadEmitter::workBarrier(const RingState &state, bool full) {
  int64_t first = program.work->barriers + (full ? 0 : 8 * TileWork::kSlots);
  return sharedAt(b, sharedBase, b.add(b.mul(state.slot, b.i32(8)), b.i32(first)));
}

Value ThreadEmitter::workNumbers() {
  return sharedView(b.i32(program.work->numbers), b.getI32Type(), TileWork::kSlots);
}

void ThreadEmitter::publishWork(Value number, const RingState &state) {
  waitBarrier(b, workBarrier(state, false), state.parity);
  memref::StoreOp::create(b, number, workNumbers(), b.toIndex(state.slot));
  arriveAtBarrier(b, workBarrier(state, true));
}

/// Each warp gives the slot back once all of its lanes have read.
Value ThreadEmitter::receiveWork(const RingState &state) {
  waitBarrier(b, workBarrier(state, true), state.parity);
  Value number = memref::LoadOp::create(b, workNumbers(), b.toIndex(state.slot));
  NVVM::SyncWarpOp::create(b, b.i32(-1));
  auto branch = scf::IfOp::create(b, b.equals(lane, 0), /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(branch.thenBlock()->getTerminator());
  arriveAtBarrier(b, workBarrier(state, false));
  return number;
}

/// What number `element` of the counter was, as `value` is added to it or takes its place. It
/// orders no other memory.
static Value atomically(ThreadBuilder &b, LLVM::AtomicBinOp kind, Value counter, int64_t element,
                        Value value) {
  Value address = memref::ExtractAlignedPointerAsIndexOp::create(b, counter);
  address = b.add(arith::IndexCastOp::create(b, b.getI64Type(), address), b.i64(4 * element));
  Value pointer =
      LLVM::IntToPtrOp::create(b, LLVM::LLVMPointerType::get(b.getContext(), 1), address);
  return LLVM::AtomicRMWOp::create(b, kind, pointer, value, LLVM::AtomicOrdering::monotonic,
                                   "device");
}

Value ThreadEmitter::blocksOfGrid() {
  return b.i32(kernel->getAttrOfType<DenseI64ArrayAttr>(tile::kGridAttr)[0]);
}

/// The last block to end finds all others counted, and none of them takes numbers any more: what
/// each got before it was counted decided that.
void ThreadEmitter::finishWork(Value counter) {
  Value ended = atomically(b, LLVM::AtomicBinOp::add, counter, 1, b.i32(1));
  Value isLast =
      arith::CmpIOp::create(b, arith::CmpIPredicate::eq, b.add(ended, b.i32(1)), blocksOfGrid());
  auto branch = scf::IfOp::create(b, isLast, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(branch.thenBlock()->getTerminator());
  for (int64_t element : {0, 1})
    atomically(b, LLVM::AtomicBinOp::xchg, counter, element, b.i32(0));
}

/// `while ((number = next) < count)`. The role that takes numbers has the next one in a register:
/// the block's own at first, and behind all blocks' own what the counter says.
LogicalResult ThreadEmitter::emitWork(tile::WorkOp op) {
  bool takes = program.work->taker == role->op;
  Value count = mapped(op.getCount()), counter = mapped(op.getCounter());
  SmallVector<Operation *> used = beginStates(op);
  SmallVector<Value> inits{b.i32(0), b.i32(takes ? 1 : 0)};
  if (takes)
    inits.push_back(b.toI32(gpu::BlockIdOp::create(b, gpu::Dimension::x)));
  size_t first = inits.size();
  pushStates(used, inits);
  SmallVector<Type> types(inits.size(), b.getI32Type());
  // The number goes to the body by itself.
  SmallVector<Type> bodyTypes = types;
  if (!takes)
    bodyTypes.insert(bodyTypes.begin() + 2, b.getI32Type());
  auto loop = scf::WhileOp::create(b, bodyTypes, inits);
  OpBuilder::InsertionGuard guard(b);
  SmallVector<Location> locations(bodyTypes.size(), op.getLoc());
  Block *before = b.createBlock(&loop.getBefore(), {}, types,
                                ArrayRef<Location>(locations).take_front(types.size()));
  RingState state{before->getArgument(0), before->getArgument(1)};
  marks.forget();
  marks.begin("work wait");
  SmallVector<Value> handed(before->getArguments());
  if (takes)
    publishWork(handed[2], state);
  else
    handed.insert(handed.begin() + 2, receiveWork(state));
  Value isWork = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, handed[2], count);
  scf::ConditionOp::create(b, isWork, handed);

  Block *body = b.createBlock(&loop.getAfter(), {}, bodyTypes, locations);
  state = {body->getArgument(0), body->getArgument(1)};
  scalars.map(op.getNumber(), body->getArgument(2));
  popStates(used, body->getArguments().drop_front(3));
  marks.forget();
  if (failed(emitBlock(op.getBody().front())))
    return failure();
  advance(state, TileWork::kSlots);
  SmallVector<Value> yields{state.slot, state.parity};
  // The rings are full by now: the others have work while this is waited for.
  if (takes)
    yields.push_back(
        b.add(atomically(b, LLVM::AtomicBinOp::add, counter, 0, b.i32(1)), blocksOfGrid()));
  pushStates(used, yields);
  scf::YieldOp::create(b, yields);

  b.setInsertionPointAfter(loop);
  marks.forget();
  popStates(used, loop.getResults().drop_front(takes ? first : first + 1));
  if (takes)
    finishWork(counter);
  return success();
}
