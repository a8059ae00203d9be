#include "TestTensors.h"

#include "forge/Reference/Sort.h"

using namespace forge;
using namespace forge::reference;

static Body by(Direction direction) {
  return [direction](const std::vector<HostTensor> &a) -> Result<std::vector<HostTensor>> {
    return std::vector<HostTensor>{*compare(direction, false, a[0], a[1])};
  };
}

TEST(Sort, KeysAndValuesTogetherAlongADimension) {
  Result<std::vector<HostTensor>> results = sort(
      {ints({3, 2}, {3, 1, 1, 2, 3, 0}), ints({3, 2}, {0, 1, 2, 3, 4, 5})}, 0, by(Direction::LT));
  ASSERT_TRUE(results);
  expectSame((*results)[0], ints({3, 2}, {1, 0, 3, 1, 3, 2}));
  expectSame((*results)[1], ints({3, 2}, {2, 5, 0, 1, 4, 3})); // equal keys keep their order
}

TEST(Sort, AnyComparatorIsSafe) {
  Body always = [](const std::vector<HostTensor> &) -> Result<std::vector<HostTensor>> {
    return std::vector<HostTensor>{ints({}, {1}, DType::I1)};
  };
  Result<std::vector<HostTensor>> results = sort({ints({4}, {1, 2, 3, 4})}, -1, always);
  ASSERT_TRUE(results);
  EXPECT_EQ((*results)[0].numElements(), 4);
  expectError(sort({ints({4}, {1, 2, 3, 4})}, 1, always), "no such dimension");
}

TEST(Sort, ByAKeyAsByTheComparatorOfThatKey) {
  HostTensor values = ints({7}, {0, 1, 2, 3, 4, 5, 6});
  HostTensor keys = floats({7}, {3, kNaN, -0.0, 1, 0.0, 3, -kInf});
  for (Direction direction : {Direction::LT, Direction::GT, Direction::LE})
    for (bool totalOrder : {false, true}) {
      Body comparator = [&](const std::vector<HostTensor> &a) -> Result<std::vector<HostTensor>> {
        return std::vector<HostTensor>{*compare(direction, totalOrder, a[2], a[3])};
      };
      Result<std::vector<HostTensor>> expected = sort({values, keys}, 0, comparator);
      Result<std::vector<HostTensor>> results =
          sort({values, keys}, 0, SortKey{1, direction, totalOrder});
      ASSERT_TRUE(expected && results);
      expectSame((*results)[0], (*expected)[0]);
      expectSame((*results)[1], (*expected)[1]);
    }
  expectError(sort({values, keys}, 0, SortKey{2}), "no input 2");
}

TEST(TopK, LargestFirstNaNLargest) {
  Result<TopK> top = topK(floats({2, 4}, {1, kNaN, 3, 3, -kInf, -0.0, 0.0, -1}), 3);
  ASSERT_TRUE(top);
  expectSame(top->values, floats({2, 3}, {kNaN, 3, 3, 0.0, -0.0, -1}));
  expectSame(top->indices, ints({2, 3}, {1, 2, 3, 2, 1, 3}));
  expectSame(topK(ints({3}, {1, 200, 3}, DType::U8), 1)->values, ints({1}, {200}, DType::U8));
  expectSame(topK(ints({3}, {7, 1, 3}), 2, /*largest=*/false)->values, ints({2}, {1, 3}));
  EXPECT_EQ(topK(ints({3}, {1, 2, 3}), 0)->values.numElements(), 0);
  expectError(topK(ints({3}, {1, 2, 3}), 4), "cannot take the top 4");
}
