// The strategy for few rows times a matrix that is contiguous along n: the matrix is read once, as
// it lies.
#include "Emission.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace forge::contraction {

namespace {

/// Chunks whose sums are collected before they are added to C.
constexpr int64_t kBlockChunks = 128;

/// Memory-bound, so the order follows B:
/// 1. On all cores, one task for each block[1] columns (of each batch); its rows of C stay in the
///    first cache.
/// 2. k advances by tile[2] rows of B, which the processor prefetches as that many streams.
/// 3. In a chunk, tile[1] columns at once: for tile[0] rows of C at a time, tile[2] products are
///    added up, and their sum to what C holds. The chunk of B is read from memory by the first
///    rows, from cache by the next.
/// 4. A long k goes in blocks of chunks: the sums of one are collected in partial sums next to C,
///    and then added to C.
class Stream {
public:
  Stream(IndexBuilder &ib, Problem &p, const ContractionSchedule &schedule,
         const TargetInfo &target)
      : ib(ib), p(p), schedule(schedule) {
    lanes = target.lanes(p.accumulator.getIntOrFloatBitWidth());
    sumType = VectorType::get({lanes}, p.accumulator);
    inputType = VectorType::get({lanes}, p.input);
    vectors = schedule.tile[1] / lanes;
  }

  void emit() {
    int64_t block = schedule.block[1], partials = *p.m.size.number * block;
    Index blocks = ib.mul(countOf(ib, p.batch), ib.ceilDiv(p.n.size, ib.of(block)));
    Value partial = isLong() ? allocate(ib.mul(blocks, partials)) : Value();
    forEachColumnBlock(ib, p, schedule,
                       [&](Index task, Offsets at, Index outer, Index from, Index to) {
                         Sums sums{partial, ib.sub(ib.mul(task, partials), from), ib.of(block)};
                         emitTask(at, outer, from, to, sums);
                       });
    if (partial)
      ib.make<memref::DeallocOp>(partial);
  }

private:
  /// Where sums of all rows lie: that of row m and column n at origin + m * strideRow + n.
  struct Sums {
    Value view;
    Index origin, strideRow;
  };

  /// More chunks than are added to C one after the other.
  bool isLong() {
    return !p.k.size.number || *p.k.size.number > 2 * kBlockChunks * schedule.tile[2];
  }

  Value allocate(Index count) {
    auto type = MemRefType::get({ShapedType::kDynamic}, p.accumulator);
    return ib.make<memref::AllocOp>(type, ValueRange{ib.value(count)}, ib.b.getI64IntegerAttr(64));
  }

  void emitTask(Offsets at, Index outer, Index from, Index to, const Sums &partial) {
    int64_t chunk = schedule.tile[2], block = kBlockChunks * chunk;
    Index whole = ib.mul(ib.div(p.k.size, ib.of(chunk)), chunk);
    Sums result{p.c.view, at.c, p.m.strideC};
    if (p.fromZero)
      ib.ifThenElse(ib.less(ib.of(0), outer), [] {}, [&] { clear(result, from, to); });
    auto emitChunks = [&](Index begin, Index end, const Sums &sums) {
      ib.loop(begin, end, chunk, [&](Index k) { emitChunk(at, k, chunk, from, to, sums); });
    };
    if (!isLong())
      emitChunks(ib.of(0), whole, result);
    else
      ib.loop(ib.of(0), whole, block, [&](Index k) {
        clear(partial, from, to);
        emitChunks(k, ib.min(ib.add(k, block), whole), partial);
        add(partial, result, from, to);
      });
    ib.loop(whole, p.k.size, 1, [&](Index k) { emitChunk(at, k, 1, from, to, result); });
  }

  void forVectors(Index from, Index to, function_ref<void(int64_t, Index, Value)> visit) {
    ib.loop(from, to, lanes, [&](Index n) {
      Value mask = firstLanes(ib, lanes, ib.sub(to, n));
      for (int64_t m = 0; m < *p.m.size.number; ++m)
        visit(m, n, mask);
    });
  }

