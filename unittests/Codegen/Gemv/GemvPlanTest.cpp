// How products of a few rows are spread over threads.
#include "../../../lib/Codegen/Gemv/GemvPlan.h"

#include "forge/Codegen/Target.h"

#include <gtest/gtest.h>

#include <ostream>
#include <tuple>

using namespace forge;

namespace {

const GPUChip &h100() {
  const GPUChip *chip = findChip("sm_90a");
  EXPECT_TRUE(chip);
  return *chip;
}

/// rows x length (in accesses of `vector` elements) times columns.
GemvPlan planOf(int64_t rows, int64_t columns, int64_t accesses, int64_t vector = 8) {
  GemvProduct product;
  product.matrices.resize(1);
  product.rows = rows;
  product.columns = columns;
  product.vector = vector;
  product.length = accesses * vector;
  return planGemv(product, h100());
}

TEST(GemvPlanTest, OneRowHasTwoColumnsWhereTwoBlocksAreLeftForEachMultiprocessor) {
  EXPECT_EQ(planOf(1, 528, 512).columns, 2);
  EXPECT_EQ(planOf(1, 526, 512).columns, 1);
  EXPECT_EQ(planOf(1, 16384, 512).columns, 2);
  EXPECT_EQ(planOf(1, 16383, 512).columns, 2);
  EXPECT_EQ(planOf(1, 16383, 512).blocks, 8192) << "the last one has a column";
}

TEST(GemvPlanTest, SeveralRowsShareFourColumns) {
  EXPECT_EQ(planOf(2, 16384, 512).columns, 4);
  EXPECT_EQ(planOf(4, 16384, 512).columns, 4);
  EXPECT_EQ(planOf(8, 16384, 512).columns, 2) << "128 products of an access fill the registers";
  EXPECT_EQ(planOf(8, 16384, 512, 4).columns, 4);
}

TEST(GemvPlanTest, ThreadsForEveryAccess) {
  EXPECT_EQ(planOf(1, 16384, 32).threads, 32);
  EXPECT_EQ(planOf(1, 16384, 127).threads, 64);
  EXPECT_EQ(planOf(1, 16384, 4096).threads, 128);
  EXPECT_EQ(planOf(2, 16384, 4096).threads, 256);
}

TEST(GemvPlanTest, EightAccessesUnderWay) {
  EXPECT_EQ(planOf(1, 16384, 4096).depth, 4);
  EXPECT_EQ(planOf(2, 16384, 4096).depth, 2);
  EXPECT_EQ(planOf(1, 16384, 32).depth, 1) << "there is one access for each thread";
  EXPECT_EQ(planOf(1, 16384, 128 * 3).depth, 2);
}

// Whatever the sizes: what the strategy demands of a schedule that somebody writes.
TEST(GemvPlanTest, PlansAreSchedulesThatTheStrategyTakes) {
  for (int64_t rows = 1; rows <= kMostGemvRows; ++rows)
    for (int64_t columns : {1, 2, 3, 64, 528, 1000, 4096, 14336, 128256})
      for (int64_t accesses : {32, 33, 64, 100, 512, 1792})
        for (int64_t vector : {2, 4, 8, 16}) {
          GemvPlan plan = planOf(rows, columns, accesses, vector);
          EXPECT_EQ(columns % plan.columns, 0) << columns;
          EXPECT_LE(rows * plan.columns, kMostGemvSums);
          EXPECT_GE(plan.depth, 1);
          EXPECT_LE(plan.depth * plan.columns, 64);
          EXPECT_EQ(plan.threads & (plan.threads - 1), 0);
          EXPECT_GE(plan.threads, h100().warpSize);
          EXPECT_LE(plan.threads, accesses);
        }
}

TEST(GemvPlanTest, MatrixInstructionsHaveWarpsThatShareTheSum) {
  GemvProduct product;
  product.matrices.resize(1);
  product.byMatrixUnits = true;
  product.rows = 16;
  product.vector = 8;
  for (int64_t matrices : {1, 2, 3})
    for (int64_t columns : {16, 48, 1024, 4096, 14336, 128256})
      for (int64_t length : {256, 288, 4096, 14336}) {
        product.matrices.resize(static_cast<size_t>(matrices));
        product.columns = columns;
        product.length = length;
        GemvPlan plan = planGemv(product, h100());
        EXPECT_TRUE(product.canHaveColumns(plan.columns)) << columns << " of " << matrices;
        EXPECT_LE(plan.threads, length);
        EXPECT_GE(plan.depth, 1);
      }
  product.matrices.resize(1);
  product.columns = 4096;
  product.length = 4096;
  EXPECT_EQ(planGemv(product, h100()).columns, 32);
  EXPECT_EQ(planGemv(product, h100()).threads, 256);
  EXPECT_EQ(planGemv(product, h100()).depth, 2);
  product.rows = 8;
  EXPECT_EQ(planGemv(product, h100()).columns, 16) << "a block reads each row of x";
}

TEST(GemvPlanTest, MatrixInstructionsHaveNeighboursOfColumnsInside) {
  GemvProduct product;
  product.matrices.resize(1);
  product.byMatrixUnits = true;
  product.columnsInside = true;
  product.vector = 8;
  for (int64_t rows : {5, 8, 9, 16})
    for (int64_t matrices : {1, 2, 3})
      for (int64_t columns : {16, 24, 48, 1000, 4096, 14336, 128256})
        for (int64_t length : {256, 264, 4096, 14336}) {
          product.rows = rows;
          product.matrices.resize(static_cast<size_t>(matrices));
          product.columns = columns;
          product.length = length;
          GemvPlan plan = planGemv(product, h100());
          EXPECT_TRUE(product.canHaveColumns(plan.columns)) << columns << " of " << matrices;
          EXPECT_EQ(plan.columns % 16, 0);
          EXPECT_LE(plan.threads, length);
          EXPECT_GE(plan.depth, 1);
          EXPECT_LE(plan.depth * plan.columns * matrices / 8, 32);
          EXPECT_LE(plan.threads / 32 * 16 * strideOfSums(product, plan) * 4, h100().sharedBytes);
        }
  product.matrices.resize(1);
  product.columns = 14336;
  product.length = 4096;
  EXPECT_EQ(planGemv(product, h100()).columns, 64);
  EXPECT_EQ(planGemv(product, h100()).depth, 1);
  product.columns = 4096;
  EXPECT_EQ(planGemv(product, h100()).columns, 32) << "of 64 there are too few";
  EXPECT_EQ(planGemv(product, h100()).depth, 2);
  EXPECT_EQ(planGemv(product, h100()).threads, 512);
}

} // namespace
