#include "AttentionMemory.h"
#include "AttentionOrder.h"
#include "AttentionPlan.h"

#include "../FlashAttention/FlashStrategy.h"
#include "../FlashBackward/RematerializeWeights.h"

#include "forge/Codegen/Contraction.h"
#include "forge/Codegen/Fusion.h"
#include "forge/Codegen/Passes.h"
#include "forge/Codegen/Schedule.h"
#include "forge/Kernels/Kernel.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <array>

namespace forge {
#define GEN_PASS_DEF_CLUSTERATTENTIONPASS
#include "forge/Codegen/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-cluster-attention"

using namespace mlir;

static bool isOnTensors(linalg::LinalgOp op) { return op && op.hasPureTensorSemantics(); }

static bool isFree(linalg::LinalgOp op) {
  return isOnTensors(op) && !op->hasAttr(forge::kClusterAttr);
}

static bool hasNoReduction(linalg::LinalgOp op) { return op.getNumReductionLoops() == 0; }

/// Whether `op` reads elements at places that it computes.
static bool looksUp(linalg::GenericOp op) {
  return !op.getBody()->getOps<tensor::ExtractOp>().empty();
}

static bool isProduct(linalg::LinalgOp op) {
  return isOnTensors(op) && op.getNumDpsInputs() == 2 && op.getNumReductionLoops() == 1 &&
         op->getNumResults() == 1 && op->getNumRegions() == 1 &&
         forge::addsProduct(op->getRegion(0).front());
}

/// The operation in `block` that computes `value`.
static linalg::LinalgOp makerOf(Value value, Block *block) {
  auto op = value.getDefiningOp<linalg::LinalgOp>();
  return isOnTensors(op) && op->getBlock() == block ? op : linalg::LinalgOp();
}

/// Collects in `products` those that a reduction between them and `value` follows from, each the
/// last one on its way.
static void findReduced(Value value, Block *block, bool isReduced,
                        std::array<llvm::DenseSet<Operation *>, 2> &seen,
                        SetVector<Operation *> &products) {
  linalg::LinalgOp op = makerOf(value, block);
  if (!op || !seen[isReduced].insert(op).second)
    return;
  if (isProduct(op)) {
    if (isReduced)
      products.insert(op);
    return;
  }
  for (OpOperand *input : op.getDpsInputOperands())
    findReduced(input->get(), block, isReduced || !hasNoReduction(op), seen, products);
}

static bool isReshapeOrCast(Operation *op) {
  return isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp, tensor::CastOp>(op);
}

/// Moves reshapes of what `op` computes behind `end`, if they are before it.
static void moveReshapes(Operation *op, Operation *end) {
  for (Operation *user : llvm::to_vector(op->getUsers()))
    if (isReshapeOrCast(user) && user->getBlock() == end->getBlock() &&
        user->isBeforeInBlock(end)) {
      moveReshapes(user, end);
      user->moveAfter(end);
    }
}

namespace {
/// The operations around a weighted sum that one kernel may compute, with the product that its
/// scores are.
class Candidate {
public:
  Candidate(linalg::GenericOp weighted, linalg::GenericOp scores)
      : weighted(weighted), scores(scores) {}

  std::array<linalg::GenericOp, 2> products() const { return {scores, weighted}; }

  /// False once one of the products belongs to another kernel.
  bool isOpen() const { return isFree(weighted) && isFree(scores); }

