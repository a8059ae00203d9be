// Heuristic schedules of row clusters.
#include "RowCluster.h"

#include "forge/Codegen/Passes.h"
#include "forge/Codegen/Schedule.h"
#include "forge/Support/Divisors.h"
#include "forge/Support/TensorBytes.h"

namespace forge {
#define GEN_PASS_DEF_SCHEDULEROWSPASS
#include "forge/Codegen/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-schedule-rows"

using namespace mlir;

namespace forge {
namespace {

/// Assumed for a loop whose length is known only at run time.
constexpr int64_t kAssumedExtent = 512;
/// The cost of an operation like exp or a division, in simple operations.
constexpr int64_t kExpensiveOp = 8;

/// Bytes from which a row is a tile of its own.
constexpr int64_t kLongRow = 4096;
/// Tiles' bytes beyond which a row is cut, where it can be.
constexpr int64_t kLongestRow = 8;

int64_t extent(int64_t size) { return ShapedType::isDynamic(size) ? kAssumedExtent : size; }

/// Scalar operations of `op` over its whole iteration space.
int64_t estimateWork(linalg::LinalgOp op) {
  int64_t perPoint = 0;
  for (Operation &inner : op.getBlock()->without_terminator())
    perPoint += isa_and_nonnull<math::MathDialect>(inner.getDialect()) || isa<arith::DivFOp>(inner)
                    ? kExpensiveOp
                    : 1;
  int64_t points = 1;
  for (int64_t range : op.getStaticLoopRanges())
    points = saturatingMul(points, extent(range));
  return saturatingMul(points, std::max<int64_t>(perPoint, 1));
}

int64_t elementBytes(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isIntOrFloat() ? std::max<int64_t>(element.getIntOrFloatBitWidth() / 8, 1) : 8;
}

int64_t tensorBytes(Type type) {
  int64_t elements = 1;
  for (int64_t size : cast<RankedTensorType>(type).getShape())
    elements = saturatingMul(elements, extent(size));
  return saturatingMul(elements, elementBytes(type));
}

int64_t resultBytes(Operation *op) {
  int64_t bytes = 0;
  for (Type type : op->getResultTypes())
    bytes = saturatingAdd(bytes, tensorBytes(type));
  return bytes;
}

/// Bytes of the tensors from outside of the cluster that several of its operations read: the
/// second reader should find its tile where the first one left it, in the first cache.
int64_t rereadBytes(const RowCluster &cluster) {
  SmallVector<Operation *> inside(cluster.members.begin(), cluster.members.end());
  inside.push_back(cluster.root);
  llvm::SmallDenseMap<Value, unsigned> readers;
  int64_t bytes = 0;
  for (Operation *op : inside)
    for (OpOperand *operand : cast<linalg::LinalgOp>(op).getDpsInputOperands()) {
      Value tensor = operand->get();
      if (isa<RankedTensorType>(tensor.getType()) &&
          !llvm::is_contained(inside, tensor.getDefiningOp()) && ++readers[tensor] == 2)
        bytes = saturatingAdd(bytes, tensorBytes(tensor.getType()));
    }
  return bytes;
}

/// The largest divisor of `size` not above `limit`; `limit` itself if every divisor is much
/// smaller, so that only the last tile is cut. For a size not known here: 1, which needs no cut
/// tile.
int64_t tileOf(int64_t size, int64_t limit) {
  if (ShapedType::isDynamic(size))
    return 1;
  limit = std::clamp<int64_t>(limit, 1, size);
  int64_t divisor = largestDivisor(size, limit);
  return divisor * 4 >= limit ? divisor : limit;
}

struct ScheduleRows : impl::ScheduleRowsPassBase<ScheduleRows> {
  using ScheduleRowsPassBase::ScheduleRowsPassBase;

  /// The bytes of what a cluster computes in between, and reads more than once, a row.
  int64_t bytesPerRow(const RowCluster &cluster) {
    SmallVector<int64_t> ranges = linalg::LinalgOp(cluster.root).getStaticLoopRanges();
    int64_t rows = 1;
    for (unsigned dim : cluster.rowDims)
      rows = saturatingMul(rows, extent(ranges[dim]));
    int64_t bytes = cluster.members.empty() ? resultBytes(cluster.root) : 0;
    for (linalg::LinalgOp member : cluster.members)
      bytes = saturatingAdd(bytes, resultBytes(member));
    bytes = saturatingAdd(bytes, rereadBytes(cluster));
    return std::max<int64_t>(bytes / std::max<int64_t>(rows, 1), 1);
  }

