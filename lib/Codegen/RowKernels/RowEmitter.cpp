#include "RowEmitter.h"

#include "RowExchange.h"
#include "RowLinks.h"
#include "RowValues.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace forge {
namespace {

/// Accesses of a looped row that are in flight at once.
int64_t loopUnroll(const RowPlan &plan) { return plan.vector >= 8 ? 4 : 8; }

/// Emits one thread's part, in levels: what depends on no reduction is at level 0, a reduction is
/// one above what it reads.
/// 1. The thread finds its row and its columns.
/// 2. For each level, values of the row that the level before made possible, then its reductions:
///    each thread folds its columns, then threads exchange partial results.
/// 3. What is written is computed and stored. Elements are computed when first asked for, and kept:
///    in registers for the whole kernel (rows that fit), or for one iteration over the columns
///    (rows that do not, which are read again at every level).
class RowEmitter {
public:
  RowEmitter(ImplicitLocOpBuilder &b, const RowProgram &program, const RowPlan &plan,
             const RowPlanLimits &limits, Value onlyRow = {})
      : b(b), program(program), plan(plan), onlyRow(onlyRow), memory(b, program, plan),
        exchange(b, plan, limits.warpSize),
        // What fits into registers is read once anyway.
        levels(program, /*online=*/plan.loops()),
        values(b, program, plan, memory, levels, limits.approximates),
        keeps(keptBytes(program, plan, limits) > 0) {}

  void run() {
    locate();
    if (!plan.loops())
      for (int64_t chunk = 0; chunk < plan.chunks; ++chunk)
        slots.push_back(memory.slotAt(chunkColumn(chunk), needsColumnGuard(chunk)));
    for (int pass = 0; pass <= levels.last() + 1; ++pass)
      prefetch(slots, wholeRowsOf(program, levels, pass));
    for (int level = 0; level <= levels.last(); ++level) {
      for (auto [i, stage] : llvm::enumerate(program.stages))
        if (stage.kind == RowStage::PerRow && levels.levels[i] == level)
          values.emitPerRow(i);
      SmallVector<unsigned> reductions = levels.reductionsOf(program, level);
      if (!reductions.empty())
        emitReductions(reductions, level);
      memory.endPass();
    }
    emitWrites();
  }

private:
  Value index(int64_t value) { return arith::ConstantIndexOp::create(b, value); }

  Value add(Value x, Value y) { return arith::AddIOp::create(b, x, y); }
  Value mul(Value x, int64_t y) {
    return y == 1 ? x : arith::MulIOp::create(b, x, index(y)).getResult();
  }

  /// The row and the first column of this thread.
  void locate() {
    Value thread = gpu::ThreadIdOp::create(b, gpu::Dimension::x);
    Value block = gpu::BlockIdOp::create(b, gpu::Dimension::x);
    lane = thread;
    Value row = onlyRow ? onlyRow : block;
    if (plan.rows > 1) {
      lane = plan.threads == 1 ? index(0)
                               : arith::RemUIOp::create(b, thread, index(plan.threads)).getResult();
      Value member = plan.threads == 1
                         ? thread
                         : arith::DivUIOp::create(b, thread, index(plan.threads)).getResult();
      row = add(mul(block, plan.rows), member);
    }
    if (plan.pieces > 1) {
      row = arith::DivUIOp::create(b, block, index(plan.pieces));
      piece = arith::RemUIOp::create(b, block, index(plan.pieces));
    }
    memory.locateRow(row, plan.rows, piece);
    exchange.begin(lane, piece);
    if (keeps)
      memory.keep(readAgain(program, levels));
  }

  Value chunkColumn(int64_t chunk) {
    Value column = mul(lane, plan.vector);
    if (piece)
      column = add(column, mul(piece, plan.span(program.column.size)));
    return chunk == 0 ? column : add(column, index(chunk * plan.threads * plan.vector));
  }

