#include "FlashStrategy.h"

#include "BuildFlash.h"

#include "../Strategy/ProductFollow.h"

#include "forge/Codegen/KernelWork.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace forge;

static constexpr StringLiteral kFields[] = {"m", "n", "split_kv"};
/// After each block of keys the sums are scaled to the new maximum.
static constexpr StringLiteral kOrderFields[] = {"n", "split_kv"};

/// Shares of the ceilings that are reached without warpgroups: estimates, as those of strategy
/// tiles.
static double shareOf(FlashUnit unit) { return unit == FlashUnit::Warps ? 0.3 : 0.4; }

/// Operations of lanes that a score takes, with warpgroups, while matrix units multiply: on an H200
/// scores of a depth of 64 take 1.8 times what their products do, of 128 and 256 as long
/// (docs/gpu-h200.md).
static constexpr double kLaneOpsOfScore = 33;

/// Of a few rows, which are bound by memory: where they are one instruction's, and where most of a
/// tile is padding, or its keys are read for each of two axes of rows. On an H100 a tile for each
/// multiprocessor or more reaches 0.72, on an H200 with a ring 0.85 to 0.9, and fewer blocks less
/// in proportion (docs/gpu-h200.md).
static constexpr double kShareOfFewRows = 0.72, kShareOfRing = 0.87, kShareOfPadded = 0.4;
/// A block with a ring takes up to this times its multiprocessor's part of what memory gives.
static constexpr double kRingPerBlock = 1.55;

static double shareOfFewRows(const FlashAttention &flash, const GPUChip &chip) {
  constexpr int64_t kManyKeys = 2048;
  FlashPlan plan = plansOf(flash, chip).front();
  double share = plan.slots > 0 ? kShareOfRing : kShareOfFewRows;
  if (flash.keys() < kManyKeys)
    return share;
  int64_t blocks = flash.numPlaces() * splitsOf(flash, plan, chip);
  double part = static_cast<double>(blocks) / static_cast<double>(chip.processors);
  return share * std::min(part * (plan.slots > 0 ? kRingPerBlock : 1), 1.0);
}

static FailureOr<FlashAttention> match(func::FuncOp kernel, const GPUChip &chip, WhyNot whyNot) {
  SmallVector<Operation *> ops =
      llvm::map_to_vector(kernel.getBody().front(), [](Operation &op) { return &op; });
  std::string why;
  FailureOr<AttentionProgram> program = AttentionProgram::build(ops, why);
  if (failed(program)) {
    for (Operation *op : ops)
      if (auto known = op->getAttrOfType<StringAttr>(kNoAttentionAttr)) {
        whyNot("it takes attention; of this one " + Twine(known.getValue()));
        return failure();
      }
    whyNot("it takes attention, but found " + Twine(why));
    return failure();
  }
  FailureOr<FlashAttention> flash = matchFlashAttention(std::move(*program), chip, whyNot);
  if (failed(flash))
    return failure();
  for (const AxisAccess *factor : {&flash->query, &flash->key, &flash->value})
    if (!isPlainArgument(factor->root)) {
      whyNot("it needs queries, keys and values that are arguments");
      return failure();
    }
  return flash;
}

static FailureOr<ScheduleAttr> plan(func::FuncOp kernel, const GPUChip &chip, ScheduleAttr given,
                                    WhyNot whyNot) {
  FailureOr<FlashAttention> flash = match(kernel, chip, whyNot);
  if (failed(flash))
    return failure();
  // The best of those that have what is given; else `verify` says what was expected.
  SmallVector<FlashPlan> plans = plansOf(*flash, chip);
  auto isGiven = [&](StringRef field, int64_t size) {
    return givenSize(given, field).value_or(size) == size;
  };
  const FlashPlan *found = llvm::find_if(plans, [&](const FlashPlan &plan) {
    return isGiven("m", plan.rows) && isGiven("n", plan.keys);
  });
  const FlashPlan &plan = found == plans.end() ? plans.front() : *found;
  return given.orSize("m", plan.rows)
      .orSize("n", plan.keys)
      .orSize("split_kv", splitsOf(*flash, plan, chip));
}

