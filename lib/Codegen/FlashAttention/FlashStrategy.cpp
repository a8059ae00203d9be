#include "FlashStrategy.h"

#include "BuildFlash.h"

#include "../Strategy/ProductFollow.h"
#include "../Tile/LowerTileProgram.h"

#include "forge/Codegen/KernelWork.h"

using namespace mlir;
using namespace forge;

static constexpr StringLiteral kFields[] = {"m", "n"};
/// After each block of keys the sums are scaled to the new maximum.
static constexpr StringLiteral kOrderFields[] = {"n"};

/// Share of the ceilings that is reached: an estimate. The program in examples/tiles, of the same
/// form, was measured at 0.6 to 0.75 of the matrix units' with a depth of 128 (docs/gpu-h200.md).
static constexpr double kShare = 0.6;

static FailureOr<FlashAttention> match(func::FuncOp kernel, const GPUChip &chip, WhyNot whyNot) {
  SmallVector<Operation *> ops =
      llvm::map_to_vector(kernel.getBody().front(), [](Operation &op) { return &op; });
  std::string why;
  FailureOr<AttentionProgram> program = AttentionProgram::build(ops, why);
  if (failed(program)) {
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
  FlashPlan plan = *planFlash(*flash, chip);
  return given.orSize("m", plan.rows).orSize("n", plan.keys);
}

static std::optional<double> predict(func::FuncOp kernel, const GPUChip &chip) {
  std::optional<double> floor = predictFloor(kernel, chip);
  return floor ? std::optional(*floor / kShare) : std::nullopt;
}

static LogicalResult verify(func::FuncOp kernel, ScheduleAttr schedule, const GPUChip &chip) {
  auto report = [&](const Twine &reason) {
    emitScheduleError(kernel, "strategy 'flash' cannot take this kernel: ") << reason;
  };
  FailureOr<FlashAttention> flash = match(kernel, chip, report);
  if (failed(flash))
    return failure();
  FlashPlan most = *planFlash(*flash, chip);
  if (schedule.size("m") != most.rows)
    return emitScheduleError(kernel, "expected m = ")
           << most.rows << ", but got " << schedule.size("m");
  int64_t keys = schedule.size("n");
  if (keys != 64 && keys != most.keys)
    return emitScheduleError(kernel, "expected n = 64")
           << (most.keys == 64 ? "" : " or 128") << ", but got " << keys;
  return success();
}

static FailureOr<bool> writeTiles(func::FuncOp kernel, ScheduleAttr schedule, const GPUChip &chip) {
  FailureOr<FlashAttention> flash = match(kernel, chip, [](const Twine &) {});
  if (failed(flash))
    return failure();
  FlashPlan plan;
  plan.rows = schedule.size("m");
  plan.keys = schedule.size("n");
  bool takesWork = buildFlash(kernel, *flash, plan, chip);
  eraseReplaced(kernel);
  return takesWork;
}

static FailureOr<LaunchShape> lower(func::FuncOp kernel, ScheduleAttr schedule,
                                    const GPUChip &chip) {
  FailureOr<bool> takesWork = writeTiles(kernel, schedule, chip);
  if (failed(takesWork))
    return failure();
  FailureOr<LaunchShape> shape = lowerTileProgram(kernel, chip);
  if (succeeded(shape))
    shape->takesWork = *takesWork;
  return shape;
}

constexpr Strategy forge::flashStrategy = {"flash",   kFields, kOrderFields, plan,
                                           predict,   verify,  lower,        /*callsLibrary=*/false,
                                           writeTiles};

bool forge::isFlashAttention(const AttentionProgram &program, const GPUChip &chip) {
  return succeeded(matchFlashAttention(program, chip, [](const Twine &) {}));
}
