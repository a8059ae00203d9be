// Passes over the row, and what they read again.
#include "../../../lib/Codegen/RowKernels/RowLevels.h"
#include "RowKernelText.h"

#include <gtest/gtest.h>

using namespace forge;
using namespace forge::test;

namespace {

TEST(RowLevelsTest, SoftmaxTakesThreePasses) {
  RowKernel kernel(softmaxText(On::Tensors, {}));
  auto program = kernel.build();
  ASSERT_TRUE(succeeded(program)) << kernel.why;
  RowLevels levels(*program, /*online=*/false);
  EXPECT_EQ(levels.levels, (std::vector<int>{1, 2, 2}));
  EXPECT_EQ(levels.last(), 2);
  EXPECT_EQ(levels.reductionsOf(*program, 0), (llvm::SmallVector<unsigned>{0}));
  EXPECT_EQ(levels.reductionsOf(*program, 1), (llvm::SmallVector<unsigned>{1}));
  EXPECT_TRUE(levels.reductionsOf(*program, 2).empty());
  EXPECT_TRUE(levels.onlineMaximum.empty());
}

TEST(RowLevelsTest, TheSumBelowTheMaximumIsFoundInItsPass) {
  RowKernel kernel(softmaxText(On::Tensors, {}));
  auto program = kernel.build();
  ASSERT_TRUE(succeeded(program)) << kernel.why;
  RowLevels levels(*program, /*online=*/true);
  EXPECT_EQ(levels.levels, (std::vector<int>{1, 1, 1}));
  EXPECT_EQ(levels.reductionsOf(*program, 0), (llvm::SmallVector<unsigned>{0, 1}));
  EXPECT_EQ(levels.onlineMaximum.lookup(1).stage, 0u);
  EXPECT_FALSE(levels.onlineMaximum.lookup(1).isFinite);
  EXPECT_EQ(levels.onlineMaximum.size(), 1u);
}

/// Softmax with terms below %base, which `lines` compute from the maximum %t.
static std::string softmaxBelow(const std::string &lines) {
  std::string text = softmaxText(On::Tensors, {});
  const std::string begin = "    %d = arith.subf ", below = ", %t : f32";
  for (size_t at = 0; (at = text.find(begin, at)) != std::string::npos;) {
    text.replace(text.find(below, at), below.size(), ", %base : f32");
    text.insert(at, lines);
    at += lines.size() + begin.size();
  }
  return text;
}

TEST(RowLevelsTest, TermsMayBeBelowZeroWhereTheMaximumIsNotFinite) {
  std::string constants = "    %inf = arith.constant 0x7F800000 : f32\n"
                          "    %null = arith.constant 0.0 : f32\n"
                          "    %size = math.absf %t : f32\n";
  RowKernel kernel(softmaxBelow(constants + "    %finite = arith.cmpf olt, %size, %inf : f32\n"
                                            "    %base = arith.select %finite, %t, %null : f32\n"));
  auto program = kernel.build();
  ASSERT_TRUE(succeeded(program)) << kernel.why;
  RowLevels levels(*program, /*online=*/true);
  EXPECT_EQ(levels.onlineMaximum.lookup(1).stage, 0u);
  EXPECT_TRUE(levels.onlineMaximum.lookup(1).isFinite);
  // Below another number, the sum has a pass of its own.
  RowKernel other(softmaxBelow(constants + "    %finite = arith.cmpf ogt, %size, %inf : f32\n"
                                           "    %base = arith.select %finite, %t, %null : f32\n"));
  auto otherProgram = other.build();
  ASSERT_TRUE(succeeded(otherProgram)) << other.why;
  EXPECT_TRUE(RowLevels(*otherProgram, /*online=*/true).onlineMaximum.empty());
}

TEST(RowLevelsTest, OnlyWhatASecondPassReadsIsReadAgain) {
  RowKernel softmax(softmaxText(On::Tensors, {})), sum(sumText(On::Tensors, {}));
  auto twice = softmax.build(), once = sum.build();
  ASSERT_TRUE(succeeded(twice) && succeeded(once));
  RowLevels levels(*twice, /*online=*/true);
  auto again = readAgain(*twice, levels);
  ASSERT_EQ(again.size(), 1u);
  EXPECT_EQ(again[0].memref, softmax.function().getArgument(0));
  EXPECT_EQ(wholeRowsOf(*twice, levels, 0).size(), 1u);
  EXPECT_EQ(wholeRowsOf(*twice, levels, levels.last() + 1).size(), 1u);
  RowLevels single(*once, /*online=*/true);
  EXPECT_TRUE(readAgain(*once, single).empty());
  EXPECT_EQ(wholeRowsOf(*once, single, 0).size(), 1u);
}

TEST(RowLevelsTest, WholeRowsLieSideBySideAndBeginAtAnArgument) {
  RowKernel along(sumText(On::Buffers, {})), across(columnSumText(On::Buffers, {}));
  auto rows = along.build(), columns = across.build();
  ASSERT_TRUE(succeeded(rows) && succeeded(columns));
  EXPECT_TRUE(isWholeRow(*rows, rows->stages[0].reads[0]));
  // One number per row.
  EXPECT_FALSE(isWholeRow(*rows, rows->stages[0].reads[1]));
  EXPECT_FALSE(isWholeRow(*columns, columns->stages[0].reads[0]));
  // Not in memory.
  EXPECT_FALSE(isWholeRow(*rows, RowRead()));
}

} // namespace
