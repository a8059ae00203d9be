#include "LibraryStrategy.h"

#include "LibraryProduct.h"

#include "../Strategy/FewRows.h"

#include "forge/Codegen/KernelWork.h"
#include "forge/Codegen/LibraryUse.h"
#include "forge/Support/TensorBytes.h"

using namespace mlir;
using namespace forge;

static constexpr StringLiteral kFields[] = {"min_macs"};

static FailureOr<ScheduleAttr> plan(func::FuncOp kernel, const GPUChip &, ScheduleAttr given,
                                    WhyNot whyNot) {
  // Who asks for it gets it.
  LibraryUse use = *LibraryUse::byName(given.findWord("library"));
  bool isNamed = given.strategy() == libraryStrategy.name;
  if (!isNamed && !use.isAsked()) {
    whyNot("library = never");
    return failure();
  }
  int64_t least = given.findSize("min_macs").value_or(isNamed ? 0 : use.least);
  std::optional<LibraryProduct> product = matchLibraryProduct(kernel);
  if (product && !isNamed && !mayHave(*product, least)) {
    whyNot("there are fewer than " + Twine(least) + " multiplications");
    return failure();
  }
  if (product)
    return given.orSize("min_macs", least);
  whyNot(
      "it is not a product of two matrices, perhaps with bias, residual and activation, that the "
      "library computes");
  return failure();
}

/// What writing f32 results takes, of the time of its floor, where eight does not divide the
/// columns but two does: 48 products of 1500 x 1500 x 64 bf16 factors take 0.481 ms on an H200 and
/// cuBLAS 13.0, of which the floor is 0.106.
static constexpr double kUnevenColumns = 4.5;
/// What a product takes, of the time of its floor, where rows of the result begin at odd elements:
/// 4096 x 50257 x 768 (GPT-2's vocabulary) with bf16 results takes 3.35 ms there, of which the
/// floor is 0.43; 8192 x 50257 x 768 with f32 results 6.52 ms on an H100, of which it is 0.85.
static constexpr double kOddColumns = 7.5;

/// The library's time for 16-bit factors, as a multiple of the kernel's floor or of its memory's.
static double slowdownSeconds(const LibraryProduct &product, const KernelWork &work,
                              const GPUChip &chip) {
  int64_t columns = product.column ? product.axes.axes[*product.column].size : 1;
  bool isNarrow = getElementTypeOrSelf(product.left()).getIntOrFloatBitWidth() == 16;
  if (ShapedType::isDynamic(columns) || columns % 8 == 0 || columns == 1 || !isNarrow)
    return 0;
  if (columns % 2 != 0)
    return kOddColumns * floorSeconds(work, chip);
  return getElementTypeOrSelf(product.out()).isF32() ? kUnevenColumns * memorySeconds(work, chip)
                                                     : 0;
}

/// What products of f32 factors reach of the rate of f32 instructions, and take beyond: of
/// docs/gpu-h200.md ("Modules behind XLA, and new families"), 128 x 128 x 16384
/// takes 0.022 ms on an H200 and cuBLAS 13.0, 4096 x 64 x 4096 0.058, 288 x 64 x 65536 0.117, and
/// twenty whose floor is below 2 us from 6 to 14 us.
static constexpr double kShareOfWide = 0.6, kSecondsOfWide = 4e-6;

static double wideSeconds(const LibraryProduct &product, const KernelWork &work,
                          const GPUChip &chip) {
  bool isWide =
      getElementTypeOrSelf(product.left()).isF32() && getElementTypeOrSelf(product.right()).isF32();
  if (!isWide || !chip.warpgroupProducts)
    return 0;
  double arithmetic = floorSeconds(work, chip);
  if (arithmetic > memorySeconds(work, chip))
    arithmetic /= kShareOfWide;
  return arithmetic + kSecondsOfWide;
}

/// What each of many products of one row and one column takes: 262,144 of 128 bf16 terms take
/// 0.274 ms on an H200 and cuBLAS 13.0, of 64 terms 0.362; their memory's floors are 0.030 and
/// 0.015.
static constexpr double kSecondsPerDot = 1e-9;

