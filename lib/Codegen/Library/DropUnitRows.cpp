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

/// Whether `collapse` removes unit dimensions and nothing else.
static bool removesOnlyUnits(tensor::CollapseShapeOp collapse) {
  for (const ReassociationIndices &group : collapse.getReassociationIndices()) {
    int64_t units = llvm::count_if(
        group, [&](int64_t dim) { return collapse.getSrcType().getDimSize(dim) == 1; });
    if (units + 1 < static_cast<int64_t>(group.size()))
      return false;
  }
  return true;
}

/// The uses of the result of `contraction`, if all are reshapes to one type that remove unit
/// dimensions and nothing else.
static SmallVector<tensor::CollapseShapeOp> onlyCollapses(linalg::LinalgOp contraction) {
  SmallVector<tensor::CollapseShapeOp> collapses;
  for (Operation *user : contraction->getResult(0).getUsers()) {
    auto collapse = dyn_cast<tensor::CollapseShapeOp>(user);
    if (!collapse || !removesOnlyUnits(collapse) ||
        (!collapses.empty() && collapse.getResultType() != collapses.front().getResultType()))
      return {};
    collapses.push_back(collapse);
  }
  return collapses;
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

/// Loops of one iteration that a sum runs over besides others, where a reshape has added the
/// dimension to a factor.
static llvm::SmallBitVector unitTerms(linalg::LinalgOp contraction) {
  llvm::SmallBitVector loops(contraction.getNumLoops());
  bool isAdded = llvm::any_of(contraction.getDpsInputs(), [](Value input) {
    auto expand = input.getDefiningOp<tensor::ExpandShapeOp>();
    return expand && addsOnlyUnits(expand);
  });
  SmallVector<unsigned> terms;
  contraction.getReductionDims(terms);
  SmallVector<int64_t> sizes = contraction.getStaticLoopRanges();
  if (isAdded && llvm::any_of(terms, [&](unsigned loop) { return sizes[loop] != 1; }))
    for (unsigned loop : terms)
      loops[loop] = sizes[loop] == 1;
  return loops;
}

namespace {
/// 1. A contraction whose result is used by reshapes that only remove unit dimensions, or that sums
///    over a unit dimension which a reshape has added.
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
    // What reads a result first: its reshape may be the last that is missing.
    for (linalg::LinalgOp contraction : llvm::reverse(contractions))
      dropLoops(contraction);
  }

  static void dropLoops(linalg::LinalgOp contraction) {
    SmallVector<tensor::CollapseShapeOp> collapses = onlyCollapses(contraction);
    llvm::SmallBitVector loops = unitTerms(contraction);
    if (collapses.empty() && loops.none())
      return;
    SmallVector<AffineMap> maps = contraction.getIndexingMapsArray();
    if (!llvm::all_of(maps, [](AffineMap map) { return map.isProjectedPermutation(); }))
      return;
    Type type = contraction->getResult(0).getType();
    if (!collapses.empty()) {
      type = collapses.front().getResultType();
      for (unsigned dim : removedDims(collapses.front()).set_bits())
        loops.set(cast<AffineDimExpr>(maps.back().getResult(dim)).getPosition());
    }
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
    auto product = linalg::GenericOp::create(builder, loc, type, ValueRange(operands).drop_back(),
                                             operands.back(), maps, types);
    product.getRegion().takeBody(contraction->getRegion(0));
    if (collapses.empty())
      contraction->getResult(0).replaceAllUsesWith(product.getResult(0));
    for (tensor::CollapseShapeOp collapse : collapses) {
      collapse.replaceAllUsesWith(product.getResult(0));
      collapse.erase();
    }
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
