// The strategy for few rows times a matrix that is contiguous along n: the matrix is read once, as
// it lies.
#include "Emission.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace forge::contraction {

namespace {

/// Memory-bound, so the order follows B:
/// 1. On all cores, one task for each block[1] columns (of each batch); its rows of C stay in the
/// first cache.
/// 2. k advances by tile[2] rows of B, which the processor prefetches as that many streams.
/// 3. In a chunk, tile[1] columns at once: for tile[0] rows of C at a time, the sums are loaded,
/// tile[2] products
///    added, and stored again. The chunk of B is read from memory by the first rows, from cache by
///    the next.
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
    forEachColumnBlock(ib, p, schedule, [&](Offsets at, Index outer, Index from, Index to) {
      emitTask(at, outer, from, to);
    });
  }

private:
  void emitTask(Offsets at, Index outer, Index from, Index to) {
    int64_t chunk = schedule.tile[2];
    Index whole = ib.mul(ib.div(p.k.size, ib.of(chunk)), chunk);
    if (p.fromZero)
      ib.ifThenElse(ib.less(ib.of(0), outer), [] {}, [&] { clear(at, from, to); });
    ib.loop(ib.of(0), whole, chunk, [&](Index k) { emitChunk(at, k, chunk, from, to); });
    ib.loop(whole, p.k.size, 1, [&](Index k) { emitChunk(at, k, 1, from, to); });
  }

  void clear(Offsets at, Index from, Index to) {
    ib.loop(from, to, lanes, [&](Index n) {
      Value mask = firstLanes(ib, lanes, ib.sub(to, n));
      for (int64_t m = 0; m < *p.m.size.number; ++m)
        storeMasked(ib, splat(ib, sumType, 0), p.c.view, addressC(at, m, n), mask);
    });
  }

  Index addressC(Offsets at, int64_t m, Index n) {
    return ib.add(ib.add(at.c, ib.mul(ib.of(m), p.m.strideC)), n);
  }

  void emitChunk(Offsets at, Index k, int64_t count, Index from, Index to) {
    int64_t width = schedule.tile[1];
    Index whole = ib.add(from, ib.mul(ib.div(ib.sub(to, from), ib.of(width)), width));
    ib.loop(from, whole, width, [&](Index n) { emitTile(at, k, count, n, vectors, Value()); });
    ib.loop(whole, to, lanes,
            [&](Index n) { emitTile(at, k, count, n, 1, firstLanes(ib, lanes, ib.sub(to, n))); });
  }

  void emitTile(Offsets at, Index k, int64_t count, Index n, int64_t width, Value mask) {
    for (int64_t m = 0, end = *p.m.size.number; m < end; m += schedule.tile[0])
      emitRows(at, k, count, n, width, mask, m, std::min(m + schedule.tile[0], end));
  }

  void emitRows(Offsets at, Index k, int64_t count, Index n, int64_t width, Value mask,
                int64_t begin, int64_t end) {
    auto load = [&](VectorType type, Value view, Index address) {
      return mask ? loadMasked(ib, type, view, address, mask) : loadVector(ib, type, view, address);
    };
    SmallVector<Value> sums;
    for (int64_t m = begin; m < end; ++m)
      for (int64_t v = 0; v < width; ++v)
        sums.push_back(load(sumType, p.c.view, ib.add(addressC(at, m, n), v * lanes)));
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
        Index address = ib.add(addressC(at, m, n), v * lanes);
        if (mask)
          storeMasked(ib, *sum, p.c.view, address, mask);
        else
          storeVector(ib, *sum, p.c.view, address);
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
