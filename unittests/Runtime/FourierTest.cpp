// Transforms by FFTW, where it is installed, and by plain loops, compared with sums in long double.
#include "forge/Runtime/Fourier.h"
#include "../../lib/Runtime/Fourier/PlainFourier.h"

#include "forge/Runtime/CABI.h"
#include "forge/Runtime/Context.h"

#include <cmath>
#include <complex>
#include <cstdlib>
#include <gtest/gtest.h>
#include <limits>
#include <numbers>
#include <random>
#include <thread>

using namespace forge;
using namespace forge::rt;

using Sizes = std::vector<int64_t>;
using Exact = std::vector<std::complex<long double>>;

static int64_t count(const Sizes &sizes) {
  int64_t product = 1;
  for (int64_t size : sizes)
    product *= size;
  return product;
}

/// A tensor of numbers, dense in the order that `order` has its dimensions, outermost first.
template <typename T> struct Tensor {
  explicit Tensor(Sizes sizes, Sizes order = {}) : sizes(sizes) {
    data.resize(static_cast<size_t>(count(sizes)));
    words = {0, 0, 0};
    words.insert(words.end(), sizes.begin(), sizes.end());
    words.resize(3 + 2 * sizes.size());
    for (size_t i = 0; order.size() < sizes.size(); ++i)
      order.push_back(static_cast<int64_t>(i));
    int64_t stride = 1;
    for (size_t i = order.size(); i-- > 0;) {
      auto dim = static_cast<size_t>(order[i]);
      words[3 + sizes.size() + dim] = stride;
      stride *= sizes[dim];
    }
  }
  MemRef memref() {
    words[0] = words[1] = reinterpret_cast<int64_t>(data.data());
    return MemRef(static_cast<int64_t>(sizes.size()), words.data());
  }
  /// The element that is the `index`th in row-major order.
  T &at(int64_t index) {
    int64_t place = 0;
    for (size_t dim = sizes.size(); dim-- > 0;) {
      place += index % sizes[dim] * words[3 + sizes.size() + dim];
      index /= sizes[dim];
    }
    return data[static_cast<size_t>(place)];
  }
  Sizes sizes;
  std::vector<T> data;
  Sizes words;
};

static void sumAlong(Exact &z, const Sizes &sizes, size_t dim, int sign) {
  int64_t inner = 1, n = sizes[dim];
  for (size_t i = dim + 1; i < sizes.size(); ++i)
    inner *= sizes[i];
  Exact roots;
  for (int64_t k = 0; k < n; ++k)
    roots.push_back(
        std::polar(1.0L, sign * 2 * std::numbers::pi_v<long double> * static_cast<long double>(k) /
                             static_cast<long double>(n)));
  Exact from = z;
  for (int64_t at = 0; at < static_cast<int64_t>(z.size()); ++at) {
    int64_t k = at / inner % n, first = at - k * inner;
    std::complex<long double> sum = 0;
    for (int64_t j = 0; j < n; ++j)
      sum += from[static_cast<size_t>(first + j * inner)] * roots[static_cast<size_t>(j * k % n)];
    z[static_cast<size_t>(at)] = sum;
  }
}

/// The transform of `z`, all of whose last dimension is there.
static Exact sums(FourierKind kind, Exact z, const Sizes &sizes, size_t dims) {
  bool backward = kind == FourierKind::Backward || kind == FourierKind::ToReal;
  long double factor = 1;
  for (size_t dim = sizes.size() - dims; dim < sizes.size(); ++dim) {
    sumAlong(z, sizes, dim, backward ? 1 : -1);
    if (backward)
      factor /= static_cast<long double>(sizes[dim]);
  }
  for (auto &value : z)
    value *= factor;
  return z;
}

struct Case {
  FourierKind kind;
  Sizes sizes; // of the real tensor, or of the complex ones
  size_t dims;
  Sizes inOrder = {}, outOrder = {};
};

static Sizes halved(Sizes sizes) {
  sizes.back() = sizes.back() / 2 + 1;
  return sizes;
}
static Sizes withParts(Sizes sizes) {
  sizes.push_back(2);
  return sizes;
}

template <typename T> static Result<void> callLibrary(const Case &test, MemRef in, MemRef out) {
  auto dims = static_cast<int64_t>(test.dims);
  if constexpr (sizeof(T) == 4)
    return transformF32(test.kind, dims, in, out);
  else
    return transformF64(test.kind, dims, in, out);
}

