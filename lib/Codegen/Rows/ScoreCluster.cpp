#include "ScoreCluster.h"

#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include <set>

using namespace mlir;

namespace forge {
namespace {

/// The loops of a product with batch loops, on tensors of static shapes.
std::optional<linalg::ContractionDimensions> batchedProduct(Operation *op) {
  auto product = dyn_cast_or_null<linalg::LinalgOp>(op);
  if (!product || !product.hasPureTensorSemantics() || product.hasDynamicShape() ||
      !linalg::isaContractionOpInterface(product))
    return std::nullopt;
  FailureOr<linalg::ContractionDimensions> dims = linalg::inferContractionDims(product);
  if (failed(dims) || dims->batch.empty() || dims->m.empty() || dims->n.empty() || dims->k.empty())
    return std::nullopt;
  return *dims;
}

int64_t elementsOf(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape() ? type.getNumElements() : -1;
}

bool isReshape(Operation *op) { return isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op); }

/// Upwards from the weights to the product that made the scores.
class Origin {
public:
  linalg::LinalgOp find(Value value) {
    Operation *op = value.getDefiningOp();
    if (!op || !seen.insert(op).second || seen.size() > kMostSteps)
      return {};
    if (batchedProduct(op))
      return cast<linalg::LinalgOp>(op);
    if (isReshape(op)) {
      reshapes = true;
      return find(op->getOperand(0));
    }
    if (!isRowOp(op) || op->getNumResults() != 1)
      return {};
    auto row = cast<linalg::LinalgOp>(op);
    if (row.getNumLoops() != row.getNumParallelLoops())
      return {};
    linalg::LinalgOp found;
    for (Value operand : row.getDpsInputs()) {
      if (elementsOf(operand) == elementsOf(value) && !found)
        found = find(operand);
      else
        reduces |= isReduction(operand);
    }
    return found;
  }

  bool reshapes = false, reduces = false;

private:
  static constexpr unsigned kMostSteps = 64;

  static bool isReduction(Value value) {
    Operation *op = value.getDefiningOp();
    while (op && isReshape(op))
      op = op->getOperand(0).getDefiningOp();
    if (!op || !isRowOp(op))
      return false;
    auto row = cast<linalg::LinalgOp>(op);
    if (row.getNumReductionLoops() > 0)
      return true;
    // What follows a reduction, row by row.
    return row.getNumDpsInputs() == 1 && isReduction(row.getDpsInputs()[0]);
  }

