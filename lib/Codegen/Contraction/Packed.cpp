// The strategy for matrices: register tiles fed from panels.
#include "Emission.h"
#include "Panels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace forge::contraction {

namespace {

/// The scheme of Goto and van de Geijn ("Anatomy of High-Performance Matrix Multiplication", 2008),
/// with all panels made before the first product, so that no thread needs memory of its own:
/// 1. On all cores: A is copied to panels of tile[0] rows, B to panels of tile[1] columns (unless
///    read in place). Narrow inputs are widened here, or paired along k for the bf16 dot
///    instruction.
/// 2. On all cores, one task for each block[0] x block[1] block of C (of each batch), in which
/// 3. k advances by block[2]: that many rows of a panel of B stay in the first cache, of the A
///    panels in the second;
/// 4. for each panel of B and each panel of A, the microkernel adds one register tile of C. Several
///    k loops that do not join run one after the other around all of this or, where there are no
///    panels, around each block.
class Packed {
public:
  Packed(IndexBuilder &ib, Problem &p, const ContractionSchedule &schedule,
         const TargetInfo &target)
      : ib(ib), p(p), schedule(schedule) {
    pairs = usesBF16Dot(p.input, target);
    unit = pairs ? ib.b.getI32Type() : p.accumulator;
    lanes = target.lanes(p.accumulator.getIntOrFloatBitWidth());
    rows = schedule.tile[0];
    columns = schedule.tile[1];
    packA = schedule.packs('a');
    packB = schedule.packs('b');
    stageB = schedule.stageB;
    transposed = p.m.strideC.is(1) && !p.n.strideC.is(1) && !p.n.size.is(1);
    steps = pairs ? ib.ceilDiv(p.k.size, ib.of(2)) : p.k.size;
    panelsM = ib.ceilDiv(p.m.size, ib.of(rows));
    panelsN = ib.ceilDiv(p.n.size, ib.of(columns));
    for (const Loop &loop : p.batch) {
      if (!loop.strideA.is(0))
        batchA.push_back(loop);
      if (!loop.strideB.is(0))
        batchB.push_back(loop);
    }
  }

  void emit() {
    Value panelsA, panelsB;
    if (packA)
      panelsA = allocate(ib.mul(ib.mul(countOf(ib, batchA), panelsM), rows));
    if (packB)
      panelsB = allocate(ib.mul(ib.mul(countOf(ib, batchB), panelsN), columns));
    Offsets base = {p.a.base, p.b.base, p.c.base};
    auto forEachOuter = [&](function_ref<void(Index, Offsets)> body) {
      ib.loop(ib.of(0), countOf(ib, p.outerK), 1,
              [&](Index outer) { body(outer, advance(ib, p.outerK, outer, base)); });
    };
    if (packA || packB)
      forEachOuter([&](Index outer, Offsets start) {
        fillPanels(start, panelsA, panelsB);
        forEachBlock([&](Index batch, Index m, Index n) {
          computeBlock(advance(ib, p.batch, batch, start), batch, outer, m, n, panelsA, panelsB);
        });
      });
    else
      forEachBlock([&](Index batch, Index m, Index n) {
        forEachOuter([&](Index outer, Offsets start) {
          computeBlock(advance(ib, p.batch, batch, start), batch, outer, m, n, {}, {});
        });
      });
    for (Value panels : {panelsA, panelsB})
      if (panels)
        ib.make<memref::DeallocOp>(panels);
  }

private:
  Value allocate(Index panelRows) {
    Index count = ib.mul(panelRows, steps);
    auto type = MemRefType::get({ShapedType::kDynamic}, unit);
    return ib.make<memref::AllocOp>(type, ValueRange{ib.value(count)}, ib.b.getI64IntegerAttr(64));
  }

  void fillPanel(const Flat &source, ArrayRef<Loop> batch, bool isA, Offsets start, Index panels,
                 Index task, Value target) {
    int64_t width = isA ? rows : columns;
    const Loop &loop = isA ? p.m : p.n;
    Index which = ib.rem(task, panels), first = ib.mul(which, width);
    Offsets at = advance(ib, batch, ib.div(task, panels), start);
    Index strideRow = isA ? loop.strideA : loop.strideB;
    emitFillPanel(ib,
                  {source.view, ib.add(isA ? at.a : at.b, ib.mul(first, strideRow)), strideRow,
                   isA ? p.k.strideA : p.k.strideB, ib.min(ib.sub(loop.size, first), ib.of(width)),
                   p.k.size, width, lanes, target, ib.mul(task, ib.mul(steps, width)), unit});
  }

