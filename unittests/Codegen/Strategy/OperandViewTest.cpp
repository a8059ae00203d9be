// Slices of slices as one strided view of what they are taken of.
#include "../../../lib/Codegen/Strategy/OperandView.h"

#include "../ParsedFunction.h"

using namespace forge;
using namespace forge::test;

namespace {

TEST(OperandView, AWholeTensorIsItself) {
  ParsedFunction f("func.func @f(%x: tensor<2x?x4xf32>) -> tensor<2x?x4xf32> {\n"
                   "  return %x : tensor<2x?x4xf32>\n}");
  std::optional<OperandView> view = viewOf(f.returned());
  ASSERT_TRUE(view);
  EXPECT_EQ(view->root, f.function().getArgument(0));
  ASSERT_EQ(view->dims.size(), 3u);
  EXPECT_TRUE(view->stride(2).isOne());
  EXPECT_EQ(view->stride(1), (ElementCount{4, {}}));
  EXPECT_EQ(view->stride(0), (ElementCount{4, {1}}));
  EXPECT_TRUE(view->isContinued(0, 1));
  EXPECT_TRUE(view->isContinued(1, 2));
  EXPECT_FALSE(view->isContinued(0, 2));
  EXPECT_TRUE(view->beginsAtMultipleOf(1 << 20));
}

// Offsets and steps of the outer slice are in elements of the inner one.
TEST(OperandView, SlicesOfSlices) {
  ParsedFunction f(R"(func.func @f(%x: tensor<16x32xf32>) -> tensor<2x8xf32> {
    %a = tensor.extract_slice %x[4, 8] [6, 16] [2, 1] : tensor<16x32xf32> to tensor<6x16xf32>
    %b = tensor.extract_slice %a[1, 4] [2, 8] [3, 1] : tensor<6x16xf32> to tensor<2x8xf32>
    return %b : tensor<2x8xf32>
  })");
  std::optional<OperandView> view = viewOf(f.returned());
  ASSERT_TRUE(view);
  EXPECT_EQ(view->root, f.function().getArgument(0));
  EXPECT_EQ(view->dims[0].step, 6);
  EXPECT_EQ(view->stride(0), (ElementCount{6 * 32, {}}));
  EXPECT_EQ(view->begins[0].known, 4 + 2 * 1);
  EXPECT_EQ(view->begins[1].known, 8 + 4);
  EXPECT_FALSE(view->isContinued(0, 1));
  EXPECT_TRUE(view->beginsAtMultipleOf(4));
  EXPECT_FALSE(view->beginsAtMultipleOf(8));
}

// A dimension of which a part is read is not continued by the next outer one.
TEST(OperandView, PartsAreNotContinued) {
  ParsedFunction f(
      R"(func.func @f(%x: tensor<4x8x16xf32>) -> (tensor<4x8x8xf32>, tensor<2x8x16xf32>) {
    %a = tensor.extract_slice %x[0, 0, 0] [4, 8, 8] [1, 1, 1] : tensor<4x8x16xf32> to tensor<4x8x8xf32>
    %b = tensor.extract_slice %x[1, 0, 0] [2, 8, 16] [1, 1, 1] : tensor<4x8x16xf32> to tensor<2x8x16xf32>
    return %a, %b : tensor<4x8x8xf32>, tensor<2x8x16xf32>
  })");
  std::optional<OperandView> columns = viewOf(f.returned(0)), blocks = viewOf(f.returned(1));
  ASSERT_TRUE(columns && blocks);
  EXPECT_TRUE(columns->isContinued(0, 1));
  EXPECT_FALSE(columns->isContinued(1, 2));
  EXPECT_TRUE(blocks->isContinued(0, 1));
  EXPECT_TRUE(blocks->isContinued(1, 2));
}

TEST(OperandView, DroppedDimensionsLeaveTheirOffset) {
  ParsedFunction f(R"(func.func @f(%x: tensor<4x8xf32>, %i: index) -> tensor<8xf32> {
    %a = tensor.extract_slice %x[%i, 0] [1, 8] [1, 1] : tensor<4x8xf32> to tensor<8xf32>
    return %a : tensor<8xf32>
  })");
  std::optional<OperandView> view = viewOf(f.returned());
  ASSERT_TRUE(view);
  ASSERT_EQ(view->dims.size(), 1u);
  EXPECT_EQ(view->dims[0].root, 1u);
  ASSERT_EQ(view->begins[0].terms.size(), 1u);
  EXPECT_EQ(view->begins[0].terms[0].first, f.function().getArgument(1));
  EXPECT_TRUE(view->beginsAtMultipleOf(8));
  EXPECT_FALSE(view->beginsAtMultipleOf(16));
  EXPECT_FALSE(view->dependsOnElements());
}

TEST(OperandView, OffsetsMayDependOnElements) {
  ParsedFunction f(R"(func.func @f(%x: tensor<4x8xf32>, %n: tensor<i32>) -> tensor<1x8xf32> {
    %e = tensor.extract %n[] : tensor<i32>
    %i = arith.index_cast %e : i32 to index
    %a = tensor.extract_slice %x[%i, 0] [1, 8] [1, 1] : tensor<4x8xf32> to tensor<1x8xf32>
    return %a : tensor<1x8xf32>
  })");
  std::optional<OperandView> view = viewOf(f.returned());
  ASSERT_TRUE(view);
  EXPECT_TRUE(view->dependsOnElements());
}

TEST(OperandView, StepsMustBeKnown) {
  ParsedFunction f(R"(func.func @f(%x: tensor<16xf32>, %s: index) -> tensor<4xf32> {
    %a = tensor.extract_slice %x[0] [4] [%s] : tensor<16xf32> to tensor<4xf32>
    return %a : tensor<4xf32>
  })");
  EXPECT_FALSE(viewOf(f.returned()));
}

TEST(OperandView, OffsetsOfBuffersAreValues) {
  ParsedFunction f(R"(func.func @f(%x: memref<4x?xf32>, %i: index) {
    %a = memref.subview %x[2, %i] [1, 3] [1, 1] : memref<4x?xf32> to memref<1x3xf32, strided<[?, 1], offset: ?>>
    return
  })");
  auto part = f.find<mlir::memref::SubViewOp>();
  std::optional<OperandView> view = viewOf(part.getResult());
  ASSERT_TRUE(view);
  mlir::OpBuilder builder(f.function().getBody().front().getTerminator());
  mlir::OpFoldResult offset = view->offsetValue(builder, part.getLoc());
  EXPECT_FALSE(mlir::getConstantIntValue(offset)); // 2 rows of an open size, and %i.
  EXPECT_TRUE(f.find<mlir::memref::DimOp>());
  EXPECT_TRUE(f.isValid());
}

} // namespace
