#include "ScanNest.h"

#include "forge/Codegen/Fusion.h"
#include "forge/Codegen/Passes.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

namespace forge {
#define GEN_PASS_DEF_FUSESCANSPASS
#include "forge/Codegen/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-fuse-scans"

using namespace mlir;
using namespace forge;

/// Lines that one thread takes together, at most: what each carries is in the thread's memory.
static constexpr int64_t kMostLines = 64;

/// Whether `op` is a reduction over some lines of `nest`, of whose tensors it reads `operand`.
static std::optional<ScanReduction> matchReduction(ScanNest &nest, OpOperand &operand) {
  auto op = dyn_cast<linalg::GenericOp>(operand.getOwner());
  if (!op || !op.hasPureTensorSemantics() || op->getNumResults() != 1 ||
      op.getNumReductionLoops() == 0 || !op.isDpsInput(&operand) ||
      !llvm::all_of(op.getIndexingMapsArray(),
                    [](AffineMap map) { return map.isProjectedPermutation(); }) ||
      !llvm::all_of(*op.getBody(), [](Operation &inner) {
        return inner.getNumRegions() == 0 && isMemoryEffectFree(&inner);
      }))
    return std::nullopt;
  AffineMap map = op.getMatchingIndexingMap(&operand);
  if (!map.isPermutation() || op.getMatchingIndexingMap(op.getDpsInitOperand(0)).getNumResults() !=
                                  op.getNumParallelLoops())
    return std::nullopt;
  ScanReduction reduction{op, SmallVector<int64_t>(op.getNumLoops())};
  for (auto [dim, expr] : llvm::enumerate(map.getResults()))
    reduction.dims[cast<AffineDimExpr>(expr).getPosition()] = dim;
  return reduction;
}

/// The dimensions of the nest's tensors that are reduced, in order.
static SmallVector<int64_t> linesOf(const ScanReduction &reduction) {
  SmallVector<unsigned> loops;
  linalg::GenericOp(reduction.op).getReductionDims(loops);
  SmallVector<int64_t> dims =
      llvm::map_to_vector(loops, [&](unsigned loop) { return reduction.dims[loop]; });
  llvm::sort(dims);
  return dims;
}

/// Whether memory would take longer for what the nest writes than a thread for all its lines.
static bool paysInside(ScanNest &nest, int64_t numLines) {
  constexpr double perElement = 12e-9, bytesPerSecond = 4.8e12;
  double bytes = 0, length = 0;
  for (auto &writes : nest.writes) {
    auto type = cast<RankedTensorType>(writes.front().getType());
    bytes += static_cast<double>(type.getNumElements()) * (type.getElementTypeBitWidth() + 7) / 8;
    length = static_cast<double>(type.getDimSize(nest.dim));
  }
  return length * static_cast<double>(numLines) * perElement < 2 * bytes / bytesPerSecond;
}

/// Moves the reductions of the nest's results into it, if these are all that reads them.
static void fuseReductions(ScanNest &nest) {
  scf::ForOp first = nest.outer.front();
  SmallVector<ScanReduction> reductions;
  SmallVector<int64_t> lines;
  for (OpResult result : first->getResults()) {
    if (!result.hasOneUse())
      return;
    std::optional<ScanReduction> reduction = matchReduction(nest, *result.use_begin());
    if (!reduction || reduction->op->getBlock() != first->getBlock())
      return;
    SmallVector<int64_t> reduced = linesOf(*reduction);
    if (!lines.empty() && lines != reduced)
      return;
    lines = std::move(reduced);
    auto known = llvm::find_if(
        reductions, [&](const ScanReduction &other) { return other.op == reduction->op; });
    if (known == reductions.end())
      reductions.push_back(std::move(*reduction));
    else if (known->dims != reduction->dims)
      return;
  }
  // 1. Few lines, and others are left for threads.
  int64_t numLines = 1;
  for (int64_t dim : lines) {
    if (dim == nest.dim)
      return;
    numLines *= *getConstantIntValue(nest.loopOf(dim).getUpperBound());
  }
  if (numLines > kMostLines || lines.size() >= nest.outer.size() || !paysInside(nest, numLines))
    return;
  // 2. The last reduction is where all that they read is known; none reads another.
  Operation *last = reductions.front().op, *firstOne = last;
  for (const ScanReduction &reduction : reductions) {
    if (last->isBeforeInBlock(reduction.op))
      last = reduction.op;
    if (reduction.op->isBeforeInBlock(firstOne))
      firstOne = reduction.op;
  }
  for (const ScanReduction &reduction : reductions)
    for (Value operand : reduction.op->getOperands())
      if (Operation *maker = operand.getDefiningOp(); reductions.size() > 1 && maker &&
                                                      maker->getBlock() == firstOne->getBlock() &&
                                                      firstOne->isBeforeInBlock(maker))
        return;
  OpBuilder b(reductions.size() > 1 ? firstOne : last);
  SmallVector<Value> results = reduceInside(b, nest, reductions, lines);
  for (auto [reduction, result] : llvm::zip_equal(reductions, results)) {
    reduction.op->getResult(0).replaceAllUsesWith(result);
    linalg::GenericOp(reduction.op).erase();
  }
  first.erase();
  // 3. What all lines read is read once.
  results.front().getDefiningOp()->walk([](scf::ForOp loop) {
    if (!loop->hasAttr("forge.independent"))
      moveLoopInvariantCode(cast<LoopLikeOpInterface>(loop.getOperation()));
  });
}

namespace {
struct FuseScansPass : forge::impl::FuseScansPassBase<FuseScansPass> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> lines;
    getOperation()->walk([&](scf::ForOp loop) {
      if (loop->hasAttr(kScanAttr))
        lines.push_back(loop);
    });
    for (scf::ForOp line : lines)
      if (std::optional<ScanNest> nest = matchScanNest(line))
        fuseReductions(*nest);
  }
};
} // namespace
