#include "WgmmaPlan.h"

#include "../Library/LibraryProduct.h"
#include "../Strategy/FewRows.h"
#include "../Strategy/ProductFollow.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace forge;

/// Shared memory of a block: of few rows half of what there is, where it holds three stages (16 x
/// 4096 x 14336 on an H200: 0.0374 ms for 0.0400 with all).
static int64_t sharedOf(WgmmaTile tile, const GPUChip &chip) {
  constexpr int64_t kOfBlock = 1024;
  int64_t half = (chip.maxSharedBytes - kOfBlock) / 2;
  tile.stages = 3;
  return tile.fewRows && tile.sharedBytes() <= half ? half : chip.maxSharedBytes;
}

/// As many stages as shared memory holds; more than eight hide nothing more, but where few rows
/// make their bytes few.
static int64_t stagesOf(WgmmaTile tile, const GPUChip &chip) {
  int64_t bytes = sharedOf(tile, chip);
  tile.stages = tile.rows == kFewRows ? 16 : 8;
  while (tile.stages > 2 && tile.sharedBytes() > bytes)
    --tile.stages;
  return tile.stages;
}

/// Bytes of a right factor's stage that hide what handing a stage over takes (16 x 4096 x 14336 by
/// tiles of 32 columns on an H200: 0.0515 ms by stages of 64 terms, 0.0415 of 128, 0.0406 of 256).
static constexpr int64_t kLeastStageBytes = 12 << 10;

/// Terms of a stage, of few rows several chunks of them.
static int64_t termsOf(const WgmmaProduct &product, WgmmaTile tile) {
  int64_t chunk = tile.chunkTerms(), terms = WgmmaSizes(product).stagedTerms;
  tile.terms = chunk;
  if (tile.fewRows)
    while (tile.terms < kMostChunks * chunk &&
           tile.columns * tile.terms * tile.factorBytes < kLeastStageBytes &&
           (ShapedType::isDynamic(terms) || tile.terms < terms))
      tile.terms *= 2;
  return tile.terms;
}

/// What a tile costs besides its columns (its left operand, the stores), in columns.
static constexpr int64_t kTileCost = 32;

/// Bytes of a stage that a multiprocessor reads from the L2 cache while it multiplies one column of
/// one product: 48 a cycle. On an H200, tiles of 128 rows in one piece and 64 columns in three do
/// 466 * 10^12 multiplications a second (3072 x 768 x 8192 in 0.172 ms), those of rows in three
/// pieces and columns in one 334 * 10^12.
static constexpr int64_t kStageBytes = 192;

/// The time of a stage of `product`, in columns of a tile. Products of pieces share what it costs
/// besides.
static int64_t stageCost(const WgmmaProduct &product, int64_t columns) {
  auto products = static_cast<int64_t>(product.pieces().products().size());
  if (!product.isOfPieces() && !product.isOfBytes())
    return columns + kTileCost;
  WgmmaTile tile = tileFor(product);
  tile.columns = columns;
  return std::max(columns, tile.stageBytes() / (kStageBytes * products)) + kTileCost / products;
}

/// Tiles of this many columns.
static int64_t numTiles(const WgmmaProduct &product, int64_t columns) {
  WgmmaSizes sizes(product);
  WgmmaTile tile = tileFor(product);
  tile.columns = columns;
  return sizes.batch * sizes.rowTiles * llvm::divideCeil(sizes.columns, tile.matrixColumns());
}

/// The time of the busiest multiprocessor with tiles of this many columns, in columns of a tile.
static int64_t costOf(const WgmmaProduct &product, int64_t columns, const GPUChip &chip) {
  int64_t tiles = numTiles(product, columns);
  return llvm::divideCeil(tiles, chip.processors) * stageCost(product, columns);
}

int64_t forge::columnStep(const WgmmaProduct &product) {
  return product.isOfFewRows() && product.rightAlongTerms() ? kFewColumns : kChunk;
}

bool forge::canHaveParts(const WgmmaProduct &product, const WgmmaTile &tile) {
  return tile.columns % (tile.parts * product.partStep()) == 0 &&
         (!tile.apart || *tile.apart % tile.partColumns() == 0);
}

