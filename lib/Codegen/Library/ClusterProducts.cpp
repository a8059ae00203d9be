#include "../Gemv/GemvProduct.h"
#include "../Gemv/NarrowFactor.h"
#include "JoinFactors.h"
#include "LibraryProduct.h"
#include "ResultOrder.h"
#include "SplitRounding.h"

#include "../Strategy/ProductFollow.h"
#include "../TileContraction/ContractionTile.h"
#include "../Wgmma/WgmmaPlan.h"

#include "forge/Codegen/Fusion.h"
#include "forge/Codegen/LibraryUse.h"
#include "forge/Codegen/Passes.h"
#include "forge/Codegen/Schedule.h"
#include "forge/Kernels/Kernel.h"
#include "forge/Support/TensorBytes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace forge {
#define GEN_PASS_DEF_CLUSTERPRODUCTSPASS
#include "forge/Codegen/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-cluster-products"

using namespace mlir;

/// Of short f32 products the library takes 0.96 of the time of strategy tiles on average (28 on an
/// H200, docs/gpu-h200.md, "Small f32 products"), and a kernel behind it more than the rest. These
/// are seconds of strategy tiles, and instructions of what follows: one tanh, at most.
static constexpr double kShortSeconds = 16e-6;
static constexpr int64_t kFewInstructions = 400;
/// Strategy tiles takes no fewer multiplications.
static constexpr int64_t kLeastMultiplications = int64_t(1) << 20;

/// The operation that alone uses the result of `contraction`, in its block, if it can be computed
/// where that one is now.
static linalg::GenericOp onlyFollower(linalg::LinalgOp contraction) {
  Value sums = contraction->getResult(0);
  auto follow =
      sums.use_empty() ? linalg::GenericOp() : dyn_cast<linalg::GenericOp>(*sums.user_begin());
  bool isOnly = follow && llvm::all_of(sums.getUsers(), [&](Operation *user) {
                  return user == follow.getOperation();
                });
  if (!isOnly || follow->getBlock() != contraction->getBlock() ||
      !follow.hasPureTensorSemantics() || forge::wouldReadOverwritten(contraction, follow))
    return {};
  return follow;
}

/// Another contraction of the same left factor that only `follow` uses, such that both and `follow`
/// are a pair for strategy wgmma; null if there is none.
static linalg::LinalgOp otherOfPair(linalg::LinalgOp contraction, linalg::GenericOp follow) {
  for (Value input : follow.getInputs()) {
    auto other = input.getDefiningOp<linalg::LinalgOp>();
    if (other && other != contraction && other->getNumResults() == 1 &&
        other.hasPureTensorSemantics() && !other->hasAttr(forge::kClusterAttr) &&
        onlyFollower(other) == follow && forge::matchWgmma({contraction, other}, follow))
      return other;
  }
  return {};
}

namespace {
/// 0. Contractions of few rows read factors of 8 bits where they are.
/// 1. A contraction of few rows, and the elementwise operation that alone uses its result, become a
///    cluster for strategy gemv; another contraction of the same rows that it alone uses joins
///    them.
/// 2. Two contractions with one left factor, and the operation that alone uses both, become one for
///    strategy wgmma, unless the vendor's library is faster with what it computes of them.
/// 3. Another contraction of matrices does with that operation if the library computes both at
/// once,
///    or a kernel on matrix units does and the library is not faster.
/// 4. Otherwise, if all operations that read the result round it first of all, the contraction and
///    the rounding do.
/// 5. A sum through windows of each feature by itself, which threads compute, takes along the
///    operation that alone reads it if that writes no more bytes than the rounded sum; otherwise
///    the rounding, as in 4.
/// 6. What computes the matrix of a product of few rows, for strategy gemv, joins it.
/// 7. So does what looks up the matrices of a batch of products, for strategy wgmma.
struct ClusterProductsPass : public forge::impl::ClusterProductsPassBase<ClusterProductsPass> {
  using ClusterProductsPassBase::ClusterProductsPassBase;

