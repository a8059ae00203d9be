// A transform of n = p m numbers is p transforms of m numbers, where p is the least prime factor
// (Cooley and Tukey 1965); of a large prime it is a cyclic convolution (Bluestein 1970). It takes
// time in proportion to n log n, and is several times slower than FFTW.
#include "PlainFourier.h"

#include <bit>
#include <cmath>
#include <complex>
#include <numbers>

using namespace forge;
using namespace forge::rt;

using Numbers = std::vector<std::complex<double>>;

/// A prime up to this is a sum for each of its results.
static constexpr size_t kMaxDirect = 64;

/// e^(sign 2 pi i numerator / denominator), exact at quarter turns.
static std::complex<double> root(size_t numerator, size_t denominator, int sign) {
  numerator %= denominator;
  size_t quarters = 4 * numerator / denominator;
  // What is left of a quarter turn: at most 1/4, so that cos and sin are accurate.
  double rest = static_cast<double>(4 * numerator - quarters * denominator) /
                static_cast<double>(denominator);
  double angle = rest * std::numbers::pi / 2, c = std::cos(angle), s = std::sin(angle);
  std::complex<double> turned[] = {{c, s}, {-s, c}, {-c, -s}, {s, -c}};
  std::complex<double> result = turned[quarters];
  return sign > 0 ? result : std::conj(result);
}

static void transformLine(Numbers &z, int sign);

static size_t leastFactor(size_t n) {
  for (size_t p = 2; p * p <= n; ++p)
    if (n % p == 0)
      return p;
  return n;
}

static void transformDirectly(Numbers &z, int sign) {
  size_t n = z.size();
  Numbers roots(n), result(n);
  for (size_t k = 0; k < n; ++k)
    roots[k] = root(k, n, sign);
  for (size_t k = 0; k < n; ++k)
    for (size_t j = 0; j < n; ++j)
      result[k] += z[j] * roots[j * k % n];
  z = std::move(result);
}

/// With j k = (j² + k² - (k - j)²) / 2.
static void transformByConvolution(Numbers &z, int sign) {
  size_t n = z.size(), length = std::bit_ceil(2 * n - 1);
  Numbers chirp(n), a(length), b(length);
  size_t square = 0; // k² modulo 2 n
  for (size_t k = 0; k < n; ++k) {
    chirp[k] = root(square, 2 * n, sign);
    square = (square + 2 * k + 1) % (2 * n);
    a[k] = z[k] * chirp[k];
    b[k] = std::conj(chirp[k]);
    if (k > 0)
      b[length - k] = b[k];
  }
  transformLine(a, -1);
  transformLine(b, -1);
  for (size_t k = 0; k < length; ++k)
    a[k] *= b[k];
  transformLine(a, 1);
  for (size_t k = 0; k < n; ++k)
    z[k] = a[k] * chirp[k] / static_cast<double>(length);
}

static void transformLine(Numbers &z, int sign) {
  size_t n = z.size(), p = leastFactor(n), m = n / p;
  if (n == 1)
    return;
  if (p == n)
    return n <= kMaxDirect ? transformDirectly(z, sign) : transformByConvolution(z, sign);
  std::vector<Numbers> parts(p, Numbers(m));
  for (size_t j = 0; j < n; ++j)
    parts[j % p][j / p] = z[j];
  for (Numbers &part : parts)
    transformLine(part, sign);
  Numbers roots(n), column(p);
  for (size_t k = 0; k < n; ++k)
    roots[k] = root(k, n, sign);
  for (size_t k = 0; k < m; ++k) {
    for (size_t r = 0; r < p; ++r)
      column[r] = parts[r][k] * roots[r * k];
    transformLine(column, sign);
    for (size_t q = 0; q < p; ++q)
      z[q * m + k] = column[q];
  }
}

/// Along one dimension of a dense array.
static void transformAlong(Numbers &z, const std::vector<int64_t> &sizes, size_t dim, int sign) {
  size_t inner = 1, n = static_cast<size_t>(sizes[dim]);
  for (size_t i = dim + 1; i < sizes.size(); ++i)
    inner *= static_cast<size_t>(sizes[i]);
  Numbers line(n);
  for (size_t outer = 0; outer < z.size(); outer += n * inner)
    for (size_t i = 0; i < inner; ++i) {
      for (size_t j = 0; j < n; ++j)
        line[j] = z[outer + j * inner + i];
      transformLine(line, sign);
      for (size_t j = 0; j < n; ++j)
        z[outer + j * inner + i] = line[j];
    }
}

/// Calls visit(in, out) for every combination of indices, in row-major order.
template <typename Visit>
static void forEach(const std::vector<FourierDim> &dims, Visit visit, size_t dim = 0,
                    int64_t in = 0, int64_t out = 0) {
  if (dim == dims.size())
    return visit(in, out);
  for (int64_t i = 0; i < dims[dim].size; ++i)
    forEach(dims, visit, dim + 1, in + i * dims[dim].in, out + i * dims[dim].out);
}

/// The whole of the last dimension from its first half; the numbers that are their own conjugates
/// are real.
static Numbers completed(const Numbers &half, size_t n) {
  size_t count = n / 2 + 1, lines = half.size() / count;
  Numbers whole(lines * n);
  for (size_t line = 0; line < lines; ++line)
    for (size_t k = 0; k < n; ++k) {
      bool mirrored = k >= count;
      std::complex<double> z = half[line * count + (mirrored ? n - k : k)];
      whole[line * n + k] = 2 * k % n == 0 ? std::complex<double>(z.real())
                            : mirrored     ? std::conj(z)
                                           : z;
    }
  return whole;
}

template <typename T> static void transformOne(const FourierProblem &problem, const T *in, T *out) {
  std::vector<FourierDim> read = problem.lengths, written = problem.lengths;
  size_t last = read.size() - 1, n = static_cast<size_t>(read[last].size);
  bool toReal = problem.kind == FourierKind::ToReal;
  if (toReal)
    read[last].size = read[last].size / 2 + 1;
  if (problem.kind == FourierKind::FromReal)
    written[last].size = written[last].size / 2 + 1;
  Numbers z;
  forEach(read, [&](int64_t at, int64_t) {
    z.emplace_back(in[at], problem.inPart ? in[at + problem.inPart] : T(0));
  });
  std::vector<int64_t> sizes;
  for (const FourierDim &dim : read)
    sizes.push_back(dim.size);
  int sign = problem.isBackward() ? 1 : -1;
  for (size_t dim = 0; dim < last; ++dim)
    transformAlong(z, sizes, dim, sign);
  if (toReal) {
    z = completed(z, n);
    sizes[last] = static_cast<int64_t>(n);
  }
  transformAlong(z, sizes, last, sign);
  // Of each line as many as are written.
  size_t line = 0, written1 = static_cast<size_t>(written[last].size), next = 0;
  forEach(written, [&](int64_t, int64_t at) {
    std::complex<double> value = z[line * n + next];
    out[at] = static_cast<T>(value.real());
    if (problem.outPart)
      out[at + problem.outPart] = static_cast<T>(value.imag());
    if (++next == written1) {
      next = 0;
      ++line;
    }
  });
}

template <typename T>
void forge::rt::transformPlainly(const FourierProblem &problem, const T *in, T *out) {
  forEach(problem.batch,
          [&](int64_t atIn, int64_t atOut) { transformOne(problem, in + atIn, out + atOut); });
}

template void forge::rt::transformPlainly(const FourierProblem &, const float *, float *);
template void forge::rt::transformPlainly(const FourierProblem &, const double *, double *);