/// The widest tile reads least; a narrower one is taken where it leaves fewer multiprocessors idle.
static int64_t columnsOf(const WgmmaProduct &product, const GPUChip &chip) {
  WgmmaSizes sizes(product);
  WgmmaTile tile = tileFor(product);
  int64_t parts = tile.parts;
  if (ShapedType::isDynamic(sizes.columns))
    return 128 * parts;
  if (ShapedType::isDynamic(sizes.rows) || ShapedType::isDynamic(sizes.batch))
    return std::min<int64_t>(sizes.columns * parts >= 256 ? 256 : 128, tile.mostColumns());
  int64_t best = 0, bestCost = 0;
  int64_t step = columnStep(product);
  for (int64_t columns = 256; columns > 0; columns -= step) {
    tile.columns = columns;
    if (columns > tile.mostColumns() || columns % tile.groupColumns() != 0 ||
        !canHaveParts(product, tile))
      continue;
    int64_t cost = costOf(product, columns, chip);
    // Of few rows the narrowest of equal ones: more multiprocessors read.
    if (!best || cost < bestCost || (cost == bestCost && product.isOfFewRows())) {
      best = columns;
      bestCost = cost;
    }
  }
  return best;
}

static int64_t instructionsOfFollow(const WgmmaProduct &product) {
  return product.follow ? countInstructions(product.follow, product.approximate()) : 0;
}

/// A thread computes what follows 128 times, each time by code of its own, while the matrix units
/// wait: with more than this another kernel does it (4096^3 with a tanh of f32: 0.385 ms, and 0.232
/// in two kernels), and the assembler needs minutes for several long functions.
static constexpr int64_t kMostInstructions = 160;

/// Rows and columns, and terms, of which each at least is worth a tile; with fewer of one, the
/// fewest multiplications, and the part of them among all that tiles and stages make, that are.
static constexpr int64_t kLeastSize = 64, kLeastTerms = 48,
                         kLeastMultiplications = int64_t(1) << 20, kMostMade = 48;
/// The same of matrices that are looked up, which other strategies need copies of.
static constexpr int64_t kMostMadeOfTables = 1024;

static bool fillsTiles(const WgmmaSizes &sizes) {
  auto isSmall = [](int64_t size, int64_t least) {
    return !ShapedType::isDynamic(size) && size < least;
  };
  return !isSmall(sizes.rows, kLeastSize) && !isSmall(sizes.columns, kLeastSize) &&
         !isSmall(sizes.stagedTerms, kLeastTerms);
}

static bool isWorthTiles(const WgmmaProduct &product, const GPUChip &chip) {
  WgmmaSizes sizes(product);
  if (fillsTiles(sizes))
    return true;
  int64_t multiplications = sizes.multiplications();
  if (ShapedType::isDynamic(multiplications) || multiplications < kLeastMultiplications)
    return false;
  WgmmaTile tile = planWgmma(product, chip);
  auto made = [](int64_t size, int64_t by) {
    return static_cast<double>(llvm::divideCeil(size, by) * by) / static_cast<double>(size);
  };
  double madeRows =
      static_cast<double>(sizes.rowTiles * kTileRows) / static_cast<double>(sizes.rows);
  return madeRows * made(sizes.columns, tile.partColumns()) *
             made(sizes.stagedTerms, tile.chunkTerms()) <=
         (product.hasLookup() ? kMostMadeOfTables : kMostMade);
}

LogicalResult forge::isWorthWgmma(const WgmmaProduct &product, const GPUChip &chip, WhyNot whyNot) {
  if (int64_t count = instructionsOfFollow(product); count > kMostInstructions) {
    whyNot("what follows takes " + Twine(count) + " instructions, more than " +
           Twine(kMostInstructions));
    return failure();
  }
  if (product.placement && !tileFor(product).fewRows) {
    whyNot("places are a kernel of their own behind a product of more than " + Twine(kFewRows) +
           " rows");
    return failure();
  }
  if (isWorthTiles(product, chip))
    return success();
  whyNot("rows, columns or terms of the sum are too few for its tiles");
  return failure();
}

bool forge::takesProduct(const WgmmaProduct &product, const GPUChip &chip) {
  return !whyNotWgmma(product, chip) &&
         succeeded(isWorthWgmma(product, chip, [](const Twine &) {}));
}