/// The share of scores that limits which the module knows leave, as those of a causal mask: over
/// some of the rows.
static double shareOfScores(const FlashAttention &flash) {
  constexpr int64_t kMostRows = 64;
  int64_t rows = flash.rows(), keys = flash.keys(), step = llvm::divideCeil(rows, kMostRows);
  int64_t seen = 0, all = 0;
  for (int64_t row = 0; row < rows; row += step) {
    int64_t from = 0, to = keys;
    for (const KeyLimit &limit : flash.conditions.limits) {
      if (!limit.terms.empty())
        continue;
      int64_t at = limit.perRow * row + limit.constant;
      if (limit.isUpper)
        to = std::clamp<int64_t>(at, 0, to);
      else
        from = std::clamp<int64_t>(at, from, keys);
    }
    seen += std::max<int64_t>(to - from, 0);
    all += keys;
  }
  return all > 0 ? static_cast<double>(seen) / static_cast<double>(all) : 1;
}

/// Tiles of rows, of which each multiprocessor takes one after the other; few leave some idle.
static double secondsOfTiles(const FlashAttention &flash, const FlashPlan &plan,
                             const KernelWork &work, const GPUChip &chip) {
  double places = static_cast<double>(flash.numPlaces()), keys = static_cast<double>(flash.keys()),
         rows = static_cast<double>(flash.rows());
  double products = 2 * static_cast<double>(work.multiplications) / (rows * places * keys);
  double secondsOfScore = std::max(products / chip.matrixFlops, kLaneOpsOfScore / chip.vectorFlops);
  // Blocks of keys that are partly masked are computed whole.
  double seen = std::min(keys * shareOfScores(flash) + static_cast<double>(plan.keys) / 2, keys);
  double tiles = places * static_cast<double>(llvm::divideCeil(flash.rows(), int64_t(plan.rows)));
  double scores = std::max(tiles, static_cast<double>(chip.processors)) * plan.rows * seen;
  return scores * secondsOfScore;
}

static std::optional<double> predict(func::FuncOp kernel, const GPUChip &chip) {
  FailureOr<FlashAttention> flash = match(kernel, chip, [](const Twine &) {});
  if (failed(flash))
    return std::nullopt;
  bool isFew = flash->isOfFewRows(), isPadded = !isFew && flash->program.numRows() <= 8;
  std::optional<KernelWork> work = workOf(kernel);
  std::optional<double> floor = predictFloor(kernel, chip);
  if (!work || !floor)
    return std::nullopt;
  if (isFew)
    return *floor / shareOfFewRows(*flash, chip);
  if (isPadded && flash->unit != FlashUnit::Warpgroups)
    return *floor / kShareOfPadded;
  if (flash->unit != FlashUnit::Warpgroups)
    return std::max(memorySeconds(*work, chip),
                    arithmeticSeconds(*work, chip) / shareOf(flash->unit));
  return std::max(memorySeconds(*work, chip),
                  secondsOfTiles(*flash, plansOf(*flash, chip).front(), *work, chip));
}

/// The plan of a complete schedule; null if there is none.
static std::optional<FlashPlan> planOf(const FlashAttention &flash, ScheduleAttr schedule,
                                       const GPUChip &chip) {
  for (FlashPlan plan : plansOf(flash, chip))
    if (plan.rows == schedule.size("m") && plan.keys == schedule.size("n")) {
      plan.splits = schedule.size("split_kv");
      return plan;
    }
  return std::nullopt;
}

