#include "ThreadTile.h"

#include "llvm/Support/MathExtras.h"

#include <set>

using namespace mlir;
using namespace forge;

/// Sectors of which a warp gets bytes at once.
static constexpr int64_t kSectorsAtOnce = 4;

/// Warps that multiply and add at once on a multiprocessor, and that convert.
static constexpr double kProductsAtOnce = 4, kConversionsAtOnce = 2;

/// Where `map` reads a tensor of `shape` at `loops`, in elements from its first one.
static int64_t placeOf(AffineMap map, ArrayRef<int64_t> shape, ArrayRef<int64_t> loops) {
  int64_t place = 0;
  for (auto [index, size] : llvm::zip_equal(map.compose(loops), shape))
    place = place * size + index;
  return place;
}

/// The loops' first iterations of the tiles that threads of a warp have: threads side by side have
/// tiles side by side of the first output.
static SmallVector<SmallVector<int64_t>> loopsOfThreads(linalg::LinalgOp op, const ThreadTile &tile,
                                                        ArrayRef<int64_t> sizes) {
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  SmallVector<SmallVector<int64_t>> found;
  for (int64_t thread = 0; thread < kWarpThreads; ++thread) {
    SmallVector<int64_t> loops(sizes.size(), 0);
    int64_t rest = thread;
    for (AffineExpr index : llvm::reverse(map.getResults())) {
      auto dim = dyn_cast<AffineDimExpr>(index);
      if (!dim)
        continue;
      unsigned loop = dim.getPosition();
      int64_t inTile = tile.lanes > 1 && loop == tile.laneLoop           ? tile.lanes
                       : tile.positions > 1 && loop == tile.positionLoop ? tile.positions
                                                                         : 1;
      int64_t tiles = llvm::divideCeil(sizes[loop], inTile);
      loops[loop] = std::min(rest % tiles * inTile, std::max<int64_t>(sizes[loop] - inTile, 0));
      rest /= tiles;
    }
    if (rest == 0)
      found.push_back(std::move(loops));
  }
  return found;
}

/// Times that the first cache gives a warp bytes when each of its threads, whose tiles begin at
/// `threads`, loads `bytes` of an operand.
static int64_t turnsOfLoad(const Access &access, ArrayRef<SmallVector<int64_t>> threads,
                           int64_t bytes) {
  auto type = cast<ShapedType>(access.operand.getType());
  std::set<int64_t> sectors;
  for (ArrayRef<int64_t> loops : threads) {
    int64_t place = placeOf(access.map, type.getShape(), loops) * bytesOfElement(type);
    for (int64_t at = place / kSectorBytes; at <= (place + bytes - 1) / kSectorBytes; ++at)
      sectors.insert(at);
  }
  return llvm::divideCeil(static_cast<int64_t>(sectors.size()), kSectorsAtOnce);
}

double forge::costOfProducts(linalg::LinalgOp op, const ThreadTile &tile) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  SmallVector<SmallVector<int64_t>> threads = loopsOfThreads(op, tile, sizes);
  double turns = 0, conversions = 0;
  for (const Access &access : accessesOf(op)) {
    auto type = cast<ShapedType>(access.operand.getType());
    if (access.isOutput || !type.hasStaticShape())
      continue;
    SmallVector<int64_t> loops(sizes.size(), 0);
    std::set<int64_t> places;
    for (int64_t position = 0; position < tile.positions; ++position)
      for (int64_t step = 0; step < tile.steps; ++step) {
        loops[tile.positionLoop] = tile.positions > 1 ? position : 0;
        loops[tile.stepLoop] = step;
        places.insert(placeOf(access.map, type.getShape(), loops));
      }
    bool hasLanes = tile.lanes > 1 && access.differsAlong(tile.laneLoop);
    int64_t width = hasLanes ? tile.lanes : 1, bytes = bytesOfElement(type);
    auto loads = static_cast<double>(places.size());
    turns += loads * static_cast<double>(turnsOfLoad(access, threads, width * bytes));
    if (bytes < 4)
      conversions += loads * static_cast<double>(width);
  }
  auto products = static_cast<double>(tile.results() * tile.steps);
  return 1 + (turns + conversions / kConversionsAtOnce) * kProductsAtOnce / products;
}