  /// Backwards from what follows the weighted sum: what leads from the scores to it, and
  /// elementwise operations that only members use. What queries and keys are made of stays memory
  /// unless `withKeys`, values unless `withValues`, and what logits look up elsewhere, as biases in
  /// a table, unless `withLookups`. In program order, with the fills they start from; none if the
  /// scores are not among them.
  SmallVector<Operation *> members(bool withKeys, bool withValues, bool withLookups) {
    linalg::GenericOp last = lastOne();
    SetVector<Operation *> found;
    found.insert(last);
    found.insert_range(rowResults(last));
    Operation *end =
        *llvm::max_element(found, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
    for (auto it = ++Block::reverse_iterator(last.getOperation()); it != last->getBlock()->rend();
         ++it) {
      auto op = dyn_cast<linalg::GenericOp>(*it);
      auto isFound = [&](Operation *user) { return found.contains(user); };
      // Cheap questions first: a model has many candidates, most of them with layers between.
      bool isUsed = op && (op == weighted || llvm::any_of(op->getUsers(), isFound));
      if (!isUsed || !isFree(op) || forge::wouldReadOverwritten(op, end)) {
        if (op == scores)
          return {};
        continue;
      }
      bool onPath = op == weighted || followsFromScores(op);
      bool isNeeded = op == weighted || llvm::any_of(op->getUsers(), [&](Operation *user) {
                        return found.contains(user) && (user != scores || withKeys) &&
                               (user != weighted || onPath || withValues);
                      });
      bool onlyHere = llvm::all_of(op->getUsers(), isFound);
      bool isMember = onPath || (hasNoReduction(op) && (withLookups || !looksUp(op)));
      if (isNeeded && (onlyHere || op == last) && isMember)
        found.insert(op);
      else if (op == scores)
        return {};
    }
    for (Operation *op : llvm::to_vector(found))
      for (Value init : cast<linalg::GenericOp>(op).getDpsInits())
        if (auto fill = init.getDefiningOp<linalg::FillOp>())
          found.insert(fill);
    SmallVector<Operation *> ordered = found.takeVector();
    llvm::sort(ordered, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
    return ordered;
  }

private:
  /// The elementwise operation that alone uses the weighted sum, or the sum itself.
  linalg::GenericOp lastOne() {
    Value result = weighted->getResult(0);
    auto follow = result.use_empty() ? linalg::GenericOp()
                                     : dyn_cast<linalg::GenericOp>(*result.user_begin());
    bool joins = isFree(follow) && hasNoReduction(follow) &&
                 follow->getBlock() == weighted->getBlock() &&
                 llvm::all_of(result.getUsers(),
                              [&](Operation *user) { return user == follow.getOperation(); });
    return joins ? follow : weighted;
  }

  /// Elementwise operations on what the scores are reduced to on their way to the weighted sum,
  /// such as the logarithm of the softmax's sum: the kernel leaves them in memory too, if nothing
  /// needs them, or `last`, before the end of both.
  SmallVector<Operation *> rowResults(linalg::GenericOp last) {
    // The sum may be used by what is behind the weighted sum alone.
    SetVector<Operation *> path;
    path.insert(last);
    path.insert(weighted);
    for (unsigned i = 0; i < path.size(); ++i)
      for (OpOperand *input : cast<linalg::LinalgOp>(path[i]).getDpsInputOperands())
        if (linalg::LinalgOp maker = makerOf(input->get(), weighted->getBlock());
            maker && maker != scores && followsFromScores(maker))
          path.insert(maker);
    SmallVector<Operation *> results;
    for (Operation *op : path) {
      if (op == weighted || hasNoReduction(cast<linalg::LinalgOp>(op)))
        continue;
      for (Operation *user : op->getUsers()) {
        auto result = dyn_cast<linalg::GenericOp>(user);
        bool isRow = isFree(result) && hasNoReduction(result) &&
                     result->getBlock() == last->getBlock() &&
                     result.getNumLoops() == cast<linalg::LinalgOp>(op).getNumParallelLoops();
        if (isRow && result != last && !path.contains(result) &&
            !llvm::is_contained(results, user) && isUsedAfter(result, last) &&
            isUsedAfter(last, result) && !forge::wouldReadOverwritten(result, last))
          results.push_back(result);
      }
    }
    // The kernel is called where the last of them stands.
    for (Operation *a : results)
      for (Operation *b : results)
        if (!isUsedAfter(a, b))
          return {};
    return results;
  }

  /// Whether all that uses `op`, by way of reshapes too, comes after `other`.
  static bool isUsedAfter(Operation *op, Operation *other) {
    return llvm::all_of(op->getUsers(), [&](Operation *user) {
      Operation *ancestor = other->getBlock()->findAncestorOpInBlock(*user);
      return ancestor && (other->isBeforeInBlock(ancestor) ||
                          (isReshapeOrCast(user) && isUsedAfter(user, other)));
    });
  }

  /// True if `op` is the scores, or follows from them without another product between.
  bool followsFromScores(Operation *op) {
    if (op == scores)
      return true;
    auto [known, isNew] = follows.try_emplace(op, false);
    if (!isNew || isProduct(dyn_cast<linalg::LinalgOp>(op)))
      return known->second;
    bool any =
        llvm::any_of(cast<linalg::LinalgOp>(op).getDpsInputOperands(), [&](OpOperand *input) {
          linalg::LinalgOp maker = makerOf(input->get(), op->getBlock());
          return maker && followsFromScores(maker);
        });
    return follows[op] = any;
  }

  linalg::GenericOp weighted, scores;
  llvm::DenseMap<Operation *, bool> follows;
};

/// 0. Gradients of attention become clusters of their own, which compute its weights again.
/// 1. A product that follows from the maximum or the sum of another's numbers is a candidate for
///    the weighted sum of values, and the other one for its scores; both get the general form.
///    Which are candidates does not depend on the clusters that are there by then.
/// 2. What is between, elementwise operations next to it, and what is computed of the softmax's
///    maximum and sum for each row, become a cluster, if one kernel can compute them; else they are
///    tried without what the keys, the values, or both are computed by, and then without what
///    looks elements up for logits.
struct ClusterAttentionPass : public forge::impl::ClusterAttentionPassBase<ClusterAttentionPass> {
  using ClusterAttentionPassBase::ClusterAttentionPassBase;

  void runOnOperation() override {
    if (forge::isKernel(getOperation()))
      return;
    const forge::GPUChip *chip = forge::findChip(chipName);
    if (!chip) {
      getOperation().emitError("unknown chip '") << chipName << "'";
      return signalPassFailure();
    }
    forge::rematerializeWeights(getOperation(), *chip);
    generalizeCandidates();
    int64_t next = 0;
    for (auto [weighted, scores] : candidates()) {
      Candidate candidate(cast<linalg::GenericOp>(weighted), cast<linalg::GenericOp>(scores));
      if (candidate.isOpen())
        mark(candidate, *chip, next);
    }
  }

  /// Pairs of a weighted sum and its scores.
  SmallVector<std::pair<Operation *, Operation *>> candidates() {
    SmallVector<std::pair<Operation *, Operation *>> found;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (!isProduct(op))
        return;
      std::array<llvm::DenseSet<Operation *>, 2> seen;
      SetVector<Operation *> products;
      for (OpOperand *input : op.getDpsInputOperands())
        findReduced(input->get(), op->getBlock(), false, seen, products);
      for (Operation *scores : products)
        found.emplace_back(op, scores);
    });
    return found;
  }

