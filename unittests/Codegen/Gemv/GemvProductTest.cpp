// Which kernels are products of a few rows with a large matrix.
#include "GemvText.h"

#include <gtest/gtest.h>

using namespace forge;
using namespace forge::test;

namespace {

constexpr int64_t kWarp = 32;

TEST(GemvProductTest, SizesOfAMatrix) {
  GemvKernel kernel({.rows = "8x", .columns = "64", .length = "512"});
  std::optional<GemvProduct> product = kernel.match(kWarp);
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
  std::optional<GemvProduct> product = kernel.match(kWarp);
  ASSERT_TRUE(product);
  EXPECT_EQ(product->rows, 1);
  EXPECT_EQ(product->vector, 8);
  EXPECT_EQ(product->accesses(), 64);
}

TEST(GemvProductTest, AtMostEightRows) {
  EXPECT_TRUE(GemvKernel({.rows = "8x"}).match(kWarp));
  EXPECT_FALSE(GemvKernel({.rows = "9x"}).match(kWarp));
  EXPECT_FALSE(GemvKernel({.rows = "?x"}).match(kWarp));
}

// An access of 16 bytes for every lane, and each row begins at one.
TEST(GemvProductTest, RowsOfWholeAccessesForAWarp) {
  EXPECT_TRUE(GemvKernel({.length = "128"}).match(kWarp));
  EXPECT_FALSE(GemvKernel({.length = "128"}).match(/*warpSize=*/64));
  EXPECT_FALSE(GemvKernel({.length = "124"}).match(kWarp));
  EXPECT_FALSE(GemvKernel({.length = "130"}).match(kWarp));
  EXPECT_FALSE(GemvKernel({.length = "128", .element = "bf16"}).match(kWarp));
}

TEST(GemvProductTest, AnElementwiseOperationMayFollow) {
  GemvKernel kernel({.follow = "  %r = arith.maximumf %s, %u : f32\n"});
  std::optional<GemvProduct> product = kernel.match(kWarp);
  ASSERT_TRUE(product);
  EXPECT_TRUE(product->follow);
}

// The last operation must not read what it writes: another thread may have written it already.
TEST(GemvProductTest, WhatFollowsReadsNoResult) {
  EXPECT_FALSE(GemvKernel({.follow = "  %r = arith.maximumf %s, %old : f32\n"}).match(kWarp));
}

TEST(GemvProductTest, NothingElseStandsInTheKernel) {
  EXPECT_FALSE(
      GemvKernel({.extra = "  %again = linalg.fill ins(%zero : f32) outs(%o : tensor<2x64xf32>) -> "
                           "tensor<2x64xf32>\n"})
          .match(kWarp));
}

} // namespace