static double dotSeconds(const LibraryProduct &product) {
  auto sizeOf = [&](std::optional<unsigned> axis) {
    return axis ? product.axes.axes[*axis].size : int64_t(1);
  };
  int64_t batch = sizeOf(product.batch);
  return sizeOf(product.row) == 1 && sizeOf(product.column) == 1 && !ShapedType::isDynamic(batch)
             ? kSecondsPerDot * static_cast<double>(batch)
             : 0;
}

/// What each tile of 128 rows takes of a product of up to 16 columns and f32 factors: 8,388,608
/// rows, 2 columns and 2 terms take 0.366 ms on an H200 and cuBLAS 13.0, of which the memory's
/// floor is 0.033, and 2,097,152 take 0.095; as many rows of 12 columns and terms 0.123. (Of few tiles it is too little: 4 products of 16,384
/// rows, a column and 32 terms take 0.013.)
static constexpr double kSecondsOfNarrowTile = 5.6e-9;
static constexpr int64_t kNarrowColumns = 16, kNarrowTileRows = 128;

static double narrowSeconds(const LibraryProduct &product) {
  auto sizeOf = [&](std::optional<unsigned> axis) {
    return axis ? product.axes.axes[*axis].size : int64_t(1);
  };
  int64_t batch = sizeOf(product.batch), rows = sizeOf(product.row),
          columns = sizeOf(product.column);
  if (ShapedType::isDynamic(batch) || ShapedType::isDynamic(rows) ||
      ShapedType::isDynamic(columns) || !getElementTypeOrSelf(product.left()).isF32())
    return 0;
  if (rows < columns)
    std::swap(rows, columns);
  return columns <= kNarrowColumns
             ? kSecondsOfNarrowTile * static_cast<double>(saturatingMul(
                                          batch, llvm::divideCeil(rows, kNarrowTileRows)))
             : 0;
}

/// What the time of reading the matrix is multiplied by, where strategy wgmma has tiles of few
/// rows.
static double fewRowsFactor(const LibraryProduct &product, const GPUChip &chip) {
  int64_t rows = product.row ? product.axes.axes[*product.row].size : 1;
  Type factor = getElementTypeOrSelf(product.left());
  auto matrix = cast<ShapedType>(product.right().getType());
  bool isOfFewRows = product.axes.right.innermost() == product.term &&
                     !ShapedType::isDynamic(rows) && rows <= kFewRows && matrix.hasStaticShape() &&
                     2 * matrix.getNumElements() >= kLargeMatrixBytes &&
                     (factor.isBF16() || factor.isF16());
  return isOfFewRows && chip.warpgroupProducts ? kOthersOfFewRows : 1;
}

/// What a launch of the library takes in a graph on an H200 beyond those of kernels, which are
/// dependent launches, or one with others (docs/gpu-h200.md, "The cost model"). Of longer products
/// it is not known.
static constexpr double kSecondsOfLaunch = 1e-6, kShortProduct = 8e-6;

static std::optional<double> predict(func::FuncOp kernel, const GPUChip &chip) {
  std::optional<KernelWork> work = workOf(kernel);
  std::optional<LibraryProduct> product = matchLibraryProduct(kernel);
  if (!work || !product)
    return std::nullopt;
  double seconds = std::max({floorSeconds(*work, chip) * fewRowsFactor(*product, chip),
                             slowdownSeconds(*product, *work, chip), dotSeconds(*product),
                             narrowSeconds(*product)});
  if (double wide = wideSeconds(*product, *work, chip); wide > 0)
    return std::max(wide, seconds);
  bool isShort = chip.warpgroupProducts && seconds < kShortProduct;
  return isShort ? seconds + kSecondsOfLaunch : seconds;
}

LogicalResult forge::verifyLibraryKernel(func::FuncOp kernel) {
  if (matchLibraryProduct(kernel))
    return success();
  return emitScheduleError(kernel,
                           "expected a product of two matrices, perhaps with bias, residual "
                           "and activation, and nothing else for strategy 'library'");
}

static LogicalResult verify(func::FuncOp kernel, ScheduleAttr, const GPUChip &) {
  return verifyLibraryKernel(kernel);
}

static FailureOr<LaunchShape> lower(func::FuncOp kernel, ScheduleAttr, const GPUChip &) {
  return emitScheduleError(kernel,
                           "strategy 'library' has no device code: forge-call-library comes first");
}

constexpr Strategy forge::libraryStrategy = {
    "library", kFields, /*orderFields=*/kFields, plan, predict,
    verify,    lower,   /*callsLibrary=*/true};
