// The kernel as a graph: what runs per row, per element, or reduces a row.
#include "RowKernelText.h"

#include <gtest/gtest.h>

using namespace forge;
using namespace forge::test;

namespace {

TEST(RowProgramTest, SoftmaxHasTwoReductionsAndOneStagePerElement) {
  for (On on : {On::Tensors, On::Buffers}) {
    RowKernel kernel(softmaxText(on, {"8", "4096", "bf16", "bf16"}));
    ASSERT_TRUE(kernel.module);
    auto program = kernel.build();
    ASSERT_TRUE(succeeded(program)) << kernel.why;
    ASSERT_EQ(program->stages.size(), 3u);
    EXPECT_EQ(program->stages[0].kind, RowStage::Reduction);
    EXPECT_EQ(program->stages[1].kind, RowStage::Reduction);
    EXPECT_EQ(program->stages[2].kind, RowStage::PerColumn);
    // The sum reads memory and the maximum; the quotient both.
    EXPECT_TRUE(program->stages[1].reads[0].memref);
    EXPECT_EQ(program->stages[1].reads[1].stage, 0);
    EXPECT_EQ(program->stages[2].reads[2].stage, 1);
    ASSERT_EQ(program->writes.size(), 1u);
    EXPECT_TRUE(program->writes[0].perColumn);
    ASSERT_EQ(program->rows.size(), 1u);
    EXPECT_EQ(program->rows[0].size, 8);
    EXPECT_EQ(program->column.size, 4096);
    EXPECT_TRUE(program->reducesAlongMemory());
  }
}

TEST(RowProgramTest, SizesThatAreNotKnownAreFoundAtAnArgument) {
  RowKernel kernel(softmaxText(On::Buffers, {"?", "?", "f32", "f32"}));
  ASSERT_TRUE(kernel.module);
  auto program = kernel.build();
  ASSERT_TRUE(succeeded(program)) << kernel.why;
  EXPECT_TRUE(mlir::ShapedType::isDynamic(program->column.size));
  ASSERT_TRUE(program->column.memref);
  EXPECT_TRUE(mlir::isa<mlir::BlockArgument>(program->column.memref));
  EXPECT_EQ(program->column.dim, 1u);
  EXPECT_EQ(program->rows[0].dim, 0u);
}

TEST(RowProgramTest, AReductionMayGoOnFromMemory) {
  RowKernel kernel(sumText(On::Buffers, {}));
  auto program = kernel.build();
  ASSERT_TRUE(succeeded(program)) << kernel.why;
  EXPECT_TRUE(program->stages[0].reads[1].memref);
  EXPECT_FALSE(program->writes[0].perColumn);
}

TEST(RowProgramTest, AReductionWithStepsThroughMemoryIsSeen) {
  RowKernel kernel(columnSumText(On::Tensors, {}));
  auto program = kernel.build();
  ASSERT_TRUE(succeeded(program)) << kernel.why;
  EXPECT_FALSE(program->reducesAlongMemory());
}

TEST(RowProgramTest, NothingIsNoKernel) {
  std::string why;
  EXPECT_TRUE(failed(RowProgram::build({}, why)));
  EXPECT_EQ(why, "no operation with a result");
}

// No common column: a row for each element of the result, along which the other row is reduced.
TEST(RowProgramTest, RowsOfDifferentLengthShareNoColumn) {
  RowKernel kernel(R"(
#m = affine_map<(i, j) -> (i, j)>
#r = affine_map<(i, j) -> (i)>
func.func @kernel(%x: tensor<8x64xf32>, %y: tensor<8x32xf32>, %a: tensor<8xf32>, %o: tensor<8x32xf32>) -> tensor<8x32xf32> {
  %s = linalg.generic {indexing_maps = [#m, #r], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x64xf32>) outs(%a : tensor<8xf32>) {
  ^bb0(%e: f32, %b: f32):
    %0 = arith.maximumf %e, %b : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32>
  %t = linalg.generic {indexing_maps = [#m, #r, #m], iterator_types = ["parallel", "parallel"]} ins(%y, %s : tensor<8x32xf32>, tensor<8xf32>) outs(%o : tensor<8x32xf32>) {
  ^bb0(%e: f32, %b: f32, %c: f32):
    %0 = arith.addf %e, %b : f32
    linalg.yield %0 : f32
  } -> tensor<8x32xf32>
  return %t : tensor<8x32xf32>
})");
  ASSERT_TRUE(kernel.module);
  auto program = kernel.build();
  ASSERT_TRUE(succeeded(program)) << kernel.why;
  ASSERT_EQ(program->rows.size(), 2u);
  EXPECT_EQ(program->rows[1].size, 32);
  EXPECT_EQ(program->column.size, 64);
  EXPECT_EQ(program->stages[1].kind, RowStage::PerRow);
}

TEST(RowProgramTest, ATemporaryThatIsReadUnwrittenIsRefused) {
  RowKernel kernel(R"(
#m = affine_map<(i, j) -> (i, j)>
func.func @kernel(%o: memref<8x32xf32>) {
  %t = memref.alloc() : memref<8x32xf32>
  linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%t : memref<8x32xf32>) outs(%o : memref<8x32xf32>) {
  ^bb0(%e: f32, %c: f32):
    %0 = arith.addf %e, %e : f32
    linalg.yield %0 : f32
  }
  return
})");
  ASSERT_TRUE(kernel.module);
  EXPECT_TRUE(failed(kernel.build()));
  EXPECT_EQ(kernel.why, "a temporary that is read before it is written");
}

TEST(RowProgramTest, OtherOperationsAreRefused) {
  RowKernel kernel(R"(
func.func @kernel(%a: tensor<8x8xf32>, %o: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%o : tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<8x8xf32>) outs(%o : tensor<8x8xf32>) {
  ^bb0(%e: f32, %c: f32):
    linalg.yield %e : f32
  } -> tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
})");
  ASSERT_TRUE(kernel.module);
  EXPECT_TRUE(failed(kernel.build()));
  EXPECT_EQ(kernel.why, "an operation linalg.matmul");
}

} // namespace
