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

#include <cmath>

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

/// Rows and columns from which on strategy `tiles` computes a product rather than one for few rows,
/// and those of its tile where there are many.
static constexpr int64_t kLeastRows = 32, kRowsOfTile = 64;

/// What strategy `tiles` takes, by the arithmetic of its busiest multiprocessor; nothing for few
/// rows or columns.
static std::optional<double> secondsOfBlocks(linalg::LinalgOp contraction, const GPUChip &chip) {
  FailureOr<linalg::ContractionDimensions> dims = linalg::inferContractionDims(contraction);
  if (failed(dims))
    return std::nullopt;
  SmallVector<int64_t> sizes = contraction.getStaticLoopRanges();
  auto sizeOf = [&](ArrayRef<unsigned> loops) {
    int64_t size = 1;
    for (unsigned loop : loops)
      size = saturatingMul(size, sizes[loop]);
    return size;
  };
  int64_t rows = sizeOf(dims->m), columns = sizeOf(dims->n);
  if (std::min(rows, columns) < kLeastRows)
    return std::nullopt;
  bool isNarrow = getElementTypeOrSelf(contraction->getOperand(0)).getIntOrFloatBitWidth() == 16;
  bool isMatrix = isNarrow && matrixUnitOf(chip) != MatrixUnit::None;
  auto tiles = static_cast<double>(
      saturatingMul(sizeOf(dims->batch), saturatingMul(llvm::divideCeil(rows, kRowsOfTile),
                                                       llvm::divideCeil(columns, kRowsOfTile))));
  double rounds = std::ceil(tiles / static_cast<double>(chip.processors));
  return rounds * static_cast<double>(chip.processors) * 2 * kRowsOfTile * kRowsOfTile *
         static_cast<double>(sizeOf(dims->k)) / operationsPerSecond(chip, isMatrix);
}

/// What `contraction` takes by strategy wgmma, or else by `tiles`.
static std::optional<double> secondsOf(linalg::LinalgOp contraction, const GPUChip &chip) {
  if (std::optional<WgmmaProduct> product = productOf(contraction, chip))
    return secondsOfTiles(*product, chip);
  return secondsOfBlocks(contraction, chip);
}

/// Whether the vendor's library computes `contraction`: it divides long sums itself.
static bool isLibrarys(linalg::LinalgOp contraction, const GPUChip &chip,
                       const LibraryUse &library) {
  if (!library.isAsked() || !matchProduct(contraction, linalg::GenericOp()))
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