template <typename T> static Result<void> callLoops(const Case &test, MemRef in, MemRef out) {
  Result<FourierProblem> problem =
      describeTransform(test.kind, static_cast<int64_t>(test.dims), in, out);
  if (!problem)
    return problem.error();
  if (problem->lengths.empty())
    return {};
  auto *result = reinterpret_cast<T *>(out.base(sizeof(T)));
  transformPlainly(*problem, reinterpret_cast<const T *>(in.base(sizeof(T))), result);
  for (int64_t i = 0; problem->isBackward() && i < out.numElements(); ++i)
    result[i] = static_cast<T>(result[i] / problem->points());
  return {};
}

template <typename T, typename Call> static void check(const Case &test, Call call) {
  bool fromReal = test.kind == FourierKind::FromReal, toReal = test.kind == FourierKind::ToReal;
  Sizes inSizes = fromReal ? test.sizes : withParts(toReal ? halved(test.sizes) : test.sizes);
  Sizes outSizes = toReal ? test.sizes : withParts(fromReal ? halved(test.sizes) : test.sizes);
  Tensor<T> in(inSizes, test.inOrder), out(outSizes, test.outOrder);
  std::mt19937 random(7);
  std::uniform_real_distribution<T> distribution(-1, 1);
  for (T &value : in.data)
    value = distribution(random);
  std::vector<T> before = in.data;
  Result<void> done = call(test, in.memref(), out.memref());
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(in.data, before);
  if (count(outSizes) == 0)
    return;
  int64_t n = test.sizes.back(), half = n / 2 + 1, lines = count(test.sizes) / n;
  Exact z(static_cast<size_t>(lines * n));
  auto complexAt = [](Tensor<T> &tensor, int64_t at) {
    return std::complex<long double>(tensor.at(2 * at), tensor.at(2 * at + 1));
  };
  if (!toReal) {
    for (int64_t i = 0; i < lines * n; ++i)
      z[static_cast<size_t>(i)] = fromReal ? in.at(i) : complexAt(in, i);
    z = sums(test.kind, z, test.sizes, test.dims);
  } else {
    // All but the last dimension on the half that is there; then the conjugates, without imaginary
    // parts of numbers that are their own.
    Exact some(static_cast<size_t>(lines * half));
    for (int64_t i = 0; i < lines * half; ++i)
      some[static_cast<size_t>(i)] = complexAt(in, i);
    Sizes sizes = halved(test.sizes);
    long double factor = 1;
    for (size_t dim = sizes.size() - test.dims; dim + 1 < sizes.size(); ++dim) {
      sumAlong(some, sizes, dim, 1);
      factor /= static_cast<long double>(sizes[dim]);
    }
    for (int64_t i = 0; i < lines * n; ++i) {
      int64_t k = i % n, from = i / n * half + (k < half ? k : n - k);
      std::complex<long double> value = some[static_cast<size_t>(from)] * factor;
      z[static_cast<size_t>(i)] = 2 * k % n == 0 ? value.real()
                                  : k < half     ? value
                                                 : std::conj(value);
    }
    z = sums(test.kind, z, test.sizes, 1);
  }
  long double largest = 0, error = 0;
  for (int64_t i = 0; i < count(toReal     ? test.sizes
                                : fromReal ? halved(test.sizes)
                                           : test.sizes);
       ++i) {
    int64_t at = fromReal ? i / half * n + i % half : i;
    std::complex<long double> expected = z[static_cast<size_t>(at)];
    std::complex<long double> actual =
        toReal ? std::complex<long double>(out.at(i)) : complexAt(out, i);
    largest = std::max(largest, std::abs(expected));
    error = std::max(error, std::abs(actual - expected));
  }
  EXPECT_LE(error, 16 * static_cast<long double>(std::numeric_limits<T>::epsilon()) * largest);
}

static void checkAll(const Case &test) {
  std::string sizes;
  for (int64_t size : test.sizes)
    sizes += std::to_string(size) + " ";
  SCOPED_TRACE("kind " + std::to_string(static_cast<int64_t>(test.kind)) + ", sizes " + sizes +
               ", dims " + std::to_string(test.dims));
  check<float>(test, callLibrary<float>);
  check<double>(test, callLibrary<double>);
  if (test.outOrder.empty()) { // callLoops scales dense results
    check<float>(test, callLoops<float>);
    check<double>(test, callLoops<double>);
  }
}

static const FourierKind allKinds[] = {FourierKind::Forward, FourierKind::Backward,
                                       FourierKind::FromReal, FourierKind::ToReal};

TEST(Fourier, AnyLength) {
  for (FourierKind kind : allKinds)
    for (int64_t n : {1, 2, 3, 4, 5, 7, 8, 12, 16, 61, 67, 97, 100, 128, 131, 255, 262, 509, 1009})
      checkAll({kind, {2, n}, 1});
}