  llvm::SmallPtrSet<Operation *, 16> seen;
};

/// The one operation that reads `product`, if it is elementwise in it: what makes results of the
/// sums.
linalg::LinalgOp epilogueOf(linalg::LinalgOp product) {
  if (!product->hasOneUse())
    return {};
  OpOperand &use = *product->use_begin();
  auto user = dyn_cast<linalg::LinalgOp>(use.getOwner());
  if (!user || !isRowOp(user) || user.getNumLoops() != user.getNumParallelLoops() ||
      user.hasDynamicShape() || !user.isDpsInput(&use) ||
      !user.getMatchingIndexingMap(&use).isPermutation())
    return {};
  return user;
}

/// The loops of `user`, which reads all of `product`, that are the loops `dims` of it.
SmallVector<unsigned> loopsOfUser(linalg::LinalgOp user, linalg::LinalgOp product,
                                  ArrayRef<unsigned> dims) {
  AffineMap written = product.getIndexingMapMatchingResult(product->getResult(0));
  OpOperand *operand = nullptr;
  for (OpOperand *input : user.getDpsInputOperands())
    if (input->get() == product->getResult(0))
      operand = input;
  AffineMap read = user.getMatchingIndexingMap(operand);
  SmallVector<unsigned> loops;
  for (unsigned dim : dims) {
    auto position = written.getResultPosition(getAffineDimExpr(dim, user.getContext()));
    loops.push_back(read.getDimPosition(*position));
  }
  return loops;
}

/// The cluster of rows, where both products are in it, all of the first is used in it, and what is
/// as large as the scores does not leave it.
bool growRows(ScoreCluster &cluster, const linalg::ContractionDimensions &dims,
              ArrayRef<unsigned> matrixRows) {
  linalg::LinalgOp sum = cluster.weightedSum, root = sum;
  SmallVector<unsigned> batch(dims.batch.begin(), dims.batch.end()), inner(matrixRows);
  if (linalg::LinalgOp epilogue = epilogueOf(sum)) {
    root = epilogue;
    batch = loopsOfUser(epilogue, sum, batch);
    inner = loopsOfUser(epilogue, sum, inner);
  }
  SmallVector<unsigned> rowDims(batch);
  llvm::append_range(rowDims, inner);
  llvm::sort(rowDims);
  RowCluster rows = growCluster(root, rowDims, {cluster.scores, sum});
  auto isMember = [&](Operation *op) { return op == root || llvm::is_contained(rows.members, op); };
  if (!isMember(cluster.scores) || !isMember(sum))
    return false;
  int64_t scores = elementsOf(cluster.scores->getResult(0));
  for (linalg::LinalgOp member : rows.members)
    for (Value result : member->getResults())
      if (!isa<linalg::FillOp>(member.getOperation()) && elementsOf(result) >= scores &&
          !llvm::all_of(result.getUsers(), isMember))
        return false;
  cluster.rows = std::move(rows);
  cluster.matrixRows = std::move(inner);
  return true;
}

} // namespace

std::optional<ScoreCluster> matchScores(linalg::LinalgOp product) {
  std::optional<linalg::ContractionDimensions> dims = batchedProduct(product);
  if (!dims)
    return std::nullopt;
  for (auto [number, operand] : llvm::enumerate(product.getDpsInputs())) {
    Origin origin;
    linalg::LinalgOp scores = origin.find(operand);
    if (!scores || scores == product || !origin.reduces ||
        scores->getBlock() != product->getBlock() ||
        elementsOf(scores->getResult(0)) != elementsOf(operand))
      continue;
    ScoreCluster cluster{scores, product, std::nullopt, {}};
    if (origin.reshapes || growRows(cluster, *dims, number == 0 ? dims->m : dims->n))
      return cluster;
  }
  return std::nullopt;
}

void expandRows(Operation *function, ArrayRef<ScoreCluster> clusters) {
  // What has the shape of the scores, of their rows or of the result.
  auto shapeOf = [](Value value) { return cast<RankedTensorType>(value.getType()).getShape(); };
  std::set<std::vector<int64_t>> shapes;
  for (const ScoreCluster &cluster : clusters) {
    std::vector<int64_t> scores = shapeOf(cluster.scores->getResult(0)).vec();
    shapes.insert(scores);
    shapes.insert(shapeOf(cluster.weightedSum->getResult(0)).vec());
    for (size_t dropped = 0; dropped < scores.size(); ++dropped) {
      std::vector<int64_t> rows = scores;
      rows.erase(rows.begin() + dropped);
      shapes.insert(std::move(rows));
    }
  }
  auto expands = [&](OpOperand *operand) {
    Value wide = operand->get();
    if (auto collapse = wide.getDefiningOp<tensor::CollapseShapeOp>())
      wide = collapse.getSrc();
    else if (auto expand = dyn_cast<tensor::ExpandShapeOp>(operand->getOwner()))
      wide = expand.getResult();
    return shapes.contains(shapeOf(wide).vec());
  };
  MLIRContext *context = function->getContext();
  RewritePatternSet patterns(context);
  linalg::populateFoldReshapeOpsByExpansionPatterns(patterns, expands);
  tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns, context);
  tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, context);
  tensor::populateFoldTensorEmptyPatterns(patterns);
  linalg::FillOp::getCanonicalizationPatterns(patterns, context);
  (void)applyPatternsGreedily(function, std::move(patterns));
}

} // namespace forge
