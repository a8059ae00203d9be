#include "forge/Codegen/Passes.h"
#include "forge/Codegen/Schedule.h"
#include "forge/Kernels/Kernel.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace forge {
#define GEN_PASS_DEF_DROPUNITROWSPASS
#include "forge/Codegen/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-drop-unit-rows"

using namespace mlir;

/// The one use of the result of `contraction`, if it is a reshape that removes unit dimensions and
/// nothing else.
static tensor::CollapseShapeOp onlyCollapse(linalg::LinalgOp contraction) {
  Value sums = contraction->getResult(0);
  auto collapse =
      sums.hasOneUse() ? dyn_cast<tensor::CollapseShapeOp>(*sums.user_begin()) : nullptr;
  if (!collapse)
    return {};
  for (const ReassociationIndices &group : collapse.getReassociationIndices()) {
    int64_t units = llvm::count_if(
        group, [&](int64_t dim) { return collapse.getSrcType().getDimSize(dim) == 1; });
    if (units + 1 < static_cast<int64_t>(group.size()))
      return {};
  }
  return collapse;
}

/// The dimensions of the source that `collapse` removes: of each group all but one; where there is
/// no group, all.
static llvm::SmallBitVector removedDims(tensor::CollapseShapeOp collapse) {
  bool toScalar = collapse.getResultType().getRank() == 0;
  llvm::SmallBitVector removed(collapse.getSrcType().getRank(), toScalar);
  for (const ReassociationIndices &group : collapse.getReassociationIndices()) {
    auto isLong = [&](int64_t dim) { return collapse.getSrcType().getDimSize(dim) != 1; };
    const auto *kept = llvm::find_if(group, isLong);
    for (int64_t dim : group)
      removed[dim] = dim != (kept == group.end() ? group.front() : *kept);
  }
  return removed;
}

/// Whether the result has the dimensions of the source, and unit ones.
static bool addsOnlyUnits(tensor::ExpandShapeOp expand) {
  return llvm::all_of(expand.getReassociationIndices(), [&](const ReassociationIndices &group) {
    return llvm::count_if(group, [&](int64_t dim) {
             return expand.getResultType().getDimSize(dim) != 1;
           }) <= 1;
  });
}

/// `value` without these dimensions, which are unit ones; what they were added to, if that is
/// known.
static Value dropDims(OpBuilder &builder, Location loc, Value value,
                      const llvm::SmallBitVector &dropped) {
  if (dropped.none())
    return value;
  // Each dropped dimension goes with the next that stays, the last ones with the last of those.
  SmallVector<ReassociationIndices> groups;
  ReassociationIndices open;
  for (unsigned dim = 0; dim < dropped.size(); ++dim) {
    open.push_back(dim);
    if (!dropped[dim])
      groups.push_back(std::exchange(open, {}));
  }
  if (!groups.empty())
    groups.back().append(open.begin(), open.end());
  auto expand = value.getDefiningOp<tensor::ExpandShapeOp>();
  auto collapse = tensor::CollapseShapeOp::create(builder, loc, value, groups);
  if (!expand || expand.getSrcType() != collapse.getResultType() || !addsOnlyUnits(expand))
    return collapse;
  collapse.erase();
  return expand.getSrc();
}

namespace {
/// 1. A contraction whose result has one use, a reshape that only removes unit dimensions.
/// 2. The loops over these dimensions go, from the indexing maps and from the operands.
/// 3. What it starts from has the reshaped form too: a fill of it.
struct DropUnitRowsPass : public forge::impl::DropUnitRowsPassBase<DropUnitRowsPass> {
  void runOnOperation() override {
    if (forge::isKernel(getOperation()))
      return;
    SmallVector<linalg::LinalgOp> contractions;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (op.hasPureTensorSemantics() && op->getNumResults() == 1 &&
          !op->hasAttr(forge::kClusterAttr) && linalg::isaContractionOpInterface(op))
        contractions.push_back(op);
    });
    for (linalg::LinalgOp contraction : contractions)
      if (tensor::CollapseShapeOp collapse = onlyCollapse(contraction))
        dropLoops(contraction, collapse);
  }

  static void dropLoops(linalg::LinalgOp contraction, tensor::CollapseShapeOp collapse) {
    SmallVector<AffineMap> maps = contraction.getIndexingMapsArray();
    if (!llvm::all_of(maps, [](AffineMap map) { return map.isProjectedPermutation(); }))
      return;
    llvm::SmallBitVector removed = removedDims(collapse), loops(contraction.getNumLoops());
    for (unsigned dim : removed.set_bits())
      loops.set(cast<AffineDimExpr>(maps.back().getResult(dim)).getPosition());
    OpBuilder builder(contraction);
    Location loc = contraction.getLoc();
    SmallVector<Value> operands;
    for (auto [operand, map] : llvm::zip_equal(contraction->getOperands(), maps)) {
      llvm::SmallBitVector dims(map.getNumResults());
      for (auto [dim, expr] : llvm::enumerate(map.getResults()))
        dims[dim] = loops[cast<AffineDimExpr>(expr).getPosition()];
      bool isInit = operands.size() + 1 == maps.size();
      auto fill = isInit ? operand.getDefiningOp<linalg::FillOp>() : linalg::FillOp();
      Value from = fill ? fill.getDpsInits().front() : operand;
      from = dropDims(builder, loc, from, dims);
      if (fill)
        from = linalg::FillOp::create(builder, loc, fill.value(), from).getResult(0);
      operands.push_back(from);
      map = compressDims(map.dropResults(dims), loops);
    }
    SmallVector<utils::IteratorType> types;
    for (auto [loop, type] : llvm::enumerate(contraction.getIteratorTypesArray()))
      if (!loops[loop])
        types.push_back(type);
    auto product =
        linalg::GenericOp::create(builder, loc, collapse.getResultType(),
                                  ValueRange(operands).drop_back(), operands.back(), maps, types);
    product.getRegion().takeBody(contraction->getRegion(0));
    collapse.replaceAllUsesWith(product.getResult(0));
    collapse.erase();
    llvm::SmallSetVector<Value, 4> old(contraction->operand_begin(), contraction->operand_end());
    contraction->erase();
    // A reshape left behind would be a use of its operand, and keep that out of a cluster.
    for (Value operand : old)
      if (auto expand = operand.getDefiningOp<tensor::ExpandShapeOp>();
          expand && expand.use_empty())
        expand.erase();
  }
};
} // namespace
