#include "TestTensors.h"

#include "forge/Reference/Shape.h"

using namespace forge;
using namespace forge::reference;

TEST(Shape, BroadcastInDim) {
  HostTensor row = ints({3}, {1, 2, 3});
  expectSame(broadcastInDim(row, {1}, {2, 3}), ints({2, 3}, {1, 2, 3, 1, 2, 3}));
  expectSame(broadcastInDim(row, {0}, {3, 2}), ints({3, 2}, {1, 1, 2, 2, 3, 3}));
  expectSame(broadcastInDim(ints({1, 2}, {4, 5}), {1, 0}, {2, 3}),
             ints({2, 3}, {4, 4, 4, 5, 5, 5}));
  expectSame(broadcastInDim(ints({}, {9}), {}, {0, 2}), ints({0, 2}, {}));
  expectError(broadcastInDim(row, {0}, {4}), "cannot broadcast dimension 0");
  expectError(broadcastInDim(row, {2}, {3, 3}), "broadcast dimension 2");
}

TEST(Shape, TransposeAndReshape) {
  HostTensor x = ints({2, 3}, {1, 2, 3, 4, 5, 6});
  expectSame(transpose(x, {1, 0}), ints({3, 2}, {1, 4, 2, 5, 3, 6}));
  expectSame(reshape(x, {3, 2}), ints({3, 2}, {1, 2, 3, 4, 5, 6}));
  expectError(transpose(x, {0, 0}), "no permutation");
  expectError(reshape(x, {4}), "cannot reshape");
}

TEST(Shape, SliceWithStrides) {
  HostTensor x = ints({2, 5}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  expectSame(slice(x, {0, 1}, {2, 5}, {1, 3}), ints({2, 2}, {1, 4, 6, 9}));
  expectSame(slice(x, {1, 2}, {1, 2}, {1, 1}), ints({0, 0}, {}));
  expectSame(slice(x, {1, 0}, {2, 1}, {INT64_MAX, INT64_MAX}), ints({1, 1}, {5}));
  expectError(slice(x, {0, 0}, {2, 6}, {1, 1}), "does not fit dimension 1");
}

TEST(Shape, DynamicSlicesAreMovedInside) {
  HostTensor x = ints({5}, {0, 1, 2, 3, 4});
  expectSame(dynamicSlice(x, {9}, {2}), ints({2}, {3, 4}));
  expectSame(dynamicSlice(x, {-9}, {2}), ints({2}, {0, 1}));
  expectSame(dynamicUpdateSlice(x, ints({2}, {7, 8}), {4}), ints({5}, {0, 1, 2, 7, 8}));
  expectSame(dynamicUpdateSlice(x, ints({0}, {}), {4}), x);
  expectError(dynamicSlice(x, {0}, {6}), "slice size 6");
}

TEST(Shape, InsertSliceStaysInside) {
  HostTensor x = ints({2, 5}, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  expectSame(insertSlice(x, ints({1, 2}, {7, 8}), {1, 1}, {1, 3}),
             ints({2, 5}, {0, 0, 0, 0, 0, 0, 7, 0, 0, 8}));
  expectSame(insertSlice(x, ints({0, 2}, {}), {0, 0}, {1, 1}), x);
  expectError(insertSlice(x, ints({1, 2}, {7, 8}), {1, 2}, {1, 3}), "does not fit dimension 1");
  expectError(insertSlice(x, ints({2}, {7, 8}), {1}, {1}), "cannot insert");
}

TEST(Shape, Concatenate) {
  expectSame(concatenate({ints({1, 2}, {1, 2}), ints({0, 2}, {}), ints({2, 2}, {3, 4, 5, 6})}, 0),
             ints({3, 2}, {1, 2, 3, 4, 5, 6}));
  expectSame(concatenate({ints({2, 1}, {1, 2}), ints({2, 2}, {3, 4, 5, 6})}, 1),
             ints({2, 3}, {1, 3, 4, 2, 5, 6}));
  expectError(concatenate({ints({1, 2}, {1, 2}), ints({1, 3}, {1, 2, 3})}, 0),
              "cannot concatenate");
}

TEST(Shape, PadInteriorAndNegative) {
  HostTensor x = ints({3}, {1, 2, 3}), zero = ints({}, {0});
  expectSame(pad(x, zero, {1}, {2}, {1}), ints({8}, {0, 1, 0, 2, 0, 3, 0, 0}));
  expectSame(pad(x, zero, {-1}, {-1}, {1}), ints({3}, {0, 2, 0}));
  expectSame(pad(x, zero, {-1}, {1}, {0}), ints({3}, {2, 3, 0}));
  expectSame(pad(ints({0}, {}), zero, {1}, {1}, {3}), ints({2}, {0, 0}));
  expectError(pad(x, zero, {-3}, {-1}, {0}), "invalid size");
  expectError(pad(x, zero, {INT64_MAX}, {1}, {0}), "invalid size");
}

TEST(Shape, ReverseAndIota) {
  expectSame(reverse(ints({2, 2}, {1, 2, 3, 4}), {0}), ints({2, 2}, {3, 4, 1, 2}));
  expectSame(reverse(ints({2, 2}, {1, 2, 3, 4}), {0, 1}), ints({2, 2}, {4, 3, 2, 1}));
  expectSame(iota(DType::I32, {2, 3}, 1), ints({2, 3}, {0, 1, 2, 0, 1, 2}));
  expectSame(iota(DType::F32, {3}, 0), floats({3}, {0, 1, 2}));
  expectError(iota(DType::I32, {3}, 1), "no dimension 1");
}

TEST(Shape, SizesAreCheckedBeforeMemoryIsTaken) {
  HostTensor one = ints({}, {1});
  expectError(broadcastInDim(one, {}, {int64_t{1} << 40, int64_t{1} << 40}),
              "does not fit 64 bits");
  expectError(iota(DType::I8, {-1}, 0), "negative dimension");
}
