#include "SplitFactors.h"

#include "LibraryProduct.h"
#include "PieceProducts.h"

#include "../Wgmma/WgmmaPlan.h"

#include "forge/Codegen/LibraryUse.h"
#include "forge/Codegen/Passes.h"
#include "forge/Codegen/Schedule.h"
#include "forge/Kernels/Kernel.h"
#include "forge/Support/TensorBytes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace forge {
#define GEN_PASS_DEF_SPLITFACTORSPASS
#include "forge/Codegen/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-split-factors"

using namespace mlir;
using namespace forge;

/// Seconds of a kernel that makes pieces, besides those of its memory (H200).
static constexpr double kSecondsOfSplit = 2e-6;
/// What f32 products reach of the rate of f32 instructions (cuBLAS 13.0 on an H200: 0.93 for
/// 4096^3, 0.72 to 0.82 for 2048 rows or terms and 768 by 3072 of the rest, 0.55 for 768 by 768),
/// and long sums with fewer tiles than multiprocessors (0.30 to 0.42 for 128 x 128 x 16384, 288 x
/// 64 x 65536 and 64 x 129 x 65536, docs/gpu-h200.md).
static constexpr double kShareOfRate = 0.85, kShareOfLongSums = 0.35;

/// Whether `op` computes each element of its results by itself.
static bool isElementwise(linalg::GenericOp op) {
  return op && op.hasPureTensorSemantics() && op.getNumParallelLoops() == op.getNumLoops() &&
         !op->hasAttr(kClusterAttr) && !op->hasAttr(kScheduleAttr) &&
         llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
           return op.getMatchingIndexingMap(&init).isIdentity() &&
                  !op.payloadUsesValueFromOperand(&init);
         });
}

/// The operation that computes what `pieces` are of, and can make them; null if none does.
static linalg::GenericOp fusableProducer(linalg::GenericOp pieces) {
  OpOperand *read = pieces.getDpsInputOperand(0);
  auto producer = read->get().getDefiningOp<linalg::GenericOp>();
  bool isFusable = isElementwise(producer) && producer->getBlock() == pieces->getBlock() &&
                   linalg::areElementwiseOpsFusable(read);
  return isFusable ? producer : linalg::GenericOp();
}

//===----------------------------------------------------------------------===//
// FactorSplitter

/// A reshaped factor is split before its reshape. Pieces are made right before their first reader,
/// or before the loops around it that do not change the factor; in a function of several blocks
/// right behind the factor.
SmallVector<Value> FactorSplitter::piecesOf(Value factor, Operation *reader) {
  if (Value narrow = narrowSource(factor))
    return {narrow};
  if (Operation *reshape = factor.getDefiningOp(); isReshape(reshape)) {
    OpBuilder builder(reader);
    SmallVector<Value> pieces = piecesOf(reshape->getOperand(0), reader);
    for (Value &piece : pieces)
      piece = reshapeAlike(builder, reshape, piece);
    return pieces;
  }
  Operation *first = factor.getParentBlock()->findAncestorOpInBlock(*reader);
  linalg::GenericOp &making = made[factor];
  bool isNew = !making;
  if (isNew)
    making = makePieces(factor);
  if (!first || (!isNew && making->isBeforeInBlock(first)))
    return making->getResults();
  making->moveBefore(first);
  for (Value init : making.getOutputs())
    init.getDefiningOp()->moveBefore(making);
  return making->getResults();
}

/// Calls `visit` for what reads results of `op`, reshaped or not.
static void forEachReader(Operation *op, function_ref<void(Operation *)> visit) {
  for (Operation *user : op->getUsers())
    if (isReshape(user))
      forEachReader(user, visit);
    else
      visit(user);
}

/// Erases reshapes of `value` that nothing reads.
static void eraseUnreadReshapes(Value value) {
  SmallVector<Operation *> users(value.getUsers());
  for (Operation *user : users) {
    if (!isReshape(user))
      continue;
    eraseUnreadReshapes(user->getResult(0));
    if (user->use_empty())
      user->erase();
  }
}

