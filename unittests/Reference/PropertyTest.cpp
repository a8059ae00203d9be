// Laws that hold for any input, tried on random ones.
#include "TestTensors.h"

#include "forge/Reference/Contraction.h"
#include "forge/Reference/Elementwise.h"
#include "forge/Reference/Reduce.h"
#include "forge/Reference/Sort.h"

#include <rapidcheck.h>

#include <algorithm>

using namespace forge;
using namespace forge::reference;

static Dims randomDims(size_t rank) {
  return *rc::gen::container<Dims>(rank, rc::gen::inRange<int64_t>(0, 5));
}

static HostTensor randomInts(const Dims &dims, DType type = DType::I32) {
  HostTensor tensor = *HostTensor::create(type, dims);
  for (int64_t i = 0; i < tensor.numElements(); ++i)
    setInteger(tensor, i, *rc::gen::arbitrary<uint64_t>());
  return tensor;
}

static bool same(const HostTensor &a, const HostTensor &b) {
  return a.type() == b.type() && a.dims() == b.dims() && intsOf(a) == intsOf(b);
}

TEST(Property, TransposeTwiceIsIdentity) {
  EXPECT_TRUE(rc::check([] {
    HostTensor x = randomInts(randomDims(3));
    Dims permutation = {0, 1, 2}, inverse(3);
    std::rotate(permutation.begin(), permutation.begin() + *rc::gen::inRange(0, 3),
                permutation.end());
    for (int64_t d = 0; d < 3; ++d)
      inverse[permutation[d]] = d;
    RC_ASSERT(same(*transpose(*transpose(x, permutation), inverse), x));
  }));
}

TEST(Property, NegativePaddingUndoesPadding) {
  EXPECT_TRUE(rc::check([] {
    HostTensor x = randomInts(randomDims(2)), value = randomInts({});
    Dims low = *rc::gen::container<Dims>(2, rc::gen::inRange<int64_t>(0, 4));
    Dims high = *rc::gen::container<Dims>(2, rc::gen::inRange<int64_t>(0, 4));
    Dims lowBack = {-low[0], -low[1]}, highBack = {-high[0], -high[1]};
    HostTensor padded = *pad(x, value, low, high, {0, 0});
    RC_ASSERT(same(*pad(padded, value, lowBack, highBack, {0, 0}), x));
  }));
}

TEST(Property, DivisionAndRemainderBelongTogether) {
  EXPECT_TRUE(rc::check([] {
    DType type = *rc::gen::element(DType::I8, DType::U8, DType::I32, DType::U64);
    HostTensor x = randomInts({8}, type), y = randomInts({8}, type);
    HostTensor product = *binary(BinaryOp::Multiply, *binary(BinaryOp::Divide, x, y), y);
    HostTensor sum = *binary(BinaryOp::Add, product, *binary(BinaryOp::Remainder, x, y));
    RC_ASSERT(same(sum, x)); // also where y is 0: all ones times 0, plus x
  }));
}

TEST(Property, ReductionInTwoStepsIsOne) {
  EXPECT_TRUE(rc::check([] {
    HostTensor x = randomInts(randomDims(3)), zero = ints({}, {0});
    HostTensor inner = *reduce(x, zero, {2}, BinaryOp::Add, DType::I32);
    RC_ASSERT(same(*reduce(inner, zero, {0}, BinaryOp::Add, DType::I32),
                   *reduce(x, zero, {0, 2}, BinaryOp::Add, DType::I32)));
  }));
}

TEST(Property, MatrixProductIsAReductionOfProducts) {
  EXPECT_TRUE(rc::check([] {
    Dims dims = randomDims(3); // [m, k], [k, n]
    HostTensor a = randomInts({dims[0], dims[1]}), b = randomInts({dims[1], dims[2]});
    HostTensor left = *broadcastInDim(a, {0, 1}, dims), right = *broadcastInDim(b, {1, 2}, dims);
    HostTensor sums = *reduce(*binary(BinaryOp::Multiply, left, right), ints({}, {0}), {1},
                              BinaryOp::Add, DType::I32);
    RC_ASSERT(same(*dotGeneral(a, b, {{}, {}, {1}, {0}}, DType::I32), sums));
  }));
}

TEST(Property, SortedIsOrderedPermutation) {
  EXPECT_TRUE(rc::check([] {
    HostTensor x = randomInts({*rc::gen::inRange<int64_t>(0, 20)});
    Body less = [](const std::vector<HostTensor> &a) -> Result<std::vector<HostTensor>> {
      return std::vector<HostTensor>{*compare(Direction::LT, false, a[0], a[1])};
    };
    std::vector<int64_t> sorted = intsOf((*sort({x}, 0, less))[0]), plain = intsOf(x);
    std::sort(plain.begin(), plain.end());
    RC_ASSERT(sorted == plain);
  }));
}

TEST(Property, ConversionThroughAWiderTypeChangesNothing) {
  EXPECT_TRUE(rc::check([] {
    DType type = *rc::gen::element(DType::I8, DType::U8, DType::I16, DType::U32, DType::I4);
    HostTensor x = randomInts({8}, type);
    RC_ASSERT(same(*convert(*convert(x, DType::F64), type), x));
    RC_ASSERT(same(*convert(*convert(x, DType::I64), type), x));
  }));
}

TEST(Property, BitcastThereAndBack) {
  EXPECT_TRUE(rc::check([] {
    HostTensor x = randomInts({3, 2}, DType::U64);
    DType type = *rc::gen::element(DType::F32, DType::U8, DType::BF16, DType::I4, DType::F64);
    RC_ASSERT(same(*bitcastConvert(*bitcastConvert(x, type), DType::U64), x));
  }));
}
