#include "ContractionTile.h"

#include "forge/Codegen/MatrixUnit.h"
#include "forge/Support/TensorBytes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace forge;

static constexpr int8_t kRows = 0, kColumns = 1;

/// Of a step. By fma a step of a small tile has more, because each waits for memory: as many
/// products as one of 64 x 64 and 16 terms has.
static constexpr int64_t kMatrixTerms = 64, kFmaTerms = 16, kMostFmaTerms = 64,
                         kProductsOfStep = 64 * 64 * kFmaTerms;
/// Of a thread's 255 or more; the others are addresses and what the epilogue reads.
static constexpr int64_t kRegisters = 224;
/// Steps that cp.async has under way or in use. With two, two blocks of the largest tile share a
/// multiprocessor; more were slower on an H200 (docs/gpu-h200.md).
static constexpr int64_t kAsyncStages = 2, kMostStages = 8;

/// Whether the chip has matrix instructions for these types.
static bool hasMatrix(const TileContraction &contraction, const GPUChip &chip) {
  Type factor = contraction.factorType();
  return !contraction.isConverted && matrixUnitOf(chip) != MatrixUnit::None &&
         (factor.isBF16() || factor.isF16()) && contraction.sumType().isF32();
}

std::optional<unsigned> forge::asyncAxis(const TileContraction &contraction,
                                         const AxisAccess &factor, std::optional<unsigned> rows) {
  for (std::optional<unsigned> axis : {std::optional(contraction.term), rows})
    if (factor.alignmentAlong(axis, factor.elementBytes(), /*widest=*/16) == 16)
      return axis;
  return std::nullopt;
}

/// Whether both factors can be copied to shared memory as they are, by cp.async of sm_80 and later.
static bool isAsync(const TileContraction &contraction, const GPUChip &chip) {
  return hasMatrix(contraction, chip) && matrixUnitOf(chip) == MatrixUnit::Mma &&
         asyncAxis(contraction, contraction.left, contraction.row) &&
         asyncAxis(contraction, contraction.right, contraction.column);
}

/// Four warps, two by two; eight where a thread would hold more than 64 sums.
static SmallVector<int8_t, 4> warpDims(int64_t rows, int64_t columns, const GPUChip &chip) {
  if (rows * columns / (4 * chip.warpSize) > 64)
    return {kRows, kColumns, kColumns};
  return {kRows, kColumns};
}

static ContractionTile makeTile(const TileContraction &contraction, const GPUChip &chip,
                                int64_t rows, int64_t columns, int64_t terms, int64_t stages) {
  ContractionTile tile;
  tile.stages = stages;
  tile.rows = rows;
  tile.columns = columns;
  tile.terms = terms;
  tile.warpDims = warpDims(rows, columns, chip);
  if (hasMatrix(contraction, chip))
    chooseInstruction(tile, matrixUnitOf(chip), /*isWide=*/rows >= 64 && columns >= 64);
  return tile;
}

/// Shares of the chip's ceilings: estimates. With asynchronous copies an H200 reaches 0.37 to 0.5
/// of the matrix units' on large products (docs/gpu-h200.md); less is taken, since products of few
/// tiles, where `wgmma` is as fast, were not measured.
static constexpr double kMatrixShare = 0.3, kVectorShare = 0.4;

double forge::operationsPerSecond(const GPUChip &chip, bool isMatrix) {
  return isMatrix ? kMatrixShare * chip.matrixFlops : kVectorShare * chip.vectorFlops;
}

/// The fewest rows and columns of a product for strategy `tiles`, those of a batch, and the rows
/// and columns of a large tile. The library is assumed to use tiles of this size for a batch, too:
/// 32 products of 16 x 16 x 65536 in f32 take it 2.44 ms on an H200 (cuBLAS 13.0).
static constexpr int64_t kLeastRows = 32, kLeastRowsOfBatch = 16, kRowsOfTile = 64;