linalg::GenericOp FactorSplitter::make(linalg::LinalgOp contraction, Factors &factors) {
  for (Value factor : contraction.getDpsInputs())
    factors.push_back(piecesOf(factor, contraction));
  linalg::GenericOp best;
  double bestSeconds = worth * secondsOfThreads(contraction) - secondsOfSplits(factors);
  for (TermParts parts : termPartsOf(contraction, chip)) {
    linalg::GenericOp ofPieces = makeOfPieces(contraction, factors, parts);
    std::optional<double> seconds = secondsOf(ofPieces, parts.count);
    bool isBetter = seconds && *seconds < bestSeconds;
    linalg::GenericOp worse = isBetter ? best : ofPieces;
    if (isBetter) {
      best = ofPieces;
      bestSeconds = *seconds;
    }
    if (worse)
      unmake(worse, factors);
  }
  if (!best)
    eraseUnreadPieces(factors);
  return best;
}

void FactorSplitter::unmake(linalg::GenericOp ofPieces, const Factors &factors) {
  eraseParts(ofPieces, [&](Value value) {
    return llvm::any_of(factors,
                        [&](ArrayRef<Value> pieces) { return llvm::is_contained(pieces, value); });
  });
}

/// Erases what was made for `factors` and nothing reads.
void FactorSplitter::eraseUnreadPieces(const Factors &factors) {
  for (ArrayRef<Value> pieces : factors)
    for (Value piece : pieces)
      while (isReshape(piece.getDefiningOp()) && piece.use_empty()) {
        Operation *view = piece.getDefiningOp();
        piece = view->getOperand(0);
        view->erase();
      }
  made.remove_if([](auto &entry) {
    linalg::GenericOp pieces = entry.second;
    if (!pieces->use_empty())
      return false;
    Operation *empty = pieces.getOutputs().front().getDefiningOp();
    pieces->erase();
    empty->erase();
    return true;
  });
}

/// What writing and reading patches takes, where `contraction` reads the windows of an image: f32
/// instructions multiply patches.
static double secondsOfPatches(linalg::LinalgOp contraction, const GPUChip &chip) {
  AffineMap image = contraction.getIndexingMapsArray()[0];
  if (image.isProjectedPermutation())
    return 0;
  SmallVector<int64_t> sizes = contraction.getStaticLoopRanges();
  int64_t patches = 1;
  for (auto [loop, size] : llvm::enumerate(sizes))
    if (image.isFunctionOfDim(loop))
      patches = saturatingMul(patches, size);
  return 8 * static_cast<double>(patches) / chip.copyBandwidth;
}

double FactorSplitter::secondsOfThreads(linalg::LinalgOp contraction) const {
  int64_t points = 1;
  for (int64_t size : contraction.getStaticLoopRanges())
    points = saturatingMul(points, size);
  double share = termPartsOf(contraction, chip).size() > 1 ? kShareOfLongSums : kShareOfRate;
  return 2 * static_cast<double>(points) / (share * chip.vectorFlops) +
         secondsOfPatches(contraction, chip);
}

/// What making those of these pieces that nothing reads yet takes.
double FactorSplitter::secondsOfSplits(const Factors &factors) const {
  llvm::SmallPtrSet<Operation *, 2> counted;
  double seconds = 0;
  for (ArrayRef<Value> pieces : factors) {
    Value piece = pieces.front();
    while (isReshape(piece.getDefiningOp()))
      piece = piece.getDefiningOp()->getOperand(0);
    if (pieces.size() == 1 || !counted.insert(piece.getDefiningOp()).second)
      continue;
    auto making = cast<linalg::GenericOp>(piece.getDefiningOp());
    bool isMade = false;
    forEachReader(making, [&](Operation *) { isMade = true; });
    if (isMade)
      continue;
    int64_t elements = cast<RankedTensorType>(piece.getType()).getNumElements();
    bool isFused = fusableProducer(making) != nullptr;
    int64_t bytes = kPieces * 2 + (isFused ? 0 : 4);
    seconds += (isFused ? 0 : kSecondsOfSplit) +
               static_cast<double>(saturatingMul(bytes, elements)) / chip.copyBandwidth;
  }
  return seconds;
}

std::optional<double> FactorSplitter::secondsOf(linalg::GenericOp ofPieces, int64_t parts) const {
  std::optional<WgmmaProduct> product =
      matchWgmma({cast<linalg::LinalgOp>(ofPieces.getOperation())}, linalg::GenericOp());
  std::optional<double> seconds =
      product && takesProduct(*product, chip) ? secondsOfTiles(*product, chip) : std::nullopt;
  if (!seconds)
    return std::nullopt;
  int64_t sums = cast<RankedTensorType>(ofPieces->getResult(0).getType()).getNumElements();
  return parts > 1 ? secondsOfParts(*seconds, sums, chip) : seconds;
}

