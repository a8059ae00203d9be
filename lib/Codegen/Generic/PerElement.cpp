#include "Generic.h"
#include "Lanes.h"

#include "../RowKernels/RowReduction.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

/// Blocks of one launch: within what every driver takes, and more than any device runs at once.
static constexpr int64_t kMaxBlocks = 1 << 22;
/// Steps that a thread which shares an element adds up before it adds the sum to the others.
static constexpr int64_t kRunSteps = 64;

namespace {
// 1. The parallel loops, as the first output orders them, are one range of `total` elements; thread
//    t of T does the elements t, t + T, t + 2T ...
// 2. An element's number gives the loops' indices by division; in 32 bits where the sizes allow it.
// 3. Reduction loops run inside, in the order of the operation, with the outputs in registers.
// 4. Outputs are stored once.
// 5. Where `parts` threads of a block share an element, each goes through every `parts`-th step of
//    the longest reduction loop, in runs of which each has a sum of its own, so that no sum is
//    long; then they join their results in shared memory, always in the same order, and the first
//    stores the element.
// 6. Where neighbours of an element are neighbours in all operands that differ between them (the
//    features of pooled images), a thread computes several, and reads and stores them at once.
// 7. Where steps of the innermost reduction loop are neighbours in an input (the states of a scan),
//    a thread reads several at once.
// 8. An input that a producer computes is not loaded: the producer's element with these indices is
//    computed by 3, and nothing of it is stored.
class PerElement {
public:
  PerElement(linalg::LinalgOp op, ArrayRef<Value> inits, int64_t threads,
             std::optional<forge::InlineProducer> producer = std::nullopt, int64_t parts = 1)
      : op(op), inits(inits), threads(threads), builder(op), loc(op.getLoc()), producer(producer),
        parts(parts) {}

  OpFoldResult emit() {
    for (Range range : op.createLoopRanges(builder, loc))
      extents.push_back(range.size);
    indices.resize(extents.size());
    orderLoops();
    if (parts == 1 && !producer)
      lanes = forge::chooseLanes(op);
    if (parts == 1 && lanes.count == 1 && !reductions.empty())
      steps = forge::chooseSteps(op, reductions.back());
    OpFoldResult total = totalElements();
    OpFoldResult blocks = numBlocks(total);
    if (parts > 1)
      emitSharedElements(total, blocks);
    else
      emitElements(total, blocks);
    op->erase();
    return blocks;
  }

private:
  /// The element of the one output with these indices, computed where `where` inserts.
  Value emitOne(OpBuilder &where, ArrayRef<Value> place) {
    builder.setInsertionPoint(where.getInsertionBlock(), where.getInsertionPoint());
    for (Range range : op.createLoopRanges(builder, loc))
      extents.push_back(range.size);
    indices.resize(extents.size());
    orderLoops();
    if (!reductions.empty())
      steps = forge::chooseSteps(op, reductions.back());
    OpOperand *output = op.getDpsInitOperand(0);
    for (auto [expr, index] :
         llvm::zip_equal(op.getMatchingIndexingMap(output).getResults(), place))
      indices[cast<AffineDimExpr>(expr).getPosition()] = index;
    Value start = inits.front() ? inits.front() : load(*output);
    return emitReductions(0, {start}).front();
  }

  void orderLoops() {
    AffineMap output = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
    auto types = op.getIteratorTypesArray();
    for (AffineExpr result : output.getResults())
      if (auto dim = dyn_cast<AffineDimExpr>(result))
        parallel.push_back(dim.getPosition());
    for (auto [dim, type] : llvm::enumerate(types)) {
      if (type == utils::IteratorType::reduction)
        reductions.push_back(dim);
      else if (!llvm::is_contained(parallel, dim))
        parallel.insert(parallel.begin(), dim);
    }
  }

  OpFoldResult multiply(OpFoldResult a, OpFoldResult b) {
    auto x = getConstantIntValue(a), y = getConstantIntValue(b);
    if (x && y)
      return builder.getIndexAttr(*x * *y);
    Value left = getValueOrCreateConstantIndexOp(builder, loc, a);
    Value right = getValueOrCreateConstantIndexOp(builder, loc, b);
    return arith::MulIOp::create(builder, loc, left, right).getResult();
  }

