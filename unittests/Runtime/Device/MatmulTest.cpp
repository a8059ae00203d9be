// Conformance: products by the vendor's library, against products in double.
#include "ConformanceFixture.h"

#include "forge/Runtime/VendorBlas.h"
#include "forge/Support/HostTensor.h"
#include "forge/Support/SmallFloat.h"

#include <bit>
#include <cmath>
#include <cstring>

using namespace forge;
using namespace forge::test;

namespace {
class MatmulTest : public DeviceTest {
protected:
  void SetUp() override {
    DeviceTest::SetUp();
    if (IsSkipped() || HasFatalFailure())
      return;
    if (!GetParam().hasBlas)
      GTEST_SKIP() << GetParam().target << " has no library for products";
    auto made = device->createBlas();
    if (!made)
      GTEST_SKIP() << made.error().message;
    blas = std::move(*made);
  }
  void TearDown() override {
    blas.reset();
    DeviceTest::TearDown();
  }

  static DType dtype(int64_t type) {
    const DType types[] = {DType::F32,      DType::F16,    DType::BF16,
                           DType::F8E4M3FN, DType::F8E5M2, DType::F64};
    return types[type];
  }
  /// Random elements of a type, as a tensor in one dimension.
  HostTensor draw(int64_t type, int64_t count) {
    HostTensor tensor = std::move(*HostTensor::create(dtype(type), {count}));
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (int64_t i = 0; i < count; ++i)
      tensor.setDouble(i, uniform(random));
    return tensor;
  }
  char *send(const HostTensor &tensor) {
    const char *data = tensor.dataAs<char>();
    return upload(std::vector<char>(data, data + tensor.numBytes()));
  }
  void check(forge_rt_matmul product, bool withBias, bool withResidual = false);

  std::unique_ptr<rt::VendorBlas> blas;
};

/// A product of dense row-major matrices.
forge_rt_matmul dense(int64_t m, int64_t n, int64_t k, int64_t inType, int64_t outType) {
  forge_rt_matmul product{};
  product.m = m;
  product.n = n;
  product.k = k;
  product.batch = 1;
  product.lhsType = product.rhsType = inType;
  product.outType = outType;
  product.lhsStride = k;
  product.rhsStride = product.outStride = n;
  product.alpha = std::bit_cast<int64_t>(1.0);
  return product;
}
} // namespace
FORGE_FOR_ALL_DEVICES(MatmulTest);

/// What the epilogue makes of a sum.
static double expectedValue(const forge_rt_matmul &product, double sum, double added) {
  double value = std::bit_cast<double>(product.alpha) * sum + added;
  if (product.epilogue == FORGE_RT_EPILOGUE_RELU)
    return std::max(value, 0.0);
  if (product.epilogue == FORGE_RT_EPILOGUE_GELU_TANH)
    return 0.5 * value *
           (1 + std::tanh(std::sqrt(2 / M_PI) * (value + 0.044715 * value * value * value)));
  return value;
}