static bool isOfWideFactors(linalg::LinalgOp op) {
  return op.hasPureTensorSemantics() && !op->hasAttr(kClusterAttr) && !op.hasDynamicShape() &&
         op.getNumDpsInputs() == 2 && hasRowsAndColumns(op) &&
         getElementTypeOrSelf(op->getOperand(0)).isF32();
}

bool FactorSplitter::mayBeWorth(linalg::LinalgOp contraction) const {
  return chip.warpgroupProducts && isOfWideFactors(contraction) &&
         kSecondsOfSplit < worth * secondsOfThreads(contraction);
}

bool FactorSplitter::isWorth(linalg::LinalgOp contraction) {
  if (!mayBeWorth(contraction))
    return false;
  Factors factors;
  linalg::GenericOp ofPieces = make(contraction, factors);
  if (!ofPieces)
    return false;
  unmake(ofPieces, factors);
  eraseUnreadPieces(factors);
  return true;
}

bool FactorSplitter::split(linalg::LinalgOp contraction) {
  Factors factors;
  linalg::GenericOp ofPieces =
      mayBeWorth(contraction) ? make(contraction, factors) : linalg::GenericOp();
  if (!ofPieces)
    return false;
  OpBuilder builder(contraction);
  Value sums = ofPieces.getResult(0), init = contraction.getDpsInits().front();
  if (sums.getType() != init.getType())
    sums = addParts(builder, contraction.getLoc(), sums, init);
  contraction->replaceAllUsesWith(ValueRange(sums));
  if (auto *found = made.find(contraction->getResult(0)); found != made.end()) {
    linalg::GenericOp pieces = found->second;
    made.erase(found);
    made[sums] = pieces;
  }
  contraction->erase();
  return true;
}

void FactorSplitter::fuseIntoProducers() {
  for (linalg::GenericOp pieces : llvm::make_second_range(made)) {
    linalg::GenericOp producer = fusableProducer(pieces);
    if (!producer)
      continue;
    pieces->moveAfter(producer);
    for (Value init : pieces.getOutputs())
      init.getDefiningOp()->moveBefore(producer);
    // Contractions that read the factor reshaped are replaced.
    eraseUnreadReshapes(pieces.getInputs().front());
    IRRewriter rewriter(pieces.getContext());
    rewriter.setInsertionPoint(pieces);
    FailureOr<linalg::ElementwiseOpFusionResult> fused =
        linalg::fuseElementwiseOps(rewriter, pieces.getDpsInputOperand(0));
    if (failed(fused))
      continue;
    for (auto [before, after] : fused->replacements)
      before.replaceUsesWithIf(
          after, [&](OpOperand &use) { return use.getOwner() != pieces.getOperation(); });
    pieces->erase();
    if (producer->use_empty())
      producer->erase();
  }
  made.clear();
}

namespace {
struct SplitFactorsPass : public forge::impl::SplitFactorsPassBase<SplitFactorsPass> {
  using SplitFactorsPassBase::SplitFactorsPassBase;

  void runOnOperation() override {
    if (isKernel(getOperation()))
      return;
    const GPUChip *chip = findChip(chipName);
    if (!chip) {
      getOperation().emitError("unknown chip '") << chipName << "'";
      return signalPassFailure();
    }
    if (!(worth >= 0)) {
      getOperation().emitError("expected worth of 0 or more, but got ") << worth.getValue();
      return signalPassFailure();
    }
    std::optional<LibraryUse> use = parseLibraryUse(getOperation(), library);
    if (!use)
      return signalPassFailure();
    bool isPreferred = use->isAsked() && !use->byCost;
    SmallVector<linalg::LinalgOp> contractions;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (isOfWideFactors(op) && !(isPreferred && matchProduct(op, linalg::GenericOp())))
        contractions.push_back(op);
    });
    FactorSplitter splitter(*chip, worth);
    // Pieces that one contraction is not worth may have been made for another.
    for (int round = 0; round < 2; ++round)
      llvm::erase_if(contractions, [&](linalg::LinalgOp op) { return splitter.split(op); });
    splitter.fuseIntoProducers();
  }
};
} // namespace
