// Conversions, executed: every thread ends with the elements that the new layout gives it.
#include "forge/Dialect/Tile/IR/LayoutConversion.h"
#include "RandomLayout.h"

#include "gtest/gtest.h"

#include <rapidcheck.h>

using namespace forge::tile;
using llvm::SmallVector;

namespace {

constexpr unsigned kLaneBits = 3, kWarpBits = 2;
constexpr int64_t kLanes = 1 << kLaneBits, kWarps = 1 << kWarpBits;

/// One value of every thread: the number of an element.
using Value = std::vector<int64_t>;

/// All threads of a block.
class Threads : public ThreadValues<Value> {
public:
  int64_t exchanges = 0;

  Value select(bool ofWarp, unsigned bit, Value zero, Value one) override {
    return make([&](int64_t lane, int64_t warp) {
      return ((ofWarp ? warp : lane) >> bit & 1 ? one : zero)[number(lane, warp)];
    });
  }
  Value exchange(unsigned bit, Value value) override {
    ++exchanges;
    return make([&](int64_t lane, int64_t warp) { return value[number(lane ^ 1 << bit, warp)]; });
  }
  Value permute(llvm::ArrayRef<unsigned> lanes, Value value) override {
    ++exchanges;
    return make([&](int64_t lane, int64_t warp) {
      int64_t from = 0;
      for (auto [i, bit] : llvm::enumerate(lanes))
        from |= (lane >> i & 1) << bit;
      return value[number(from, warp)];
    });
  }

  static int64_t number(int64_t lane, int64_t warp) { return warp * kLanes + lane; }
  static Value make(llvm::function_ref<int64_t(int64_t, int64_t)> of) {
    Value value(kLanes * kWarps);
    for (int64_t warp = 0; warp < kWarps; ++warp)
      for (int64_t lane = 0; lane < kLanes; ++lane)
        value[number(lane, warp)] = of(lane, warp);
    return value;
  }
};

/// The registers of a tile that holds its own element numbers.
SmallVector<Value> tileOf(LayoutAttr layout, llvm::ArrayRef<int64_t> shape) {
  SmallVector<Value> registers;
  for (int64_t reg = 0; reg < layout.getRegisters(shape); ++reg)
    registers.push_back(Threads::make([&](int64_t lane, int64_t warp) {
      int64_t element = 0;
      for (auto [coordinate, size] :
           llvm::zip_equal(layout.getCoordinates(shape, reg, lane, warp), shape))
        element = element * size + coordinate;
      return element;
    }));
  return registers;
}

/// Runs a plan; a step through shared memory gives what its layout says.
SmallVector<Value> run(llvm::ArrayRef<ConversionStep> plan, llvm::ArrayRef<int64_t> shape,
                       SmallVector<Value> registers, Threads &threads) {
  for (const ConversionStep &step : plan)
    registers = step.kind == ConversionStep::Kind::Shared
                    ? tileOf(step.to, shape)
                    : applyStep<Value>(step, shape, registers, threads);
  return registers;
}

LayoutAttr draw(int64_t rank) { return drawLayout(rank, kLaneBits, kWarpBits); }

/// A layout with the same warps, so that nothing goes through shared memory.
LayoutAttr drawWithWarpsOf(LayoutAttr other) {
  SmallVector<LayoutEntry> free;
  for (int64_t dim = 0; dim < other.getRank(); ++dim)
    for (uint8_t bit = 0; int64_t(1) << bit < other.getAtom()[dim]; ++bit)
      if (LayoutEntry entry{static_cast<int8_t>(dim), bit};
          !llvm::is_contained(other.getWarp(), entry))
        free.push_back(entry);
  for (size_t i = free.size(); i > 1; --i)
    std::swap(free[i - 1], free[drawNumber(0, i)]);
  SmallVector<LayoutEntry> lane(kLaneBits);
  for (LayoutEntry &entry : lane)
    if (!free.empty() && drawNumber(0, 4) != 0)
      entry = free.pop_back_val();
  return LayoutAttr::get(other.getContext(), other.getRank(), free, lane, other.getWarp());
}

TEST(LayoutConversion, EveryThreadGetsItsElements) {
  EXPECT_TRUE(rc::check("between any two layouts", [] {
    int64_t rank = drawNumber(0, 4);
    LayoutAttr from = draw(rank), to = draw(rank);
    SmallVector<int64_t> shape = drawShape({from, to});
    Threads threads;
    RC_ASSERT(run(planConversion(from, to), shape, tileOf(from, shape), threads) ==
              tileOf(to, shape));
  }));
}

TEST(LayoutConversion, WithinWarpsNeedsNoSharedMemory) {
  EXPECT_TRUE(rc::check("layouts that agree in their warps", [] {
    LayoutAttr from = draw(drawNumber(1, 4)), to = drawWithWarpsOf(from);
    SmallVector<int64_t> shape = drawShape({from, to});
    SmallVector<ConversionStep> plan = planConversion(from, to);
    for (const ConversionStep &step : plan)
      RC_ASSERT(step.kind != ConversionStep::Kind::Shared);
    Threads threads;
    RC_ASSERT(run(plan, shape, tileOf(from, shape), threads) == tileOf(to, shape));
    // No step of any conversion reads more than each register of either tile once a lane bit.
    int64_t most = std::max(from.getRegisters(shape), to.getRegisters(shape));
    RC_ASSERT(threads.exchanges <= most * (kLaneBits + 1));
  }));
}

TEST(LayoutConversion, Composes) {
  EXPECT_TRUE(rc::check("by way of a third layout", [] {
    int64_t rank = drawNumber(1, 3);
    LayoutAttr from = draw(rank), over = drawWithWarpsOf(from), to = drawWithWarpsOf(from);
    SmallVector<int64_t> shape = drawShape({from, over, to});
    Threads threads;
    SmallVector<Value> direct = run(planConversion(from, to), shape, tileOf(from, shape), threads);
    SmallVector<Value> between =
        run(planConversion(from, over), shape, tileOf(from, shape), threads);
    RC_ASSERT(run(planConversion(over, to), shape, between, threads) == direct);
  }));
}

TEST(LayoutConversion, StepsAreChained) {
  EXPECT_TRUE(rc::check("each step starts where the one before ended", [] {
    int64_t rank = drawNumber(1, 4);
    LayoutAttr from = draw(rank), to = draw(rank), now = from;
    for (const ConversionStep &step : planConversion(from, to)) {
      RC_ASSERT(step.from == now);
      now = step.to;
    }
    RC_ASSERT(now == to);
  }));
}

} // namespace
