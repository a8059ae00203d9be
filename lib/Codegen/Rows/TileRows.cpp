// Tiling of row clusters.
#include "RowCluster.h"

#include "forge/Codegen/Contraction.h"
#include "forge/Codegen/Passes.h"
#include "forge/Codegen/Schedule.h"
#include "forge/Diagnostics/ErrorKind.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"

namespace forge {
#define GEN_PASS_DEF_TILEROWSPASS
#include "forge/Codegen/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-tile-rows"

using namespace mlir;

namespace forge {
namespace {

/// Tiles every operation whose schedule says so, with the members of its cluster: each block's last
/// operation first.
struct TileRows : impl::TileRowsPassBase<TileRows> {
  LogicalResult tileScheduled(RewriterBase &rewriter, Block &block) {
    SmallVector<linalg::LinalgOp> roots;
    for (Operation &op : llvm::reverse(block))
      if (auto root = dyn_cast<linalg::LinalgOp>(op); root && root->hasAttr(kScheduleAttr))
        roots.push_back(root);
    for (linalg::LinalgOp root : roots) {
      ScheduleAttr schedule = getSchedule(root);
      if (schedule.strategy() != "rows") {
        if (!schedule.strategy().empty() && !isContractionStrategy(schedule.strategy()))
          return emitScheduleError(root, "expected strategy rows, packed, stream or dot, but got '")
                 << schedule.strategy() << "'";
        // Used once there are buffers; of another form it is refused now.
        if (failed(checkContractionFields(root, schedule)))
          return failure();
        continue;
      }
      if (failed(checkSchedule(root, schedule)))
        return failure();
      SmallVector<unsigned> rowDims;
      for (auto [dim, size] : llvm::enumerate(tileOf(schedule)))
        if (size != 0)
          rowDims.push_back(dim);
      FailureOr<scf::ForallOp> loop =
          tileCluster(rewriter, growCluster(root, rowDims), tileOf(schedule));
      if (failed(loop))
        return failure();
      (*loop)->setDiscardableAttr(kScheduleAttr, schedule);
    }
    return success();
  }

  static ArrayRef<int64_t> tileOf(ScheduleAttr schedule) { return *schedule.findSizes("tile"); }

  LogicalResult checkSchedule(linalg::LinalgOp root, ScheduleAttr schedule) {
    if (failed(checkFields(root, schedule, "rows", StringLiteral("tile"))))
      return failure();
    if (!isRowOp(root))
      return emitScheduleError(root, "strategy 'rows' does not tile this operation");
    if (!schedule.has("tile"))
      return emitScheduleError(root, "expected field 'tile' of strategy 'rows', one size per loop");
    if (tileOf(schedule).size() != root.getNumLoops())
      return emitScheduleError(root, "expected ")
             << root.getNumLoops() << " tile sizes, one per loop, but got "
             << tileOf(schedule).size();
    auto types = root.getIteratorTypesArray();
    bool any = false;
    for (auto [size, type] : llvm::zip_equal(tileOf(schedule), types)) {
      if (size > 0 && !linalg::isParallelIterator(type))
        return emitScheduleError(root, "expected tile size 0 for a reduction loop, but got ")
               << size;
      any |= size > 0;
    }
    if (!any)
      return emitScheduleError(root, "expected a tile size above 0 for some loop");
    return success();
  }

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<Block *> blocks;
    getOperation()->walk([&](Operation *op) {
      if (op->hasAttr(kScheduleAttr) && isa<linalg::LinalgOp>(op) &&
          !llvm::is_contained(blocks, op->getBlock()))
        blocks.push_back(op->getBlock());
    });
    if (blocks.empty())
      return;
    for (Block *block : blocks)
      if (failed(tileScheduled(rewriter, *block)))
        return signalPassFailure();
    if (failed(foldTemporaries(getOperation())))
      return signalPassFailure();
  }
};

} // namespace
} // namespace forge