/// By warpgroups there is one block on a multiprocessor: two warpgroups that multiply, and one that
/// copies.
static std::optional<ScheduleFit> fit(func::FuncOp kernel, ScheduleAttr schedule,
                                      const GPUChip &chip) {
  FailureOr<FlashAttention> flash = match(kernel, chip, [](const Twine &) {});
  std::optional<KernelWork> work = workOf(kernel);
  if (failed(flash) || !work)
    return std::nullopt;
  std::optional<FlashPlan> plan = planOf(*flash, schedule, chip);
  if (!plan)
    return std::nullopt;
  ScheduleFit fit;
  fit.tiles = numTiles(*flash, *plan) * plan->splits;
  fit.sharedBytes = sharedBytesOf(*flash, *plan);
  constexpr int64_t kRegistersOfWarpgroups = 168;
  fit.threads =
      plan->byWarpgroups() ? (plan->warpgroups() + 1) * 128 : plan->product.warps() * chip.warpSize;
  fit.registers = plan->byWarpgroups() ? kRegistersOfWarpgroups : registersOf(*flash, *plan, chip);
  auto made = [](int64_t size, int64_t by) {
    return static_cast<double>(llvm::alignTo(size, by)) / static_cast<double>(size);
  };
  fit.padding = made(flash->rows(), plan->rows) * made(flash->keys(), plan->keys);
  if (plan->byWarpgroups())
    fit.seconds = std::max(memorySeconds(*work, chip), secondsOfTiles(*flash, *plan, *work, chip));
  return fit;
}

/// "64 or 128".
static std::string listOf(llvm::SmallSetVector<int64_t, 4> sizes) {
  SmallVector<int64_t> sorted(sizes.begin(), sizes.end());
  llvm::sort(sorted);
  return llvm::join(llvm::map_range(sorted, [](int64_t size) { return std::to_string(size); }),
                    " or ");
}

static LogicalResult verify(func::FuncOp kernel, ScheduleAttr schedule, const GPUChip &chip) {
  auto report = [&](const Twine &reason) {
    emitScheduleError(kernel, "strategy 'flash' cannot take this kernel: ") << reason;
  };
  FailureOr<FlashAttention> flash = match(kernel, chip, report);
  if (failed(flash))
    return failure();
  llvm::SmallSetVector<int64_t, 4> rows, keys;
  for (const FlashPlan &plan : plansOf(*flash, chip)) {
    rows.insert(plan.rows);
    if (plan.rows == schedule.size("m"))
      keys.insert(plan.keys);
  }
  if (!rows.contains(schedule.size("m")))
    return emitScheduleError(kernel, "expected m = ")
           << listOf(rows) << ", but got " << schedule.size("m");
  if (!keys.contains(schedule.size("n")))
    return emitScheduleError(kernel, "expected n = ")
           << listOf(keys) << ", but got " << schedule.size("n");
  int64_t splits = schedule.size("split_kv"),
          most = flash->unit != FlashUnit::Warpgroups || flash->isOfFewRows() ? chip.maxCluster : 1;
  if (!llvm::isPowerOf2_64(splits) || splits > most)
    return emitScheduleError(kernel, "expected a power of two of at most ")
           << most << " blocks that share the keys, but got " << splits;
  return success();
}

static FailureOr<bool> writeTiles(func::FuncOp kernel, ScheduleAttr schedule, const GPUChip &chip) {
  FailureOr<FlashAttention> flash = match(kernel, chip, [](const Twine &) {});
  if (failed(flash))
    return failure();
  std::optional<FlashPlan> plan = planOf(*flash, schedule, chip);
  if (!plan)
    return failure();
  bool takesWork = buildFlash(kernel, *flash, *plan, chip);
  eraseReplaced(kernel);
  return takesWork;
}

constexpr Strategy forge::flashStrategy = {"flash",
                                           kFields,
                                           kOrderFields,
                                           plan,
                                           predict,
                                           verify,
                                           /*lower=*/nullptr,
                                           /*callsLibrary=*/false,
                                           writeTiles,
                                           "the most rows and keys that registers and shared "
                                           "memory hold; blocks share the keys where tiles "
                                           "are fewer than multiprocessors",
                                           fit};

bool forge::isFlashAttention(const AttentionProgram &program, const GPUChip &chip, WhyNot whyNot) {
  return succeeded(matchFlashAttention(program, chip, whyNot));
}
