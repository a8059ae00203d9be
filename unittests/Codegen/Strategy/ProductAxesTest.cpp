// Contractions of any dimensions as products of matrices.
#include "../../../lib/Codegen/Strategy/ProductAxes.h"

#include "../ParsedFunction.h"

#include "mlir/AsmParser/AsmParser.h"

using namespace forge;
using namespace forge::test;

namespace {

/// A contraction of f32 from zeros, by its maps' results: "d0, d3".
struct Contraction {
  std::string left, right, out;
  std::string leftType, rightType, outType;
  std::string iterators;
  unsigned loops;
  std::string start = "0.0";

  std::string text() const {
    std::string dims;
    for (unsigned loop = 0; loop < loops; ++loop)
      dims += (loop ? ", d" : "d") + std::to_string(loop);
    auto map = [&](const std::string &results) {
      return "affine_map<(" + dims + ") -> (" + results + ")>";
    };
    std::string l = "tensor<" + leftType + "xf32>", r = "tensor<" + rightType + "xf32>",
                o = "tensor<" + outType + "xf32>";
    return "func.func @f(%l: " + l + ", %r: " + r + ", %o: " + o + ") -> " + o +
           " {\n  %z = arith.constant " + start +
           " : f32\n  %f = linalg.fill ins(%z : f32) outs(%o : " + o + ") -> " + o +
           "\n  %p = linalg.generic {indexing_maps = [" + map(left) + ", " + map(right) + ", " +
           map(out) + "], iterator_types = [" + iterators + "]} ins(%l, %r : " + l + ", " + r +
           ") outs(%f : " + o + ") {\n  ^bb0(%a: f32, %b: f32, %s: f32):\n" +
           "    %m = arith.mulf %a, %b : f32\n    %n = arith.addf %s, %m : f32\n" +
           "    linalg.yield %n : f32\n  } -> " + o + "\n  return %p : " + o + "\n}";
  }
};

const std::string kParallel = "\"parallel\"", kSum = "\"reduction\"";

Contraction matmul() {
  return {"d0, d2",
          "d2, d1",
          "d0, d1",
          "4x16",
          "16x8",
          "4x8",
          kParallel + ", " + kParallel + ", " + kSum,
          3};
}

std::vector<AxisRole> rolesOf(const ProductAxes &product) {
  std::vector<AxisRole> roles;
  for (const ProductAxis &axis : product.axes)
    roles.push_back(axis.role);
  return roles;
}

TEST(ProductAxes, RowsColumnsAndTerms) {
  ParsedFunction f(matmul().text());
  auto op = f.find<mlir::linalg::GenericOp>();
  EXPECT_TRUE(isSumOfProducts(op));
  std::optional<ProductAxes> product = axesOf(op, 0);
  ASSERT_TRUE(product);
  EXPECT_EQ(rolesOf(*product), (std::vector{AxisRole::Row, AxisRole::Column, AxisRole::Term}));
  EXPECT_EQ(product->sizeOf(product->withRole(AxisRole::Row)), 4);
  EXPECT_EQ(product->sizeOf(product->withRole(AxisRole::Column)), 8);
  EXPECT_EQ(product->sizeOf(product->withRole(AxisRole::Term)), 16);
  EXPECT_EQ(product->left.innermost(), 2u);
  EXPECT_EQ(product->right.innermost(), 1u);
  EXPECT_EQ(product->right.placeOf(2)->stride, (ElementCount{8, {}}));
  EXPECT_EQ(product->left.placeOf(1), nullptr);
}

// With the right factor as the left one, rows are columns.
TEST(ProductAxes, FactorsChangePlaces) {
  ParsedFunction f(matmul().text());
  std::optional<ProductAxes> product = axesOf(f.find<mlir::linalg::GenericOp>(), 1);
  ASSERT_TRUE(product);
  EXPECT_EQ(product->sizeOf(product->withRole(AxisRole::Row)), 8);
  EXPECT_EQ(product->sizeOf(product->withRole(AxisRole::Column)), 4);
}

// out[a, b, n] = sum over k of left[a, b, k] * right[k, n]: a and b are one dimension of rows
// wherever both are; where the result has them apart, they are two.
TEST(ProductAxes, NeighbouringLoopsAreOneAxis) {
  std::string iterators = kParallel + ", " + kParallel + ", " + kParallel + ", " + kSum;
  Contraction joined{"d0, d1, d3", "d3, d2", "d0, d1, d2", "2x3x16", "16x8", "2x3x8", iterators, 4};
  ParsedFunction f(joined.text());
  std::optional<ProductAxes> product = axesOf(f.find<mlir::linalg::GenericOp>(), 0);
  ASSERT_TRUE(product);
  ASSERT_EQ(product->axes.size(), 3u);
  EXPECT_EQ(product->axes[0].loops, (llvm::SmallVector<unsigned, 4>{0, 1}));
  EXPECT_EQ(product->axes[0].size, 6);

  Contraction apart{"d0, d1, d3", "d3, d2", "d0, d2, d1", "2x3x16", "16x8", "2x8x3", iterators, 4};
  ParsedFunction g(apart.text());
  std::optional<ProductAxes> other = axesOf(g.find<mlir::linalg::GenericOp>(), 0);
  ASSERT_TRUE(other);
  EXPECT_EQ(other->withRole(AxisRole::Row).size(), 2u);
  EXPECT_EQ(other->sizeOf(other->withRole(AxisRole::Row)), 6);
  EXPECT_FALSE(product->hasSameForm(*other));
  EXPECT_TRUE(product->hasSameForm(*product));
}

TEST(ProductAxes, BatchesAndDimensionsOfOneElement) {
  std::string iterators = kParallel + ", " + kParallel + ", " + kParallel + ", " + kSum;
  Contraction batched{"d0, d1, d3", "d0, d3, d2", "d0, d1, d2", "5x4x?",
                      "5x?x8",      "5x4x8",      iterators,    4};
  ParsedFunction f(batched.text());
  std::optional<ProductAxes> product = axesOf(f.find<mlir::linalg::GenericOp>(), 0);
  ASSERT_TRUE(product);
  EXPECT_EQ(product->sizeOf(product->withRole(AxisRole::Batch)), 5);
  EXPECT_TRUE(mlir::ShapedType::isDynamic(product->sizeOf(product->withRole(AxisRole::Term))));

  Contraction one{"d0, d1, d3", "d0, d3, d2", "d0, d1, d2", "1x4x16",
                  "1x16x8",     "1x4x8",      iterators,    4};
  ParsedFunction g(one.text());
  std::optional<ProductAxes> unit = axesOf(g.find<mlir::linalg::GenericOp>(), 0);
  ASSERT_TRUE(unit);
  EXPECT_TRUE(unit->withRole(AxisRole::Batch).empty());
}

// A loop that one factor alone has, and that is summed over, makes no product of matrices.
TEST(ProductAxes, TermsAreOfBothFactors) {
  Contraction lone{"d0, d2, d3",
                   "d2, d1",
                   "d0, d1",
                   "4x16x3",
                   "16x8",
                   "4x8",
                   kParallel + ", " + kParallel + ", " + kSum + ", " + kSum,
                   4};
  ParsedFunction f(lone.text());
  EXPECT_FALSE(axesOf(f.find<mlir::linalg::GenericOp>(), 0));
}

TEST(ProductAxes, SumsStartFromZero) {
  Contraction from = matmul();
  from.start = "1.0";
  ParsedFunction f(from.text());
  EXPECT_FALSE(isSumOfProducts(f.find<mlir::linalg::GenericOp>()));
}

TEST(ProductAxes, LoopsOfProjectedPermutationsOnly) {
  mlir::MLIRContext context;
  auto map = [&](llvm::StringRef text) {
    return llvm::cast<mlir::AffineMapAttr>(
               mlir::parseAttribute(("affine_map<" + text + ">").str(), &context))
        .getValue();
  };
  EXPECT_EQ(loopsOf(map("(d0, d1, d2) -> (d2, d0)")), (llvm::SmallVector<unsigned>{2, 0}));
  EXPECT_FALSE(loopsOf(map("(d0, d1) -> (d0 + d1)")));
  EXPECT_FALSE(loopsOf(map("(d0, d1) -> (d0, 0)")));
}

} // namespace
