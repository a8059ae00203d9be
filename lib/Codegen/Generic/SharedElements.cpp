#include "ElementEmitter.h"
#include "SharedTerms.h"

#include "../Strategy/RowReduction.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace forge;

/// Steps that a thread which shares an element adds up before it adds the sum to the others.
static constexpr int64_t kRunSteps = 64;
/// Elements of which numbers fit 32 bits, with what blocks behind the last one have.
static constexpr int64_t kMostNarrow = 1 << 22;

namespace {
// Where `parts` threads of a block share an element, each goes through every `parts`-th step of the
// longest reduction loop, in runs of which each has a sum of its own, so that no sum is long; then
// they join their results in shared memory, always in the same order, and the first stores the
// element. Elements of 8 and 16 bits that are neighbours are as many for a thread as are a word; so
// are those whose terms have much in common.
class SharedElements : ElementEmitter {
public:
  SharedElements(linalg::LinalgOp op, ArrayRef<Value> inits, int64_t threads, int64_t parts)
      : ElementEmitter(op, threads, std::nullopt), inits(inits), parts(parts) {}

  /// All threads of a block go through the same barriers: elements behind the last are computed as
  /// the last, and not stored.
  OpFoldResult emit() {
    auto generic = cast<linalg::GenericOp>(op.getOperation());
    std::string why;
    reduction = *RowReduction::match(generic, why);
    unsigned shared = sharedLoop(generic);
    llvm::erase(reductions, shared);
    reductions.insert(reductions.begin(), shared);
    std::optional<unsigned> together = loopOfSharedTerms(op);
    if (together) {
      tile.positions = *getConstantIntValue(extents[*together]);
      tile.positionLoop = *together;
    } else if (std::optional<unsigned> loop =
                   parallel.empty() ? std::nullopt : std::optional(parallel.back());
               loop && !sharesAlongMemory(generic)) {
      tile.lanes = lanesOfWord(op, *loop);
      tile.laneLoop = *loop;
    }
    if (reductions.size() > 1 && !together)
      tile.steps = chooseSteps(op, reductions.back());
    OpFoldResult total = totalElements(), blocks = numBlocks(total, threads / parts);
    std::optional<int64_t> count = getConstantIntValue(total);
    isNarrow = count && *count <= kMostNarrow;
    locateInBlock();
    emitBlocks(total, blocks);
    return blocks;
  }

private:
  void emitBlocks(OpFoldResult total, OpFoldResult numBlocks) {
    Value elements = constant(threads / parts);
    Value end = getValueOrCreateConstantIndexOp(builder, loc, total);
    Value block = gpu::BlockIdOp::create(builder, loc, gpu::Dimension::x);
    Value first = arith::MulIOp::create(builder, loc, block, elements);
    Value blocks = getValueOrCreateConstantIndexOp(builder, loc, numBlocks);
    Value by = arith::MulIOp::create(builder, loc, blocks, elements);
    Values buffers = allocateShared();
    OpBuilder::InsertionGuard guard(builder);
    auto loop = scf::ForOp::create(builder, loc, first, end, by);
    builder.setInsertionPointToStart(loop.getBody());
    Value number = arith::AddIOp::create(builder, loc, loop.getInductionVar(), inBlock);
    Value isInside = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, number, end);
    Value last = arith::SubIOp::create(builder, loc, end, constant(1));
    setIndices(arith::MinUIOp::create(builder, loc, number, last));
    emitElement(isInside, buffers);
    // The next element's results go to the same buffers.
    gpu::BarrierOp::create(builder, loc);
  }

  /// The thread's number among those of its element, and the element's in the block. Threads side
  /// by side read neighbours: elements, or steps of the loop where that is the one along memory.
  void locateInBlock() {
    Value thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
    int64_t elements = threads / parts;
    bool alongMemory = sharesAlongMemory(cast<linalg::GenericOp>(op.getOperation()));
    Value quotient =
        arith::DivUIOp::create(builder, loc, thread, constant(alongMemory ? parts : elements));
    Value remainder =
        arith::RemUIOp::create(builder, loc, thread, constant(alongMemory ? parts : elements));
    part = alongMemory ? remainder : quotient;
    inBlock = alongMemory ? quotient : remainder;
    slot = arith::AddIOp::create(
        builder, loc, arith::MulIOp::create(builder, loc, part, constant(elements)), inBlock);
  }

