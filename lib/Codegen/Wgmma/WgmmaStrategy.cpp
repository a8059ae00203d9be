#include "WgmmaStrategy.h"

#include "BuildWgmma.h"
#include "WgmmaPlan.h"

#include "../Strategy/ProductFollow.h"

#include "forge/Codegen/KernelWork.h"
#include "forge/Support/UnitSums.h"

using namespace mlir;
using namespace forge;

static constexpr StringLiteral kFields[] = {"m", "n", "k", "stages"};
/// An instruction adds 16 or 32 terms, in the order of the sum; the last step adds zeros up to k.
static constexpr StringLiteral kOrderFields[] = {"k"};

WgmmaTile forge::tileFor(const WgmmaProduct &product) {
  WgmmaTile tile;
  tile.rows = product.tileRows();
  tile.parts = product.numParts();
  if ((tile.apart = product.columnsApart()))
    tile.parts = product.placement->group;
  tile.leftPieces = static_cast<int64_t>(product.pieces().left.size());
  tile.rightPieces = static_cast<int64_t>(product.pieces().right.size());
  tile.factorBytes = product.factorBytes();
  tile.terms = kSwizzleBytes / tile.factorBytes;
  if (product.isOfFewRows() && tile.factorBytes == 2 && product.leftAlongTerms() &&
      !product.isOfPieces())
    tile.fewRows = llvm::alignTo(WgmmaSizes(product).rows, kWarpRows);
  if (product.isOfPieces())
    tile.stagesPerSum = 1;
  else if (product.hasUnitSums())
    tile.stagesPerSum = kUnitSumTerms / tile.terms;
  return tile;
}

WgmmaTile forge::tileOf(ScheduleAttr schedule, const WgmmaProduct &product) {
  WgmmaTile tile = tileFor(product);
  tile.rows = schedule.size("m");
  tile.columns = schedule.size("n");
  tile.terms = schedule.size("k");
  tile.stages = schedule.size("stages");
  return tile;
}

static FailureOr<ScheduleAttr> plan(func::FuncOp kernel, const GPUChip &chip, ScheduleAttr given,
                                    WhyNot whyNot) {
  std::optional<WgmmaProduct> product = matchWgmmaKernel(kernel);
  if (!product) {
    whyNot("it is not a product of two matrices, or two with one left factor, perhaps with an "
           "elementwise operation behind");
    return failure();
  }
  if (const char *expected = whyNotWgmma(*product, chip)) {
    whyNot(Twine("it needs ") + expected);
    return failure();
  }
  // Who asks for it gets it, worth it or not.
  if (given.strategy() != wgmmaStrategy.name && failed(isWorthWgmma(*product, chip, whyNot)))
    return failure();
  WgmmaTile tile = planWgmma(*product, chip, given);
  return given.orSize("m", tile.rows)
      .orSize("n", tile.columns)
      .orSize("k", tile.terms)
      .orSize("stages", tile.stages);
}

static std::optional<double> predict(func::FuncOp kernel, const GPUChip &chip) {
  std::optional<WgmmaProduct> product = matchWgmmaKernel(kernel);
  std::optional<double> floor = predictFloor(kernel, chip);
  std::optional<double> lost = product ? secondsLost(*product, chip) : std::nullopt;
  return floor && lost ? std::optional(*floor + *lost) : std::nullopt;
}

