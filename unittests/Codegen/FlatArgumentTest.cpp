// The pointers and scalars that launches pass for an argument of a kernel.
#include "../../lib/Codegen/Strategy/FlatArgument.h"

#include "OneArgument.h"

#include <gtest/gtest.h>

using namespace forge;
using namespace forge::test;
using namespace mlir;

namespace {

TEST(FlatArgument, StaticMemrefsAndScalarsAreThemselves) {
  OneArgument f;
  for (Type type : {Type(f.memref({2, 3})), Type(f.b.getIndexType()), Type(f.memref({}))}) {
    FlatArgument flat(type);
    EXPECT_EQ(flat.types(), (SmallVector<Type>{type}));
  }
  Value argument = f.argument(f.memref({2, 3}));
  FlatArgument flat(argument.getType());
  EXPECT_EQ(flat.flatten(f.b, f.loc, argument), (SmallVector<Value>{argument}));
  EXPECT_EQ(flat.rebuild(f.b, f.loc, argument), argument);
}

TEST(FlatArgument, OpenSizesFollowAPointer) {
  OneArgument f;
  MemRefType type = f.memref({kOpen, 3, kOpen});
  Value argument = f.argument(type);
  FlatArgument flat(type);
  Type index = f.b.getIndexType();
  EXPECT_EQ(flat.types(), (SmallVector<Type>{f.memref({}), index, index}));
  SmallVector<Value> passed = flat.flatten(f.b, f.loc, argument);
  ASSERT_EQ(passed.size(), 3u);
  EXPECT_EQ(SmallVector<Type>(ValueRange(passed).getTypes()), flat.types());
  EXPECT_EQ(passed[1].getDefiningOp<memref::DimOp>().getConstantIndex(), 0);
  EXPECT_EQ(passed[2].getDefiningOp<memref::DimOp>().getConstantIndex(), 2);
  Value again = flat.rebuild(f.b, f.loc, passed);
  EXPECT_EQ(again.getType(), type);
  auto cast = again.getDefiningOp<memref::ReinterpretCastOp>();
  ASSERT_TRUE(cast);
  EXPECT_EQ(cast.getSource(), passed[0]);
  EXPECT_EQ(SmallVector<Value>(cast.getSizes()), (SmallVector<Value>{passed[1], passed[2]}));
  EXPECT_TRUE(f.isValid());
}

TEST(FlatArgument, NoElementsAreNotPassed) {
  OneArgument f;
  MemRefType type = f.memref({4, 0});
  Value argument = f.argument(type);
  FlatArgument flat(type);
  EXPECT_TRUE(flat.types().empty());
  EXPECT_TRUE(flat.flatten(f.b, f.loc, argument).empty());
  EXPECT_EQ(flat.rebuild(f.b, f.loc, {}).getType(), type);
  EXPECT_TRUE(f.isValid());
}

} // namespace