void MatmulTest::check(forge_rt_matmul product, bool withBias, bool withResidual) {
  SCOPED_TRACE(rt::describeMatmul(product));
  int64_t lhsRows = product.lhsTransposed ? product.k : product.m;
  int64_t rhsRows = product.rhsTransposed ? product.n : product.k;
  auto extent = [&](int64_t rows, int64_t stride, int64_t batchStride) {
    return (product.batch - 1) * batchStride + rows * stride;
  };
  HostTensor lhs =
      draw(product.lhsType, extent(lhsRows, product.lhsStride, product.lhsBatchStride));
  HostTensor rhs =
      draw(product.rhsType, extent(rhsRows, product.rhsStride, product.rhsBatchStride));
  HostTensor bias = draw(product.outType, product.n);
  HostTensor out =
      draw(product.outType, extent(product.m, product.outStride, product.outBatchStride));
  HostTensor residual = draw(product.outType, out.numElements());
  HostTensor before = out;
  char *onDevice = send(out);
  rt::MatmulOperands operands{send(lhs),
                              send(rhs),
                              withBias ? send(bias) : nullptr,
                              withResidual ? send(residual) : nullptr,
                              onDevice,
                              "a test"};
  ASSERT_OK(blas->prepare(product, operands));
  ASSERT_OK(blas->multiply(*stream, product, operands));
  ASSERT_OK(stream->copyToHost(out.data(), onDevice, out.numBytes()));
  ASSERT_OK(stream->synchronize());

  // Errors: one rounding to the output's type, and f32 accumulation of k terms.
  double epsilon = product.outType == FORGE_RT_F64    ? 0x1p-52
                   : product.outType == FORGE_RT_F32  ? 0x1p-23
                   : product.outType == FORGE_RT_F16  ? 0x1p-10
                   : product.outType == FORGE_RT_BF16 ? 0x1p-7
                                                      : 0x1p-2;
  // 8-bit floats: what matrix units add them with (DeviceABI.h). Measured on an H200: mostly below
  // 2^-13 of the terms' magnitudes, 2^-12.96 in one case of 2026-11-22 (k = 128); nothing is
  // published.
  bool float8 = product.lhsType == FORGE_RT_F8E4M3FN || product.lhsType == FORGE_RT_F8E5M2;
  double accumulation = (product.outType == FORGE_RT_F64 ? 0x1p-52 : 0x1p-23) * double(product.k);
  std::vector<bool> written(static_cast<size_t>(out.numElements()));
  for (int64_t batch = 0; batch < product.batch; ++batch)
    for (int64_t i = 0; i < product.m; ++i)
      for (int64_t j = 0; j < product.n; ++j) {
        double sum = 0, magnitude = 0;
        for (int64_t k = 0; k < product.k; ++k) {
          int64_t at =
              product.lhsTransposed ? k * product.lhsStride + i : i * product.lhsStride + k;
          int64_t to =
              product.rhsTransposed ? j * product.rhsStride + k : k * product.rhsStride + j;
          double term = lhs.getDouble(batch * product.lhsBatchStride + at) *
                        rhs.getDouble(batch * product.rhsBatchStride + to);
          sum += term;
          magnitude += std::abs(term);
        }
        int64_t index = batch * product.outBatchStride + i * product.outStride + j;
        double added =
            (withBias ? bias.getDouble(j) : 0) + (withResidual ? residual.getDouble(index) : 0);
        double expected = expectedValue(product, sum, added);
        written[static_cast<size_t>(index)] = true;
        double limit = epsilon * std::abs(expected) + 4 * accumulation + 1e-6 * epsilon;
        if (float8)
          limit += 0x1p-12 * magnitude;
        // GELU by the library's tanh: 5.2e-6 at most on an H200 (docs/gpu-h200.md).
        if (product.epilogue == FORGE_RT_EPILOGUE_GELU_TANH && product.outType != FORGE_RT_F64)
          limit += 1e-5;
        ASSERT_NEAR(out.getDouble(index), expected, limit) << batch << ", " << i << ", " << j;
      }
  for (int64_t i = 0; i < out.numElements(); ++i)
    if (!written[static_cast<size_t>(i)])
      ASSERT_EQ(out.getBits(i), before.getBits(i)) << "between the rows, at " << i;
}

TEST_P(MatmulTest, TypesAndSizes) {
  const std::pair<int64_t, int64_t> types[] = {
      {FORGE_RT_F32, FORGE_RT_F32},   {FORGE_RT_F64, FORGE_RT_F64}, {FORGE_RT_F16, FORGE_RT_F16},
      {FORGE_RT_BF16, FORGE_RT_BF16}, {FORGE_RT_F16, FORGE_RT_F32}, {FORGE_RT_BF16, FORGE_RT_F32}};
  for (auto [in, out] : types) {
    check(dense(16, 32, 64, in, out), false);
    check(dense(33, 7, 129, in, out), false);
    check(dense(1, 1, 1, in, out), false);
  }
}

TEST_P(MatmulTest, TransposedAndStrided) {
  for (int64_t type : {FORGE_RT_F32, FORGE_RT_BF16})
    for (int flags = 0; flags < 4; ++flags) {
      forge_rt_matmul product = dense(24, 40, 56, type, type);
      product.lhsTransposed = flags & 1;
      product.rhsTransposed = flags >> 1;
      product.lhsStride = (flags & 1 ? product.m : product.k) + 8;
      product.rhsStride = (flags >> 1 ? product.k : product.n) + 16;
      product.outStride = product.n + 8;
      product.alpha = std::bit_cast<int64_t>(0.125);
      check(product, false);
    }
}

