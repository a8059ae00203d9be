#include "GemvStrategy.h"

#include "GemvEmitter.h"

#include "../Strategy/FewRows.h"
#include "../Strategy/ProductFollow.h"

#include "forge/Codegen/KernelWork.h"

using namespace mlir;
using namespace forge;

/// Left alone, ptxas moves loads down to their uses to save registers, and has a few of them under
/// way instead of all of a step (14336 columns of 4096, one row, H200: 30.3 us instead of 29.3).
static constexpr int64_t kResidentThreads = 1024;
/// A prologue needs registers while the accesses to the matrix are under way, more where a thread
/// has more than two accesses to a row of it.
static constexpr int64_t kResidentThreadsOfPrologue = 768, kResidentThreadsOfLongPrologue = 512;

/// A thread that computes the matrix holds what that is made of (an 8B-shaped decoder's step in
/// 4 bits, two layers, H200: 0.272 ms; 0.284 with 1024).
static constexpr int64_t kResidentThreadsThatCompute = 512;

/// With the columns of the matrix inside a thread holds a run of rows and more sums.
static int64_t residentThreads(const GemvProduct &product, const GemvPlan &plan) {
  if (product.byMatrixUnits)
    return kResidentThreads / 2;
  if (product.columnsInside)
    return product.rows <= 4 ? kResidentThreads / 2 : kResidentThreads / 4;
  if (product.isComputed())
    return kResidentThreadsThatCompute;
  if (product.prologue.empty())
    return kResidentThreads;
  return product.accesses() > 2 * plan.threads ? kResidentThreadsOfLongPrologue
                                               : kResidentThreadsOfPrologue;
}

static constexpr StringLiteral kFields[] = {"n", "loads", "threads", "blocks"};
/// Any number of blocks adds in the same order.
static constexpr StringLiteral kOrderFields[] = {"n", "loads", "threads"};

static FailureOr<ScheduleAttr> plan(func::FuncOp kernel, const GPUChip &chip, ScheduleAttr given,
                                    WhyNot whyNot) {
  std::optional<GemvProduct> product = matchGemvKernel(kernel, chip);
  if (!product) {
    whyNot("it is not a product of 1 to " + Twine(kMostGemvRows) + " rows, or " +
           Twine(kMostGemvRowsByMatrixUnits) +
           " by matrix instructions, with a matrix, the rows along the sum in memory");
    return failure();
  }
  GemvPlan plan = planGemv(*product, chip, given);
  return given.orSize("n", plan.columns)
      .orSize("loads", plan.depth)
      .orSize("threads", plan.threads)
      .orSize("blocks", plan.blocks);
}

/// With more than a few rows, one multiplication at a time, the library reads the matrix a little
/// faster.
static constexpr double kManyRows = 1.005;

/// Bytes that a block reads in a second at most, which is what a multiprocessor gets, and what
/// others, who share long sums among more blocks, take to join them.
static constexpr double kBytesOfBlock = 100e9, kSecondsToJoin = 3e-6;

/// The time of a block's part of the matrix where blocks are fewer than multiprocessors.
static double blockSeconds(const GemvProduct &product, const GPUChip &chip) {
  GemvPlan plan = planGemv(product, chip);
  if (product.isComputed() || numGroups(product, plan) >= chip.processors)
    return 0;
  auto type = cast<ShapedType>(product.matrices.front().value().getType());
  int64_t numbers = plan.columns * product.numMatrices() * product.length;
  return static_cast<double>(numbers * type.getElementTypeBitWidth() / 8) / kBytesOfBlock -
         kSecondsToJoin;
}

/// Several rows by matrix instructions, times a matrix with its columns inside, compared with the
/// library on an H200: 8 rows times 4096 x 14336 and 14336 x 4096, alone, take 1.08 to 1.2 of the
/// time of cuBLAS 13.0; times 4096 x 4096 0.8.
static constexpr double kLargeInside = 1.01;
static constexpr int64_t kLargeInsideBytes = 1 << 26;

static double matrixUnitsFactor(const GemvProduct &product, const GPUChip &chip) {
  auto type = cast<ShapedType>(product.matrices.front().value().getType());
  int64_t bytes = type.getNumElements() * type.getElementTypeBitWidth() / 8;
  if (product.columnsInside)
    return bytes >= kLargeInsideBytes ? kLargeInside : 1;
  return chip.warpgroupProducts && bytes >= kLargeMatrixBytes ? kOthersOfFewRows : 1;
}