  /// Where rows are so long that the temporaries of one leave the caches, and no operation needs
  /// all of its row, rows are cut, too.
  RowCluster chooseCluster(linalg::LinalgOp root, ArrayRef<unsigned> rowDims) {
    RowCluster cluster = growCluster(root, rowDims);
    SmallVector<unsigned> all;
    root.getParallelDims(all);
    if (cluster.members.empty() || all.size() == rowDims.size() ||
        bytesPerRow(cluster) <= kLongestRow * tileBytes)
      return cluster;
    RowCluster cut = growCluster(root, all);
    return cut.members.size() == cluster.members.size() ? cut : cluster;
  }

  /// Tile sizes for the loops of the root: rows enough that the temporaries of one tile, and what
  /// is read more than once, come nearest the budget, one if it is long, but not so many that fewer
  /// than `minTiles` tiles are left to share between the cores.
  SmallVector<int64_t> chooseTile(RowCluster &cluster) {
    SmallVector<int64_t> ranges = cluster.root.getStaticLoopRanges();
    int64_t rows = 1;
    for (unsigned dim : cluster.rowDims)
      rows = saturatingMul(rows, extent(ranges[dim]));
    int64_t perRow = bytesPerRow(cluster);
    int64_t budget = cluster.members.empty() ? 4 * tileBytes : tileBytes;
    int64_t wanted = (budget + perRow / 2) / perRow;
    // A long row alone: what is found for the row (a mean, a maximum) is then a scalar, not a
    // vector of a few rows, and the next row's reads begin while this one is computed.
    if (!cluster.members.empty() && perRow >= kLongRow)
      wanted = 1;
    int64_t limit = std::clamp<int64_t>(wanted, 1, std::max<int64_t>(rows / minTiles, 1));
    SmallVector<int64_t> tile(ranges.size(), 0);
    for (unsigned dim : llvm::reverse(cluster.rowDims)) {
      bool isContiguous = dim == contiguousLoop(cluster.root);
      tile[dim] =
          isContiguous && ShapedType::isDynamic(ranges[dim]) ? limit : tileOf(ranges[dim], limit);
      limit = std::max<int64_t>(limit / tile[dim], 1);
    }
    return tile;
  }

  void scheduleBlock(Block &block) {
    llvm::DenseSet<Operation *> taken;
    for (Operation &op : llvm::reverse(block)) {
      auto root = dyn_cast<linalg::LinalgOp>(op);
      if (!root || taken.contains(&op) || !isRowOp(&op) || isa<linalg::FillOp>(op))
        continue;
      // One that is asked for without its tile has it chosen.
      ScheduleAttr given = getSchedule(&op);
      if (given && !given.strategy().empty() && (given.strategy() != "rows" || given.has("tile")))
        continue;
      SmallVector<unsigned> rowDims = chooseRowDims(root);
      if (rowDims.empty())
        continue;
      RowCluster cluster = chooseCluster(root, rowDims);
      int64_t work = estimateWork(root);
      for (linalg::LinalgOp member : cluster.members)
        work = saturatingAdd(work, estimateWork(member));
      if (work < minWork && !given)
        continue;
      ScheduleAttr schedule = given ? given : ScheduleAttr::empty(&getContext());
      root->setDiscardableAttr(
          kScheduleAttr, schedule.orWord("strategy", "rows").orSizes("tile", chooseTile(cluster)));
      taken.insert(cluster.members.begin(), cluster.members.end());
    }
  }

  void runOnOperation() override {
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      ScheduleAttr schedule = getSchedule(op);
      bool isAttention = isa<scf::ForallOp>(op) && schedule && schedule.strategy() == "scores";
      if (isa<linalg::LinalgOp, scf::ForallOp, scf::ParallelOp>(op) && !isAttention)
        return WalkResult::skip();
      for (Region &region : op->getRegions())
        for (Block &block : region)
          scheduleBlock(block);
      return WalkResult::advance();
    });
  }
};

} // namespace
} // namespace forge