  OpFoldResult totalElements() {
    OpFoldResult total = builder.getIndexAttr(1);
    for (unsigned dim : parallel)
      total = multiply(total, extents[dim]);
    return lanes.count == 1 ? total
                            : builder.getIndexAttr(*getConstantIntValue(total) / lanes.count);
  }

  OpFoldResult numBlocks(OpFoldResult total) {
    int64_t elements = threads / parts;
    if (auto count = getConstantIntValue(total))
      return builder.getIndexAttr(
          std::min(llvm::divideCeil(*count, elements), uint64_t(kMaxBlocks)));
    Value all = getValueOrCreateConstantIndexOp(builder, loc, total);
    Value perBlock = arith::ConstantIndexOp::create(builder, loc, elements);
    Value blocks = arith::CeilDivUIOp::create(builder, loc, all, perBlock);
    Value most = arith::ConstantIndexOp::create(builder, loc, kMaxBlocks);
    return arith::MinUIOp::create(builder, loc, blocks, most).getResult();
  }

  void emitElements(OpFoldResult total, OpFoldResult numBlocks) {
    std::optional<int64_t> count = getConstantIntValue(total);
    bool once = count && *count <= kMaxBlocks * threads;
    narrow = once;
    Value block = gpu::BlockIdOp::create(builder, loc, gpu::Dimension::x);
    Value thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
    Value perBlock = arith::ConstantIndexOp::create(builder, loc, threads);
    Value first = arith::AddIOp::create(
        builder, loc, arith::MulIOp::create(builder, loc, block, perBlock), thread);
    Value end = getValueOrCreateConstantIndexOp(builder, loc, total);
    if (once && *count % threads == 0)
      return emitElement(first);
    OpBuilder::InsertionGuard guard(builder);
    if (once) {
      Value inside = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, first, end);
      auto branch = scf::IfOp::create(builder, loc, inside, /*withElseRegion=*/false);
      builder.setInsertionPointToStart(branch.thenBlock());
      return emitElement(first);
    }
    Value blocks = getValueOrCreateConstantIndexOp(builder, loc, numBlocks);
    Value step = arith::MulIOp::create(builder, loc, blocks, perBlock);
    auto loop = scf::ForOp::create(builder, loc, first, end, step);
    builder.setInsertionPointToStart(loop.getBody());
    emitElement(loop.getInductionVar());
  }

  Value constant(int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }

  /// The thread's number among those of its element, and the element's in the block. Threads side
  /// by side read neighbours: elements, or steps of the loop where that is the one along memory.
  void locateInBlock() {
    Value thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
    int64_t elements = threads / parts;
    bool alongMemory = forge::sharesAlongMemory(cast<linalg::GenericOp>(op.getOperation()));
    Value quotient =
        arith::DivUIOp::create(builder, loc, thread, constant(alongMemory ? parts : elements));
    Value remainder =
        arith::RemUIOp::create(builder, loc, thread, constant(alongMemory ? parts : elements));
    part = alongMemory ? remainder : quotient;
    inBlock = alongMemory ? quotient : remainder;
    slot = arith::AddIOp::create(
        builder, loc, arith::MulIOp::create(builder, loc, part, constant(elements)), inBlock);
  }

