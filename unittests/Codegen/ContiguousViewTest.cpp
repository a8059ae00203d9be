// Contiguous memory seen with other sizes.
#include "forge/Codegen/ContiguousView.h"

#include "OneArgument.h"

#include <gtest/gtest.h>

using namespace forge;
using namespace forge::test;
using namespace mlir;

namespace {

TEST(ContiguousView, ProductsOfKnownSizesAreAttributes) {
  OneArgument f;
  OpFoldResult two = f.b.getIndexAttr(2), open = f.argument(f.b.getIndexType());
  EXPECT_EQ(getConstantIntValue(multiplySizes(f.b, f.loc, two, f.b.getIndexAttr(21))), 42);
  auto product = dyn_cast<Value>(multiplySizes(f.b, f.loc, two, open));
  ASSERT_TRUE(product);
  auto multiply = product.getDefiningOp<arith::MulIOp>();
  ASSERT_TRUE(multiply);
  EXPECT_EQ(getConstantIntValue(multiply.getLhs()), 2);
  EXPECT_EQ(multiply.getRhs(), cast<Value>(open));
}

TEST(ContiguousView, StridesAreRowMajor) {
  OneArgument f;
  Value source = f.argument(f.memref({}));
  Value view = viewAs(f.b, f.loc, source, f.memref({2, 3, 4}),
                      {f.b.getIndexAttr(2), f.b.getIndexAttr(3), f.b.getIndexAttr(4)});
  auto cast = view.getDefiningOp<memref::ReinterpretCastOp>();
  ASSERT_TRUE(cast);
  EXPECT_EQ(cast.getStaticOffset(0), 0);
  EXPECT_EQ(SmallVector<int64_t>(cast.getStaticStrides()), (SmallVector<int64_t>{12, 4, 1}));
  EXPECT_TRUE(f.isValid());
}

TEST(ContiguousView, StridesOverAnOpenSizeAreComputed) {
  OneArgument f;
  Value source = f.argument(f.memref({kOpen, kOpen, 4}));
  Value size = memref::DimOp::create(f.b, f.loc, source, 1);
  Value view = viewAs(f.b, f.loc, source, f.memref({5, kOpen, 4}),
                      {f.b.getIndexAttr(5), size, f.b.getIndexAttr(4)});
  auto cast = view.getDefiningOp<memref::ReinterpretCastOp>();
  ASSERT_TRUE(cast);
  EXPECT_EQ(SmallVector<int64_t>(cast.getStaticStrides()), (SmallVector<int64_t>{kOpen, 4, 1}));
  EXPECT_TRUE(f.isValid());
}

} // namespace