static LogicalResult verify(func::FuncOp kernel, ScheduleAttr schedule, const GPUChip &chip) {
  std::optional<WgmmaProduct> product = matchWgmmaKernel(kernel);
  if (!product)
    return emitScheduleError(kernel,
                             "expected a product of two matrices, or two with one left factor, "
                             "perhaps with an elementwise operation behind, and nothing else for "
                             "strategy 'wgmma'");
  if (const char *why = whyNotWgmma(*product, chip))
    return emitScheduleError(kernel, "expected ") << why << " for strategy 'wgmma'";
  WgmmaTile tile = tileOf(schedule, *product);
  int64_t terms = tile.chunkTerms(), mostTerms = tile.fewRows ? kMostChunks * terms : terms;
  if (tile.rows != product->tileRows() || tile.terms < terms || tile.terms % terms != 0 ||
      tile.terms > mostTerms) {
    InFlightDiagnostic error = emitScheduleError(kernel, "expected tiles of ")
                               << product->tileRows() << " rows and stages of " << terms;
    if (mostTerms > terms)
      error << " terms or a multiple, at most " << mostTerms;
    else
      error << " terms";
    return error << ", but got " << tile.rows << " and " << tile.terms;
  }
  int64_t step = columnStep(*product);
  if (tile.columns < step || tile.columns > 256 || tile.columns % step != 0) {
    if (step == kChunk)
      return emitScheduleError(kernel, "expected tiles of 64, 128, 192 or 256 columns, but got ")
             << tile.columns;
    return emitScheduleError(kernel, "expected tiles of a multiple of ")
           << step << " columns, of at most 256, but got " << tile.columns;
  }
  if (tile.columns > tile.mostColumns())
    return emitScheduleError(kernel,
                             "expected tiles of 64 or 128 columns for factors in pieces, but got ")
           << tile.columns;
  if (tile.columns % tile.groupColumns() != 0)
    return emitScheduleError(
               kernel, "expected tiles of 64, 128 or 256 columns for sums of stages, but got ")
           << tile.columns;
  if (tile.stages < 2 || tile.sharedBytes() > chip.maxSharedBytes)
    return emitScheduleError(kernel, "expected 2 stages or more in ")
           << chip.maxSharedBytes << " bytes of shared memory, but got " << tile.stages << " in "
           << tile.sharedBytes();
  if (!canHaveParts(*product, tile)) {
    InFlightDiagnostic error = emitScheduleError(kernel, "expected tiles of a multiple of ")
                               << tile.parts * product->partStep() << " columns ";
    if (tile.apart)
      error << "whose " << tile.parts << " parts divide the " << *tile.apart
            << " between those that places read";
    else
      error << "for a pair of products";
    return error << ", but got " << tile.columns;
  }
  return success();
}

static FailureOr<bool> writeTiles(func::FuncOp kernel, ScheduleAttr schedule, const GPUChip &chip) {
  std::optional<WgmmaProduct> product = matchWgmmaKernel(kernel);
  if (!product)
    return emitScheduleError(kernel, "expected a product of two matrices for strategy 'wgmma'"),
           failure();
  buildWgmma(kernel, *product, tileOf(schedule, *product), chip);
  if (product->placement)
    product->placement->loops.front().erase();
  eraseReplaced(kernel);
  return false;
}

static std::optional<ScheduleFit> fit(func::FuncOp kernel, ScheduleAttr schedule,
                                      const GPUChip &chip) {
  std::optional<WgmmaProduct> product = matchWgmmaKernel(kernel);
  if (!product)
    return std::nullopt;
  WgmmaTile tile = tileOf(schedule, *product);
  WgmmaSizes sizes(*product);
  ScheduleFit fit;
  fit.seconds = secondsOfTiles(*product, chip, tile.columns);
  if (!fit.seconds)
    return std::nullopt;
  int64_t across = llvm::divideCeil(sizes.columns, tile.matrixColumns());
  fit.tiles = sizes.batch * sizes.rowTiles * across;
  fit.threads = (tile.consumers() + 1) * 128;
  fit.registers = tile.registers();
  fit.sharedBytes = tile.sharedBytes();
  fit.padding = static_cast<double>(sizes.rowTiles * tile.rows * across * tile.matrixColumns()) /
                (static_cast<double>(sizes.rows) * static_cast<double>(sizes.columns));
  return fit;
}

constexpr Strategy forge::wgmmaStrategy = {
    "wgmma",
    kFields,
    kOrderFields,
    plan,
    predict,
    verify,
    /*lower=*/nullptr,
    /*callsLibrary=*/false,
    writeTiles,
    "the columns with which the busiest multiprocessor ends first, the most of equal ones, and as "
    "many stages as shared memory holds, up to 8",
    fit};
