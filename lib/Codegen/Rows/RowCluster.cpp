#include "RowCluster.h"

#include "forge/Codegen/Contraction.h"
#include "forge/Codegen/Fusion.h"
#include "forge/Codegen/Schedule.h"
#include "forge/Support/TensorBytes.h"

#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"

using namespace mlir;

namespace forge {
namespace {

/// For each tiled loop of `consumer`, the loop of `producer` that it becomes when the operand is
/// read tile by tile; nothing if some tiled loop does not index the operand, for then each tile
/// would read all of it.
std::optional<SmallVector<unsigned>> projectRowDims(linalg::LinalgOp consumer, OpOperand *operand,
                                                    linalg::LinalgOp producer,
                                                    ArrayRef<unsigned> rowDims) {
  AffineMap read = consumer.getMatchingIndexingMap(operand);
  auto result = cast<OpResult>(operand->get());
  AffineMap written = producer.getIndexingMapMatchingResult(result);
  if (!read.isProjectedPermutation() || !written.isProjectedPermutation())
    return std::nullopt;
  SmallVector<unsigned> projected;
  for (unsigned dim : rowDims) {
    auto position = read.getResultPosition(getAffineDimExpr(dim, read.getContext()));
    if (!position)
      return std::nullopt;
    projected.push_back(written.getDimPosition(*position));
  }
  return projected;
}

/// The tiled loops of every member, aligned with those of the root.
using RowDimsOf = llvm::DenseMap<Operation *, SmallVector<unsigned>>;

/// The row dimensions `producer` gets from all its users in the cluster; nothing if they disagree,
/// or if an operation outside needs a result before the root has run.
std::optional<SmallVector<unsigned>>
rowDimsFromUsers(linalg::LinalgOp producer, linalg::LinalgOp root, const RowDimsOf &rowDimsOf) {
  std::optional<SmallVector<unsigned>> agreed;
  Block *block = root->getBlock();
  for (OpOperand &use : producer->getUses()) {
    auto found = rowDimsOf.find(use.getOwner());
    if (found == rowDimsOf.end()) {
      // A fill is repeated in the loop; others keep the one outside.
      if (isa<linalg::FillOp>(producer.getOperation()))
        continue;
      Operation *user = block->findAncestorOpInBlock(*use.getOwner());
      if (!user || !root->isBeforeInBlock(user))
        return std::nullopt;
      continue;
    }
    auto user = cast<linalg::LinalgOp>(use.getOwner());
    auto projected = projectRowDims(user, &use, producer, found->second);
    if (!projected || (agreed && *agreed != *projected))
      return std::nullopt;
    agreed = projected;
  }
  return agreed;
}

bool isTiny(linalg::LinalgOp op, ArrayRef<unsigned> dims) {
  int64_t product = 1;
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  for (unsigned dim : dims)
    if (ShapedType::isDynamic(ranges[dim]))
      return false;
    else
      product = saturatingMul(product, ranges[dim]);
  return product < 2;
}

} // namespace

/// True if an index falls as a loop counter grows (a reversed dimension): a tile of the loops then
/// reads a slice that upstream's tiling places wrong.
static bool readsBackwards(AffineMap map) {
  bool found = false;
  map.walkExprs([&](AffineExpr expr) {
    auto product = dyn_cast<AffineBinaryOpExpr>(expr);
    if (!product || product.getKind() != AffineExprKind::Mul)
      return;
    auto factor = dyn_cast<AffineConstantExpr>(product.getRHS());
    found |= factor && factor.getValue() < 0;
  });
  return found;
}

bool isRowOp(Operation *op) {
  auto linalgOp = dyn_cast_or_null<linalg::LinalgOp>(op);
  if (!linalgOp || !isa<linalg::GenericOp, linalg::FillOp>(op) ||
      !linalgOp.hasPureTensorSemantics() || linalgOp->getNumResults() == 0)
    return false;
  if (linalg::isaContractionOpInterface(linalgOp) || linalg::isaConvolutionOpInterface(linalgOp) ||
      op->hasAttr(kMadeFactorAttr))
    return false;
  return llvm::all_of(linalgOp.getIndexingMapsArray(), [](AffineMap map) {
    return map.getNumSymbols() == 0 && !readsBackwards(map);
  });
}

std::optional<unsigned> contiguousLoop(linalg::LinalgOp op) {
  AffineMap best;
  for (AffineMap map : op.getIndexingMapsArray())
    if (map.isProjectedPermutation() && map.getNumResults() > 0 &&
        (!best || map.getNumResults() >= best.getNumResults()))
      best = map;
  if (!best)
    return std::nullopt;
  return best.getDimPosition(best.getNumResults() - 1);
}

/// The largest cluster: one loop becomes one function, over which register allocation, scheduling
/// and alias analysis take time by the square.
static constexpr size_t kMaxMembers = 64;
static constexpr size_t kMaxBodyOps = 512;
static constexpr size_t kMaxOperands = 64;

/// An operation of math becomes some twenty of arith.
static size_t bodySize(linalg::LinalgOp op) {
  size_t size = 0;
  for (Operation &inner : *op.getBlock())
    size += isa_and_nonnull<math::MathDialect>(inner.getDialect()) ? 24 : 1;
  return size;
}

namespace {
/// Operations of one block, the last first, each once.
class LastFirst {
public:
  void pushProducers(Operation *op) {
    for (Value operand : op->getOperands())
      if (Operation *producer = operand.getDefiningOp();
          producer && producer->getBlock() == op->getBlock() && seen.insert(producer).second) {
        heap.push_back(producer);
        std::push_heap(heap.begin(), heap.end(), isEarlier);
      }
  }
  Operation *pop() {
    if (heap.empty())
      return nullptr;
    std::pop_heap(heap.begin(), heap.end(), isEarlier);
    return heap.pop_back_val();
  }

private:
  static bool isEarlier(Operation *a, Operation *b) { return a->isBeforeInBlock(b); }
  SmallVector<Operation *> heap;
  llvm::SmallPtrSet<Operation *, 16> seen;
};
} // namespace

RowCluster growCluster(linalg::LinalgOp root, ArrayRef<unsigned> rowDims,
                       ArrayRef<Operation *> products) {
  RowCluster cluster{root, {}, SmallVector<unsigned>(rowDims)};
  RowDimsOf rowDimsOf;
  rowDimsOf[root] = cluster.rowDims;
  size_t bodyOps = bodySize(root);
  llvm::SmallDenseSet<Value, 32> operands(root->operand_begin(), root->operand_end());
  // Backwards from the root, each operation is met after all its users of this block.
  LastFirst producers;
  producers.pushProducers(root);
  while (Operation *op = producers.pop()) {
    auto producer = dyn_cast<linalg::LinalgOp>(op);
    bool isProduct = llvm::is_contained(products, op);
    // A row operation with a schedule of its own starts its own loop.
    if (!producer || !(isProduct || (isRowOp(producer) && !producer->hasAttr(kScheduleAttr))))
      continue;
    auto dims = rowDimsFromUsers(producer, root, rowDimsOf);
    if (!dims || wouldReadOverwritten(producer, root))
      continue;
    auto types = producer.getIteratorTypesArray();
    if (!llvm::all_of(*dims, [&](unsigned dim) { return linalg::isParallelIterator(types[dim]); }))
      continue;
    bodyOps += bodySize(producer);
    operands.insert(producer->operand_begin(), producer->operand_end());
    if (cluster.members.size() == kMaxMembers || bodyOps > kMaxBodyOps ||
        operands.size() > kMaxOperands)
      break;
    rowDimsOf[producer] = *dims;
    cluster.members.push_back(producer);
    producers.pushProducers(producer);
  }
  std::reverse(cluster.members.begin(), cluster.members.end());
  return cluster;
}

SmallVector<unsigned> chooseRowDims(linalg::LinalgOp root) {
  SmallVector<unsigned> dims;
  root.getParallelDims(dims);
  std::optional<unsigned> contiguous = contiguousLoop(root);
  SmallVector<unsigned> outer;
  llvm::copy_if(dims, std::back_inserter(outer), [&](unsigned dim) { return dim != contiguous; });
  // A single dimension, or one long one after unit ones: cut the contiguous loop itself into
  // pieces.
  if (outer.empty() || isTiny(root, outer))
    return dims;
  // Dimensions that a producer's result is not indexed by (the ones it reduced) would keep it out
  // of the loop.
  for (OpOperand *operand : root.getDpsInputOperands()) {
    Operation *producer = operand->get().getDefiningOp();
    if (!producer || !isRowOp(producer) || isCheapToRepeat(producer))
      continue;
    AffineMap read = root.getMatchingIndexingMap(operand);
    SmallVector<unsigned> kept;
    llvm::copy_if(outer, std::back_inserter(kept), [&](unsigned dim) {
      return read.getResultPosition(getAffineDimExpr(dim, read.getContext())).has_value();
    });
    if (!kept.empty() && !isTiny(root, kept))
      outer = kept;
  }
  return outer;
}

} // namespace forge
