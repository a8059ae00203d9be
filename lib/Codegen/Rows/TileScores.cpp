// Attention on the CPU by blocks of query rows, whose scores stay in a cache.
#include "ScoreCluster.h"

#include "forge/Codegen/Passes.h"
#include "forge/Codegen/Schedule.h"
#include "forge/Diagnostics/ErrorKind.h"
#include "forge/Support/Divisors.h"

namespace forge {
#define GEN_PASS_DEF_TILESCORESPASS
#include "forge/Codegen/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-tile-scores"

using namespace mlir;

namespace forge {
namespace {

/// Fewer rows than this are not tiled: the scores are then about as large as the factors.
constexpr int64_t kFewestRows = 16;
/// Rows of a tile for which the products copy panels of their second factors, which takes a third
/// of the time when there are 32 (measured on Zen 4).
constexpr int64_t kFewestTileRows = 64;

/// 1. Find two products with rows between them; take reshapes out from between them.
/// 2. Choose how many rows of scores a tile has, unless a schedule says it.
/// 3. One loop over matrices and tiles of rows computes both products and what is between them.
struct TileScores : impl::TileScoresPassBase<TileScores> {
  using TileScoresPassBase::TileScoresPassBase;

  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> products;
    getOperation()->walk([&](linalg::LinalgOp op) { products.push_back(op); });
    SmallVector<ScoreCluster> reshaped;
    for (linalg::LinalgOp op : products)
      if (std::optional<ScoreCluster> cluster = matchScores(op); cluster && !cluster->rows)
        reshaped.push_back(*cluster);
    if (!reshaped.empty())
      expandRows(getOperation(), reshaped);
    products.clear();
    getOperation()->walk([&](linalg::LinalgOp op) {
      if (matchScores(op))
        products.push_back(op);
    });
    // The last first. What a loop computes is not looked at again.
    llvm::DenseSet<Operation *> tiled;
    for (linalg::LinalgOp product : llvm::reverse(products))
      if (!tiled.contains(product) && failed(tile(product, tiled)))
        return signalPassFailure();
    if (!tiled.empty() && failed(foldTemporaries(getOperation())))
      return signalPassFailure();
  }

  LogicalResult tile(linalg::LinalgOp product, llvm::DenseSet<Operation *> &tiled) {
    std::optional<ScoreCluster> cluster = matchScores(product);
    if (!cluster || !cluster->rows)
      return success();
    linalg::LinalgOp root = cluster->rows->root;
    ScheduleAttr schedule = getSchedule(root);
    if (!schedule)
      schedule = chooseSchedule(*cluster);
    if (!schedule || schedule.strategy() != "scores")
      return success();
    if (failed(checkSchedule(*cluster->rows, schedule)))
      return failure();
    tiled.insert(cluster->rows->members.begin(), cluster->rows->members.end());
    IRRewriter rewriter(&getContext());
    FailureOr<scf::ForallOp> loop =
        tileCluster(rewriter, *cluster->rows, *schedule.findSizes("tile"));
    if (failed(loop))
      return failure();
    (*loop)->setDiscardableAttr(kScheduleAttr, schedule);
    return success();
  }

  static LogicalResult checkSchedule(const RowCluster &rows, ScheduleAttr schedule) {
    linalg::LinalgOp root = rows.root;
    if (failed(checkFields(root, schedule, "scores", StringLiteral("tile"))))
      return failure();
    std::optional<ArrayRef<int64_t>> tile = schedule.findSizes("tile");
    if (!tile || tile->size() != root.getNumLoops())
      return emitScheduleError(root, "expected field 'tile' of strategy 'scores' with ")
             << root.getNumLoops() << " sizes, one per loop";
    for (auto [dim, size] : llvm::enumerate(*tile))
      if ((size > 0) != llvm::is_contained(rows.rowDims, dim))
        return emitScheduleError(root, "expected tile sizes above 0 for the loops over rows, and 0 "
                                       "for the others, but got ")
               << size << " for loop " << dim;
    return success();
  }

  /// One matrix at a time, and as many of its rows as `tile-bytes` have room for. Nothing if a
  /// matrix has few rows, or fits in with all of its others.
  ScheduleAttr chooseSchedule(const ScoreCluster &cluster) {
    linalg::LinalgOp root = cluster.rows->root;
    auto type = cast<RankedTensorType>(cluster.scores->getResult(0).getType());
    if (type.getNumElements() == 0)
      return {};
    SmallVector<int64_t> ranges = root.getStaticLoopRanges();
    int64_t rows = 1;
    for (unsigned dim : cluster.matrixRows)
      rows *= ranges[dim];
    int64_t matrices = 1;
    for (unsigned dim : cluster.rows->rowDims)
      matrices *= ranges[dim];
    matrices /= rows;
    int64_t rowBytes = type.getNumElements() / (matrices * rows) *
                       llvm::divideCeil(type.getElementTypeBitWidth(), 8);
    if (rows < kFewestRows || matrices * rows * rowBytes <= tileBytes)
      return {};
    int64_t limit =
        std::clamp<int64_t>(tileBytes / rowBytes, std::min(kFewestTileRows, rows), rows);
    SmallVector<int64_t> tile(ranges.size(), 0);
    for (unsigned dim : cluster.rows->rowDims)
      tile[dim] = 1;
    SmallVector<unsigned> inner(cluster.matrixRows);
    llvm::sort(inner);
    for (unsigned dim : llvm::reverse(inner)) {
      int64_t size = std::min(limit, ranges[dim]), divisor = largestDivisor(ranges[dim], size);
      tile[dim] = divisor * 4 >= size ? divisor : size;
      limit = std::max<int64_t>(limit / tile[dim], 1);
    }
    return ScheduleAttr::empty(&getContext()).orWord("strategy", "scores").orSizes("tile", tile);
  }
};

} // namespace
} // namespace forge
