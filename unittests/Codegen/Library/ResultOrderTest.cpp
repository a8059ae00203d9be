// The order in which what follows a contraction reads its result.
#include "../../../lib/Codegen/Library/ResultOrder.h"

#include "../ParsedFunction.h"

using namespace forge;
using namespace forge::test;

namespace {

/// A product of 4x16 and 16x8, and an operation that reads it by `map` and writes 8x4 or 4x8.
std::string productAnd(const std::string &map, const std::string &type) {
  return R"(func.func @f(%l: tensor<4x16xf32>, %r: tensor<16x8xf32>) -> tensor<)" + type +
         R"(xf32> {
    %z = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<4x8xf32>
    %f = linalg.fill ins(%z : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
    %p = linalg.matmul {tag} ins(%l, %r : tensor<4x16xf32>, tensor<16x8xf32>) outs(%f : tensor<4x8xf32>) -> tensor<4x8xf32>
    %o = tensor.empty() : tensor<)" +
         type + R"(xf32>
    %q = linalg.generic {indexing_maps = [affine_map<)" +
         map + R"(>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
        ins(%p : tensor<4x8xf32>) outs(%o : tensor<)" +
         type + R"(xf32>) {
    ^bb0(%a: f32, %old: f32):
      %n = arith.negf %a : f32
      linalg.yield %n : f32
    } -> tensor<)" +
         type + R"(xf32>
    return %q : tensor<)" +
         type + R"(xf32>
  })";
}

TEST(ResultOrder, InverseOfAnOrder) {
  EXPECT_EQ(inverseOrder({2, 0, 1}), (llvm::SmallVector<unsigned>{1, 2, 0}));
  EXPECT_TRUE(inverseOrder({}).empty());
}

TEST(ResultOrder, ReadInItsOwnOrder) {
  ParsedFunction f(productAnd("(d0, d1) -> (d0, d1)", "4x8"));
  auto follow = f.find<mlir::linalg::GenericOp>();
  EXPECT_FALSE(readOrder(follow, f.find<mlir::linalg::MatmulOp>()->getResult(0)));
}

// What was read across is computed across, and read straight.
TEST(ResultOrder, ReadAcross) {
  ParsedFunction f(productAnd("(d0, d1) -> (d1, d0)", "8x4"));
  auto follow = f.find<mlir::linalg::GenericOp>();
  auto product = f.find<mlir::linalg::MatmulOp>();
  std::optional<llvm::SmallVector<unsigned>> order = readOrder(follow, product->getResult(0));
  ASSERT_TRUE(order);
  EXPECT_EQ(*order, (llvm::SmallVector<unsigned>{1, 0}));
  mlir::linalg::GenericOp made = reorderResult(product, follow, *order);
  EXPECT_EQ(llvm::cast<mlir::ShapedType>(made.getResult(0).getType()).getShape(),
            (llvm::ArrayRef<int64_t>{8, 4}));
  EXPECT_TRUE(made->hasAttr("tag"));
  EXPECT_EQ(follow.getDpsInputs()[0], made.getResult(0));
  EXPECT_TRUE(follow.getMatchingIndexingMap(follow.getDpsInputOperand(0)).isIdentity());
  EXPECT_FALSE(f.find<mlir::linalg::MatmulOp>());
  EXPECT_TRUE(f.isValid()) << f.messages;
}

} // namespace
