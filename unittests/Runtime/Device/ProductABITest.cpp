// Conformance: what compiled code asks of the vendor's library, and what it is told where the
// library does not do it.
#include "CompiledCodeFixture.h"

#include <algorithm>

using namespace forge;
using namespace forge::test;

namespace {
/// A dense memref of f32 on the device, as compiled code has it.
struct Buffer {
  Buffer(void *data, std::vector<int64_t> sizes) : rank(static_cast<int64_t>(sizes.size())) {
    words = {reinterpret_cast<int64_t>(data), reinterpret_cast<int64_t>(data), 0};
    words.insert(words.end(), sizes.begin(), sizes.end());
    for (size_t dim = 0; dim < sizes.size(); ++dim) {
      int64_t stride = 1;
      for (size_t inner = dim + 1; inner < sizes.size(); ++inner)
        stride *= sizes[inner];
      words.push_back(stride);
    }
  }
  int64_t rank;
  std::vector<int64_t> words;
};

class ProductABITest : public CompiledCodeTest {
protected:
  /// What the runtime answers, asked from compiled code: relu(lhs * rhs + residual + bias).
  int32_t ask(Buffer lhs, Buffer rhs, Buffer bias, Buffer residual, Buffer out, int64_t least) {
    int32_t answer = -1;
    EXPECT_OK(run([&] {
      answer = forge_rt_device_product_f32_f32(
          lhs.rank, lhs.words.data(), rhs.rank, rhs.words.data(), bias.rank, bias.words.data(),
          residual.rank, residual.words.data(), out.rank, out.words.data(), 0, 1, 1, 0, 1, 1, 1,
          FORGE_RT_EPILOGUE_RELU, least);
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
  Buffer left(x, {3, 2}), right(w, {4, 2}), added(b, {4}), kept(r, {3, 4}), out(y, {3, 4});
  // Fewer multiplications than the library is worth: nothing is done.
  EXPECT_EQ(ask(left, right, added, kept, out, 25), 0);
  EXPECT_EQ(download(y, 12), before);
  // A sum of nothing is the caller's.
  EXPECT_EQ(ask(Buffer(x, {3, 0}), Buffer(w, {4, 0}), added, kept, out, 0), 0);
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