static std::optional<double> predict(func::FuncOp kernel, const GPUChip &chip) {
  std::optional<GemvProduct> product = matchGemvKernel(kernel, chip);
  std::optional<KernelWork> work = workOf(kernel);
  if (!product || !work)
    return std::nullopt;
  double factor = 1;
  if (product->rows > kFewGemvRows && !product->byMatrixUnits)
    factor = kManyRows;
  else if (product->byMatrixUnits)
    factor = matrixUnitsFactor(*product, chip);
  return std::max(memorySeconds(*work, chip) * factor, blockSeconds(*product, chip));
}

static GemvPlan planOf(ScheduleAttr schedule) {
  return {schedule.size("n"), schedule.size("loads"), schedule.size("threads"),
          schedule.size("blocks")};
}

static LogicalResult verifyThreads(func::FuncOp kernel, const GemvPlan &plan, int64_t most,
                                   const GPUChip &chip) {
  if (!llvm::isPowerOf2_64(plan.threads) || plan.threads < chip.warpSize ||
      plan.threads > chip.maxThreads)
    return emitScheduleError(kernel, "expected a power of two of threads, a warp of ")
           << chip.warpSize << " or more and " << chip.maxThreads << " at most, but got "
           << plan.threads;
  if (plan.threads > llvm::PowerOf2Ceil(most))
    return emitScheduleError(kernel, "expected threads for the ")
           << most << " accesses of a row of the matrix, but got " << plan.threads;
  return success();
}

/// With the columns of the matrix inside.
static LogicalResult verifyInside(func::FuncOp kernel, const GemvProduct &product,
                                  const GemvPlan &plan, const GPUChip &chip) {
  int64_t accesses = plan.columns / product.vector;
  if (plan.columns < product.vector || plan.columns % product.vector != 0 ||
      !llvm::isPowerOf2_64(accesses) || accesses > kMostGemvAccessesInside ||
      product.columns % plan.columns != 0)
    return emitScheduleError(kernel, "expected 1, 2, 4 or 8 accesses of ")
           << product.vector << " columns that divide " << product.columns << ", but got "
           << plan.columns << " columns";
  if (plan.depth < product.vector || plan.depth > 64 || plan.depth % product.vector != 0 ||
      product.length % plan.depth != 0)
    return emitScheduleError(kernel, "expected up to 64 rows under way, a multiple of ")
           << product.vector << " that divides " << product.length << ", but got " << plan.depth;
  return verifyThreads(kernel, plan, product.length / plan.depth * accesses, chip);
}

/// By matrix instructions.
static LogicalResult verifyMatrix(func::FuncOp kernel, const GemvProduct &product,
                                  const GemvPlan &plan, const GPUChip &chip) {
  constexpr int64_t kMostInFlight = 32;
  int64_t columns = plan.columns * product.numMatrices(), halves = columns / kGemvMatrixHalf;
  if (!product.canHaveColumns(plan.columns))
    return emitScheduleError(kernel, "expected multiples of ")
           << product.columnsOfUnit() << " columns of a matrix and of " << 2 * kGemvMatrixHalf
           << " of all, " << kMostGemvMatrixColumns << " at most, but got " << columns;
  if (plan.depth < 1 || plan.depth * halves > kMostInFlight)
    return emitScheduleError(kernel, "expected 1 to ")
           << kMostInFlight << " accesses under way, but got " << plan.depth * halves;
  int64_t rows = llvm::alignTo(product.rows, kGemvMatrixHalf);
  int64_t bytes = plan.threads / chip.warpSize * rows * strideOfSums(product, plan) * 4;
  if (bytes > chip.sharedBytes)
    return emitScheduleError(kernel, "expected sums of all warps that fit ")
           << chip.sharedBytes << " bytes of shared memory, but got " << bytes;
  return verifyThreads(kernel, plan, product.length / product.matrixTerms * chip.warpSize, chip);
}

static LogicalResult verifyBlocks(func::FuncOp kernel, const GemvProduct &product,
                                  const GemvPlan &plan) {
  int64_t groups = numGroups(product, plan);
  if (plan.blocks == groups || (canShareBlocks(product) && plan.blocks < groups))
    return success();
  return emitScheduleError(kernel, canShareBlocks(product) ? "expected at most " : "expected ")
         << groups << " blocks, one for " << plan.columns << " columns, but got " << plan.blocks;
}