  void runOnOperation() override {
    if (forge::isKernel(getOperation()))
      return;
    chip = forge::findChip(chipName);
    if (!chipName.empty() && !chip) {
      getOperation().emitError("unknown chip '") << chipName << "'";
      return signalPassFailure();
    }
    std::optional<forge::LibraryUse> found = forge::parseLibraryUse(getOperation(), library);
    if (!found)
      return signalPassFailure();
    use = *found;
    foldNarrowFactors();
    SmallVector<Candidate> candidates;
    getOperation().walk([&](linalg::LinalgOp contraction) {
      if (isCandidate(contraction))
        candidates.push_back({contraction});
    });
    int64_t next = 0;
    for (size_t at = 0; at < candidates.size(); ++at) {
      Candidate candidate = candidates[at];
      if (!candidate.op || candidate.op->hasAttr(forge::kClusterAttr))
        continue;
      SmallVector<Operation *> members;
      if (!candidate.isSettled)
        members = findReordered(candidate.op, candidates);
      if (members.empty() && candidates[at].op) {
        members = findOthers(candidate.op);
        if (!members.empty())
          members.push_back(candidate.op);
      }
      // Row clusters have numbers; a name of another type is never one of theirs.
      auto name = StringAttr::get(&getContext(), "product" + std::to_string(next));
      next += !members.empty();
      for (Operation *member : members)
        member->setAttr(forge::kClusterAttr, name);
    }
    if (chip)
      forge::joinFactors(getOperation(), *chip, use, next);
  }

  struct Candidate {
    /// Null once it has been made again.
    linalg::LinalgOp op;
    /// Its result stays in the order it is in.
    bool isSettled = false;
  };

