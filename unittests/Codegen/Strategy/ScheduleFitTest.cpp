// What a schedule takes of a chip.
#include "forge/Codegen/ScheduleFit.h"

#include <gtest/gtest.h>

using namespace forge;

namespace {

const GPUChip &h200() { return *findChip("sm_90a"); }

ScheduleFit wideTiles(int64_t tiles) {
  ScheduleFit fit;
  fit.tiles = tiles;
  fit.threads = 384;
  fit.registers = 168;
  fit.sharedBytes = 230000;
  return fit;
}

TEST(ScheduleFit, WavesAndTail) {
  ScheduleFit full = wideTiles(132), two = wideTiles(133), half = wideTiles(66);
  EXPECT_EQ(full.waves(h200()), 1);
  EXPECT_DOUBLE_EQ(full.idleShare(h200()), 0);
  EXPECT_EQ(two.waves(h200()), 2);
  EXPECT_NEAR(two.idleShare(h200()), 131.0 / 264, 1e-12);
  EXPECT_EQ(half.waves(h200()), 1);
  EXPECT_DOUBLE_EQ(half.idleShare(h200()), 0.5);
  EXPECT_EQ(two.describe(h200()), "133 tiles in 2 waves of 132, 50 % idle; 1 block at once by "
                                  "registers (about 168)");
}

TEST(ScheduleFit, LimitsAreNamed) {
  ScheduleFit fit;
  fit.tiles = 1;
  fit.threads = 128;
  fit.sharedBytes = 100000;
  EXPECT_EQ(fit.describe(h200()), "1 tile in 1 wave of 264, 100 % idle; 2 blocks at once by shared "
                                  "memory (100000 bytes)");
  fit.sharedBytes = 0;
  fit.padding = 1.25;
  EXPECT_EQ(fit.describe(h200()), "1 tile in 1 wave of 2112, 100 % idle; 20 % beyond edges; 16 "
                                  "blocks at once by warps (128 threads)");
  // More than there is: no block, but no division by zero.
  fit.sharedBytes = int64_t(1) << 30;
  EXPECT_EQ(fit.occupancy(h200()).blocks, 0);
  EXPECT_EQ(fit.waves(h200()), 1);
}

TEST(ScheduleFit, StepsAreJudgedByTheEstimate) {
  mlir::MLIRContext context;
  context.loadDialect<ForgeDialect>();
  ScheduleChoice choice;
  choice.fit = wideTiles(132);
  ScheduleStep step;
  step.refusal = "expected less";
  EXPECT_EQ(judge(step, choice), "not legal: expected less");
  step.schedule = ScheduleAttr::empty(&context);
  step.fit = wideTiles(264);
  EXPECT_EQ(judge(step, choice), "legal; no estimate tells it apart");
  choice.fit->seconds = 2e-6;
  EXPECT_EQ(judge(step, choice), "legal; no estimate tells it apart");
  step.fit->seconds = 3e-6;
  EXPECT_EQ(judge(step, choice), "estimated 1.50 times as long");
  step.fit->seconds = 2e-6;
  EXPECT_EQ(judge(step, choice), "estimated as long");
  // As much do estimates not tell apart, in either direction.
  step.fit->seconds = 1.94e-6;
  EXPECT_EQ(judge(step, choice), "estimated about as long");
  step.fit->seconds = 2.09e-6;
  EXPECT_EQ(judge(step, choice), "estimated about as long");
  step.fit->seconds = 2.2e-6;
  EXPECT_EQ(judge(step, choice), "estimated 1.10 times as long");
}

} // namespace