static LogicalResult verifyPlan(func::FuncOp kernel, const GemvProduct &product,
                                const GemvPlan &plan, const GPUChip &chip) {
  if (product.isByThreadsInside())
    return verifyInside(kernel, product, plan, chip);
  bool isPart = product.columns % plan.columns != 0;
  if (!llvm::isPowerOf2_64(plan.columns) || plan.columns > product.columns ||
      (isPart && !product.canHavePart()))
    return emitScheduleError(kernel, "expected a power of two of columns ")
           << (product.canHavePart() ? "of at most " : "that divides ") << product.columns
           << ", but got " << plan.columns;
  if (product.placement && !product.placement->canHave(plan.columns))
    return emitScheduleError(kernel, "expected for each column all ")
           << product.placement->group << " that are read together, " << product.placement->inner
           << " apart, but got " << plan.columns << " columns";
  if (product.byMatrixUnits)
    return verifyMatrix(kernel, product, plan, chip);
  int64_t columns = plan.columns * product.numMatrices();
  if (product.rows * columns > kMostGemvSums)
    return emitScheduleError(kernel, "expected at most ")
           << kMostGemvSums << " sums for a thread, but got " << product.rows * columns;
  if (plan.depth < 1 || plan.depth * columns > 64)
    return emitScheduleError(kernel, "expected 1 to 64 accesses under way, but got ")
           << plan.depth * columns;
  return verifyThreads(kernel, plan, product.accesses(), chip);
}

static LogicalResult verify(func::FuncOp kernel, ScheduleAttr schedule, const GPUChip &chip) {
  std::optional<GemvProduct> product = matchGemvKernel(kernel, chip);
  if (!product)
    return emitScheduleError(kernel, "expected a product of 1 to ")
           << kMostGemvRows << " rows, or " << kMostGemvRowsByMatrixUnits
           << " by matrix instructions, with a matrix, the rows along the sum in memory, perhaps "
              "with an elementwise "
              "operation behind it, and nothing else for strategy gemv";
  GemvPlan plan = planOf(schedule);
  if (failed(verifyPlan(kernel, *product, plan, chip)))
    return failure();
  return verifyBlocks(kernel, *product, plan);
}

static FailureOr<LaunchShape> lower(func::FuncOp kernel, ScheduleAttr schedule,
                                    const GPUChip &chip) {
  std::optional<GemvProduct> product = matchGemvKernel(kernel, chip);
  if (!product)
    return emitScheduleError(kernel,
                             "expected a product of a few rows with a matrix for strategy gemv"),
           failure();
  GemvPlan plan = planOf(schedule);
  ImplicitLocOpBuilder b(kernel.getLoc(), kernel.getContext());
  b.setInsertionPoint(kernel.getBody().front().getTerminator());
  LaunchShape shape;
  shape.grid.fill(b.getIndexAttr(1));
  shape.grid[0] = b.getIndexAttr(plan.blocks);
  shape.block[0] = plan.threads;
  shape.residentThreads = residentThreads(*product, plan);
  shape.dynamicSharedBytes = b.getIndexAttr(0);
  std::optional<GemvPrologue> prologue;
  if (!product->prologue.empty()) {
    std::string why;
    FailureOr<GemvPrologue> prepared = GemvPrologue::prepare(*product, plan, chip, why);
    if (failed(prepared))
      return emitScheduleError(kernel, "expected rows before the product, but found ") << why,
             failure();
    prologue = std::move(*prepared);
  }
  emitGemv(b, *product, plan, chip.warpSize, prologue ? &*prologue : nullptr);
  if (product->placement)
    product->placement->loops.front().erase();
  eraseReplaced(kernel);
  return shape;
}

static std::optional<ScheduleFit> fit(func::FuncOp kernel, ScheduleAttr schedule,
                                      const GPUChip &chip) {
  std::optional<GemvProduct> product = matchGemvKernel(kernel, chip);
  if (!product)
    return std::nullopt;
  GemvPlan plan = planOf(schedule);
  ScheduleFit fit;
  fit.tiles = numGroups(*product, plan);
  fit.threads = plan.threads;
  return fit;
}

constexpr Strategy forge::gemvStrategy = {
    "gemv",
    kFields,
    kOrderFields,
    plan,
    predict,
    verify,
    lower,
    /*callsLibrary=*/false,
    /*writeTiles=*/nullptr,
    "columns and accesses under way that hide the memory's latency, while there are blocks for all "
    "multiprocessors; as many threads as the sum has accesses for",
    fit};