  void generalizeCandidates() {
    SetVector<Operation *> named;
    for (auto [weighted, scores] : candidates())
      for (Operation *product : {weighted, scores})
        if (!isa<linalg::GenericOp>(product))
          named.insert(product);
    IRRewriter rewriter(&getContext());
    for (Operation *op : named) {
      rewriter.setInsertionPoint(op);
      (void)linalg::generalizeNamedOp(rewriter, cast<linalg::LinalgOp>(op));
    }
  }

  void mark(Candidate &candidate, const forge::GPUChip &chip, int64_t &next) {
    // Of the last try that was attention.
    std::string whyNot;
    SmallVector<SmallVector<Operation *>> tried;
    for (int64_t without : llvm::seq(8)) {
      SmallVector<Operation *> members =
          candidate.members(/*withKeys=*/!(without & 1), /*withValues=*/!(without & 2),
                            /*withLookups=*/!(without & 4));
      if (members.empty())
        return;
      if (llvm::is_contained(tried, members))
        continue;
      if (!isKernel(members, chip, whyNot)) {
        tried.push_back(std::move(members));
        continue;
      }
      orderResult(members, chip);
      auto name = StringAttr::get(&getContext(), "attention" + std::to_string(next++));
      for (Operation *member : members)
        if (!isa<linalg::FillOp>(member)) {
          member->setAttr(forge::kClusterAttr, name);
          moveReshapes(member, members.back());
        }
      return;
    }
    for (linalg::GenericOp product : candidate.products())
      if (!whyNot.empty())
        product->setAttr(forge::kNoAttentionAttr, StringAttr::get(&getContext(), whyNot));
  }

  /// Has the last of `members` give its result as rows that follow read it, if it is then still an
  /// attention of many rows.
  static void orderResult(SmallVectorImpl<Operation *> &members, const forge::GPUChip &chip) {
    auto last = dyn_cast<linalg::GenericOp>(members.back());
    if (!last)
      return;
    auto isFlash = [&](linalg::GenericOp made) {
      SmallVector<Operation *> changed(members.begin(), members.end());
      changed.back() = made;
      std::string why;
      FailureOr<forge::AttentionProgram> program = forge::AttentionProgram::build(changed, why);
      return succeeded(program) && forge::isFlashAttention(*program, chip, [](const Twine &) {});
    };
    members.back() = forge::orderForRows(last, isFlash);
  }

  static bool isKernel(ArrayRef<Operation *> members, const forge::GPUChip &chip,
                       std::string &whyNot) {
    std::string why;
    FailureOr<forge::AttentionProgram> program = forge::AttentionProgram::build(members, why);
    if (failed(program))
      return false;
    if (forge::isFlashAttention(*program, chip,
                                [&](const Twine &reason) { whyNot = reason.str(); }))
      return true;
    if (forge::whyNoAttention(*program, chip))
      return false;
    return llvm::all_of(ArrayRef{program->query, program->key, program->value},
                        [&](const forge::AttentionRead &read) {
                          return forge::alignedRoot(program->memoryOf(read)) != nullptr;
                        });
  }
};
} // namespace
