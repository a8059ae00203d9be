// Which products of pieces are computed, and in which order.
#include "forge/Codegen/Contraction.h"

#include <gtest/gtest.h>

using namespace forge;

namespace {

using Pairs = std::vector<std::pair<unsigned, unsigned>>;

Pairs productsOf(unsigned left, unsigned right) {
  FactorPieces pieces;
  for (unsigned i = 0; i < left + right; ++i)
    (i < left ? pieces.left : pieces.right).push_back(i);
  auto products = pieces.products();
  return Pairs(products.begin(), products.end());
}

TEST(FactorPiecesTest, SmallestFirstAndNoneOfThirdOrder) {
  EXPECT_EQ(productsOf(3, 3), (Pairs{{0, 2}, {1, 1}, {2, 0}, {0, 1}, {1, 0}, {0, 0}}));
}

TEST(FactorPiecesTest, AllWhereOneFactorIsOnePiece) {
  EXPECT_EQ(productsOf(3, 1), (Pairs{{2, 0}, {1, 0}, {0, 0}}));
  EXPECT_EQ(productsOf(1, 3), (Pairs{{0, 2}, {0, 1}, {0, 0}}));
  EXPECT_EQ(productsOf(1, 1), (Pairs{{0, 0}}));
}

} // namespace
