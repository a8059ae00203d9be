// The strategy for few rows times a matrix that is contiguous along k, such as a weight stored [n,
// k].
#include "Emission.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace forge::contraction {

namespace {

/// Steps whose products are added in one chain, before that is added to those of the steps before.
constexpr int64_t kBlockSteps = 64;
/// How far behind what is read of a factor of few bits memory is asked for: the processor's own
/// requests end with a page.
constexpr int64_t kBytesAhead = 2048;

/// Each result is a dot product of two contiguous rows:
/// 1. On all cores, one task for each block[1] columns (of each batch).
/// 2. tile[0] rows by tile[1] columns of results at once: a vector of partial sums for each, over
///    all of k, the last step under a mask. bf16 goes through the dot instruction where there is
///    one. A factor that is made is computed there, as many neighbours at once as it can be.
/// 3. The lanes of each vector are added up.
class Dot {
public:
  Dot(IndexBuilder &ib, Problem &p, const ContractionSchedule &schedule, const TargetInfo &target)
      : ib(ib), p(p), schedule(schedule) {
    int64_t lanes = target.lanes(p.accumulator.getIntOrFloatBitWidth());
    pairs = usesBF16Dot(p.input, target);
    step = pairs ? 2 * lanes : lanes;
    if (p.made) {
      MadeStep chosen = madeStep(*p.made, schedule, target);
      made.emplace(*p.made, chosen.lanes);
      lanes = chosen.lanes;
      count = chosen.count;
      step = lanes * count;
    }
    sumType = VectorType::get({lanes}, p.accumulator);
    inputType = VectorType::get({pairs ? step : lanes}, p.input);
  }

  void emit() {
    forEachColumnBlock(ib, p, schedule, [&](Index, Offsets at, Index outer, Index from, Index to) {
      emitTask(at, outer, from, to);
    });
  }

private:
  void emitTask(Offsets at, Index outer, Index from, Index to) {
    int64_t width = schedule.tile[1];
    Index whole = ib.add(from, ib.mul(ib.div(ib.sub(to, from), ib.of(width)), width));
    ib.loop(from, whole, width, [&](Index n) { emitColumns(at, outer, n, width); });
    ib.loop(whole, to, 1, [&](Index n) { emitColumns(at, outer, n, 1); });
  }

  void emitColumns(Offsets at, Index outer, Index n, int64_t width) {
    int64_t rows = schedule.tile[0], all = *p.m.size.number, whole = all / rows * rows;
    ib.loop(ib.of(0), ib.of(whole), rows, [&](Index m) { emitTile(at, outer, m, n, rows, width); });
    if (whole < all)
      emitTile(at, outer, ib.of(whole), n, all - whole, width);
  }

  /// The products of step k, added to `sums`: for each part of the step those of the tile.
  SmallVector<Value> multiply(Offsets at, Index m, Index n, Index k, int64_t rows, int64_t columns,
                              ValueRange sums, Value mask) {
    SmallVector<Value> next;
    int64_t tile = rows * columns;
    for (int64_t part = 0; part < count; ++part)
      next.append(multiplyPart(at, m, n, ib.add(k, part * (step / count)), rows, columns,
                               sums.slice(part * tile, tile), mask));
    return next;
  }

  SmallVector<Value> multiplyPart(Offsets at, Index m, Index n, Index k, int64_t rows,
                                  int64_t columns, ValueRange sums, Value mask) {
    auto load = [&](Value view, Index address) {
      Value vector = mask ? loadMasked(ib, inputType, view, address, mask)
                          : loadVector(ib, inputType, view, address);
      return pairs ? vector : widen(ib, vector, p.accumulator);
    };
    SmallVector<Value> b, next;
    for (int64_t j = 0; j < columns; ++j)
      if (made)
        b.push_back(made->emit(ib, p.memory, ib.add(n, j), k, inputType, kBytesAhead));
      else
        b.push_back(load(p.b.view, ib.add(ib.add(at.b, ib.mul(ib.add(n, j), p.n.strideB)), k)));
    for (int64_t i = 0; i < rows; ++i) {
      Value a = load(p.a.view, ib.add(ib.add(at.a, ib.mul(ib.add(m, i), p.m.strideA)), k));
      for (int64_t j = 0; j < columns; ++j) {
        Value sum = sums[i * columns + j];
        next.push_back(pairs ? bf16Dot(ib, a, b[j], sum) : fma(ib, a, b[j], sum));
      }
    }
    return next;
  }

  void emitTile(Offsets at, Index outer, Index m, Index n, int64_t rows, int64_t columns) {
    int64_t tile = rows * columns;
    SmallVector<Value> sums(count * tile, splat(ib, sumType, 0));
    Index whole = ib.mul(ib.div(p.k.size, ib.of(step)), step);
    auto sumBetween = [&](Index from, Index to) {
      SmallVector<Value> zeros(count * tile, splat(ib, sumType, 0));
      return ib.loopCarrying(from, to, step, zeros, [&](Index k, ValueRange carried) {
        return multiply(at, m, n, k, rows, columns, carried, Value());
      });
    };
    if (p.k.size.number && *p.k.size.number <= 2 * kBlockSteps * step)
      sums = sumBetween(ib.of(0), whole);
    else
      sums = ib.loopCarrying(
          ib.of(0), whole, kBlockSteps * step, sums, [&](Index from, ValueRange carried) {
            SmallVector<Value> block =
                sumBetween(from, ib.min(ib.add(from, kBlockSteps * step), whole));
            for (auto [sum, before] : llvm::zip_equal(block, carried))
              sum = ib.make<arith::AddFOp>(before, sum);
            return block;
          });
    if (!p.k.size.number || *p.k.size.number % step != 0) {
      Value mask = firstLanes(ib, step, ib.sub(p.k.size, whole));
      sums = multiply(at, m, n, whole, rows, columns, sums, mask);
    }
    for (int64_t i = tile; i < count * tile; ++i)
      sums[i % tile] = ib.make<arith::AddFOp>(sums[i % tile], sums[i]);
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < columns; ++j)
        finish(sums[i * columns + j], outer,
               ib.add(ib.add(at.c, ib.mul(ib.add(m, i), p.m.strideC)),
                      ib.mul(ib.add(n, j), p.n.strideC)));
  }

  /// Adds up the lanes, and writes the sum or adds it to C.
  void finish(Value sums, Index outer, Index address) {
    Value sum = ib.make<vector::ReductionOp>(vector::CombiningKind::ADD, sums,
                                             arith::FastMathFlags::reassoc);
    if (p.fromZero && outer.is(0))
      return storeScalar(ib, sum, p.c.view, address);
    Value old = loadScalar(ib, p.c.view, address);
    if (p.fromZero) {
      Value zero = ib.make<arith::ConstantOp>(ib.b.getFloatAttr(p.accumulator, 0));
      old = ib.make<arith::SelectOp>(ib.less(ib.of(0), outer), old, zero);
    }
    storeScalar(ib, ib.make<arith::AddFOp>(old, sum), p.c.view, address);
  }

  IndexBuilder &ib;
  Problem &p;
  const ContractionSchedule &schedule;
  bool pairs;
  int64_t step, count = 1;
  VectorType sumType, inputType;
  std::optional<MadeLanes> made;
};

} // namespace

void emitDot(IndexBuilder &ib, Problem problem, const ContractionSchedule &schedule,
             const TargetInfo &target) {
  Dot(ib, problem, schedule, target).emit();
}

} // namespace forge::contraction