TEST(Fourier, SeveralDimensions) {
  for (FourierKind kind : allKinds)
    for (const Sizes &sizes :
         {Sizes{4, 6}, {5, 7}, {1, 7}, {7, 1}, {1, 1}, {2, 3, 5}, {4, 5, 8}, {3, 1, 2}, {3, 67, 4}})
      for (size_t dims = 1; dims <= sizes.size(); ++dims)
        checkAll({kind, sizes, dims});
}

TEST(Fourier, BatchesOfAnyShape) {
  for (FourierKind kind : allKinds) {
    checkAll({kind, {9}, 1});
    checkAll({kind, {2, 3, 4, 10}, 1});
    checkAll({kind, {2, 3, 4, 5, 6}, 3});
    checkAll({kind, {3000, 16}, 1}); // shared out to threads
    checkAll({kind, {1, 0, 8}, 1});
    checkAll({kind, {0, 4, 4}, 2});
  }
  checkAll({FourierKind::Forward, {3, 0}, 1});
  checkAll({FourierKind::Backward, {0, 3}, 2});
}

TEST(Fourier, AnyStrides) {
  // Lines that are not innermost, parts that are not next to each other.
  for (FourierKind kind : {FourierKind::Forward, FourierKind::Backward}) {
    checkAll({kind, {12, 10}, 1, {1, 0, 2}, {}});
    checkAll({kind, {12, 10}, 1, {2, 0, 1}, {1, 0, 2}});
    checkAll({kind, {4, 6, 10}, 2, {1, 2, 0, 3}, {2, 3, 0, 1}});
  }
  checkAll({FourierKind::FromReal, {12, 10}, 1, {1, 0}, {2, 1, 0}});
  checkAll({FourierKind::ToReal, {12, 10}, 1, {2, 1, 0}, {1, 0}});
  checkAll({FourierKind::ToReal, {4, 6, 10}, 2, {3, 1, 0, 2}, {2, 0, 1}});
}

TEST(Fourier, ManyThreadsAndPlans) {
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread)
    threads.emplace_back([thread] {
      for (int64_t n = 1; n < 120; ++n)
        check<float>({allKinds[thread], {3, n}, 1}, callLibrary<float>);
    });
  for (std::thread &thread : threads)
    thread.join();
}

TEST(Fourier, MisfitsAreErrors) {
  auto message = [](FourierKind kind, int64_t dims, Sizes in, Sizes out) {
    Tensor<float> input(in), output(out);
    Result<void> done = transformF32(kind, dims, input.memref(), output.memref());
    return done ? std::string() : done.error().message;
  };
  EXPECT_EQ(message(FourierKind::Forward, 1, {3, 4, 2}, {3, 5, 2}),
            "Fourier transform of 3x4x2 to 3x5x2: sizes 4 and 5 do not fit each other");
  EXPECT_NE(message(FourierKind::FromReal, 1, {3, 4}, {3, 4, 2}), "");
  EXPECT_NE(message(FourierKind::ToReal, 1, {3, 4, 2}, {3, 4}), "");
  EXPECT_NE(message(FourierKind::ToReal, 1, {3, 0, 2}, {3, 4}), "");
  EXPECT_NE(message(FourierKind::Forward, 1, {3, 4}, {3, 4}), "");
  EXPECT_NE(message(FourierKind::Forward, 4, {2, 2, 2, 2, 2}, {2, 2, 2, 2, 2}), "");
  EXPECT_NE(message(FourierKind::Forward, 0, {2, 2}, {2, 2}), "");
  EXPECT_NE(message(FourierKind::Forward, 2, {4, 2}, {4, 2}), "");
  EXPECT_NE(message(static_cast<FourierKind>(4), 1, {4, 2}, {4, 2}), "");
}

TEST(Fourier, AnErrorEndsTheRun) {
  static int64_t in[] = {0, 0, 0, 4, 2, 2, 1}, out[] = {0, 0, 0, 5, 2, 2, 1};
  Context context;
  Result<void> done = context.run([](void **) { forge_rt_fft_f32(0, 1, 2, in, 2, out); }, nullptr);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().message,
            "Fourier transform of 4x2 to 5x2: sizes 4 and 5 do not fit each other");
  done = context.run([](void **) { forge_rt_fft_f64(0, 1, 2, in, 2, out); }, nullptr);
  EXPECT_FALSE(done);
}

TEST(FourierDeathTest, WithoutTheLibraryThereAreLoops) {
  GTEST_FLAG_SET(death_test_style, "threadsafe"); // a process that has not asked yet
  EXPECT_EXIT(
      {
        setenv("FORGE_FFTW", "off", 1);
        Result<std::string> library = fourierLibrary();
        bool right = !library && library.error().message == "no FFTW: FORGE_FFTW is off";
        check<float>({FourierKind::ToReal, {2, 3, 10}, 2}, callLibrary<float>);
        std::exit(right && !testing::Test::HasFailure() ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}
