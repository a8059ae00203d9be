// Conformance: attention by the vendor's library, against attention in double.
#include "ConformanceFixture.h"

#include "forge/Runtime/VendorAttention.h"
#include "forge/Support/HostTensor.h"

#include <cmath>

using namespace forge;
using namespace forge::test;

namespace {
class AttentionTest : public DeviceTest {
protected:
  void SetUp() override {
    DeviceTest::SetUp();
    if (IsSkipped() || HasFatalFailure())
      return;
    if (device->driverName() != "cuda")
      GTEST_SKIP() << "cuDNN is for cuda";
    auto made = rt::createCudnn(device);
    if (!made)
      GTEST_SKIP() << made.error().message;
    library = std::move(*made);
  }
  void TearDown() override {
    library.reset();
    DeviceTest::TearDown();
  }

  HostTensor draw(DType type, int64_t count) {
    HostTensor tensor = std::move(*HostTensor::create(type, {count}));
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (int64_t i = 0; i < count; ++i)
      tensor.setDouble(i, uniform(random));
    return tensor;
  }
  char *send(const HostTensor &tensor) {
    const char *data = tensor.dataAs<char>();
    return upload(std::vector<char>(data, data + tensor.numBytes()));
  }
  void check(const rt::AttentionCall &call);

  std::unique_ptr<rt::VendorAttention> library;
};

/// Everything contiguous.
rt::AttentionCall dense(int64_t batch, int64_t heads, int64_t keyHeads, int64_t rows, int64_t keys,
                        int64_t depth) {
  rt::AttentionCall call;
  call.batch = batch;
  call.heads = heads;
  call.keyHeads = keyHeads;
  call.rows = rows;
  call.keys = keys;
  call.depth = call.columns = depth;
  call.scale = 1 / std::sqrt(static_cast<double>(depth));
  call.queryStrides = {heads * rows * depth, rows * depth, depth};
  call.keyStrides = call.valueStrides = {keyHeads * keys * depth, keys * depth, depth};
  return call;
}

/// One row of the result.
std::vector<double> rowOf(const rt::AttentionCall &call, const HostTensor &query,
                          const HostTensor &key, const HostTensor &value, int64_t b, int64_t h,
                          int64_t r) {
  auto at = [](const rt::AttentionCall::Strides &strides, int64_t batch, int64_t head,
               int64_t row) { return batch * strides[0] + head * strides[1] + row * strides[2]; };
  int64_t keyHead = h / (call.heads / call.keyHeads);
  int64_t seen = call.causal ? std::min(call.keys, r + 1) : call.keys;
  std::vector<double> weights;
  double sum = 0, largest = -INFINITY;
  for (int64_t t = 0; t < seen; ++t) {
    double score = 0;
    for (int64_t d = 0; d < call.depth; ++d)
      score += query.getDouble(at(call.queryStrides, b, h, r) + d) *
               key.getDouble(at(call.keyStrides, b, keyHead, t) + d);
    weights.push_back(call.scale * score);
    largest = std::max(largest, weights.back());
  }
  for (double &weight : weights)
    sum += weight = std::exp(weight - largest);
  std::vector<double> row(static_cast<size_t>(call.columns));
  for (int64_t t = 0; t < seen; ++t)
    for (int64_t c = 0; c < call.columns; ++c)
      row[static_cast<size_t>(c)] += weights[static_cast<size_t>(t)] / sum *
                                     value.getDouble(at(call.valueStrides, b, keyHead, t) + c);
  return row;
}

void AttentionTest::check(const rt::AttentionCall &call) {
  DType type = call.type == FORGE_RT_F16 ? DType::F16 : DType::BF16;
  int64_t queries = call.batch * call.heads * call.rows * call.depth,
          keys = call.batch * call.keyHeads * call.keys * call.depth,
          results = call.batch * call.heads * call.rows * call.columns;
  HostTensor query = draw(type, queries), key = draw(type, keys), value = draw(type, keys);
  HostTensor out = std::move(*HostTensor::create(type, {results}));
  char *result = send(out);
  ASSERT_OK(library->attend(*stream, call, {send(query), send(key), send(value), result}));
  ASSERT_OK(stream->copyToHost(out.data(), result, out.numBytes()));
  ASSERT_OK(stream->synchronize());
  // Weights are rounded to the type on the way; values are below 1.
  double tolerance = type == DType::F16 ? 0x1p-9 : 0x1p-6;
  auto [batch, head, row] = call.outStrides();
  for (int64_t b = 0; b < call.batch; ++b)
    for (int64_t h = 0; h < call.heads; ++h)
      for (int64_t r = 0; r < call.rows; ++r) {
        std::vector<double> expected = rowOf(call, query, key, value, b, h, r);
        for (int64_t c = 0; c < call.columns; ++c)
          ASSERT_NEAR(out.getDouble(b * batch + h * head + r * row + c),
                      expected[static_cast<size_t>(c)], tolerance)
              << b << " " << h << " " << r << " " << c;
      }
}

FORGE_FOR_ALL_DEVICES(AttentionTest);

TEST_P(AttentionTest, OfManyRows) { check(dense(2, 4, 4, 64, 64, 64)); }

TEST_P(AttentionTest, Causal) {
  rt::AttentionCall call = dense(2, 4, 2, 128, 128, 64);
  call.causal = true;
  check(call);
}

TEST_P(AttentionTest, OfOneRowAndGroupedHeads) { check(dense(3, 8, 2, 1, 256, 128)); }

TEST_P(AttentionTest, InF16WithHeadsInside) {
  rt::AttentionCall call = dense(2, 4, 4, 64, 128, 64);
  call.type = FORGE_RT_F16;
  call.queryStrides = {4 * 64 * 64, 64, 4 * 64};
  call.keyStrides = {4 * 128 * 64, 64, 4 * 64};
  check(call);
}

TEST_P(AttentionTest, TwiceBySamePlan) {
  rt::AttentionCall call = dense(1, 2, 2, 64, 64, 64);
  check(call);
  check(call);
}

TEST_P(AttentionTest, RefusalNamesTheAttention) {
  EXPECT_ERROR(library->prepare(dense(1, 2, 2, 64, 64, 63)),
               "has no plan for attention, batch 1, 2 heads, 64 rows, 64 keys, depth 63, bf16: ");
  EXPECT_ERROR(library->prepare(dense(1, 3, 2, 64, 64, 64)),
               "expected heads that are a multiple of those of keys");
}

} // namespace