TEST_P(MatmulTest, Batches) {
  forge_rt_matmul product = dense(16, 24, 32, FORGE_RT_F32, FORGE_RT_F32);
  product.batch = 5;
  product.lhsBatchStride = 16 * 32 + 4;
  product.rhsBatchStride = 32 * 24;
  product.outBatchStride = 16 * 24 + 8;
  check(product, false);
  // The same right side for all.
  product.rhsBatchStride = 0;
  check(product, false);
}

TEST_P(MatmulTest, Epilogues) {
  for (int64_t type : {FORGE_RT_F32, FORGE_RT_F16, FORGE_RT_BF16})
    for (int64_t epilogue :
         {FORGE_RT_EPILOGUE_NONE, FORGE_RT_EPILOGUE_RELU, FORGE_RT_EPILOGUE_GELU_TANH})
      for (bool bias : {false, true}) {
        forge_rt_matmul product = dense(32, 48, 64, type, type);
        product.epilogue = epilogue;
        check(product, bias);
      }
}

TEST_P(MatmulTest, Residuals) {
  for (int64_t type : {FORGE_RT_F32, FORGE_RT_F16, FORGE_RT_BF16, FORGE_RT_F64})
    for (int64_t epilogue : {FORGE_RT_EPILOGUE_NONE, FORGE_RT_EPILOGUE_RELU})
      for (bool bias : {false, true}) {
        forge_rt_matmul product = dense(32, 48, 64, type, type);
        product.epilogue = epilogue;
        if (type == FORGE_RT_F64 && (bias || epilogue))
          continue;
        check(product, bias, /*withResidual=*/true);
        product.batch = 3;
        product.lhsBatchStride = 32 * 64;
        product.rhsBatchStride = 64 * 48;
        product.outBatchStride = 32 * 48 + 16;
        check(product, bias, /*withResidual=*/true);
      }
}

TEST_P(MatmulTest, TheResidualMayBeTheOutput) {
  forge_rt_matmul product = dense(16, 16, 16, FORGE_RT_F32, FORGE_RT_F32);
  HostTensor lhs = draw(FORGE_RT_F32, 256), rhs = draw(FORGE_RT_F32, 256),
             residual = draw(FORGE_RT_F32, 256);
  char *a = send(lhs), *b = send(rhs), *apart = allocate(1024), *inPlace = send(residual);
  ASSERT_OK(blas->multiply(*stream, product, {a, b, nullptr, send(residual), apart, ""}));
  ASSERT_OK(blas->multiply(*stream, product, {a, b, nullptr, inPlace, inPlace, ""}));
  EXPECT_EQ(download(inPlace, 1024), download(apart, 1024));
}

TEST_P(MatmulTest, PointersThatAreNotAligned) {
  // The library is told how operands are aligned, and chooses by that.
  forge_rt_matmul product = dense(24, 40, 56, FORGE_RT_BF16, FORGE_RT_BF16);
  HostTensor lhs = draw(FORGE_RT_BF16, 24 * 56 + 1), rhs = draw(FORGE_RT_BF16, 56 * 40 + 1);
  char *a = send(lhs), *b = send(rhs), *aligned = allocate(24 * 40 * 2),
       *odd = allocate(24 * 40 * 2 + 2);
  ASSERT_OK(blas->multiply(*stream, product, {a, b, nullptr, nullptr, aligned, ""}));
  ASSERT_OK(blas->multiply(*stream, product, {a + 2, b + 2, nullptr, nullptr, odd + 2, ""}));
  std::vector<char> bytes = download(odd, 24 * 40 * 2 + 2);
  for (int64_t i = 0; i < 24; ++i)
    for (int64_t j = 0; j < 40; ++j) {
      double sum = 0;
      for (int64_t k = 0; k < 56; ++k)
        sum += lhs.getDouble(i * 56 + k + 1) * rhs.getDouble(k * 40 + j + 1);
      uint16_t bits;
      std::memcpy(&bits, bytes.data() + 2 + (i * 40 + j) * 2, 2);
      ASSERT_NEAR(decodeFloat(DType::BF16, bits), sum, 0x1p-7 * std::abs(sum) + 1e-4);
    }
}