WgmmaTile forge::planWgmma(const WgmmaProduct &product, const GPUChip &chip, ScheduleAttr given) {
  WgmmaTile tile = tileFor(product);
  tile.rows = givenSize(given, "m").value_or(tile.rows);
  tile.columns = givenSize(given, "n").value_or(columnsOf(product, chip));
  tile.terms = givenSize(given, "k").value_or(termsOf(product, tile));
  tile.stages = givenSize(given, "stages").value_or(stagesOf(tile, chip));
  return tile;
}

//===----------------------------------------------------------------------===//
// Compared with the library
//===----------------------------------------------------------------------===//

/// Multiplications of the matrix units a second (H200): of factors of 16 bits, and of 8.
static constexpr double kPerSecond = 380e12, kBytesPerSecond = 690e12;

static double perSecond(const WgmmaProduct &product) {
  return product.isOfBytes() ? kBytesPerSecond : kPerSecond;
}

/// Times in multiplications: of a byte of memory, at 4.2 TB/s.
static double perByte(const WgmmaProduct &product) { return perSecond(product) / 4.2e12; }

/// Bytes of each element's sums in memory, when another kernel computes what follows.
static int64_t bytesOfSums(const WgmmaProduct &product) {
  int64_t bytes = 0;
  for (const WgmmaPart &part : product.parts)
    bytes +=
        roundedRead(product.follow, sumsOf(part.op), getElementTypeOrSelf(product.left())) ? 2 : 4;
  return bytes;
}

namespace {
/// A product's time beyond that of its multiplications or of reading its factors, in
/// multiplications.
struct Losses {
  /// Of parts of tiles and multiprocessors that have nothing to do.
  double tiles = 0;
  /// Of what follows, which takes its instructions while the matrix units wait.
  double follow = 0;
};
} // namespace

/// Lost at least where tiles are not filled: the library has others (4096 x 4096 x 40 with f32
/// results takes 1.6 times as long here).
static constexpr double kUnfilled = 0.01;

/// The library's time for several waves of tiles, at most, beside a grid that leaves nobody idle:
/// it splits the last wave. 6000 x 768 by 768 and 2304 terms (two waves here, one and a half there)
/// take 0.80 and 0.70 of the time there; 4096^3 and 6000 x 3072 by 768 terms as long.
static constexpr double kWaveShare = 1.2;
static constexpr int64_t kWaveColumns = 40;

/// Terms of one sum, those of all products of pieces.
static double termsMultiplied(const WgmmaProduct &product) {
  return static_cast<double>(WgmmaSizes(product).terms) *
         static_cast<double>(product.pieces().products().size());
}

/// The same, where a stage is not filled, as if it were: 16 features of a group take as long as 64.
static double termsStaged(const WgmmaProduct &product) {
  int64_t terms = std::max<int64_t>(WgmmaSizes(product).stagedTerms, 1);
  auto made = static_cast<double>(std::max(terms, tileFor(product).chunkTerms()));
  return termsMultiplied(product) * made / static_cast<double>(terms);
}

std::optional<double> forge::secondsOfTiles(const WgmmaProduct &product, const GPUChip &chip,
                                            std::optional<int64_t> columns) {
  WgmmaSizes sizes(product);
  if (ShapedType::isDynamic(sizes.batch) || ShapedType::isDynamic(sizes.multiplications()))
    return std::nullopt;
  int64_t cost = costOf(product, columns ? *columns : columnsOf(product, chip), chip);
  return static_cast<double>(cost * chip.processors * product.tileRows()) * termsStaged(product) /
         perSecond(product);
}

