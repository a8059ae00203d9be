#include "TilesStrategy.h"

#include "BuildContraction.h"

#include "../Strategy/ProductFollow.h"

#include "forge/Codegen/KernelWork.h"

#include <cmath>

using namespace mlir;
using namespace forge;

static constexpr StringLiteral kFields[] = {"m", "n", "k", "stages"};
/// Those that sums depend on.
static constexpr StringLiteral kOrderFields[] = {"m", "n", "k"};

/// Below, one thread for each element is as fast.
static constexpr int64_t kFewMultiplications = int64_t(1) << 20;

static FailureOr<ScheduleAttr> plan(func::FuncOp kernel, const GPUChip &chip, ScheduleAttr given,
                                    WhyNot whyNot) {
  FailureOr<TileContraction> contraction = matchTileContraction(kernel, whyNot);
  if (failed(contraction))
    return failure();
  if (given.strategy() != tilesStrategy.name &&
      contraction->multiplications() < kFewMultiplications) {
    whyNot("it has fewer than 2^20 multiplications");
    return failure();
  }
  return planContraction(*contraction, chip, given);
}

static LogicalResult verify(func::FuncOp kernel, ScheduleAttr schedule, const GPUChip &chip) {
  auto report = [&](const Twine &reason) {
    emitScheduleError(kernel, "strategy 'tiles' cannot take this kernel: ") << reason;
  };
  FailureOr<TileContraction> contraction = matchTileContraction(kernel, report);
  return failed(contraction) ? failure()
                             : LogicalResult(tileOf(*contraction, chip, schedule, report));
}

/// Share of the chip's copy bandwidth that the loop is taken to reach: an estimate.
static constexpr double kMemoryShare = 0.6;
/// What a step by fma waits for memory on an H200, which the arithmetic of so many blocks of a
/// multiprocessor hides: 4096 terms of 32 x 32 x 16 take 0.139 ms where there are few tiles, 0.54
/// us a step of 16, of which the arithmetic above is 0.16.
static constexpr double kSecondsOfStep = 0.38e-6, kBlocksOfStep = 8;

/// Rounds of blocks, one a multiprocessor, each of which multiplies whole tiles: what is beyond the
/// edges costs too. `schedule` has the tile.
static std::optional<ScheduleFit> fit(func::FuncOp kernel, ScheduleAttr schedule,
                                      const GPUChip &chip) {
  std::optional<double> floor = predictFloor(kernel, chip);
  auto ignore = [](const Twine &) {};
  FailureOr<TileContraction> contraction = matchTileContraction(kernel, ignore);
  if (!floor || failed(contraction))
    return std::nullopt;
  FailureOr<ContractionTile> tile = tileOf(*contraction, chip, schedule, ignore);
  if (failed(tile))
    return std::nullopt;
  auto tiles = [&](std::optional<unsigned> axis, int64_t extent) {
    return static_cast<double>(llvm::divideCeil(contraction->sizeOf(axis), extent));
  };
  double blocks = tiles(contraction->row, tile->rows) * tiles(contraction->column, tile->columns) *
                  static_cast<double>(contraction->sizeOf(contraction->outer));
  double rounds = std::ceil(blocks / static_cast<double>(chip.processors));
  double operations = 2.0 * tile->rows * tile->columns * tile->terms *
                      tiles(contraction->term, tile->terms) *
                      static_cast<double>(contraction->sizeOf(contraction->outerTerms));
  double loop =
      std::max(*floor / kMemoryShare, rounds * operations * static_cast<double>(chip.processors) /
                                          operationsPerSecond(chip, tile->isMatrix()));
  if (chip.warpgroupProducts && !tile->isMatrix())
    loop += kSecondsOfStep *
            std::ceil(blocks / (kBlocksOfStep * static_cast<double>(chip.processors))) *
            tiles(contraction->term, tile->terms) *
            static_cast<double>(contraction->sizeOf(contraction->outerTerms));
  double elements = blocks * static_cast<double>(tile->rows * tile->columns);
  ScheduleFit fit;
  fit.tiles = static_cast<int64_t>(blocks);
  fit.threads = tile->warps() * chip.warpSize;
  fit.registers = registersOf(*contraction, *tile, chip);
  int64_t bits = std::max(contraction->left.elementBytes(), contraction->right.elementBytes());
  fit.sharedBytes = tile->stages * (tile->rows + tile->columns) * tile->terms * bits;
  fit.padding = elements / (static_cast<double>(contraction->sizeOf(contraction->row)) *
                            static_cast<double>(contraction->sizeOf(contraction->column)) *
                            static_cast<double>(contraction->sizeOf(contraction->outer)));
  fit.seconds = loop;
  if (contraction->epilogue)
    *fit.seconds += elements * kSecondsPerInstruction *
                    static_cast<double>(countInstructions(contraction->epilogue, {}));
  return fit;
}

static std::optional<double> predict(func::FuncOp kernel, const GPUChip &chip) {
  FailureOr<TileContraction> contraction = matchTileContraction(kernel, [](const Twine &) {});
  if (failed(contraction))
    return std::nullopt;
  std::optional<ScheduleFit> found = fit(
      kernel, planContraction(*contraction, chip, ScheduleAttr::empty(kernel.getContext())), chip);
  return found ? found->seconds : std::nullopt;
}

/// The tile program takes the place of the operations of linalg, and is lowered like any other. It
/// has no counter of work.
static FailureOr<bool> writeTiles(func::FuncOp kernel, ScheduleAttr schedule, const GPUChip &chip) {
  auto ignore = [](const Twine &) {};
  FailureOr<TileContraction> contraction = matchTileContraction(kernel, ignore);
  if (failed(contraction))
    return failure();
  FailureOr<ContractionTile> tile = tileOf(*contraction, chip, schedule, ignore);
  if (failed(tile))
    return failure();
  buildContraction(kernel, *contraction, *tile, chip);
  eraseReplaced(kernel);
  return false;
}

constexpr Strategy forge::tilesStrategy = {"tiles",
                                           kFields,
                                           kOrderFields,
                                           plan,
                                           predict,
                                           verify,
                                           /*lower=*/nullptr,
                                           /*callsLibrary=*/false,
                                           writeTiles,
                                           "the largest tile that registers hold and that leaves "
                                           "no multiprocessor without one, and stages "
                                           "where factors can be copied asynchronously",
                                           fit,
                                           /*joinsLaunches=*/true};
