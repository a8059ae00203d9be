#include "TestTensors.h"

#include "forge/Reference/GatherScatter.h"

using namespace forge;
using namespace forge::reference;

static Body addBody() {
  return [](const std::vector<HostTensor> &a) -> Result<std::vector<HostTensor>> {
    return std::vector<HostTensor>{*binary(BinaryOp::Add, a[0], a[1])};
  };
}

/// Rows of a matrix by number.
static GatherDimensions rowsByNumber() {
  GatherDimensions dims;
  dims.offset = {1};
  dims.collapsed = {0};
  dims.startMap = {0};
  dims.indexVectorDim = 1;
  return dims;
}

TEST(Gather, RowsClamped) {
  HostTensor table = ints({3, 2}, {1, 2, 3, 4, 5, 6});
  expectSame(gather(table, ints({4}, {2, 0, 9, -1}), rowsByNumber(), {1, 2}),
             ints({4, 2}, {5, 6, 1, 2, 5, 6, 1, 2}));
  expectSame(gather(table, ints({1}, {-1}, DType::U64), rowsByNumber(), {1, 2}),
             ints({1, 2}, {5, 6}));
  expectSame(gather(table, ints({0}, {}), rowsByNumber(), {1, 2}), ints({0, 2}, {}));
  expectError(gather(table, ints({1}, {0}), rowsByNumber(), {1, 3}), "slice sizes");
}

TEST(Gather, WindowsAndBatching) {
  HostTensor x = ints({2, 4}, {0, 1, 2, 3, 10, 11, 12, 13});
  GatherDimensions dims;
  dims.offset = {1};
  dims.operandBatching = {0};
  dims.indicesBatching = {0};
  dims.startMap = {1};
  dims.indexVectorDim = 1;
  expectSame(gather(x, ints({2, 1}, {1, 3}), dims, {1, 2}), ints({2, 2}, {1, 2, 12, 13}));
  dims = {};
  dims.offset = {0, 1};
  dims.startMap = {1, 0};
  dims.indexVectorDim = 0;
  expectSame(gather(x, ints({2}, {2, 1}), dims, {1, 2}), ints({1, 2}, {12, 13}));
}

TEST(Scatter, AddsAndLeavesOutWhatIsOutside) {
  Result<std::vector<HostTensor>> results =
      scatter({ints({3, 2}, {0, 0, 0, 0, 0, 0})}, ints({4}, {2, 0, 2, 7}),
              {ints({4, 2}, {1, 2, 3, 4, 5, 6, 7, 8})}, rowsByNumber(), addBody());
  ASSERT_TRUE(results) << results.error().message;
  expectSame((*results)[0], ints({3, 2}, {3, 4, 0, 0, 6, 8}));
}

TEST(Scatter, WindowsPartlyOutsideAreDropped) {
  GatherDimensions dims;
  dims.offset = {1};
  dims.startMap = {0};
  dims.indexVectorDim = 1;
  Result<std::vector<HostTensor>> results =
      scatter({ints({3}, {0, 0, 0})}, ints({4}, {-1, 1, 2, 0}),
              {ints({4, 2}, {1, 2, 3, 4, 5, 6, 7, 8})}, dims, addBody());
  ASSERT_TRUE(results) << results.error().message;
  expectSame((*results)[0], ints({3}, {7, 11, 4}));
}

TEST(Scatter, SeveralOperandsTogether) {
  Body swap = [](const std::vector<HostTensor> &a) -> Result<std::vector<HostTensor>> {
    return std::vector<HostTensor>{a[2], *binary(BinaryOp::Multiply, a[1], a[3])};
  };
  GatherDimensions dims = rowsByNumber();
  dims.offset = {};
  Result<std::vector<HostTensor>> results =
      scatter({ints({2}, {1, 1}), floats({2}, {2, 3})}, ints({1}, {1}),
              {ints({1}, {8}), floats({1}, {10})}, dims, swap);
  ASSERT_TRUE(results) << results.error().message;
  expectSame((*results)[0], ints({2}, {1, 8}));
  expectSame((*results)[1], floats({2}, {2, 30}));
}