  /// True if some thread's columns of this chunk lie behind the row's end.
  bool needsColumnGuard(int64_t chunk) const {
    return plan.pieces > 1 ? program.column.size % plan.span(program.column.size) != 0
                           : (chunk + 1) * plan.threads * plan.vector > program.column.size;
  }

  /// All loads of whole rows first: they are then in flight together.
  void prefetch(MutableArrayRef<RowSlot> ofSlots, ArrayRef<RowRead> reads) {
    for (RowSlot &slot : ofSlots)
      for (const RowRead &read : reads)
        memory.load(slot, read, 0);
  }

  // Reductions.

  SmallVector<Value> initialOf(const RowStage &stage) {
    SmallVector<Value> initial;
    for (const RowRead &read : initialReads(stage))
      initial.push_back(values.valueOf(read, nullptr, 0));
    return initial;
  }

  SmallVector<Value> startOf(const RowStage &stage) {
    if (replacesInitial(stage))
      return startByFirst(stage);
    SmallVector<Value> start = initialOf(stage);
    for (auto [value, neutral] : llvm::zip_equal(start, stage.reduction.neutral))
      if (neutral)
        value = arith::ConstantOp::create(b, neutral);
    return start;
  }

  /// Whether what the reduction goes on from is in memory that this kernel writes: only the thread
  /// that writes reads it then, and shuffles need not order the others' reads before.
  bool replacesInitial(const RowStage &stage) const {
    return llvm::any_of(initialReads(stage), [&](const RowRead &read) {
      return read.memref && memory.isWritten(read.memref);
    });
  }

  static ArrayRef<RowRead> initialReads(const RowStage &stage) {
    return ArrayRef(stage.reads).drop_front(stage.op.getNumDpsInputs());
  }

  SmallVector<Value> startByFirst(const RowStage &stage) {
    SmallVector<Value> start;
    for (auto [read, neutral] : llvm::zip_equal(initialReads(stage), stage.reduction.neutral))
      start.push_back(memory.byFirst(
          lane, neutral, [&] { return read.memref ? memory.loadPlainly(read) : read.splat; }));
    return start;
  }

  SmallVector<Value> combine(const RowStage &stage, ValueRange accumulators, ValueRange elements) {
    return stage.reduction.combine(b, stage.op, accumulators, elements);
  }

  /// Folds the elements of one slot into `accumulators`.
  void fold(unsigned index, RowSlot &slot, SmallVector<Value> &accumulators) {
    const RowStage &stage = program.stages[index];
    SmallVector<Value> folded = accumulators;
    for (int64_t at = 0; at < plan.vector; ++at) {
      IRMapping mapping = values.cloneBody(index, &slot, at);
      SmallVector<Value> elements;
      for (Value element : stage.reduction.elements)
        elements.push_back(mapping.lookupOrDefault(element));
      folded = combine(stage, folded, elements);
    }
    for (auto [accumulator, value] : llvm::zip_equal(accumulators, folded))
      accumulator = slot.valid
                        ? arith::SelectOp::create(b, slot.valid, value, accumulator).getResult()
                        : value;
  }

  void emitReductions(ArrayRef<unsigned> stages, int pass) {
    SmallVector<SmallVector<Value>> partial;
    for (unsigned stage : stages)
      partial.push_back(startOf(program.stages[stage]));
    if (plan.loops())
      foldInLoop(stages, pass, partial);
    else
      for (auto [stage, accumulators] : llvm::zip_equal(stages, partial))
        for (RowSlot &slot : slots)
          fold(stage, slot, accumulators);
    joinThreads(stages, partial);
  }

