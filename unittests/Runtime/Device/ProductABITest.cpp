// Conformance: what compiled code asks of the vendor's library, and what it is told where the
// library does not do it.
#include "CompiledCodeFixture.h"

#include <algorithm>

using namespace forge;
using namespace forge::test;

namespace {
/// A memref of f32 on the device, as compiled code has it.
struct Buffer {
  /// Dense.
  Buffer(void *data, const std::vector<int64_t> &sizes) : Buffer(data, sizes, stridesOf(sizes)) {}
  Buffer(void *data, const std::vector<int64_t> &sizes, const std::vector<int64_t> &strides)
      : rank(static_cast<int64_t>(sizes.size())) {
    words = {reinterpret_cast<int64_t>(data), reinterpret_cast<int64_t>(data), 0};
    words.insert(words.end(), sizes.begin(), sizes.end());
    words.insert(words.end(), strides.begin(), strides.end());
  }
  static std::vector<int64_t> stridesOf(const std::vector<int64_t> &sizes) {
    std::vector<int64_t> strides(sizes.size(), 1);
    for (size_t dim = sizes.size(); dim-- > 1;)
      strides[dim - 1] = strides[dim] * sizes[dim];
    return strides;
  }
  int64_t rank;
  std::vector<int64_t> words;
};

class ProductABITest : public CompiledCodeTest {
protected:
  /// What the runtime answers, asked from compiled code: relu(lhs * rhs + residual + bias).
  int32_t ask(Buffer lhs, Buffer rhs, Buffer bias, Buffer residual, Buffer out, int64_t least,
              bool follows = true) {
    int32_t answer = -1;
    EXPECT_OK(run([&] {
      answer = forge_rt_device_product_f32_f32(
          lhs.rank, lhs.words.data(), rhs.rank, rhs.words.data(), bias.rank, bias.words.data(),
          residual.rank, residual.words.data(), out.rank, out.words.data(), follows, follows,
          follows ? FORGE_RT_EPILOGUE_RELU : FORGE_RT_EPILOGUE_NONE, least);
    }));
    return answer;
  }
};
} // namespace
FORGE_FOR_ALL_DEVICES(ProductABITest);

TEST_P(ProductABITest, DoneOrLeftToTheCaller) {
  // lhs [3, 2], rhs [4, 2] transposed: small integers, which every order of sums adds exactly.
  std::vector<float> lhs = {1, 2, -3, 4, 5, -6}, rhs = {1, 0, 0, 1, 2, 2, -1, 3},
                     bias = {10, 20, 30, -40}, residual(12, 1), before(12, 77);
  float *x = upload(lhs), *w = upload(rhs), *b = upload(bias), *r = upload(residual),
        *y = upload(before);
  Buffer left(x, {1, 3, 2}), right(w, {1, 2, 4}, {8, 1, 2}), added(b, {4}), kept(r, {3, 4}),
      out(y, {1, 3, 4});
  // Fewer multiplications than the library is worth: nothing is done.
  EXPECT_EQ(ask(left, right, added, kept, out, 25), 0);
  EXPECT_EQ(download(y, 12), before);
  // A sum of nothing is the caller's.
  EXPECT_EQ(ask(Buffer(x, {1, 3, 0}), Buffer(w, {1, 0, 4}), added, kept, out, 0), 0);
  EXPECT_EQ(download(y, 12), before);
  bool hasLibrary = static_cast<bool>(device->createBlas());
  ASSERT_EQ(ask(left, right, added, kept, out, 24), hasLibrary);
  if (!hasLibrary)
    return;
  std::vector<float> expected;
  for (size_t i = 0; i < 3; ++i)
    for (size_t j = 0; j < 4; ++j)
      expected.push_back(
          std::max(0.0f, lhs[2 * i] * rhs[2 * j] + lhs[2 * i + 1] * rhs[2 * j + 1] + 1 + bias[j]));
  EXPECT_EQ(download(y, 12), expected);
}

TEST_P(ProductABITest, MatricesOfABatchWithTheirRowsSideBySide) {
  // y[t, e, n] = sum over k of x[t, e, k] * w[e, n, k], in memory as written: two matrices of two
  // rows, sums of three terms.
  std::vector<float> lhs = {1, 2, 3, 4, 5, 6, -1, -2, -3, 7, 8, 9},
                     rhs = {1, 0, 0, 0, 1, 2, 2, 0, 1, -1, 3, 0}, before(8, 77);
  float *x = upload(lhs), *w = upload(rhs), *y = upload(before);
  Buffer left(x, {2, 2, 3}, {3, 6, 1}), right(w, {2, 3, 2}, {6, 1, 3}),
      out(y, {2, 2, 2}, {2, 4, 1});
  bool hasLibrary = static_cast<bool>(device->createBlas());
  ASSERT_EQ(ask(left, right, out, out, out, 0, /*follows=*/false), hasLibrary);
  if (hasLibrary) {
    std::vector<float> expected(8);
    for (size_t t = 0; t < 2; ++t)
      for (size_t e = 0; e < 2; ++e)
        for (size_t n = 0; n < 2; ++n)
          for (size_t k = 0; k < 3; ++k)
            expected[4 * t + 2 * e + n] += lhs[6 * t + 3 * e + k] * rhs[6 * e + 3 * n + k];
    EXPECT_EQ(download(y, 8), expected);
  }
  // Neither rows nor columns of a factor, or no columns of the result, are side by side: left to
  // the caller.
  Buffer apart(x, {1, 2, 2}, {8, 4, 2}), dense(w, {1, 2, 2}), matrix(y, {1, 2, 2}),
      transposed(y, {1, 2, 2}, {4, 1, 2});
  EXPECT_EQ(ask(apart, dense, matrix, matrix, matrix, 0, /*follows=*/false), 0);
  EXPECT_EQ(ask(dense, dense, matrix, matrix, transposed, 0, /*follows=*/false), 0);
}