TEST_P(MatmulTest, EightBitFloats) {
  // What tensor cores want: both matrices with k innermost, sizes in multiples of 16.
  forge_rt_matmul product = dense(64, 32, 128, FORGE_RT_F8E4M3FN, FORGE_RT_BF16);
  product.rhsTransposed = 1;
  product.rhsStride = product.k;
  void *probe = allocate(1 << 16);
  Result<void> possible =
      blas->prepare(product, {probe, probe, nullptr, nullptr, allocate(1 << 16), "a probe"});
  if (!possible && possible.error().message.find("no OCP 8-bit floats") != std::string::npos)
    GTEST_SKIP() << possible.error().message;
  check(product, false);
  product.outType = FORGE_RT_F32;
  check(product, false);
  product.rhsType = FORGE_RT_F8E5M2;
  check(product, false);
  // With few terms, and with many.
  for (int64_t k : {16, 2048}) {
    forge_rt_matmul other = dense(16, 16, k, FORGE_RT_F8E4M3FN, FORGE_RT_F32);
    other.rhsTransposed = 1;
    other.rhsStride = k;
    check(other, false);
  }
}

TEST_P(MatmulTest, EightBitFloatsNotOffered) {
  if (GetParam().target != std::string("cuda"))
    GTEST_SKIP() << "a rule of cuBLASLt";
  forge_rt_matmul product = dense(64, 32, 128, FORGE_RT_F8E4M3FN, FORGE_RT_F32);
  char *memory = allocate(1 << 16);
  rt::MatmulOperands operands{memory, memory, nullptr, nullptr, memory, "a test"};
  EXPECT_ERROR(blas->prepare(product, operands), "k innermost in both");
  EXPECT_ERROR(blas->multiply(*stream, product, operands),
               "got a 64x32x128 product, f8e4m3fn x f8e4m3fn -> f32");
  product.rhsTransposed = 1;
  product.rhsStride = product.k;
  product.lhsType = product.rhsType = FORGE_RT_F8E5M2;
  EXPECT_ERROR(blas->prepare(product, operands), "not f8e5m2 twice");
  product.lhsType = FORGE_RT_BF16;
  EXPECT_ERROR(blas->prepare(product, operands), "8-bit floats with 8-bit floats");
}

TEST_P(MatmulTest, InsideAGraph) {
  if (!GetParam().hasGraphs)
    GTEST_SKIP() << GetParam().target << " has no graphs";
  forge_rt_matmul product = dense(64, 64, 64, FORGE_RT_F32, FORGE_RT_F32);
  HostTensor lhs = draw(FORGE_RT_F32, 4096), rhs = draw(FORGE_RT_F32, 4096);
  char *a = send(lhs), *b = send(rhs), *plain = allocate(16384), *replayed = allocate(16384);
  ASSERT_OK(blas->multiply(*stream, product, {a, b, nullptr, nullptr, plain, ""}));
  ASSERT_OK(blas->multiply(*stream, product, {a, b, nullptr, nullptr, replayed, ""}));
  ASSERT_OK(stream->beginCapture());
  ASSERT_OK(blas->multiply(*stream, product, {a, b, nullptr, nullptr, replayed, ""}));
  auto graph = stream->endCapture();
  ASSERT_OK(graph);
  ASSERT_OK(stream->fill(replayed, 0xff, 1, 16384));
  ASSERT_OK(stream->launch(**graph));
  EXPECT_EQ(download(replayed, 16384), download(plain, 16384));
}

TEST_P(MatmulTest, WrongDescriptions) {
  forge_rt_matmul product = dense(4, 4, 4, FORGE_RT_F32, FORGE_RT_F32);
  char *memory = allocate(1024);
  rt::MatmulOperands operands{memory, memory + 256, nullptr, nullptr, memory + 512, "a test"};
  product.lhsStride = 3;
  EXPECT_ERROR(blas->multiply(*stream, product, operands), "rows of lhs at least 4");
  product.lhsStride = 4;
  product.outType = 17;
  EXPECT_ERROR(blas->multiply(*stream, product, operands), "element type");
  product.outType = FORGE_RT_F32;
  product.epilogue = 9;
  EXPECT_ERROR(blas->multiply(*stream, product, operands), "epilogue");
  product.epilogue = 0;
  operands.rhs = nullptr;
  EXPECT_ERROR(blas->multiply(*stream, product, operands), "null pointer");
}