  void fillPanels(Offsets start, Value panelsA, Value panelsB) {
    Index tasksA = packA ? ib.mul(countOf(ib, batchA), panelsM) : ib.of(0);
    Index tasksB = packB ? ib.mul(countOf(ib, batchB), panelsN) : ib.of(0);
    auto fillA = [&](Index task) { fillPanel(p.a, batchA, true, start, panelsM, task, panelsA); };
    auto fillB = [&](Index task) { fillPanel(p.b, batchB, false, start, panelsN, task, panelsB); };
    if (packA && !packB)
      ib.parallelLoop(tasksA, schedule.parallel, fillA);
    if (packB && !packA)
      ib.parallelLoop(tasksB, schedule.parallel, fillB);
    if (packA && packB)
      ib.parallelLoop(ib.add(tasksA, tasksB), schedule.parallel, [&](Index task) {
        ib.ifThenElse(
            ib.less(task, tasksA), [&] { fillA(task); }, [&] { fillB(ib.sub(task, tasksA)); });
      });
  }

  /// The batch index of an operand from the index over all batch loops: those it does not have are
  /// left out.
  Index operandBatch(Index linear, bool isA) {
    Index result = ib.of(0), factor = ib.of(1);
    for (size_t i = p.batch.size(); i-- > 0;) {
      const Loop &loop = p.batch[i];
      Index step = i == 0 ? linear : ib.rem(linear, loop.size);
      if (i > 0)
        linear = ib.div(linear, loop.size);
      if ((isA ? loop.strideA : loop.strideB).is(0))
        continue;
      result = ib.add(result, ib.mul(step, factor));
      factor = ib.mul(factor, loop.size);
    }
    return result;
  }

  /// Tasks for all cores.
  void forEachBlock(function_ref<void(Index batch, Index m, Index n)> body) {
    int64_t blockM = schedule.block[0], blockN = schedule.block[1];
    Index blocksM = ib.ceilDiv(p.m.size, ib.of(blockM)),
          blocksN = ib.ceilDiv(p.n.size, ib.of(blockN));
    Index blocks = ib.mul(blocksM, blocksN);
    Index tasks = ib.mul(countOf(ib, p.batch), blocks);
    ib.parallelLoop(tasks, schedule.parallel, [&](Index task) {
      Index batch = ib.div(task, blocks), block = ib.rem(task, blocks);
      if (p.batch.empty())
        block = task;
      body(batch, ib.mul(ib.rem(block, blocksM), blockM), ib.mul(ib.div(block, blocksM), blockN));
    });
  }

  /// The block of C at (m, n) of a batch that starts at `at`.
  void computeBlock(Offsets at, Index batch, Index outer, Index m, Index n, Value a, Value b) {
    // The operands' positions in panels: of the batch's first panel.
    if (packA)
      at.a = ib.mul(ib.mul(operandBatch(batch, true), panelsM), ib.mul(steps, rows));
    else
      a = p.a.view;
    if (packB)
      at.b = ib.mul(ib.mul(operandBatch(batch, false), panelsN), ib.mul(steps, columns));
    else
      b = p.b.view;
    Index endM = ib.min(ib.add(m, schedule.block[0]), p.m.size);
    Index endN = ib.min(ib.add(n, schedule.block[1]), p.n.size);
    int64_t blockK = pairs ? llvm::divideCeil(schedule.block[2], 2) : schedule.block[2];
    // A known number of rows needs no code for edges: the rows left over have their own kernel.
    int64_t left = p.m.size.number ? *p.m.size.number % rows : 0;
    MicroKernel kernel{rows,
                       columns / lanes,
                       lanes,
                       unit,
                       p.accumulator,
                       packA ? 1 : *p.m.strideA.number,
                       packA ? rows : *p.k.strideA.number,
                       !packB && !stageB,
                       p.m.size.number.has_value(),
                       p.n.size.number && *p.n.size.number % columns == 0,
                       transposed,
                       prefetchedType()};
    MicroKernel last = kernel;
    last.rows = left;
    Index strideC = transposed ? p.n.strideC : p.m.strideC;
    Index stepB = packB || stageB ? ib.of(columns) : p.k.strideB;
    if (stageB)
      b = allocateStage(blockK);
    // At least one turn, even without steps: C must become zero then.
    ib.loop(ib.of(0), ib.max(steps, ib.of(1)), blockK, [&](Index k) {
      Index stepsHere = ib.min(ib.of(blockK), ib.sub(steps, k));
      Value accumulate = accumulates(outer, k);
      ib.loop(n, endN, columns, [&](Index j) {
        Index offsetB = ib.of(0);
        if (packB)
          offsetB = ib.add(at.b, ib.add(ib.mul(j, steps), ib.mul(k, columns)));
        else if (!stageB)
          offsetB = ib.add(at.b, ib.add(j, ib.mul(pairs ? ib.mul(k, 2) : k, stepB)));
        if (stageB)
          stage(at, k, j, stepsHere, b);
        ib.loop(m, endM, rows, [&](Index i) {
          Index offsetA =
              packA ? ib.add(at.a, ib.add(ib.mul(i, steps), ib.mul(k, rows)))
                    : ib.add(at.a, ib.add(ib.mul(i, p.m.strideA), ib.mul(k, p.k.strideA)));
          Index offsetC = ib.add(at.c, ib.add(ib.mul(i, p.m.strideC), ib.mul(j, p.n.strideC)));
          auto call = [&](const MicroKernel &chosen, Index count) {
            MicroKernelCall call = {a,
                                    b,
                                    p.c.view,
                                    offsetA,
                                    offsetB,
                                    stepB,
                                    offsetC,
                                    strideC,
                                    stepsHere,
                                    count,
                                    ib.min(ib.of(columns), ib.sub(endN, j)),
                                    accumulate};
            if (chosen.prefetched)
              prefetchNext(call, at, k, blockK, n, j, endN,
                           ib.div(ib.sub(ib.sub(endM, i), ib.of(1)), ib.of(rows)));
            callMicroKernel(ib, chosen, call);
          };
          if (!p.m.size.number)
            return call(kernel, ib.min(ib.of(rows), ib.sub(endM, i)));
          if (left == 0)
            return call(kernel, ib.of(rows));
          if (*p.m.size.number < rows)
            return call(last, ib.of(left));
          ib.ifThenElse(
              ib.less(ib.of(*p.m.size.number - rows), i), [&] { call(last, ib.of(left)); },
              [&] { call(kernel, ib.of(rows)); });
        });
      });
    });
  }

