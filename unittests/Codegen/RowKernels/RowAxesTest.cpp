// Which dimension of the row space each loop of a kernel runs over.
#include "../../../lib/Codegen/RowKernels/RowAxes.h"
#include "RowKernelText.h"

#include <gtest/gtest.h>

using namespace forge;
using namespace forge::test;
using namespace mlir;

namespace {

/// linalg.generic operations as text, over 8 rows of 16 columns.
const char *const kMaps = "#all = affine_map<(i, j) -> (i, j)>\n#row = affine_map<(i, j) -> (i)>\n"
                          "#turned = affine_map<(i, j) -> (j, i)>\n"
                          "#column = affine_map<(i, j) -> (j)>\n";

std::string unary(const std::string &result, const std::string &in, const std::string &inMap,
                  const std::string &inType, const std::string &out, const std::string &outMap,
                  const std::string &outType, const std::string &second) {
  return "  %" + result + " = linalg.generic {indexing_maps = [" + inMap + ", " + outMap +
         "], iterator_types = [" + second + "]} ins(%" + in + " : " + inType + ") outs(%" + out +
         " : " + outType +
         ") {\n  ^bb0(%e: f32, %a: f32):\n    %v = arith.addf %e, %a : f32\n"
         "    linalg.yield %v : f32\n  } -> " +
         outType + "\n";
}

std::string function(const std::string &arguments, const std::string &body) {
  return kMaps + ("func.func @kernel(" + arguments + ") {\n") + body + "  return\n}\n";
}

const char *const kAll = "tensor<8x16xf32>";
const char *const kRows = "tensor<8xf32>";
const char *const kReduced = "\"parallel\", \"reduction\"";
const char *const kParallel = "\"parallel\", \"parallel\"";

FailureOr<RowLinks> link(RowKernel &kernel) {
  return RowLinks::build(kernel.operations, kernel.why);
}

/// Why no row space is found with loop 0 of the last operation for a row; empty if one is.
std::string axesError(RowKernel &kernel, ArrayRef<unsigned> rowLoops = {0}) {
  auto links = link(kernel);
  if (failed(links))
    return "no links: " + kernel.why;
  RowProgram program;
  std::string why;
  return failed(assignAxes(*links, rowLoops, program, why)) ? why : "";
}

TEST(RowAxesTest, SoftmaxHasOneRowAndOneColumn) {
  RowKernel kernel(softmaxText(On::Tensors, {"8", "4096", "f32", "f32"}));
  auto links = link(kernel);
  ASSERT_TRUE(succeeded(links)) << kernel.why;
  RowProgram program;
  ASSERT_TRUE(succeeded(assignAxes(*links, {0}, program, kernel.why))) << kernel.why;
  for (const RowLink &each : links->links)
    EXPECT_EQ(each.axes, (SmallVector<int>{0, 1}));
  ASSERT_EQ(program.rows.size(), 1u);
  EXPECT_EQ(program.rows[0].size, 8);
  EXPECT_EQ(program.column.size, 4096);
}

// The producer is written by columns: its first loop is the column of the row space.
TEST(RowAxesTest, AxesGoThroughTranspositions) {
  RowKernel kernel(function(
      "%x: tensor<16x8xf32>, %t: tensor<16x8xf32>, %o: tensor<8x16xf32>",
      unary("s", "x", "#all", "tensor<16x8xf32>", "t", "#all", "tensor<16x8xf32>", kParallel) +
          unary("y", "s", "#turned", "tensor<16x8xf32>", "o", "#all", kAll, kParallel)));
  ASSERT_TRUE(kernel.module);
  auto links = link(kernel);
  ASSERT_TRUE(succeeded(links)) << kernel.why;
  RowProgram program;
  ASSERT_TRUE(succeeded(assignAxes(*links, {0}, program, kernel.why))) << kernel.why;
  EXPECT_EQ(links->links[0].axes, (SmallVector<int>{1, 0}));
  EXPECT_EQ(links->links[1].axes, (SmallVector<int>{0, 1}));
}

TEST(RowAxesTest, AnOperationHasOneColumn) {
  // Sums over rows, which the columns of each row then read.
  RowKernel kernel(function(
      "%x: tensor<16x16xf32>, %t: tensor<16xf32>, %o: tensor<16x16xf32>",
      unary("s", "x", "#turned", "tensor<16x16xf32>", "t", "#row", "tensor<16xf32>", kReduced) +
          unary("y", "s", "#column", "tensor<16xf32>", "o", "#all", "tensor<16x16xf32>",
                kParallel)));
  ASSERT_TRUE(kernel.module);
  EXPECT_EQ(axesError(kernel), "two loops over columns");
}

TEST(RowAxesTest, AValueIsReadAlongOneDimension) {
  RowKernel kernel(function(
      "%x: tensor<16x16xf32>, %t: tensor<16x16xf32>, %o: tensor<16x16xf32>",
      unary("s", "x", "#all", "tensor<16x16xf32>", "t", "#all", "tensor<16x16xf32>", kParallel) +
          unary("u", "s", "#turned", "tensor<16x16xf32>", "s", "#all", "tensor<16x16xf32>",
                kParallel)));
  ASSERT_TRUE(kernel.module);
  EXPECT_EQ(axesError(kernel), "operations that read a value along different dimensions");
}

TEST(RowAxesTest, RowsHaveOneLength) {
  // A row of 16 and one of 32 are both summed up.
  RowKernel kernel(
      function("%x: tensor<8x16xf32>, %z: tensor<8x32xf32>, %t: tensor<8xf32>",
               unary("s", "x", "#all", kAll, "t", "#row", kRows, kReduced) +
                   unary("y", "z", "#all", "tensor<8x32xf32>", "s", "#row", kRows, kReduced)));
  ASSERT_TRUE(kernel.module);
  EXPECT_EQ(axesError(kernel), "rows whose lengths may differ");
}

} // namespace