  void foldInLoop(ArrayRef<unsigned> stages, int pass, SmallVector<SmallVector<Value>> &partial) {
    SmallVector<Value> flat;
    for (ArrayRef<Value> accumulators : partial)
      llvm::append_range(flat, accumulators);
    SmallVector<Value> results =
        overColumns(flat, pass, [&](MutableArrayRef<RowSlot> loopSlots, ValueRange carried) {
          SmallVector<Value> next;
          for (auto [stage, accumulators] : llvm::zip_equal(stages, partial)) {
            SmallVector<Value> current(carried.slice(next.size(), accumulators.size()));
            if (auto maximum = levels.onlineMaximum.find(stage);
                maximum != levels.onlineMaximum.end()) {
              size_t at = positionOf(stages, maximum->second.stage);
              values.beginOnline(maximum->second, carried[at], next[at], current[0]);
            }
            for (RowSlot &slot : loopSlots)
              fold(stage, slot, current);
            values.endOnline();
            llvm::append_range(next, current);
          }
          return next;
        });
    size_t next = 0;
    for (SmallVector<Value> &accumulators : partial)
      for (Value &accumulator : accumulators)
        accumulator = results[next++];
  }

  /// Where the only accumulator of stage `wanted` is among those of `stages`, which come in
  /// order.
  size_t positionOf(ArrayRef<unsigned> stages, unsigned wanted) const {
    size_t at = 0;
    for (unsigned stage : stages) {
      if (stage == wanted)
        return at;
      at += program.stages[stage].reduction.elements.size();
    }
    llvm_unreachable("the maximum is found in the same loop");
  }

  /// A loop over this thread's columns, some accesses at a time; the body gives the next carried
  /// values.
  SmallVector<Value>
  overColumns(ValueRange initial, int pass,
              llvm::function_ref<SmallVector<Value>(MutableArrayRef<RowSlot>, ValueRange)> body) {
    int64_t stride = plan.threads * plan.vector;
    auto loop = scf::ForOp::create(b, chunkColumn(0), memory.end(),
                                   index(stride * loopUnroll(plan)), initial);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    SmallVector<RowSlot> loopSlots;
    for (int64_t i = 0; i < loopUnroll(plan); ++i) {
      Value column =
          i == 0 ? loop.getInductionVar() : add(loop.getInductionVar(), index(i * stride));
      loopSlots.push_back(memory.slotAt(column, /*guarded=*/i != 0));
    }
    prefetch(loopSlots, wholeRowsOf(program, levels, pass));
    SmallVector<Value> next = body(loopSlots, loop.getRegionIterArgs());
    for (RowSlot &slot : loopSlots)
      memory.storeKept(slot);
    if (!initial.empty())
      scf::YieldOp::create(b, next);
    return SmallVector<Value>(loop.getResults());
  }

  /// Joins the partial results of the threads of a row, those of all `stages` in one exchange; all
  /// threads get the whole.
  void joinThreads(ArrayRef<unsigned> stages, ArrayRef<SmallVector<Value>> partial) {
    SmallVector<Value> flat, initial;
    RowJoin join;
    join.isSymmetric = llvm::all_of(stages, [&](unsigned index) {
      return llvm::all_of(program.stages[index].reduction.combiner,
                          [](Operation *op) { return op->hasTrait<OpTrait::IsCommutative>(); });
    });
    for (auto [index, accumulators] : llvm::zip_equal(stages, partial)) {
      llvm::append_range(flat, accumulators);
      if (goesOn(program.stages[index]))
        llvm::append_range(initial, initialOf(program.stages[index]));
    }
    join.combine = [&](ValueRange x, ValueRange y) { return joinStages(stages, x, y); };
    SmallVector<Value> whole = exchange.join(join, flat);
    size_t next = 0, nextInitial = 0;
    for (unsigned index : stages) {
      const RowStage &stage = program.stages[index];
      size_t count = stage.reduction.elements.size();
      SmallVector<Value> results(ArrayRef(whole).slice(next, count));
      next += count;
      if (goesOn(stage)) {
        results = combine(stage, ArrayRef(initial).slice(nextInitial, count), results);
        nextInitial += count;
      }
      for (auto [i, result] : llvm::enumerate(results))
        values.setRowValue(index, i, result);
    }
  }