  void clear(const Sums &sums, Index from, Index to) {
    forVectors(from, to, [&](int64_t m, Index n, Value mask) {
      storeMasked(ib, splat(ib, sumType, 0), sums.view, address(sums, m, n), mask);
    });
  }

  void add(const Sums &partial, const Sums &result, Index from, Index to) {
    forVectors(from, to, [&](int64_t m, Index n, Value mask) {
      Value part = loadMasked(ib, sumType, partial.view, address(partial, m, n), mask);
      Value old = loadMasked(ib, sumType, result.view, address(result, m, n), mask);
      storeMasked(ib, ib.make<arith::AddFOp>(old, part), result.view, address(result, m, n), mask);
    });
  }

  Index address(const Sums &sums, int64_t m, Index n) {
    return ib.add(ib.add(sums.origin, ib.mul(ib.of(m), sums.strideRow)), n);
  }

  void emitChunk(Offsets at, Index k, int64_t count, Index from, Index to, const Sums &sums) {
    int64_t width = schedule.tile[1];
    Index whole = ib.add(from, ib.mul(ib.div(ib.sub(to, from), ib.of(width)), width));
    ib.loop(from, whole, width,
            [&](Index n) { emitTile(at, k, count, n, vectors, Value(), sums); });
    ib.loop(whole, to, lanes, [&](Index n) {
      emitTile(at, k, count, n, 1, firstLanes(ib, lanes, ib.sub(to, n)), sums);
    });
  }

  void emitTile(Offsets at, Index k, int64_t count, Index n, int64_t width, Value mask,
                const Sums &target) {
    for (int64_t m = 0, end = *p.m.size.number; m < end; m += schedule.tile[0])
      emitRows(at, k, count, n, width, mask, m, std::min(m + schedule.tile[0], end), target);
  }

  void emitRows(Offsets at, Index k, int64_t count, Index n, int64_t width, Value mask,
                int64_t begin, int64_t end, const Sums &target) {
    auto load = [&](VectorType type, Value view, Index address) {
      return mask ? loadMasked(ib, type, view, address, mask) : loadVector(ib, type, view, address);
    };
    SmallVector<Value> sums((end - begin) * width, splat(ib, sumType, 0));
    for (int64_t u = 0; u < count; ++u) {
      Index step = ib.add(k, u);
      Index b = ib.add(ib.add(at.b, ib.mul(step, p.k.strideB)), n);
      SmallVector<Value> columns;
      for (int64_t v = 0; v < width; ++v)
        columns.push_back(
            widen(ib, load(inputType, p.b.view, ib.add(b, v * lanes)), p.accumulator));
      for (int64_t m = begin; m < end; ++m) {
        Index a = ib.add(ib.add(at.a, ib.mul(ib.of(m), p.m.strideA)), ib.mul(step, p.k.strideA));
        Value row = broadcast(ib, sumType, widen(ib, loadScalar(ib, p.a.view, a), p.accumulator));
        for (int64_t v = 0; v < width; ++v) {
          Value &sum = sums[(m - begin) * width + v];
          sum = fma(ib, row, columns[v], sum);
        }
      }
    }
    const Value *sum = sums.begin();
    for (int64_t m = begin; m < end; ++m)
      for (int64_t v = 0; v < width; ++v, ++sum) {
        Index place = ib.add(address(target, m, n), v * lanes);
        Value total = ib.make<arith::AddFOp>(load(sumType, target.view, place), *sum);
        if (mask)
          storeMasked(ib, total, target.view, place, mask);
        else
          storeVector(ib, total, target.view, place);
      }
  }

  IndexBuilder &ib;
  Problem &p;
  const ContractionSchedule &schedule;
  int64_t lanes, vectors;
  VectorType sumType, inputType;
};

} // namespace

void emitStream(IndexBuilder &ib, Problem problem, const ContractionSchedule &schedule,
                const TargetInfo &target) {
  Stream(ib, problem, schedule, target).emit();
}

} // namespace forge::contraction
