#include "Generic.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace forge;

namespace {
// 1. The coordinates of all slices are one range; a thread does the slices t, t + T, t + 2T ...,
//    or, where a slice has chunks, a block does.
// 2. A loop over a slice's coordinate becomes a branch: it does its body if the coordinate is one
//    of its steps.
// 3. With chunks: thread t of a block does the chunks t, t + threads ...; after each such loop the
//    threads of the block wait for each other. Everything else all of them compute alike.
class PerSlice {
public:
  PerSlice(func::FuncOp kernel, const Slices &slices, bool byBlock, int64_t threads)
      : kernel(kernel), slices(slices), byBlock(byBlock), threads(threads),
        builder(OpBuilder::atBlockBegin(&kernel.getBody().front())), loc(kernel.getLoc()) {}

  OpFoldResult emit() {
    SmallVector<Operation *> work = takeWork();
    builder.setInsertionPoint(work.front());
    for (const SliceDim &dim : slices.dims)
      extents.push_back(extentOf(dim));
    Value total = arith::ConstantIndexOp::create(builder, loc, 1);
    for (Value extent : extents)
      total = builder.createOrFold<arith::MulIOp>(loc, total, extent);
    Value perBlock = arith::ConstantIndexOp::create(builder, loc, byBlock ? 1 : threads);
    Value blocks = builder.createOrFold<arith::CeilDivUIOp>(loc, total, perBlock);
    Value most = arith::ConstantIndexOp::create(builder, loc, kMaxBlocks);
    blocks = builder.createOrFold<arith::MinUIOp>(loc, blocks, most);
    Value thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
    Value block = gpu::BlockIdOp::create(builder, loc, gpu::Dimension::x);
    Value first = block;
    if (!byBlock)
      first = arith::AddIOp::create(builder, loc,
                                    arith::MulIOp::create(builder, loc, block, perBlock), thread);
    Value step = builder.createOrFold<arith::MulIOp>(loc, blocks, perBlock);
    auto loop = scf::ForOp::create(builder, loc, first, total, step);
    for (Operation *op : work)
      op->moveBefore(loop.getBody()->getTerminator());
    builder.setInsertionPointToStart(loop.getBody());
    SmallVector<Value> coordinates = coordinatesOf(loop.getInductionVar());
    for (auto [dim, coordinate] : llvm::zip(slices.dims, coordinates))
      for (scf::ForOp sliced : dim.loops)
        restrict(sliced, coordinate, extents[&dim - slices.dims.begin()]);
    if (byBlock)
      for (scf::ForOp chunks : slices.chunkLoops)
        share(chunks, thread);
    return getAsOpFoldResult(blocks);
  }

private:
  /// From the first loop, branch or access on; the thread's own memory, and the block's, stays
  /// outside of loops.
  SmallVector<Operation *> takeWork() {
    SmallVector<Operation *> work;
    for (Operation &op : kernel.getBody().front().without_terminator())
      if (!isa<memref::AllocaOp, memref::AllocOp, memref::MemorySpaceCastOp>(op) &&
          (!work.empty() || op.getNumRegions() > 0 || !isMemoryEffectFree(&op)))
        work.push_back(&op);
    return work;
  }

  /// The largest of the sizes that the coordinate is used with, or the steps of the one loop.
  Value extentOf(const SliceDim &dim) {
    if (dim.places.empty())
      return scf::ForOp(dim.loops.front()).getUpperBound();
    Value extent;
    for (auto [base, number] : dim.places) {
      Value size = builder.createOrFold<memref::DimOp>(loc, base, number);
      extent = extent ? builder.createOrFold<arith::MaxUIOp>(loc, extent, size) : size;
    }
    return extent;
  }

  SmallVector<Value> coordinatesOf(Value number) {
    SmallVector<Value> coordinates(extents.size());
    Value rest = number;
    for (size_t i = extents.size(); i-- > 0;) {
      coordinates[i] = i ? builder.createOrFold<arith::RemUIOp>(loc, rest, extents[i]) : rest;
      if (i)
        rest = builder.createOrFold<arith::DivUIOp>(loc, rest, extents[i]);
    }
    return coordinates;
  }

  static void restrict(scf::ForOp loop, Value coordinate, Value extent) {
    OpBuilder at(loop);
    Location loc = loop.getLoc();
    SmallVector<Value> conditions;
    auto require = [&](arith::CmpIPredicate predicate, Value bound) {
      conditions.push_back(arith::CmpIOp::create(at, loc, predicate, coordinate, bound));
    };
    if (getConstantIntValue(loop.getLowerBound()) != 0)
      require(arith::CmpIPredicate::sge, loop.getLowerBound());
    std::optional<int64_t> end = getConstantIntValue(loop.getUpperBound());
    if (loop.getUpperBound() != extent && (!end || end != getConstantIntValue(extent)))
      require(arith::CmpIPredicate::slt, loop.getUpperBound());
    if (conditions.empty())
      conditions.push_back(arith::ConstantOp::create(at, loc, at.getBoolAttr(true)));
    Value inside = conditions.front();
    if (conditions.size() > 1)
      inside = arith::AndIOp::create(at, loc, inside, conditions[1]);
    auto branch = scf::IfOp::create(at, loc, inside, /*withElseRegion=*/false);
    loop.getInductionVar().replaceAllUsesWith(coordinate);
    Block *body = loop.getBody(), *then = branch.thenBlock();
    then->getOperations().splice(then->begin(), body->getOperations(), body->begin(),
                                 std::prev(body->end()));
    loop.erase();
  }

  void share(scf::ForOp loop, Value thread) {
    OpBuilder at(loop);
    Location where = loop.getLoc();
    std::optional<int64_t> steps = getConstantIntValue(loop.getUpperBound());
    if (steps && *steps <= threads && isConstantIntValue(loop.getLowerBound(), 0) &&
        loop.getNumResults() == 0)
      return shareFew(loop, *steps, thread);
    loop.setLowerBound(at.createOrFold<arith::AddIOp>(where, loop.getLowerBound(), thread));
    loop.setStep(arith::ConstantIndexOp::create(at, where, threads));
    at.setInsertionPointAfter(loop);
    gpu::BarrierOp::create(at, where);
  }

  /// At most a step for each thread.
  void shareFew(scf::ForOp loop, int64_t steps, Value thread) {
    OpBuilder at(loop);
    Location where = loop.getLoc();
    loop.getInductionVar().replaceAllUsesWith(thread);
    Block *body = loop.getBody(), *into = loop->getBlock();
    Block::iterator place = loop->getIterator();
    if (steps < threads) {
      Value end = arith::ConstantIndexOp::create(at, where, steps);
      Value inside = arith::CmpIOp::create(at, where, arith::CmpIPredicate::ult, thread, end);
      auto branch = scf::IfOp::create(at, where, inside, /*withElseRegion=*/false);
      into = branch.thenBlock();
      place = into->begin();
    }
    into->getOperations().splice(place, body->getOperations(), body->begin(),
                                 std::prev(body->end()));
    at.setInsertionPoint(loop);
    gpu::BarrierOp::create(at, where);
    loop.erase();
  }

  func::FuncOp kernel;
  const Slices &slices;
  bool byBlock;
  int64_t threads;
  OpBuilder builder;
  Location loc;
  SmallVector<Value> extents;
};
} // namespace

OpFoldResult forge::emitPerSlice(func::FuncOp kernel, const Slices &slices, bool byBlock,
                                 int64_t threads) {
  return PerSlice(kernel, slices, byBlock, threads).emit();
}