  /// True for a reduction whose threads start from a neutral element: the initial value comes in
  /// once, at the end.
  bool goesOn(const RowStage &stage) const {
    return !replacesInitial(stage) && llvm::any_of(stage.reduction.neutral, [](TypedAttr neutral) {
      return neutral != nullptr;
    });
  }

  /// The partial results `x` and `y` of `stages` as one.
  SmallVector<Value> joinStages(ArrayRef<unsigned> stages, ValueRange x, ValueRange y) {
    SmallVector<Value> joined;
    for (unsigned index : stages) {
      const RowStage &stage = program.stages[index];
      size_t at = joined.size(), count = stage.reduction.elements.size();
      SmallVector<Value> own(x.slice(at, count)), other(y.slice(at, count));
      if (auto maximum = levels.onlineMaximum.find(index); maximum != levels.onlineMaximum.end()) {
        // Sums below two maxima become sums below the larger one.
        auto [stage, isFinite] = maximum->second;
        size_t top = positionOf(stages, stage);
        auto factor = [&](Value below) {
          return values.online.factor(below, joined[top], isFinite);
        };
        own[0] = arith::MulFOp::create(b, own[0], factor(x[top]));
        other[0] = arith::MulFOp::create(b, other[0], factor(y[top]));
      }
      llvm::append_range(joined, combine(stage, own, other));
    }
    return joined;
  }

  // Results.

  /// Emits a store of `write`. Where all blocks have the same row, the first one stores what is not
  /// its own.
  void store(const RowWrite &write, function_ref<void()> emitStore) {
    OpBuilder::InsertionGuard guard(b);
    if (onlyRow && !RowLinks::isShared(write.memref)) {
      Value block = gpu::BlockIdOp::create(b, gpu::Dimension::x);
      Value isFirst = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, block, index(0));
      auto branch = scf::IfOp::create(b, isFirst, /*withElseRegion=*/false);
      b.setInsertionPointToStart(branch.thenBlock());
    }
    emitStore();
  }

  void emitWrites() {
    for (const RowWrite &write : program.writes)
      if (!write.perColumn) {
        Value value = values.valueOf(write.value, nullptr, 0);
        store(write, [&] { memory.storeOfRow(write, value, lane); });
      }
    auto columns = [&](RowSlot &slot) {
      for (const RowWrite &write : program.writes) {
        if (!write.perColumn)
          continue;
        SmallVector<Value> elements;
        for (int64_t at = 0; at < plan.vector; ++at)
          elements.push_back(values.valueOf(write.value, &slot, at));
        store(write, [&] { memory.store(slot, write, elements); });
      }
    };
    if (llvm::none_of(program.writes, [](const RowWrite &write) { return write.perColumn; }))
      return;
    if (plan.loops())
      overColumns({}, levels.last() + 1, [&](MutableArrayRef<RowSlot> loopSlots, ValueRange) {
        llvm::for_each(loopSlots, columns);
        return SmallVector<Value>();
      });
    else
      llvm::for_each(slots, columns);
  }

  ImplicitLocOpBuilder &b;
  const RowProgram &program;
  const RowPlan &plan;
  /// The row of all blocks, or null.
  Value onlyRow;
  RowMemory memory;
  RowExchange exchange;
  RowLevels levels;
  RowValues values;
  /// Whether rows are kept in shared memory between passes.
  bool keeps;
  Value lane, piece;
  SmallVector<RowSlot> slots;
};

} // namespace

void emitRows(ImplicitLocOpBuilder &b, const RowProgram &program, const RowPlan &plan,
              const RowPlanLimits &limits) {
  RowEmitter(b, program, plan, limits).run();
}

void emitRow(ImplicitLocOpBuilder &b, const RowProgram &program, const RowPlan &plan,
             const RowPlanLimits &limits, Value row) {
  RowEmitter(b, program, plan, limits, row).run();
}

} // namespace forge
