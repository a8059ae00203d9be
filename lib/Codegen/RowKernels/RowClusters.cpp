#include "RowClusters.h"

#include "RowProgram.h"

#include "../Generic/Transposition.h"
#include "../Strategy/ProductAxes.h"
#include "../Strategy/RowReduction.h"

#include "forge/Codegen/Fusion.h"
#include "forge/Codegen/Schedule.h"

#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace forge {

/// The fills that the outputs of `op` start from and that are not in `ops` yet.
static SmallVector<Operation *> fillsOf(linalg::GenericOp op,
                                        const llvm::SmallPtrSetImpl<Operation *> &members) {
  SmallVector<Operation *> fills;
  for (Value init : op.getDpsInits())
    if (auto fill = init.getDefiningOp<linalg::FillOp>())
      if (!members.contains(fill) && !llvm::is_contained(fills, fill.getOperation()))
        fills.push_back(fill);
  return fills;
}

/// True if `op` would be computed again for every index along a dimension of rows that it does not
/// have, and is not cheap: the cosines of positions, for every head.
static bool repeatsWork(const RowProgram &program, linalg::GenericOp op) {
  // It is one of the operations that the program was made of: it adds a stage for each.
  const RowStage &stage =
      *llvm::find_if(program.stages, [&](const RowStage &other) { return other.op == op; });
  for (auto [axis, extent] : llvm::enumerate(program.rows))
    if (extent.size != 1 && !llvm::is_contained(stage.axes, axis))
      return !isCheapToRepeat(op);
  return false;
}

/// True for what one row kernel can compute, `added` without repeating work.
static bool isRowKernel(ArrayRef<Operation *> ops, ArrayRef<linalg::GenericOp> added) {
  std::string why;
  FailureOr<RowProgram> program = RowProgram::build(ops, why);
  return succeeded(program) && program->reducesAlongMemory() &&
         llvm::none_of(added, [&](linalg::GenericOp op) { return repeatsWork(*program, op); });
}

/// The largest kernel, in operations and in their bodies, where one of math becomes some twenty of
/// arith: whether one more fits is asked of the whole, and LLVM's register allocation takes time by
/// the square of a body.
static constexpr size_t kMaxMembers = 48;
static constexpr size_t kMaxBodyOps = 512;

static size_t bodySize(ArrayRef<Operation *> ops) {
  size_t size = 0;
  for (Operation *op : ops)
    if (auto generic = dyn_cast<linalg::GenericOp>(op))
      for (Operation &inner : *generic.getBody())
        size += isa_and_nonnull<math::MathDialect>(inner.getDialect()) ? 24 : 1;
  return size;
}

/// True for a product of matrices that is worth tiles: a row kernel would read a factor again for
/// every row. Sizes that are open count as large.
static bool isWorthTiles(linalg::GenericOp op) {
  constexpr int64_t leastSize = 8, leastMultiplications = int64_t(1) << 20;
  FailureOr<linalg::ContractionDimensions> dims = linalg::inferContractionDims(op);
  if (!isMatrixProduct(op) || failed(dims))
    return false;
  SmallVector<int64_t, 4> sizes = op.getStaticLoopRanges();
  auto atLeast = [&](ArrayRef<unsigned> loops, int64_t least) {
    int64_t product = 1;
    for (unsigned loop : loops)
      if (ShapedType::isDynamic(sizes[loop]) || llvm::MulOverflow(product, sizes[loop], product))
        return true;
    return product >= least;
  };
  SmallVector<unsigned> all = llvm::to_vector(llvm::seq<unsigned>(0, sizes.size()));
  return atLeast(dims->m, leastSize) && atLeast(dims->n, leastSize) &&
         atLeast(all, leastMultiplications);
}

/// True for a contraction that is more than a short sum along each row of one of its factors, such
/// as what a state of a few elements gives: other kernels are for it.
static bool hasOtherKernel(linalg::GenericOp op) {
  constexpr int64_t mostTerms = 32;
  if (!linalg::isaContractionOpInterface(op))
    return false;
  int64_t terms = 1;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  SmallVector<unsigned> loops;
  op.getReductionDims(loops);
  for (unsigned loop : loops)
    terms = ShapedType::isDynamic(sizes[loop]) ? mostTerms + 1 : terms * sizes[loop];
  // One factor is computed, of as many elements as there are products.
  auto isComputed = [&](OpOperand *factor) {
    auto maker = factor->get().getDefiningOp<linalg::GenericOp>();
    return maker && maker.getNumReductionLoops() == 0 &&
           op.getMatchingIndexingMap(factor).isPermutation();
  };
  return hasRowsAndColumns(op) || terms > mostTerms ||
         llvm::none_of(op.getDpsInputOperands(), isComputed);
}