  void foldNarrowFactors() {
    if (!chip)
      return;
    SmallVector<linalg::LinalgOp> contractions;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (isCandidate(op))
        contractions.push_back(op);
    });
    for (linalg::LinalgOp contraction : contractions)
      forge::foldNarrowFactor(contraction, *chip, use);
  }

  static bool isCandidate(linalg::LinalgOp op) {
    return op && op.hasPureTensorSemantics() && op->getNumResults() == 1 &&
           !op->hasAttr(forge::kClusterAttr) &&
           (forge::isSumOfProducts(op) || forge::isSumOfNarrowProducts(op) ||
            forge::isSumOfByteProducts(op) || forge::piecesOf(op));
  }

  /// The contraction with its result in the order in which the operation behind it reads it, and
  /// what is computed together with it, that operation too. Empty if nothing is: contractions that
  /// have been made again then are candidates again.
  SmallVector<Operation *> findReordered(linalg::LinalgOp contraction,
                                         SmallVectorImpl<Candidate> &candidates) {
    linalg::GenericOp follow = onlyFollower(contraction);
    if (!follow || follow->hasAttr(forge::kClusterAttr) ||
        !forge::readOrder(follow, contraction->getResult(0)))
      return {};
    // 1. This one, and others that only that operation reads in another order.
    SmallVector<std::pair<linalg::LinalgOp, SmallVector<unsigned>>> made;
    SetVector<Value> inputs;
    inputs.insert_range(follow.getInputs());
    for (Value input : inputs) {
      auto other = input.getDefiningOp<linalg::LinalgOp>();
      if (!isCandidate(other) || onlyFollower(other) != follow)
        continue;
      if (auto order = forge::readOrder(follow, input)) {
        for (Candidate &candidate : candidates)
          if (candidate.op == other)
            candidate.op = nullptr;
        made.emplace_back(forge::reorderResult(other, follow, *order), *order);
      }
    }
    // 2. An operation that does nothing else than that is not needed. Threads write and read in any
    //    order.
    auto isByThreadsAlone = [&](linalg::LinalgOp op) {
      return isByThreads(op) && !forge::hasGroups(op);
    };
    if (made.size() == 1 && isCopy(follow)) {
      linalg::LinalgOp only = made.front().first;
      bool isOthers = isTaken(only);
      if (isOthers || isByThreadsAlone(only)) {
        if (!isOthers)
          only = forge::readUntransposed(only);
        candidates.push_back({only});
        follow->replaceAllUsesWith(only->getResults());
        follow->erase();
        return {};
      }
    }
    // 3. What is computed together.
    auto find = [&](linalg::LinalgOp &reordered) {
      SmallVector<Operation *> found = findWithFollower(reordered);
      if (found.empty() && isByThreadsAlone(reordered) && isNoWider(reordered, follow)) {
        reordered = forge::readUntransposed(reordered);
        found = {follow};
      }
      return found;
    };
    SmallVector<Operation *> members;
    auto *together = llvm::find_if(made, [&](auto &entry) {
      members = find(entry.first);
      return !members.empty();
    });
    // 4. The others as they were, but those that the library or wgmma computes in this order as
    // well. What is found may depend on the order of the others.
    auto putBack = [&](auto &entry) {
      entry.first = forge::reorderResult(entry.first, follow, forge::inverseOrder(entry.second));
      entry.second.clear();
    };
    auto isMember = [&](auto &entry) {
      return &entry == together || llvm::is_contained(members, entry.first.getOperation());
    };
    bool othersChanged = false;
    for (auto &entry : made)
      if (together != made.end() && !isMember(entry) && !isTaken(entry.first)) {
        putBack(entry);
        othersChanged = true;
      }
    if (othersChanged)
      members = find(together->first);
    bool isNone = members.empty();
    for (auto &entry : made) {
      if (isNone && !entry.second.empty())
        putBack(entry);
      if (isNone || !isMember(entry))
        candidates.push_back({entry.first, /*isSettled=*/true});
    }
    if (!isNone)
      members.push_back(together->first);
    return members;
  }

  /// Whether the result of `follow` is what it reads.
  static bool isCopy(linalg::GenericOp follow) {
    auto yielded = dyn_cast<BlockArgument>(follow.getBody()->getTerminator()->getOperand(0));
    return follow.getNumDpsInputs() == 1 && follow.getNumDpsInits() == 1 && yielded &&
           yielded.getArgNumber() == 0;
  }

  /// Whether the library or strategy wgmma takes `contraction` alone.
  bool isTaken(linalg::LinalgOp contraction) {
    return isCalled(contraction) || isForMatrixUnits({contraction}, {}, /*isCalled=*/false);
  }

  /// Whether threads compute `contraction`, of windows.
  bool isByThreads(linalg::LinalgOp contraction) {
    return forge::readsWindows(contraction) &&
           !isForMatrixUnits({contraction}, {}, /*isCalled=*/false);
  }

  bool isCalled(linalg::LinalgOp contraction) const {
    auto product = forge::matchProduct(contraction, linalg::GenericOp());
    return product && use.isAsked() && forge::mayHave(*product, use.least);
  }

  bool isGemv(ArrayRef<linalg::LinalgOp> contractions, linalg::GenericOp follow) const {
    auto gemv = chip ? forge::matchGemv(contractions, follow, *chip) : std::nullopt;
    return gemv && forge::isBeforeLibrary(*gemv, use);
  }

  /// Another contraction that only `follow` uses, such that strategy gemv computes both and
  /// `follow` at once: gate and up of an MLP. Null if there is none.
  linalg::LinalgOp otherOfGemv(linalg::LinalgOp contraction, linalg::GenericOp follow) const {
    for (Value input : follow.getInputs()) {
      auto other = input.getDefiningOp<linalg::LinalgOp>();
      if (other != contraction && isCandidate(other) && onlyFollower(other) == follow &&
          isGemv({contraction, other}, follow))
        return other;
    }
    return {};
  }

  /// What is computed together with `contraction`, the operation behind it too; empty if that is
  /// not. Changes nothing.
  SmallVector<Operation *> findWithFollower(linalg::LinalgOp contraction) {
    linalg::GenericOp follow = onlyFollower(contraction);
    // What another product takes along still reads this one rounded.
    if (!follow || follow->hasAttr(forge::kClusterAttr))
      return {};
    if (linalg::LinalgOp other = otherOfGemv(contraction, follow))
      return {other, follow};
    if (isGemv({contraction}, follow))
      return {follow};
    bool called = isCalled(contraction);
    linalg::LinalgOp other = otherOfPair(contraction, follow);
    if (other && isForMatrixUnits({contraction, other}, follow, called))
      return {other, follow};
    if (called && forge::matchProduct(contraction, follow))
      return {follow};
    if (isForMatrixUnits({contraction}, follow, called))
      return {follow};
    if ((!called || use.byCost) && isShortByTiles(contraction, follow))
      return {follow};
    return {};
  }

  /// Whether something puts `value`, itself or reshaped, into a larger tensor, as a loop does with
  /// what each step makes: an elementwise kernel writes there at once.
  static bool isPlaced(Value value) {
    return llvm::any_of(value.getUsers(), [](Operation *user) {
      return isa<tensor::InsertSliceOp, tensor::ParallelInsertSliceOp>(user) ||
             (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(user) &&
              isPlaced(user->getResult(0)));
    });
  }

  /// Whether strategy tiles takes no longer for a short product of f32 factors and `follow`, an
  /// activation or a bias, than the library and a kernel behind it. What reads another operand of
  /// the result's shape can share a launch with other such kernels.
  bool isShortByTiles(linalg::LinalgOp contraction, linalg::GenericOp follow) const {
    Value sums = contraction->getResult(0);
    bool isOfFloats = llvm::all_of(contraction.getDpsInputs(), [](Value factor) {
      return getElementTypeOrSelf(factor).isF32();
    });
    if (!chip || !isOfFloats || contraction.hasDynamicShape() || follow->getNumResults() != 1 ||
        isPlaced(follow->getResult(0)) || !forge::isElementwiseOn(follow, sums) ||
        forge::whyNotOnTiles(follow) || forge::countInstructions(follow, {}) > kFewInstructions ||
        !llvm::all_of(follow.getDpsInputOperands(), [&](OpOperand *input) {
          AffineMap map = follow.getMatchingIndexingMap(input);
          return input->get() == sums ||
                 (map.isProjectedPermutation() && map.getNumResults() < map.getNumDims());
        }))
      return false;
    int64_t multiplications = 1;
    for (int64_t size : contraction.getStaticLoopRanges())
      multiplications = forge::saturatingMul(multiplications, size);
    std::optional<double> seconds = forge::secondsOfBlocks(contraction, *chip);
    return multiplications >= kLeastMultiplications && seconds && *seconds <= kShortSeconds;
  }

  /// Whether `follow` is elementwise on the sums of `contraction`, and writes no more than these
  /// would take in the type of the factors.
  static bool isNoWider(linalg::LinalgOp contraction, linalg::GenericOp follow) {
    auto bitsOf = [](Value value) {
      Type type = getElementTypeOrSelf(value);
      return type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 64;
    };
    unsigned written = 0;
    for (Value result : follow->getResults())
      written += bitsOf(result);
    return written <= bitsOf(contraction->getOperand(0)) &&
           forge::isElementwiseOn(follow, contraction->getResult(0)) &&
           llvm::count(follow.getInputs(), contraction->getResult(0)) == 1;
  }

  /// What is computed together with `contraction`; a rounding is taken out of the operation behind
  /// it.
  SmallVector<Operation *> findOthers(linalg::LinalgOp contraction) {
    if (SmallVector<Operation *> members = findWithFollower(contraction); !members.empty())
      return members;
    linalg::GenericOp follow = onlyFollower(contraction);
    bool isRead = isByThreads(contraction);
    if (!(isRead || isTaken(contraction)))
      return {};
    if (follow && isRead && !follow->hasAttr(forge::kClusterAttr) && isNoWider(contraction, follow))
      return {follow};
    if (linalg::GenericOp rounding = forge::splitRounding(contraction))
      return {rounding};
    return {};
  }

  /// Whether strategy wgmma takes these, and is not slower than the library where that is asked.
  bool isForMatrixUnits(ArrayRef<linalg::LinalgOp> contractions, linalg::GenericOp follow,
                        bool isCalled) {
    auto product = chip ? forge::matchWgmma(contractions, follow) : std::nullopt;
    return product && forge::takesProduct(*product, *chip) &&
           (!isCalled ||
            (use.byCost && (product->hasLookup() || forge::beatsLibrary(*product, *chip))));
  }

  const forge::GPUChip *chip = nullptr;
  forge::LibraryUse use;
};
} // namespace
