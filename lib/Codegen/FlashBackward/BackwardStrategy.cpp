#include "BackwardStrategy.h"

#include "BuildBackward.h"

#include "../Strategy/ProductFollow.h"

#include "forge/Codegen/KernelWork.h"

using namespace mlir;
using namespace forge;

static constexpr StringLiteral kFields[] = {"m", "n"};
/// Tiles that a block goes through are added up one after the other.
static constexpr StringLiteral kOrderFields[] = {"n"};

/// Share of the ceilings that is reached: an estimate.
static constexpr double kShare = 0.5;

static FailureOr<FlashBackward> match(ArrayRef<Operation *> ops, const GPUChip &chip,
                                      WhyNot whyNot) {
  std::string why;
  FailureOr<ScoreProgram> program = ScoreProgram::build(ops, why);
  if (failed(program)) {
    whyNot("it takes gradients of attention, but found " + Twine(why));
    return failure();
  }
  return matchFlashBackward(std::move(*program), chip, whyNot);
}

static FailureOr<FlashBackward> match(func::FuncOp kernel, const GPUChip &chip, WhyNot whyNot) {
  SmallVector<Operation *> ops =
      llvm::map_to_vector(kernel.getBody().front(), [](Operation &op) { return &op; });
  FailureOr<FlashBackward> flash = match(ops, chip, whyNot);
  if (failed(flash))
    return failure();
  for (ArrayRef<BackwardFactor> factors :
       {ArrayRef<BackwardFactor>(flash->owned), ArrayRef<BackwardFactor>(flash->copied)})
    for (const BackwardFactor &factor : factors)
      if (!isPlainArgument(factor.access.root)) {
        whyNot("it needs factors that are arguments");
        return failure();
      }
  return flash;
}

static FailureOr<ScheduleAttr> plan(func::FuncOp kernel, const GPUChip &chip, ScheduleAttr given,
                                    WhyNot whyNot) {
  FailureOr<FlashBackward> flash = match(kernel, chip, whyNot);
  if (failed(flash))
    return failure();
  BackwardPlan plan = *planBackward(*flash, chip);
  return given.orSize("m", plan.own).orSize("n", plan.along);
}

static std::optional<double> predict(func::FuncOp kernel, const GPUChip &chip) {
  std::optional<double> floor = predictFloor(kernel, chip);
  return floor ? std::optional(*floor / kShare) : std::nullopt;
}

static LogicalResult verify(func::FuncOp kernel, ScheduleAttr schedule, const GPUChip &chip) {
  auto report = [&](const Twine &reason) {
    emitScheduleError(kernel, "strategy 'flash_backward' cannot take this kernel: ") << reason;
  };
  FailureOr<FlashBackward> flash = match(kernel, chip, report);
  if (failed(flash))
    return failure();
  BackwardPlan most = *planBackward(*flash, chip);
  if (schedule.size("m") != most.own)
    return emitScheduleError(kernel, "expected m = ")
           << most.own << ", but got " << schedule.size("m");
  int64_t along = schedule.size("n");
  if (along > most.along || (along != 32 && along != 64 && along != 128))
    return emitScheduleError(kernel, "expected n = 32, 64 or 128, at most ")
           << most.along << ", but got " << along;
  return success();
}

static FailureOr<bool> writeTiles(func::FuncOp kernel, ScheduleAttr schedule, const GPUChip &chip) {
  FailureOr<FlashBackward> flash = match(kernel, chip, [](const Twine &) {});
  if (failed(flash))
    return failure();
  buildBackward(kernel, *flash, {schedule.size("m"), schedule.size("n")});
  eraseReplaced(kernel);
  return false;
}

constexpr Strategy forge::flashBackwardStrategy = {
    "flash_backward",
    kFields,
    kOrderFields,
    plan,
    predict,
    verify,
    /*lower=*/nullptr,
    /*callsLibrary=*/false,
    writeTiles,
    "the rows that the matrix units' instructions have, and as many along them as shared memory "
    "holds"};

bool forge::isFlashBackward(ArrayRef<Operation *> ops, const GPUChip &chip, WhyNot whyNot) {
  return succeeded(match(ops, chip, whyNot));
}
