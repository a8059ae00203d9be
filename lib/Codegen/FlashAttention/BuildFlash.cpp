#include "BuildFlash.h"

#include "FlashBuilder.h"

using namespace mlir;
using namespace forge;

bool forge::buildFlash(func::FuncOp kernel, const FlashAttention &flash, const FlashPlan &plan,
                       const GPUChip &chip) {
  if (plan.byWarpgroups())
    return buildWarpgroupFlash(kernel, flash, plan, chip);
  if (plan.slots > 0)
    buildRingFlash(kernel, flash, plan, chip);
  else
    buildWarpFlash(kernel, flash, plan, chip);
  return false;
}
