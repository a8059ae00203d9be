// Which kernels are products of a few rows with a large matrix.
#include "GemvText.h"

#include <gtest/gtest.h>

using namespace forge;
using namespace forge::test;

namespace {

TEST(GemvProductTest, SizesOfAMatrix) {
  GemvKernel kernel({.rows = "8x", .columns = "64", .length = "512"});
  std::optional<GemvProduct> product = kernel.match();
  ASSERT_TRUE(product);
  EXPECT_EQ(product->rows, 8);
  EXPECT_EQ(product->columns, 64);
  EXPECT_EQ(product->length, 512);
  EXPECT_EQ(product->vector, 4);
  EXPECT_EQ(product->accesses(), 128);
  EXPECT_EQ(product->left(), kernel.function().getArgument(0));
  EXPECT_EQ(product->matrices.front().value(), kernel.function().getArgument(1));
  EXPECT_FALSE(product->follow);
}

TEST(GemvProductTest, AVectorIsOneRow) {
  GemvKernel kernel({.rows = "", .columns = "64", .length = "512", .element = "bf16"});
  std::optional<GemvProduct> product = kernel.match();
  ASSERT_TRUE(product);
  EXPECT_EQ(product->rows, 1);
  EXPECT_EQ(product->vector, 8);
  EXPECT_EQ(product->accesses(), 64);
}

TEST(GemvProductTest, SixteenRowsByMatrixInstructions) {
  GemvKernel kernel({.rows = "16x", .element = "bf16"});
  std::optional<GemvProduct> product = kernel.match();
  ASSERT_TRUE(product);
  EXPECT_TRUE(product->byMatrixUnits);
  EXPECT_FALSE(product->canHaveColumns(8)) << "an instruction has 16 columns";
  EXPECT_TRUE(product->canHaveColumns(16));
  EXPECT_FALSE(GemvKernel({.rows = "17x", .element = "bf16"}).match());
  EXPECT_FALSE(GemvKernel({.rows = "9x", .element = "bf16"}).match("gfx942"));
  EXPECT_TRUE(GemvKernel({.rows = "9x", .columns = "73", .element = "bf16"}).match());
  EXPECT_FALSE(GemvKernel({.rows = "9x", .columns = "8", .element = "bf16"}).match());
  EXPECT_TRUE(GemvKernel({.rows = "9x", .length = "528", .element = "bf16"}).match())
      << "the last group of terms has 16";
  EXPECT_FALSE(GemvKernel({.rows = "9x", .length = "516", .element = "bf16"}).match());
  EXPECT_FALSE(GemvKernel({.rows = "4x", .element = "bf16"}).match()->byMatrixUnits);
  EXPECT_FALSE(GemvKernel({.rows = "8x", .element = "f32"}).match()->byMatrixUnits);
}

TEST(GemvProductTest, MatrixInstructionsTakeColumnsInside) {
  GemvKernel kernel({.rows = "16x", .columnsInside = true, .element = "bf16"});
  std::optional<GemvProduct> product = kernel.match();
  ASSERT_TRUE(product);
  EXPECT_TRUE(product->byMatrixUnits);
  EXPECT_TRUE(product->columnsInside);
  EXPECT_TRUE(product->canHaveColumns(16));
  EXPECT_TRUE(product->canHaveColumns(64));
  EXPECT_FALSE(product->canHaveColumns(128));
  auto match = [](const GemvText &text, llvm::StringRef chip = "sm_90a") {
    return GemvKernel(text).match(chip);
  };
  std::optional<GemvProduct> four = match({.rows = "4x", .columnsInside = true, .element = "bf16"});
  ASSERT_TRUE(four);
  EXPECT_TRUE(four->isByThreadsInside());
  EXPECT_TRUE(match({.rows = "5x", .columnsInside = true, .element = "f16"})->byMatrixUnits);
  EXPECT_TRUE(match({.rows = "5x", .columns = "72", .columnsInside = true, .element = "bf16"})
                  ->byMatrixUnits);
  EXPECT_TRUE(match({.rows = "5x", .columns = "8", .columnsInside = true, .element = "bf16"})
                  ->isByThreadsInside())
      << "half of an instruction";
  EXPECT_TRUE(match({.rows = "8x", .columnsInside = true, .element = "bf16"}, "sm_75")
                  ->isByThreadsInside());
  EXPECT_FALSE(match({.rows = "9x", .columnsInside = true, .element = "bf16"}, "sm_75"));
  EXPECT_FALSE(match({.rows = "9x", .columns = "8", .columnsInside = true, .element = "bf16"}));
  EXPECT_FALSE(match({.rows = "9x", .columns = "76", .columnsInside = true, .element = "bf16"}))
      << "rows of the matrix that begin anywhere";
  EXPECT_FALSE(match({.rows = "17x", .columnsInside = true, .element = "bf16"}));
}

TEST(GemvProductTest, AtMostEightRows) {
  EXPECT_TRUE(GemvKernel({.rows = "8x"}).match());
  EXPECT_FALSE(GemvKernel({.rows = "9x"}).match());
  EXPECT_FALSE(GemvKernel({.rows = "?x"}).match());
}

// An access of 16 bytes for every lane, and each row begins at one.
TEST(GemvProductTest, RowsOfWholeAccessesForAWarp) {
  EXPECT_TRUE(GemvKernel({.length = "128"}).match());
  EXPECT_FALSE(GemvKernel({.length = "128"}).match("gfx942"));
  EXPECT_FALSE(GemvKernel({.length = "124"}).match());
  EXPECT_FALSE(GemvKernel({.length = "130"}).match());
  EXPECT_FALSE(GemvKernel({.length = "128", .element = "bf16"}).match());
}

TEST(GemvProductTest, AnElementwiseOperationMayFollow) {
  GemvKernel kernel({.follow = "  %r = arith.maximumf %s, %u : f32\n"});
  std::optional<GemvProduct> product = kernel.match();
  ASSERT_TRUE(product);
  EXPECT_TRUE(product->follow);
}

// The last operation must not read what it writes: another thread may have written it already.
TEST(GemvProductTest, WhatFollowsReadsNoResult) {
  EXPECT_FALSE(GemvKernel({.follow = "  %r = arith.maximumf %s, %old : f32\n"}).match());
}

TEST(GemvProductTest, NothingElseStandsInTheKernel) {
  EXPECT_FALSE(
      GemvKernel({.extra = "  %again = linalg.fill ins(%zero : f32) outs(%o : tensor<2x64xf32>) -> "
                           "tensor<2x64xf32>\n"})
          .match());
}

} // namespace