  Values allocateShared() {
    auto space =
        gpu::AddressSpaceAttr::get(op.getContext(), gpu::GPUDialect::getWorkgroupAddressSpace());
    Values buffers;
    for (int64_t result = 0; result < tile.results(); ++result)
      for (BlockArgument value : op.getRegionOutputArgs())
        buffers.push_back(memref::AllocOp::create(
            builder, loc,
            MemRefType::get({threads}, value.getType(), MemRefLayoutAttrInterface(), space)));
    return buffers;
  }

  /// The results of all elements of a thread, those of the first one first.
  Values combine(ValueRange x, ValueRange y) {
    auto generic = cast<linalg::GenericOp>(op.getOperation());
    size_t outputs = generic.getNumDpsInits();
    Values results;
    for (size_t first = 0; first < x.size(); first += outputs)
      llvm::append_range(results, reduction.combine(builder, generic, x.slice(first, outputs),
                                                    y.slice(first, outputs)));
    return results;
  }

  Values loadAll(ArrayRef<Value> buffers, Value at) {
    return llvm::map_to_vector(buffers, [&](Value buffer) -> Value {
      return memref::LoadOp::create(builder, loc, buffer, at);
    });
  }

  void storeAll(ArrayRef<Value> values, ArrayRef<Value> buffers, Value at) {
    for (auto [value, buffer] : llvm::zip_equal(values, buffers))
      memref::StoreOp::create(builder, loc, value, buffer, at);
  }

  void emitElement(Value isInside, ArrayRef<Value> buffers) {
    Values initial = loadStarts(op, inits), start;
    for (auto [number, value] : llvm::enumerate(initial)) {
      TypedAttr neutral = reduction.neutral[number % reduction.neutral.size()];
      start.push_back(neutral ? arith::ConstantOp::create(builder, loc, neutral).getResult()
                              : value);
    }
    storeAll(emitPart(start), buffers, slot);
    int64_t elements = threads / parts;
    for (int64_t half = parts / 2; half >= 1; half /= 2) {
      gpu::BarrierOp::create(builder, loc);
      Value joins =
          arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, part, constant(half));
      auto branch = scf::IfOp::create(builder, loc, joins, /*withElseRegion=*/false);
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(branch.thenBlock());
      Value other = arith::AddIOp::create(builder, loc, slot, constant(half * elements));
      storeAll(combine(loadAll(buffers, slot), loadAll(buffers, other)), buffers, slot);
    }
    Value isFirst =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, part, constant(0));
    auto branch =
        scf::IfOp::create(builder, loc, arith::AndIOp::create(builder, loc, isFirst, isInside),
                          /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    Values values = loadAll(buffers, slot);
    if (llvm::any_of(reduction.neutral, [](TypedAttr neutral) { return neutral != nullptr; }))
      values = combine(initial, values);
    storeResults(values);
  }

  /// This thread's part of the outermost reduction loop, in runs of kRunSteps steps.
  Values emitPart(ArrayRef<Value> start) {
    Value end = getValueOrCreateConstantIndexOp(builder, loc, extents[reductions.front()]);
    Value run = constant(kRunSteps * parts);
    auto runs = scf::ForOp::create(builder, loc, constant(0), end, run, start);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(runs.getBody());
    Value from = arith::AddIOp::create(builder, loc, runs.getInductionVar(), part);
    Value to = arith::MinUIOp::create(
        builder, loc, end, arith::AddIOp::create(builder, loc, runs.getInductionVar(), run));
    auto steps = scf::ForOp::create(builder, loc, from, to, constant(parts), start);
    {
      OpBuilder::InsertionGuard inner(builder);
      builder.setInsertionPointToStart(steps.getBody());
      indices[reductions.front()] = steps.getInductionVar();
      Values next = emitReductions(1, Values(steps.getRegionIterArgs()));
      builder.setInsertionPointToEnd(steps.getBody());
      scf::YieldOp::create(builder, loc, next);
    }
    builder.setInsertionPointToEnd(runs.getBody());
    scf::YieldOp::create(builder, loc, combine(runs.getRegionIterArgs(), steps.getResults()));
    return Values(runs.getResults());
  }

  ArrayRef<Value> inits;
  /// Threads that share an element.
  int64_t parts;
  RowReduction reduction;
  /// The thread's number among those of its element, the element's number in the block, and where
  /// the thread's result is in shared memory.
  Value part, inBlock, slot;
};
} // namespace

OpFoldResult forge::emitSharedElements(linalg::LinalgOp op, ArrayRef<Value> inits, int64_t threads,
                                       int64_t parts) {
  OpFoldResult blocks = SharedElements(op, inits, threads, parts).emit();
  op->erase();
  return blocks;
}
