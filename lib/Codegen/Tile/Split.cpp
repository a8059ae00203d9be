// Parts of a computation, by the blocks of a cluster or by one block.
#include "ThreadEmitter.h"

#include "../RowKernels/ClusterMemory.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace forge;

Value ThreadEmitter::blockNumber() {
  Value block = gpu::BlockIdOp::create(b, gpu::Dimension::x);
  if (!program.split || program.split->blocks == 1)
    return block;
  return arith::DivUIOp::create(b, block, index(program.split->blocks));
}

static tile::YieldOp yieldOf(Region &region) {
  return cast<tile::YieldOp>(region.front().getTerminator());
}

FailureOr<SmallVector<Value>> ThreadEmitter::emitPart(tile::SplitOp op, Value part) {
  scalars.map(op.getBody().getArgument(0), part);
  if (failed(emitBlock(op.getBody().front())))
    return failure();
  SmallVector<Value> values;
  for (Value value : yieldOf(op.getBody()).getValues())
    llvm::append_range(values, registers(value));
  return values;
}

FailureOr<SmallVector<Value>> ThreadEmitter::combineParts(tile::SplitOp op, ValueRange soFar,
                                                          ValueRange part) {
  size_t number = 0;
  for (ValueRange from : {soFar, part})
    for (size_t i = 0; i < op.getNumResults(); ++i) {
      BlockArgument argument = op.getCombine().getArgument(number++);
      int64_t count = registersOf(argument.getType());
      tiles[argument].registers = llvm::to_vector(from.take_front(count));
      from = from.drop_front(count);
    }
  if (failed(emitBlock(op.getCombine().front())))
    return failure();
  SmallVector<Value> values;
  for (Value value : yieldOf(op.getCombine()).getValues())
    llvm::append_range(values, registers(value));
  return values;
}

/// 1. Each block leaves the registers of its part in shared memory.
/// 2. The first one loads those of the others, thread by thread: all have the same layouts.
/// 3. The others stay until theirs have been loaded: until the first one, whose is all that comes
///    after, has exited. A barrier of the cluster no longer waits for threads that have.
LogicalResult ThreadEmitter::emitClusterSplit(tile::SplitOp op) {
  const TileSplit &split = *program.split;
  Value rank =
      arith::RemUIOp::create(b, gpu::BlockIdOp::create(b, gpu::Dimension::x), index(split.blocks));
  FailureOr<SmallVector<Value>> own = emitPart(op, rank);
  if (failed(own))
    return failure();
  Value buffer = sharedView(b.i32(split.offset), b.getF32Type(), split.registers * program.threads);
  Value first = b.toIndex(thread);
  auto placeOf = [&](size_t reg) {
    return addIndex(first, static_cast<int64_t>(reg) * program.threads);
  };
  for (auto [reg, value] : llvm::enumerate(*own))
    memref::StoreOp::create(b, value, buffer, placeOf(reg));
  clusterArrive(b);
  clusterWait(b);
  Value isFirst = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, rank, index(0));
  auto branch = scf::IfOp::create(b, ValueRange(*own).getTypes(), isFirst, /*addThenBlock=*/true,
                                  /*addElseBlock=*/true);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(branch.elseBlock());
    scf::YieldOp::create(b, *own);
    b.setInsertionPointToEnd(branch.thenBlock());
    SmallVector<SmallVector<Value>> parts;
    for (int64_t block = 1; block < split.blocks; ++block) {
      SmallVector<Value> &part = parts.emplace_back();
      for (size_t reg = 0; reg < own->size(); ++reg)
        part.push_back(loadFromCluster(b, buffer, index(block), placeOf(reg)));
    }
    SmallVector<Value> all = *own;
    for (const SmallVector<Value> &part : parts) {
      FailureOr<SmallVector<Value>> combined = combineParts(op, all, part);
      if (failed(combined))
        return failure();
      all = std::move(*combined);
    }
    scf::YieldOp::create(b, all);
  }
  ValueRange results = branch.getResults();
  for (Value result : op.getResults()) {
    int64_t count = registersOf(result.getType());
    tiles[result].registers = llvm::to_vector(results.take_front(count));
    results = results.drop_front(count);
  }
  afterSplit = scf::IfOp::create(b, isFirst, /*withElseRegion=*/true);
  b.setInsertionPoint(afterSplit.elseBlock()->getTerminator());
  clusterArrive(b);
  clusterWait(b);
  b.setInsertionPoint(afterSplit.thenBlock()->getTerminator());
  return success();
}

void ThreadEmitter::endSplit() {
  if (afterSplit)
    b.setInsertionPointAfter(afterSplit);
}

/// One block: `all = part 0; for part 1, 2 ...: all = combine(all, part)`.
LogicalResult ThreadEmitter::emitSplit(tile::SplitOp op) {
  if (program.split->blocks > 1)
    return emitClusterSplit(op);
  FailureOr<SmallVector<Value>> all = emitPart(op, index(0));
  if (failed(all))
    return failure();
  auto count = static_cast<int64_t>(op.getCount());
  if (count > 1) {
    size_t numValues = all->size();
    SmallVector<Operation *> used = beginStates(op);
    pushStates(used, *all);
    auto loop = scf::ForOp::create(b, index(1), index(count), index(1), *all);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(loop.getBody());
    ValueRange carried = loop.getRegionIterArgs();
    popStates(used, carried.drop_front(numValues));
    FailureOr<SmallVector<Value>> part = emitPart(op, loop.getInductionVar());
    if (failed(part))
      return failure();
    FailureOr<SmallVector<Value>> next = combineParts(op, carried.take_front(numValues), *part);
    if (failed(next))
      return failure();
    pushStates(used, *next);
    scf::YieldOp::create(b, *next);
    ValueRange results = loop.getResults();
    popStates(used, results.drop_front(numValues));
    all = llvm::to_vector_of<Value>(results.take_front(numValues));
  }
  ValueRange results = *all;
  for (Value result : op.getResults()) {
    int64_t registers = registersOf(result.getType());
    tiles[result].registers = llvm::to_vector(results.take_front(registers));
    results = results.drop_front(registers);
  }
  return success();
}