/// The products alone take as long as in the library if no large part of a tile is not there (the
/// library has smaller ones), and there is a tile for every third multiprocessor or sums are short
/// (it gives a long one to several multiprocessors).
static std::optional<Losses> lossesOf(const WgmmaProduct &product, const GPUChip &chip) {
  WgmmaSizes sizes(product);
  if (ShapedType::isDynamic(sizes.batch) || ShapedType::isDynamic(sizes.multiplications()))
    return std::nullopt;
  WgmmaTile tile = tileFor(product);
  int64_t parts = product.numParts(), columns = columnsOf(product, chip);
  int64_t tiles = numTiles(product, columns);
  bool isEven = product.hasEightsOfColumns() && fillsTiles(sizes) && !product.isOfFewRows() &&
                4 * sizes.rows >= 3 * sizes.rowTiles * tile.rows &&
                (3 * tiles >= chip.processors || sizes.terms <= 1024);
  auto real = [](int64_t number) { return static_cast<double>(number); };
  double elements = real(sizes.batch) * real(sizes.rows) * real(sizes.columns);
  double lefts = real(sizes.batch) * real(sizes.terms) * real(sizes.rows);
  // Windows overlap: memory is read once.
  if (product.axes().left.hasWindows())
    lefts = real(cast<ShapedType>(product.left().getType()).getNumElements());
  double rights = real(sizes.batch) * real(sizes.terms) * real(parts * sizes.columns);
  double factors =
      real(tile.factorBytes) * (real(tile.leftPieces) * lefts + real(tile.rightPieces) * rights);
  double terms = termsMultiplied(product);
  double needed = std::max(real(parts) * elements * terms * (256 + kTileCost) / 256,
                           factors * perByte(product));
  double ours = real(costOf(product, columns, chip)) * real(chip.processors) * real(tile.rows) *
                termsStaged(product);
  Losses losses;
  double balanced = real(parts) * elements * terms +
                    real(kWaveColumns) * real(chip.processors) * real(tile.rows) * terms;
  if (!isEven)
    losses.tiles =
        std::max(ours - needed, tile.fewRows && product.rightAlongTerms() ? 0 : kUnfilled * needed);
  else if (tiles > chip.processors)
    losses.tiles = std::max(ours - kWaveShare * balanced, 0.0);
  losses.follow =
      elements * real(instructionsOfFollow(product)) * kSecondsPerInstruction * perSecond(product);
  return losses;
}

/// Whether the library computes what follows too, as fast: of GELU its tanh is one instruction, and
/// errs more.
static bool libraryFollows(const WgmmaProduct &product) {
  if (product.numParts() > 1)
    return false;
  std::optional<LibraryProduct> library = matchProduct(product.parts.front().op, product.follow);
  return library && library->epilogue.activation != LibraryEpilogue::GeluTanh;
}

std::optional<double> forge::secondsLost(const WgmmaProduct &product, const GPUChip &chip) {
  std::optional<Losses> losses = lossesOf(product, chip);
  if (!losses)
    return std::nullopt;
  return (losses->tiles + (libraryFollows(product) ? 0 : losses->follow)) / perSecond(product);
}

static bool isOfLargeMatrix(const WgmmaProduct &product) {
  auto matrix = cast<ShapedType>(product.parts.front().axes.right.value.getType());
  return matrix.hasStaticShape() &&
         matrix.getNumElements() * product.factorBytes() >= kLargeMatrixBytes;
}

/// 1. The library does not take every layout. What it takes and does not fill a tile is the
///    library's (262144 x 4 by 256 terms: 107 us here, 75 there, on an H200).
/// 2. What both compute in one kernel takes as long if the products do.
/// 3. Otherwise the library's way writes the sums and reads them again.
bool forge::beatsLibrary(const WgmmaProduct &product, const GPUChip &chip) {
  if (!takesProduct(product, chip))
    return false;
  linalg::LinalgOp contraction = product.parts.front().op;
  if (!matchProduct(contraction, linalg::GenericOp()))
    return true;
  WgmmaSizes sizes(product);
  std::optional<Losses> losses = lossesOf(product, chip);
  bool isFew = tileFor(product).fewRows && isOfLargeMatrix(product);
  if (!losses || !product.hasEightsOfColumns() || !(isFew || fillsTiles(sizes)))
    return false;
  if (product.numParts() == 1 && matchProduct(contraction, product.follow))
    return losses->tiles == 0 && libraryFollows(product);
  double elements = static_cast<double>(sizes.batch) * static_cast<double>(sizes.rows) *
                    static_cast<double>(sizes.columns);
  return losses->tiles + losses->follow <=
         2 * static_cast<double>(bytesOfSums(product)) * elements * perByte(product);
}