  /// All threads of a block go through the same barriers: elements behind the last are computed as
  /// the last, and not stored.
  void emitSharedElements(OpFoldResult total, OpFoldResult numBlocks) {
    auto generic = cast<linalg::GenericOp>(op.getOperation());
    std::string why;
    reduction = *forge::RowReduction::match(generic, why);
    unsigned shared = forge::sharedLoop(generic);
    std::optional<int64_t> count = getConstantIntValue(total);
    narrow = count && *count <= kMaxBlocks;
    llvm::erase(reductions, shared);
    reductions.insert(reductions.begin(), shared);
    if (reductions.size() > 1)
      steps = forge::chooseSteps(op, reductions.back());
    locateInBlock();
    Value elements = constant(threads / parts);
    Value end = getValueOrCreateConstantIndexOp(builder, loc, total);
    Value block = gpu::BlockIdOp::create(builder, loc, gpu::Dimension::x);
    Value first = arith::MulIOp::create(builder, loc, block, elements);
    Value blocks = getValueOrCreateConstantIndexOp(builder, loc, numBlocks);
    Value step = arith::MulIOp::create(builder, loc, blocks, elements);
    SmallVector<Value> buffers = allocateShared();
    OpBuilder::InsertionGuard guard(builder);
    auto loop = scf::ForOp::create(builder, loc, first, end, step);
    builder.setInsertionPointToStart(loop.getBody());
    Value number = arith::AddIOp::create(builder, loc, loop.getInductionVar(), inBlock);
    Value inside = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, number, end);
    Value last = arith::SubIOp::create(builder, loc, end, constant(1));
    setIndices(arith::MinUIOp::create(builder, loc, number, last));
    emitSharedElement(inside, buffers);
    // The next element's results go to the same buffers.
    gpu::BarrierOp::create(builder, loc);
  }

  SmallVector<Value> allocateShared() {
    auto space =
        gpu::AddressSpaceAttr::get(op.getContext(), gpu::GPUDialect::getWorkgroupAddressSpace());
    return llvm::map_to_vector(op.getRegionOutputArgs(), [&](BlockArgument value) -> Value {
      auto type = MemRefType::get({threads}, value.getType(), MemRefLayoutAttrInterface(), space);
      return memref::AllocOp::create(builder, loc, type);
    });
  }

  SmallVector<Value> combine(ValueRange x, ValueRange y) {
    return reduction.combine(builder, cast<linalg::GenericOp>(op.getOperation()), x, y);
  }

  SmallVector<Value> loadAll(ArrayRef<Value> buffers, Value at) {
    return llvm::map_to_vector(buffers, [&](Value buffer) -> Value {
      return memref::LoadOp::create(builder, loc, buffer, at);
    });
  }

  void storeAll(ArrayRef<Value> values, ArrayRef<Value> buffers, Value at) {
    for (auto [value, buffer] : llvm::zip_equal(values, buffers))
      memref::StoreOp::create(builder, loc, value, buffer, at);
  }

  void emitSharedElement(Value inside, ArrayRef<Value> buffers) {
    SmallVector<Value> initial, start;
    for (auto [output, init, neutral] :
         llvm::zip_equal(op.getDpsInitsMutable(), inits, reduction.neutral)) {
      initial.push_back(init ? init : load(output));
      start.push_back(neutral ? arith::ConstantOp::create(builder, loc, neutral).getResult()
                              : initial.back());
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
        scf::IfOp::create(builder, loc, arith::AndIOp::create(builder, loc, isFirst, inside),
                          /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    SmallVector<Value> values = loadAll(buffers, slot);
    if (llvm::any_of(reduction.neutral, [](TypedAttr neutral) { return neutral != nullptr; }))
      values = combine(initial, values);
    for (auto [output, value] : llvm::zip_equal(op.getDpsInitsMutable(), values))
      memref::StoreOp::create(builder, loc, value, output.get(), place(output));
  }

  /// This thread's part of the outermost reduction loop, in runs of kRunSteps steps.
  SmallVector<Value> emitPart(ArrayRef<Value> start) {
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
      SmallVector<Value> next = emitReductions(1, SmallVector<Value>(steps.getRegionIterArgs()));
      builder.setInsertionPointToEnd(steps.getBody());
      scf::YieldOp::create(builder, loc, next);
    }
    builder.setInsertionPointToEnd(runs.getBody());
    scf::YieldOp::create(builder, loc, combine(runs.getRegionIterArgs(), steps.getResults()));
    return SmallVector<Value>(runs.getResults());
  }

  /// The loops' indices of element `number`: the last loop's is its remainder, and so on outwards.
  void setIndices(Value number) {
    Type type = narrow ? builder.getI32Type() : Type(builder.getIndexType());
    auto toType = [&](Value value) -> Value {
      return narrow ? arith::IndexCastOp::create(builder, loc, type, value).getResult() : value;
    };
    Value rest = toType(number);
    for (auto [position, dim] : llvm::reverse(llvm::enumerate(parallel))) {
      Value index = rest;
      if (position > 0) {
        Value size = toType(getValueOrCreateConstantIndexOp(builder, loc, extents[dim]));
        index = arith::RemUIOp::create(builder, loc, rest, size);
        rest = arith::DivUIOp::create(builder, loc, rest, size);
      }
      indices[dim] =
          narrow
              ? arith::IndexCastOp::create(builder, loc, builder.getIndexType(), index).getResult()
              : index;
    }
  }

  SmallVector<Value> place(OpOperand &operand) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    SmallVector<Value> results;
    for (AffineExpr expression : map.getResults()) {
      if (auto dim = dyn_cast<AffineDimExpr>(expression)) {
        results.push_back(indices[dim.getPosition()]);
        continue;
      }
      AffineMap single = AffineMap::get(map.getNumDims(), 0, expression);
      results.push_back(affine::AffineApplyOp::create(builder, loc, single, indices));
    }
    return results;
  }

  /// Whether a producer computes `operand`.
  bool isProduced(OpOperand &operand) {
    return producer && op.isDpsInput(&operand) &&
           operand.get() == producer->op.getDpsInits().front();
  }

  Value load(OpOperand &operand) {
    if (!isa<MemRefType>(operand.get().getType()))
      return operand.get();
    if (isProduced(operand)) {
      SmallVector<Value> indicesThere = place(operand);
      return PerElement(producer->op, producer->init, threads).emitOne(builder, indicesThere);
    }
    if (Value all = ahead.lookup(&operand))
      return vector::ExtractOp::create(builder, loc, all, step);
    return memref::LoadOp::create(builder, loc, operand.get(), place(operand));
  }

  Value loadVector(OpOperand &operand, int64_t count) {
    auto type = VectorType::get(count, getElementTypeOrSelf(operand.get()));
    return vector::LoadOp::create(builder, loc, type, operand.get(), place(operand),
                                  /*nontemporal=*/false, alignmentOf(type));
  }

  /// The element of each lane; of what does not differ between them, and of one lane, one.
  SmallVector<Value> loadLanes(OpOperand &operand) {
    if (lanes.count == 1 || !lanes.differ(op, operand))
      return SmallVector<Value>(lanes.count, load(operand));
    Value all = loadVector(operand, lanes.count);
    SmallVector<Value> elements;
    for (int64_t lane = 0; lane < lanes.count; ++lane)
      elements.push_back(vector::ExtractOp::create(builder, loc, all, lane));
    return elements;
  }

  void storeLanes(OpOperand &output, ArrayRef<Value> values) {
    if (lanes.count == 1) {
      memref::StoreOp::create(builder, loc, values.front(), output.get(), place(output));
      return;
    }
    auto type = VectorType::get(lanes.count, values.front().getType());
    Value all = vector::FromElementsOp::create(builder, loc, type, values);
    vector::StoreOp::create(builder, loc, all, output.get(), place(output),
                            /*nontemporal=*/false, alignmentOf(type));
  }

  static llvm::MaybeAlign alignmentOf(VectorType type) {
    int64_t bytes = type.getNumElements() * type.getElementTypeBitWidth() / 8;
    return llvm::MaybeAlign(static_cast<uint64_t>(std::min(bytes, forge::kLaneBytes)));
  }

  /// Values are those of all outputs for the first lane, then for the second ...
  void emitElement(Value number) {
    setIndices(lanes.count == 1
                   ? number
                   : arith::MulIOp::create(builder, loc, number, constant(lanes.count)));
    size_t outputs = inits.size();
    SmallVector<Value> values(outputs * lanes.count);
    for (auto [at, output] : llvm::enumerate(op.getDpsInitsMutable())) {
      bool isRead = op.payloadUsesValueFromOperand(&output) || !reductions.empty();
      SmallVector<Value> starts(lanes.count, inits[at]);
      if (!inits[at] && isRead)
        starts = loadLanes(output);
      for (auto [lane, start] : llvm::enumerate(starts))
        values[lane * outputs + at] = start;
    }
    values = emitReductions(0, values);
    for (auto [at, output] : llvm::enumerate(op.getDpsInitsMutable())) {
      SmallVector<Value> results;
      for (size_t lane = 0; lane < static_cast<size_t>(lanes.count); ++lane)
        results.push_back(values[lane * outputs + at]);
      storeLanes(output, results);
    }
  }

  SmallVector<Value> emitReductions(unsigned level, ArrayRef<Value> values) {
    if (level == reductions.size())
      return emitBody(values);
    bool isInnermost = level + 1 == reductions.size();
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    Value by = arith::ConstantIndexOp::create(builder, loc, isInnermost ? steps : 1);
    Value end = getValueOrCreateConstantIndexOp(builder, loc, extents[reductions[level]]);
    auto loop = scf::ForOp::create(builder, loc, zero, end, by, values);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    indices[reductions[level]] = loop.getInductionVar();
    SmallVector<Value> next(loop.getRegionIterArgs());
    next = isInnermost ? emitSteps(next) : emitReductions(level + 1, next);
    builder.setInsertionPointToEnd(loop.getBody());
    scf::YieldOp::create(builder, loc, next);
    return SmallVector<Value>(loop.getResults());
  }

  /// The body for `steps` steps of the innermost reduction loop, in order.
  SmallVector<Value> emitSteps(ArrayRef<Value> values) {
    unsigned dim = reductions.back();
    Value first = indices[dim];
    if (steps > 1)
      for (OpOperand *input : op.getDpsInputOperands())
        if (forge::isInnermost(op, *input, dim) &&
            !op.getMatchingBlockArgument(input).use_empty() && !isProduced(*input))
          ahead[input] = loadVector(*input, steps);
    SmallVector<Value> next(values);
    for (step = 0; step < steps; ++step) {
      if (step > 0)
        indices[dim] = arith::AddIOp::create(builder, loc, first, constant(step));
      next = emitBody(next);
    }
    ahead.clear();
    return next;
  }

  SmallVector<Value> emitBody(ArrayRef<Value> values) {
    llvm::DenseMap<Value, SmallVector<Value>> inputs;
    for (OpOperand *input : op.getDpsInputOperands())
      if (BlockArgument argument = op.getMatchingBlockArgument(input); !argument.use_empty())
        inputs[argument] = loadLanes(*input);
    SmallVector<Value> results;
    for (int64_t lane = 0; lane < lanes.count; ++lane) {
      IRMapping mapping;
      for (OpOperand *input : op.getDpsInputOperands())
        if (auto loaded = inputs.find(op.getMatchingBlockArgument(input)); loaded != inputs.end())
          mapping.map(loaded->first, loaded->second[lane]);
      ArrayRef<Value> before = values.slice(lane * inits.size(), inits.size());
      for (auto [output, value] : llvm::zip_equal(op.getDpsInitsMutable(), before))
        if (value)
          mapping.map(op.getMatchingBlockArgument(&output), value);
      llvm::append_range(results, emitLane(lane, mapping));
    }
    return results;
  }

  Value indexOf(unsigned loop, int64_t lane) {
    return lane > 0 && loop == lanes.loop
               ? arith::AddIOp::create(builder, loc, indices[loop], constant(lane)).getResult()
               : indices[loop];
  }

  /// What the body yields for the elements that `mapping` has.
  SmallVector<Value> emitLane(int64_t lane, IRMapping &mapping) {
    Block *body = op.getBlock();
    for (Operation &inner : body->without_terminator()) {
      if (auto index = dyn_cast<linalg::IndexOp>(inner)) {
        mapping.map(index.getResult(), indexOf(index.getDim(), lane));
        continue;
      }
      Operation *clone = builder.clone(inner, mapping);
      clone->walk([&](linalg::IndexOp index) {
        index.replaceAllUsesWith(indexOf(index.getDim(), lane));
        index.erase();
      });
    }
    return llvm::map_to_vector(body->getTerminator()->getOperands(),
                               [&](Value value) { return mapping.lookupOrDefault(value); });
  }

  linalg::LinalgOp op;
  ArrayRef<Value> inits;
  int64_t threads;
  OpBuilder builder;
  Location loc;
  SmallVector<OpFoldResult> extents;
  /// Loop numbers: outermost first.
  SmallVector<unsigned> parallel, reductions;
  SmallVector<Value> indices;
  bool narrow = false;
  std::optional<forge::InlineProducer> producer;
  /// Threads that share an element; more than one: how they do, and where this one stands.
  int64_t parts;
  forge::Lanes lanes;
  /// Steps of the innermost reduction loop whose inputs are read at once; the present one of them,
  /// and what was read.
  int64_t steps = 1, step = 0;
  llvm::DenseMap<OpOperand *, Value> ahead;
  forge::RowReduction reduction;
  Value part, inBlock, slot;
};
} // namespace

OpFoldResult forge::emitPerElement(linalg::LinalgOp op, ArrayRef<Value> inits, int64_t threads,
                                   std::optional<InlineProducer> producer, int64_t parts) {
  OpFoldResult blocks = PerElement(op, inits, threads, producer, parts).emit();
  if (producer)
    producer->op->erase();
  return blocks;
}
