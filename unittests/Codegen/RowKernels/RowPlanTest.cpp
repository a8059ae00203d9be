// How kernels are spread over threads and blocks.
#include "../../../lib/Codegen/RowKernels/RowPlan.h"
#include "RowKernelText.h"

#include <gtest/gtest.h>

using namespace forge;
using namespace forge::test;

namespace {

/// sm_90a without clusters, and with.
const RowPlanLimits kPlain{32, 1024, 1, 48 << 10, 132, true},
    kClusters{32, 1024, 8, 48 << 10, 132, true};

RowPlan planOf(const std::string &text, const RowPlanLimits &limits) {
  RowKernel kernel(text);
  auto program = kernel.build();
  EXPECT_TRUE(succeeded(program)) << kernel.why;
  return planRows(*program, limits);
}

TEST(RowPlanTest, AnAccessIs16BytesOfTheLargestElementThatIsWritten) {
  EXPECT_EQ(planOf(siluText(On::Tensors, {"512", "4096", "bf16", "bf16"}), kPlain).vector, 8);
  EXPECT_EQ(planOf(siluText(On::Tensors, {"512", "4096", "bf16", "f32"}), kPlain).vector, 4);
  EXPECT_EQ(planOf(siluText(On::Tensors, {"512", "4096", "f32", "bf16"}), kPlain).vector, 8);
  // Nothing is written along the row.
  EXPECT_EQ(planOf(sumText(On::Tensors, {"512", "4096", "bf16", "f32"}), kPlain).vector, 8);
  // Every row must begin aligned.
  EXPECT_EQ(planOf(siluText(On::Tensors, {"512", "4092", "bf16", "bf16"}), kPlain).vector, 4);
  EXPECT_EQ(planOf(siluText(On::Tensors, {"512", "4095", "bf16", "bf16"}), kPlain).vector, 1);
}

TEST(RowPlanTest, WithoutReductionARowIsCutIntoPieces) {
  RowPlan plan = planOf(siluText(On::Tensors, {"512", "4096", "bf16", "bf16"}), kPlain);
  EXPECT_EQ(plan.threads, 256);
  EXPECT_EQ(plan.chunks, 1);
  EXPECT_EQ(plan.pieces, 2);
  EXPECT_FALSE(plan.isCluster());
  // Short rows share a block.
  plan = planOf(siluText(On::Tensors, {"512", "64", "bf16", "bf16"}), kPlain);
  EXPECT_EQ(plan.threads, 8);
  EXPECT_EQ(plan.rows, 32);
  EXPECT_EQ(plan.pieces, 1);
}

TEST(RowPlanTest, ManyRowsGiveAThreadMoreOfTheRow) {
  RowPlan many = planOf(softmaxText(On::Tensors, {"32768", "4096", "bf16", "bf16"}), kPlain);
  EXPECT_EQ(many.threads, 128);
  EXPECT_EQ(many.chunks, 4);
  RowPlan few = planOf(softmaxText(On::Tensors, {"16", "4096", "bf16", "bf16"}), kPlain);
  EXPECT_EQ(few.threads, 256);
  EXPECT_EQ(few.chunks, 2);
  // How many is not known: as for few.
  EXPECT_EQ(planOf(softmaxText(On::Tensors, {"?", "4096", "bf16", "bf16"}), kPlain).threads, 256);
}

TEST(RowPlanTest, LongRowsAreLoopedOver) {
  RowPlan plan = planOf(softmaxText(On::Tensors, {"2048", "128256", "bf16", "f32"}), kPlain);
  EXPECT_TRUE(plan.loops());
  EXPECT_EQ(plan.threads, 256);
  EXPECT_EQ(plan.pieces, 1);
  plan = planOf(softmaxText(On::Tensors, {"8", "?", "f32", "f32"}), kClusters);
  EXPECT_TRUE(plan.loops());
  EXPECT_EQ(plan.vector, 1);
  EXPECT_EQ(plan.pieces, 1);
}

TEST(RowPlanTest, AClusterKeepsWhatIsReadTwice) {
  RowPlan plan = planOf(softmaxText(On::Tensors, {"2048", "128256", "bf16", "f32"}), kClusters);
  EXPECT_TRUE(plan.isCluster());
  EXPECT_EQ(plan.pieces, 8);
  EXPECT_EQ(plan.threads, 128);
  // As few blocks as can; more threads where few rows must keep the chip busy.
  plan = planOf(softmaxText(On::Tensors, {"8", "40000", "bf16", "bf16"}), kClusters);
  EXPECT_EQ(plan.pieces, 2);
  EXPECT_EQ(plan.threads, 512);
  // Read once anyway, or too long for eight blocks.
  EXPECT_EQ(planOf(sumText(On::Tensors, {"2048", "128256", "bf16", "f32"}), kClusters).pieces, 1);
  EXPECT_EQ(planOf(softmaxText(On::Tensors, {"2048", "262144", "bf16", "f32"}), kClusters).pieces,
            1);
}

TEST(RowPlanTest, AClusterSharesFewRows) {
  EXPECT_EQ(planOf(sumText(On::Tensors, {"8", "128256", "bf16", "f32"}), kClusters).pieces, 8);
  // As many blocks as leave no multiprocessor two of them, and 4096 elements or more for each.
  EXPECT_EQ(planOf(sumText(On::Tensors, {"60", "128256", "bf16", "f32"}), kClusters).pieces, 2);
  EXPECT_EQ(planOf(sumText(On::Tensors, {"100", "128256", "bf16", "f32"}), kClusters).pieces, 1);
  EXPECT_EQ(planOf(sumText(On::Tensors, {"8", "40000", "bf16", "f32"}), kClusters).pieces, 8);
  // Read again, and too long to be kept: with as many threads as there may be.
  RowPlan plan = planOf(softmaxText(On::Tensors, {"8", "262144", "bf16", "f32"}), kClusters);
  EXPECT_EQ(plan.pieces, 8);
  EXPECT_EQ(plan.threads, 1024);
  plan = planOf(softmaxText(On::Tensors, {"100", "262144", "bf16", "f32"}), kClusters);
  EXPECT_EQ(plan.pieces, 1);
}

TEST(RowPlanTest, PartsOfARowCoverItInWholeAccesses) {
  RowPlan plan;
  plan.vector = 8;
  plan.chunks = 0;
  plan.pieces = 8;
  EXPECT_EQ(plan.span(128256), 16032);
  EXPECT_EQ(plan.span(128248), 16032);
  EXPECT_EQ(plan.span(128264), 16040);
  plan.pieces = 1;
  EXPECT_EQ(plan.span(128256), 128256);
  plan.chunks = 2;
  plan.threads = 32;
  EXPECT_EQ(plan.span(128256), 512);
}

TEST(RowPlanTest, KeptBytesAreThoseOfABlock) {
  RowKernel kernel(softmaxText(On::Tensors, {"2048", "128256", "bf16", "f32"}));
  auto program = kernel.build();
  ASSERT_TRUE(succeeded(program));
  RowPlan plan;
  plan.vector = 4;
  plan.chunks = 0;
  plan.threads = 128;
  plan.pieces = 8;
  EXPECT_EQ(keptBytes(*program, plan, kClusters), 16032 * 2);
  plan.pieces = 4; // more than a block has
  EXPECT_EQ(keptBytes(*program, plan, kClusters), 0);
  plan.pieces = 8;
  plan.threads = 32; // no barrier between passes
  EXPECT_EQ(keptBytes(*program, plan, kClusters), 0);
}

} // namespace
