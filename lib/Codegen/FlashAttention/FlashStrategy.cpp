#include "FlashStrategy.h"

#include "BuildFlash.h"

#include "../Strategy/ProductFollow.h"

#include "forge/Codegen/KernelWork.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace forge;

static constexpr StringLiteral kFields[] = {"m", "n"};
/// After each block of keys the sums are scaled to the new maximum.
static constexpr StringLiteral kOrderFields[] = {"n"};

/// Shares of the ceilings that are reached: estimates. The program in examples/tiles, of the same
/// form as that of warpgroups, was measured at 0.6 to 0.75 of the matrix units' with a depth of 128
/// (docs/gpu-h200.md); the others are as those of strategy tiles.
static double shareOf(FlashUnit unit) {
  switch (unit) {
  case FlashUnit::Warpgroups:
    return 0.6;
  case FlashUnit::Warps:
    return 0.3;
  case FlashUnit::Threads:
    return 0.4;
  }
  llvm_unreachable("unknown unit");
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
  return given.orSize("m", plan.rows).orSize("n", plan.keys);
}

static std::optional<double> predict(func::FuncOp kernel, const GPUChip &chip) {
  FailureOr<FlashAttention> flash = match(kernel, chip, [](const Twine &) {});
  if (failed(flash))
    return std::nullopt;
  double share = shareOf(flash->unit);
  if (flash->unit == FlashUnit::Warpgroups) {
    std::optional<double> floor = predictFloor(kernel, chip);
    return floor ? std::optional(*floor / share) : std::nullopt;
  }
  std::optional<KernelWork> work = workOf(kernel);
  if (!work)
    return std::nullopt;
  return std::max(memorySeconds(*work, chip), arithmeticSeconds(*work, chip) / share);
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
  return success();
}

static FailureOr<bool> writeTiles(func::FuncOp kernel, ScheduleAttr schedule, const GPUChip &chip) {
  FailureOr<FlashAttention> flash = match(kernel, chip, [](const Twine &) {});
  if (failed(flash))
    return failure();
  for (const FlashPlan &plan : plansOf(*flash, chip)) {
    if (plan.rows != schedule.size("m") || plan.keys != schedule.size("n"))
      continue;
    bool takesWork = buildFlash(kernel, *flash, plan, chip);
    eraseReplaced(kernel);
    return takesWork;
  }
  return failure();
}

constexpr Strategy forge::flashStrategy = {
    "flash", kFields,           kOrderFields,           plan,      predict,
    verify,  /*lower=*/nullptr, /*callsLibrary=*/false, writeTiles};

bool forge::isFlashAttention(const AttentionProgram &program, const GPUChip &chip, WhyNot whyNot) {
  return succeeded(matchFlashAttention(program, chip, whyNot));
}