std::optional<double> forge::secondsOfBlocks(linalg::LinalgOp contraction, const GPUChip &chip) {
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
  if (std::min(rows, columns) < (dims->batch.empty() ? kLeastRows : kLeastRowsOfBatch))
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

/// Of 32 bits, that a thread needs at once: sums, factors of one instruction's terms, and the next
/// step's factors on their way, which take an address too where each element is loaded alone.
int64_t forge::registersOf(const TileContraction &contraction, const ContractionTile &tile,
                           const GPUChip &chip) {
  int64_t threads = tile.warps() * chip.warpSize;
  int64_t sumWords = (contraction.sumType().getIntOrFloatBitWidth() + 31) / 32;
  int64_t registers = tile.rows * tile.columns * sumWords / threads;
  auto addFactor = [&](const AxisAccess &access, std::optional<unsigned> axis, int64_t extent,
                       int8_t dim) {
    int64_t bytes = access.elementBytes();
    int64_t elements = llvm::divideCeil(extent * tile.terms, threads);
    std::optional<unsigned> last = tile.isMatrix() ? contraction.term : axis;
    bool isWide = access.alignmentAlong(last, bytes, /*widest=*/16) >= 4 || bytes >= 4;
    if (tile.stages == 1)
      registers += isWide ? elements * bytes / 4 : 2 * elements;
    int64_t share = extent >> llvm::count(tile.warpDims, dim);
    registers += tile.isMatrix() ? share * tile.instruction[2] * bytes *
                                       tile.lanesPerFactorElement() / (4 * chip.warpSize)
                                 : share * sumWords / 16;
  };
  addFactor(contraction.left, contraction.row, tile.rows, kRows);
  addFactor(contraction.right, contraction.column, tile.columns, kColumns);
  return registers;
}

ScheduleAttr forge::planContraction(const TileContraction &contraction, const GPUChip &chip,
                                    ScheduleAttr given) {
  bool isMatrix = hasMatrix(contraction, chip);
  int64_t most = isMatrix ? 128 : 64, least = isMatrix ? 64 : 32;
  auto extentOf = [&](std::optional<unsigned> axis) {
    auto size = static_cast<uint64_t>(contraction.sizeOf(axis));
    return std::clamp<int64_t>(llvm::PowerOf2Ceil(size), least, most);
  };
  int64_t rows = extentOf(contraction.row), columns = extentOf(contraction.column);
  // Smaller tiles where larger ones would leave processors without one.
  auto tiles = [&] {
    return contraction.sizeOf(contraction.outer) *
           llvm::divideCeil(contraction.sizeOf(contraction.row), rows) *
           llvm::divideCeil(contraction.sizeOf(contraction.column), columns);
  };
  auto terms = [&] {
    int64_t some = isMatrix ? kMatrixTerms : kFmaTerms;
    while (!isMatrix && some < kMostFmaTerms && some < contraction.axes[contraction.term].size &&
           2 * some * rows * columns <= kProductsOfStep)
      some *= 2;
    return givenSize(given, "k").value_or(some);
  };
  int64_t stages =
      givenSize(given, "stages").value_or(isAsync(contraction, chip) ? kAsyncStages : 1);
  auto isTooLarge = [&] {
    return tiles() < chip.processors ||
           registersOf(contraction, makeTile(contraction, chip, rows, columns, terms(), stages),
                       chip) > kRegisters;
  };
  while (isTooLarge() && (rows > least || columns > least))
    (rows > columns ? rows : columns) /= 2;
  return given.orSize("m", rows).orSize("n", columns).orSize("k", terms()).orSize("stages", stages);
}

FailureOr<ContractionTile> forge::tileOf(const TileContraction &contraction, const GPUChip &chip,
                                         ScheduleAttr schedule, WhyNot whyNot) {
  int64_t rows = schedule.size("m"), columns = schedule.size("n"), terms = schedule.size("k");
  bool isMatrix = hasMatrix(contraction, chip);
  int64_t least = isMatrix ? 64 : 32;
  for (int64_t size : {rows, columns})
    if (size < least || size > 128 || !llvm::isPowerOf2_64(size)) {
      whyNot("expected m and n to be powers of two from " + Twine(least) + " to 128, but got " +
             Twine(size));
      return failure();
    }
  if (isMatrix && terms != kMatrixTerms) {
    whyNot("expected k = " + Twine(kMatrixTerms) + ", but got " + Twine(terms));
    return failure();
  }
  if (!isMatrix && (terms < kFmaTerms || terms > kMostFmaTerms || !llvm::isPowerOf2_64(terms) ||
                    terms * rows * columns > kProductsOfStep)) {
    whyNot("expected k to be a power of two from " + Twine(kFmaTerms) + " to " +
           Twine(kMostFmaTerms) + ", and of at most " + Twine(kProductsOfStep) +
           " products a step, but got " + Twine(terms));
    return failure();
  }
  int64_t stages = schedule.size("stages");
  if (stages != 1 && !isAsync(contraction, chip)) {
    whyNot("expected stages = 1, as factors cannot be copied asynchronously, but got " +
           Twine(stages));
    return failure();
  }
  int64_t stageBytes = 2 * (rows + columns) * terms;
  if (stages < 1 || stages > kMostStages ||
      (stages > 1 && stages * stageBytes + 1024 > chip.maxSharedBytes)) {
    whyNot("expected from 1 to " +
           Twine(std::min(kMostStages, (chip.maxSharedBytes - 1024) / stageBytes)) +
           " stages, but got " + Twine(stages));
    return failure();
  }
  ContractionTile tile = makeTile(contraction, chip, rows, columns, terms, stages);
  int64_t registers = registersOf(contraction, tile, chip);
  if (registers > kRegisters) {
    whyNot("expected a tile of at most " + Twine(kRegisters) + " registers a thread, but got " +
           Twine(rows) + " x " + Twine(columns) + " with " + Twine(registers));
    return failure();
  }
  return tile;
}