  /// Memory for a panel of B.
  Value allocateStage(int64_t blockK) {
    Value memory = ib.make<memref::AllocOp>(MemRefType::get({blockK * columns}, unit),
                                            ib.b.getI64IntegerAttr(64));
    return ib.make<memref::CastOp>(MemRefType::get({ShapedType::kDynamic}, unit), memory);
  }

  /// The elements of B, if microkernels ask for them beforehand: a row of a panel is a few lines.
  Type prefetchedType() {
    if (!stageB || p.made || !p.n.strideB.is(1))
      return {};
    return cast<MemRefType>(p.b.view.getType()).getElementType();
  }

  /// Copies the panel of B from column `j` on to `target`: `count` steps from `k` on.
  void stage(Offsets at, Index k, Index j, Index count, Value target) {
    int64_t perStep = pairs ? 2 : 1;
    Index first = ib.mul(k, perStep);
    Panel panel = {p.b.view,
                   ib.add(ib.add(at.b, ib.mul(j, p.n.strideB)), ib.mul(first, p.k.strideB)),
                   p.n.strideB,
                   p.k.strideB,
                   ib.min(ib.sub(p.n.size, j), ib.of(columns)),
                   ib.min(ib.mul(count, perStep), ib.sub(p.k.size, first)),
                   columns,
                   lanes,
                   target,
                   ib.of(0),
                   unit};
    panel.made = p.made;
    panel.memory = &p.memory;
    panel.firstRow = j;
    panel.firstK = first;
    emitFillPanel(ib, panel);
  }

  /// Has the microkernel of a tile, after which `tile` more come in the block, ask for a line of
  /// each row of the panel of B that comes after the one at (k, j). The last tiles ask for all of
  /// it, so that A's rows do not drive it out of the second cache again.
  void prefetchNext(MicroKernelCall &call, Offsets at, Index k, int64_t blockK, Index n, Index j,
                    Index endN, Index tile) {
    Index next = ib.add(j, columns), nextK = ib.add(k, blockK);
    Value inBlock = ib.less(next, endN), inColumns = ib.less(nextK, steps);
    auto choose = [&](Value condition, Index yes, Index no) {
      return ib.of(ib.make<arith::SelectOp>(condition, ib.value(yes), ib.value(no)).getResult());
    };
    Index row = choose(inBlock, k, choose(inColumns, nextK, ib.of(0)));
    Index column = choose(inBlock, next, choose(inColumns, n, endN));
    // Of a pair of rows, every second tile takes the other one.
    int64_t perStep = pairs ? 2 : 1;
    Index line =
        ib.mul(ib.div(tile, ib.of(perStep)), 64 / (prefetchedType().getIntOrFloatBitWidth() / 8));
    Index stepRows = ib.mul(p.k.strideB, perStep);
    Index start = ib.add(ib.add(at.b, column), ib.mul(row, stepRows));
    if (pairs)
      start = ib.add(start, ib.mul(ib.rem(tile, ib.of(2)), p.k.strideB));
    // One line more than the columns fill: they need not start with a line.
    Value useful = ib.less(line, ib.of(columns + 1));
    call.prefetched = p.b.view;
    call.offsetPrefetched = ib.add(start, line);
    call.stridePrefetched = choose(useful, stepRows, ib.of(0));
  }

  Value accumulates(Index outer, Index k) {
    if (!p.fromZero)
      return ib.make<arith::ConstantIntOp>(ib.b.getI1Type(), 1);
    Index turn = ib.add(outer, k);
    return ib.less(ib.of(0), turn);
  }

  IndexBuilder &ib;
  Problem &p;
  const ContractionSchedule &schedule;
  bool pairs, packA, packB, stageB, transposed;
  Type unit;
  int64_t lanes, rows, columns;
  Index steps, panelsM, panelsN;
  SmallVector<Loop> batchA, batchB;
};

} // namespace

void emitPacked(IndexBuilder &ib, Problem problem, const ContractionSchedule &schedule,
                const TargetInfo &target) {
  Packed(ib, problem, schedule, target).emit();
}

} // namespace forge::contraction