/// True if `op` may join a cluster with `root` apart from what else uses it. What is read across
/// memory goes through tiles; a row kernel would read it, or write what it is made of, element by
/// element.
static bool mayJoin(linalg::GenericOp op, linalg::GenericOp root) {
  return op.hasPureTensorSemantics() && !op->hasAttr(kClusterAttr) && !hasOtherKernel(op) &&
         !piecesOf(op) && !findTransposition(op) && !wouldReadOverwritten(op, root);
}

/// `producer` and its transitive users before the root that are not members yet, in program order:
/// a step of a recurrence and the results of sums over its state. Empty if there are too many, or
/// one of them cannot be a member.
static SmallVector<linalg::GenericOp> withUsers(linalg::GenericOp producer,
                                                const llvm::SmallPtrSetImpl<Operation *> &members,
                                                linalg::GenericOp root) {
  constexpr size_t most = 6;
  SmallVector<linalg::GenericOp> joining = {producer};
  for (size_t i = 0; i < joining.size(); ++i)
    for (Operation *user : joining[i]->getUsers()) {
      Operation *ancestor = root->getBlock()->findAncestorOpInBlock(*user);
      auto generic = dyn_cast<linalg::GenericOp>(user);
      if (members.contains(user) || llvm::is_contained(joining, generic) ||
          (ancestor && root->isBeforeInBlock(ancestor)))
        continue;
      if (!generic || generic->getBlock() != root->getBlock() || !mayJoin(generic, root) ||
          joining.size() == most)
        return {};
      joining.push_back(generic);
    }
  llvm::sort(joining,
             [](linalg::GenericOp a, linalg::GenericOp b) { return a->isBeforeInBlock(b); });
  return joining;
}

/// Backwards from the root, an operation that a member uses joins, with the fills it starts from,
/// if a row kernel can be made of all of them that repeats no work, if nothing else needs it before
/// the root, or what does can join, too, and if moving it there reads nothing that has been
/// overwritten meanwhile.
SmallVector<Operation *> clusterRows(linalg::GenericOp root) {
  auto inOrder = [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); };
  SmallVector<Operation *> cluster = fillsOf(root, llvm::SmallPtrSet<Operation *, 8>());
  cluster.push_back(root);
  llvm::SmallPtrSet<Operation *, 8> members(cluster.begin(), cluster.end());
  if (isWorthTiles(root) || findTransposition(root) || !isRowKernel(cluster, root))
    return {root};
  for (auto it = ++Block::reverse_iterator(root.getOperation()); it != root->getBlock()->rend();
       ++it) {
    auto producer = dyn_cast<linalg::GenericOp>(*it);
    bool isNeeded =
        producer && !members.contains(producer) &&
        llvm::any_of(producer->getUsers(), [&](Operation *user) { return members.contains(user); });
    if (!isNeeded || !mayJoin(producer, root))
      continue;
    SmallVector<linalg::GenericOp> joining = withUsers(producer, members, root);
    if (joining.empty())
      continue;
    SmallVector<Operation *> larger = cluster;
    llvm::SmallPtrSet<Operation *, 8> largerMembers = members;
    for (linalg::GenericOp op : joining) {
      SmallVector<Operation *> own = fillsOf(op, largerMembers);
      own.push_back(op);
      largerMembers.insert(own.begin(), own.end());
      llvm::append_range(larger, own);
    }
    llvm::sort(larger, inOrder);
    if (larger.size() > kMaxMembers || bodySize(larger) > kMaxBodyOps)
      break;
    if (!isRowKernel(larger, joining))
      continue;
    members = std::move(largerMembers);
    cluster = std::move(larger);
  }
  llvm::sort(cluster, inOrder);
  return cluster;
}

} // namespace forge
