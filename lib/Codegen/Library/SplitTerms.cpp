#include "LibraryProduct.h"
#include "TermParts.h"

#include "../TileContraction/ContractionTile.h"
#include "../Wgmma/WgmmaPlan.h"

#include "forge/Codegen/LibraryUse.h"
#include "forge/Codegen/MatrixUnit.h"
#include "forge/Codegen/Passes.h"
#include "forge/Codegen/Schedule.h"
#include "forge/Kernels/Kernel.h"
#include "forge/Support/TensorBytes.h"

namespace forge {
#define GEN_PASS_DEF_SPLITTERMSPASS
#include "forge/Codegen/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-split-terms"

using namespace mlir;
using namespace forge;

/// Parts are not worth it for less: a sum of parts is another kernel, and keeps what follows out of
/// the product's.
static constexpr double kShareOfTime = 0.92;

/// `contraction` as strategy wgmma takes it, if it does.
static std::optional<WgmmaProduct> productOf(linalg::LinalgOp contraction, const GPUChip &chip) {
  std::optional<WgmmaProduct> product = matchWgmma({contraction}, linalg::GenericOp());
  return product && takesProduct(*product, chip) ? product : std::nullopt;
}

/// What `contraction` takes by strategy wgmma, or else by `tiles`.
static std::optional<double> secondsOf(linalg::LinalgOp contraction, const GPUChip &chip) {
  if (std::optional<WgmmaProduct> product = productOf(contraction, chip))
    return secondsOfTiles(*product, chip);
  return secondsOfBlocks(contraction, chip);
}

/// Whether the vendor's library computes `contraction` as one product, whose long sums it divides
/// itself.
static bool isLibrarys(linalg::LinalgOp contraction, const GPUChip &chip,
                       const LibraryUse &library) {
  if (!library.isAsked())
    return false;
  std::optional<LibraryProduct> called = matchProduct(contraction, linalg::GenericOp());
  if (!called || (called->batch && library.byCost))
    return false;
  std::optional<WgmmaProduct> product = productOf(contraction, chip);
  return !library.byCost || !product || !beatsLibrary(*product, chip);
}

/// Divides the terms of `contraction` where its tiles and adding up the parts are predicted to take
/// the least time so.
static void split(linalg::LinalgOp contraction, const GPUChip &chip) {
  std::optional<double> least = secondsOf(contraction, chip);
  if (!least)
    return;
  *least *= kShareOfTime;
  auto keepNone = [](Value) { return false; };
  linalg::GenericOp best;
  SmallVector<TermParts> ways = termPartsOf(contraction, chip);
  for (TermParts parts : ArrayRef(ways).drop_front()) {
    linalg::GenericOp divided = divideTerms(contraction, parts);
    std::optional<double> seconds = secondsOf(divided, chip);
    int64_t sums = cast<RankedTensorType>(divided->getResult(0).getType()).getNumElements();
    if (seconds)
      seconds = secondsOfParts(*seconds, sums, chip);
    bool isBetter = seconds && *seconds < *least;
    linalg::GenericOp worse = isBetter ? best : divided;
    if (isBetter) {
      best = divided;
      least = seconds;
    }
    if (worse)
      eraseParts(worse, keepNone);
  }
  if (!best)
    return;
  OpBuilder builder(contraction);
  Value sums = addParts(builder, contraction.getLoc(), best->getResult(0),
                        contraction.getDpsInits().front());
  contraction->replaceAllUsesWith(ValueRange(sums));
  contraction->erase();
}

/// A sum of products in f32, of factors of 16 or 32 bits.
static bool isOfFloats(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op->hasAttr(kClusterAttr) || op.hasDynamicShape() ||
      op.getNumDpsInputs() != 2 || !hasRowsAndColumns(op) || op.hasIndexSemantics() ||
      !getElementTypeOrSelf(op->getResult(0)).isF32())
    return false;
  Type factor = getElementTypeOrSelf(op->getOperand(0));
  return factor.isF16() || factor.isBF16() || factor.isF32();
}

namespace {
struct SplitTermsPass : public forge::impl::SplitTermsPassBase<SplitTermsPass> {
  using SplitTermsPassBase::SplitTermsPassBase;

  void runOnOperation() override {
    if (isKernel(getOperation()))
      return;
    const GPUChip *chip = findChip(chipName);
    if (!chip) {
      getOperation().emitError("unknown chip '") << chipName << "'";
      return signalPassFailure();
    }
    std::optional<LibraryUse> use = parseLibraryUse(getOperation(), library);
    if (!use)
      return signalPassFailure();
    SmallVector<linalg::LinalgOp> contractions;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (isOfFloats(op) && !isLibrarys(op, *chip, *use))
        contractions.push_back(op);
    });
    for (linalg::LinalgOp op : contractions)
      split(op, *chip);
  }
};
} // namespace
