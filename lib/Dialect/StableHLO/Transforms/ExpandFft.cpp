// Fourier transforms as products, and as lines of a GPU's blocks, on tensors of parts.
//
// Along a dimension of n elements, F x is computed
//  - for a small n, or a prime one, as a product with the n x n matrix of roots of unity;
//  - for n = a b as transforms of length a and b with factors in between (Cooley and Tukey 1965),
//    where a is at most kMaxMatrix, so that each step is a product of a small matrix;
//  - for a large prime as a cyclic convolution of a power of two elements (Bluestein 1970).
// Both take time in proportion to n log n. FftRoots.h makes the roots. On GPUs blocks transform
// lines of small prime factors in their memory (forge.fft_lines), and longer ones in two such
// steps.
//
// Written as products, transforms have kernels of every target, and fuse with what surrounds them.
// On the CPU FFTW is faster where it is installed (FftComposites.h).
#include "ExpandFft.h"
#include "BlockFft.h"
#include "FftRoots.h"
#include "SizedOps.h"

#include "forge/Diagnostics/ErrorKind.h"
#include "forge/Dialect/StableHLO/IR/TypeUtils.h"

#include "llvm/ADT/bit.h"

#include <cmath>
#include <complex>
#include <numeric>

using namespace mlir;
using namespace forge;
using namespace forge::stablehlo;

/// Matrices up to this size pay.
static constexpr int64_t kMaxMatrix = 128;
/// What a step takes besides its products, in multiplications an element: numbers are turned,
/// transposed and written. (An H200 takes as long for 4 products of 64 terms in f32 as for the rest
/// of a step; a million numbers take an EPYC half as long by 16 as by 128.)
static constexpr int64_t kStepOfGPU = 128, kStepOfCPU = 16;
/// A prime of up to this many elements is a product with a matrix of its square.
static constexpr int64_t kMaxPrimeMatrix = 1024;

/// Squares of such lengths fit in 64 bits.
static constexpr int64_t kMaxLength = int64_t(1) << 31;

namespace {
class Transform {
public:
  Transform(OpBuilder &builder, Location loc, Type element, FftTarget target)
      : builder(builder), loc(loc), element(element), target(target), roots(builder, loc, element) {
  }

  /// Along dimension `dim`, times `factor`; `sign` -1 is forward, +1 backward.
  Complex along(Complex z, int64_t dim, int sign, double factor = 1);
  /// Whether blocks of the target can transform lines of `n` numbers.
  bool isLine(int64_t n, bool isReal = false) const {
    return isBlockLine(n, element, target, isReal);
  }
  Complex lines(Complex z, int64_t dim, int64_t n, int sign, int64_t kept, double factor = 1) {
    return blockLines(builder, loc, z, dim, n, sign, kept, factor);
  }
  Value scale(Value value, double factor);
  Value slice(Value value, int64_t dim, int64_t from, int64_t to) {
    return SizedOps(builder, loc).slice(value, dim, from, to);
  }
  Value concatenate(Value a, Value b, int64_t dim);
  Value reverse(Value value, int64_t dim);
  Value negate(Value value) { return NegOp::create(builder, loc, value); }

private:
  Complex last(Complex z, int sign);
  Complex byMatrix(Complex z, int64_t n, int sign);
  Complex byFactors(Complex z, int64_t a, int64_t b, int sign);
  Complex byConvolution(Complex z, int64_t n, int sign);
  Complex byLines(Complex z, int64_t a, int64_t b, int sign);
  /// Times factors along the last dimensions.
  Complex multiply(Complex z, Complex factors);
  Complex reshape(Complex z, ArrayRef<int64_t> shape);
  Complex transpose(Complex z, ArrayRef<int64_t> permutation);
  Complex swapLast(Complex z);
  template <typename Function> Complex each(Complex z, Function function) {
    return {function(z.re), z.im ? function(z.im) : Value()};
  }
  Complex padded(Complex z, int64_t length);
  /// What the numbers are multiplied with in between: their transform, divided by their count.
  Complex filter(int64_t n, int64_t length, Complex chirp, int sign);
  Value product(Value lhs, Value matrix);

  OpBuilder &builder;
  Location loc;
  Type element;
  FftTarget target;
  FftRoots roots;
};
} // namespace

/// The last dimension of `lhs` times the first of a matrix. Precision is that of the type.
Value Transform::product(Value lhs, Value matrix) {
  RankedTensorType type = tensorType(lhs);
  auto dims = DotDimensionNumbersAttr::get(builder.getContext(), {}, {}, {type.getRank() - 1}, {0});
  auto highest = PrecisionAttr::get(builder.getContext(), Precision::HIGHEST);
  return DotGeneralOp::create(builder, loc, type, lhs, matrix, dims,
                              builder.getArrayAttr({highest, highest}), DotAlgorithmAttr());
}

Complex Transform::byMatrix(Complex z, int64_t n, int sign) {
  std::vector<std::complex<double>> numbers;
  for (int64_t j = 0; j < n; ++j)
    for (int64_t k = 0; k < n; ++k)
      numbers.push_back(rootOfUnity(j * k, n, sign));
  auto [cos, sin] = roots.constant(numbers, {n, n});
  Value re = product(z.re, cos), im = product(z.re, sin);
  if (!z.im)
    return {re, im};
  return {SubtractOp::create(builder, loc, re, product(z.im, sin)),
          AddOp::create(builder, loc, im, product(z.im, cos))};
}

Complex Transform::reshape(Complex z, ArrayRef<int64_t> shape) {
  return each(z, [&](Value part) { return SizedOps(builder, loc).reshape(part, shape); });
}

Complex Transform::transpose(Complex z, ArrayRef<int64_t> permutation) {
  return each(z, [&](Value part) -> Value {
    SmallVector<int64_t> shape;
    for (int64_t dim : permutation)
      shape.push_back(tensorType(part).getDimSize(dim));
    return TransposeOp::create(builder, loc, tensorType(part).clone(shape), part, permutation);
  });
}

Complex Transform::swapLast(Complex z) {
  SmallVector<int64_t> permutation(tensorType(z.re).getRank());
  std::iota(permutation.begin(), permutation.end(), 0);
  std::swap(permutation[permutation.size() - 1], permutation[permutation.size() - 2]);
  return transpose(z, permutation);
}

Complex Transform::multiply(Complex z, Complex factors) {
  RankedTensorType type = tensorType(z.re);
  int64_t rank = tensorType(factors.re).getRank();
  SmallVector<int64_t> dims(rank);
  std::iota(dims.begin(), dims.end(), type.getRank() - rank);
  auto spread = [&](Value part) { return SizedOps(builder, loc).broadcast(part, z.re, dims); };
  Complex c = {spread(factors.re), spread(factors.im)};
  if (z.im)
    return ComplexMath(builder, loc).multiply(z, c);
  return {MulOp::create(builder, loc, z.re, c.re), MulOp::create(builder, loc, z.re, c.im)};
}

/// With j = j1 b + j2 and k = k1 + a k2:
/// X[k1 + a k2] = sum over j2 of w_b^(j2 k2) w_n^(j2 k1) sum over j1 of w_a^(j1 k1) x[j1 b + j2].
Complex Transform::byFactors(Complex z, int64_t a, int64_t b, int sign) {
  SmallVector<int64_t> shape(tensorType(z.re).getShape()), split(shape);
  split.back() = a;
  split.push_back(b);
  z = last(swapLast(reshape(z, split)), sign); // [..., j2, k1]
  z = multiply(z, roots.factors(b, a, sign));
  z = last(swapLast(z), sign); // [..., k1, k2]
  return reshape(swapLast(z), shape);
}

/// A transform of a power of two numbers, for constants.
static void transformHere(std::vector<std::complex<double>> &z) {
  size_t n = z.size();
  if (n == 1)
    return;
  std::vector<std::complex<double>> even, odd;
  for (size_t i = 0; i < n; ++i)
    (i % 2 == 0 ? even : odd).push_back(z[i]);
  transformHere(even);
  transformHere(odd);
  for (size_t k = 0; k < n / 2; ++k) {
    std::complex<double> turned =
        rootOfUnity(static_cast<int64_t>(k), static_cast<int64_t>(n), -1) * odd[k];
    z[k] = even[k] + turned;
    z[k + n / 2] = even[k] - turned;
  }
}

/// With zeros behind, along the last dimension.
Complex Transform::padded(Complex z, int64_t length) {
  auto scalar = RankedTensorType::get({}, element);
  Value zero = ConstantOp::create(builder, loc,
                                  DenseElementsAttr::get(scalar, builder.getZeroAttr(element)));
  return each(z, [&](Value part) -> Value {
    RankedTensorType type = tensorType(part);
    SmallVector<int64_t> shape(type.getShape()), none(type.getRank(), 0), high(none);
    high.back() = length - shape.back();
    shape.back() = length;
    return PadOp::create(builder, loc, type.clone(shape), part, zero, none, high, none);
  });
}

Complex Transform::filter(int64_t n, int64_t length, Complex chirp, int sign) {
  if (length <= FftRoots::kMaxConstants) {
    std::vector<std::complex<double>> numbers(static_cast<size_t>(length));
    for (int64_t j = 0; j < n; ++j)
      numbers[static_cast<size_t>(j)] = numbers[static_cast<size_t>((length - j) % length)] =
          rootOfUnity(j * j % (2 * n), 2 * n, -sign) / static_cast<double>(length);
    transformHere(numbers);
    return roots.constant(numbers, {length});
  }
  // The conjugates: forward, zeros, and backward without the first.
  Complex forward = {chirp.re, negate(chirp.im)};
  Complex whole = each(forward, [&](Value part) {
    return concatenate(padded({part, {}}, length - n + 1).re, reverse(slice(part, 0, 1, n), 0), 0);
  });
  return each(last(whole, -1),
              [&](Value part) { return scale(part, 1 / static_cast<double>(length)); });
}

/// With j k = (j² + k² - (k - j)²) / 2 the sum is a convolution with c[j] = e^(-sign pi i j² / n).
Complex Transform::byConvolution(Complex z, int64_t n, int sign) {
  auto length = static_cast<int64_t>(llvm::bit_ceil(static_cast<uint64_t>(2 * n - 1)));
  Complex chirp = roots.chirp(n, sign);
  z = padded(multiply(z, chirp), length);
  z = multiply(last(z, -1), filter(n, length, chirp, sign));
  z = each(last(z, 1),
           [&](Value part) { return slice(part, tensorType(part).getRank() - 1, 0, n); });
  return multiply(z, chirp);
}

/// The multiplications an element of the cheapest steps, by matrices alone, and the size of the
/// first of these.
using Steps = std::optional<std::pair<int64_t, int64_t>>;

/// Nothing where a prime factor of `n` is larger than kMaxMatrix.
static Steps cheapestSteps(int64_t n, int64_t stepCost, DenseMap<int64_t, Steps> &known) {
  if (auto it = known.find(n); it != known.end())
    return it->second;
  Steps best;
  if (n <= kMaxMatrix)
    best = {stepCost + n, n};
  for (int64_t a = std::min(kMaxMatrix, n / 2); a > 1; --a) {
    if (n % a != 0 || (best && 2 * stepCost >= best->first))
      continue;
    Steps rest = cheapestSteps(n / a, stepCost, known);
    if (rest && (!best || rest->first + stepCost + a < best->first))
      best = {rest->first + stepCost + a, a};
  }
  return known[n] = best;
}

/// As byFactors, where the first transform is across lines, so that nothing is put in another order
/// but once.
Complex Transform::byLines(Complex z, int64_t a, int64_t b, int sign) {
  SmallVector<int64_t> shape(tensorType(z.re).getShape()), split(shape);
  split.back() = a;
  split.push_back(b);
  auto last = static_cast<int64_t>(split.size()) - 1;
  z = lines(reshape(z, split), last - 1, a, sign, a); // [..., k1, j2]
  z = lines(multiply(z, roots.factors(a, b, sign)), last, b, sign, b);
  return reshape(swapLast(z), shape);
}

//===--- any length ---===//

/// Along the last dimension.
Complex Transform::last(Complex z, int sign) {
  int64_t n = tensorType(z.re).getShape().back();
  if (tensorType(z.re).hasStaticShape()) {
    if (isLine(n))
      return lines(z, tensorType(z.re).getRank() - 1, n, sign, n);
    if (int64_t a = lineFactor(n, element, target))
      return byLines(z, a, n / a, sign);
  }
  int64_t stepCost = target.forGPU ? kStepOfGPU : kStepOfCPU;
  DenseMap<int64_t, Steps> known;
  if (Steps steps = cheapestSteps(n, stepCost, known))
    return steps->second == n ? byMatrix(z, n, sign)
                              : byFactors(z, steps->second, n / steps->second, sign);
  for (int64_t a = kMaxMatrix; a > 1; --a)
    if (n % a == 0)
      return byFactors(z, a, n / a, sign);
  // Its factors are primes above kMaxMatrix.
  for (int64_t a = kMaxMatrix + 1; a * a <= n; ++a)
    if (n % a == 0)
      return byFactors(z, a, n / a, sign);
  return n <= kMaxPrimeMatrix ? byMatrix(z, n, sign) : byConvolution(z, n, sign);
}

Complex Transform::along(Complex z, int64_t dim, int sign, double factor) {
  int64_t rank = tensorType(z.re).getRank(), n = tensorType(z.re).getDimSize(dim);
  if (tensorType(z.re).hasStaticShape() && isLine(n))
    return lines(z, dim, n, sign, n, factor);
  if (dim == rank - 1) {
    z = last(z, sign);
  } else {
    SmallVector<int64_t> permutation(rank);
    std::iota(permutation.begin(), permutation.end(), 0);
    std::swap(permutation[dim], permutation[rank - 1]);
    z = transpose(last(transpose(z, permutation), sign), permutation);
  }
  return factor == 1 ? z : each(z, [&](Value part) { return scale(part, factor); });
}

Value Transform::scale(Value value, double factor) {
  return MulOp::create(builder, loc, value, ComplexMath(builder, loc).constant(value, factor));
}

Value Transform::concatenate(Value a, Value b, int64_t dim) {
  SmallVector<int64_t> shape(tensorType(a).getShape());
  shape[dim] += tensorType(b).getDimSize(dim);
  return ConcatenateOp::create(builder, loc, tensorType(a).clone(shape), ValueRange{a, b},
                               static_cast<uint64_t>(dim));
}

Value Transform::reverse(Value value, int64_t dim) {
  return ReverseOp::create(builder, loc, value.getType(), value, ArrayRef<int64_t>{dim});
}

bool stablehlo::hasFftLines(const FftProblem &problem, FftTarget target) {
  bool isReal = problem.kind == FftType::RFFT || problem.kind == FftType::IRFFT;
  return problem.result.hasStaticShape() && llvm::any_of(problem.lengths, [&](int64_t length) {
           return isBlockLine(length, problem.result.getElementType(), target, isReal) ||
                  lineFactor(length, problem.result.getElementType(), target);
         });
}

FailureOr<Complex> stablehlo::expandFft(OpBuilder &builder, const FftProblem &problem, Complex z,
                                        FftTarget target) {
  RankedTensorType type = tensorType(z.re), result = problem.result;
  ArrayRef<int64_t> lengths = problem.lengths;
  size_t count = lengths.size();
  if (llvm::any_of(type.getShape().take_back(count), ShapedType::isDynamic) ||
      llvm::any_of(result.getShape().take_back(count), ShapedType::isDynamic)) {
    emitUserError(problem.loc)
        << "unsupported stablehlo op 'stablehlo.fft': a length known only at "
           "run time";
    return failure();
  }
  FftType kind = problem.kind;
  // Results without elements need no transform, and have lengths of 0.
  if (result.hasStaticShape() && result.getNumElements() == 0) {
    Value none =
        ConstantOp::create(builder, problem.loc, cast<ElementsAttr>(builder.getZeroAttr(result)));
    return Complex{none, kind == FftType::IRFFT ? Value() : none};
  }
  for (int64_t length : lengths)
    if (length < 1 || length > kMaxLength) {
      emitUserError(problem.loc)
          << "unsupported stablehlo op 'stablehlo.fft': expected lengths of 1 "
             "to "
          << kMaxLength << ", but got " << length;
      return failure();
    }
  Transform transform(builder, problem.loc, type.getElementType(), target);
  bool backward = kind == FftType::IFFT || kind == FftType::IRFFT;
  int sign = backward ? 1 : -1;
  int64_t rank = type.getRank(), first = rank - static_cast<int64_t>(count);
  int64_t n = lengths.back();
  double factor = 1;
  if (backward)
    for (int64_t length : lengths)
      factor /= static_cast<double>(length);
  bool isLine = type.hasStaticShape() && transform.isLine(n, /*isReal=*/true);
  // 1. Of floats only the first half of the last dimension is wanted; the rest are conjugates.
  if (kind == FftType::RFFT && isLine) {
    z = transform.lines(z, rank - 1, n, sign, n / 2 + 1);
  } else if (kind == FftType::RFFT) {
    z = transform.along(z, rank - 1, sign);
    z = {transform.slice(z.re, rank - 1, 0, n / 2 + 1),
         transform.slice(z.im, rank - 1, 0, n / 2 + 1)};
  }
  // 2. The other dimensions; the last for complex numbers.
  int64_t end = kind == FftType::RFFT || kind == FftType::IRFFT ? rank - 1 : rank;
  for (int64_t dim = first; dim < end; ++dim)
    z = transform.along(z, dim, sign, dim + 1 == rank ? factor : 1);
  if (kind != FftType::IRFFT)
    return z;
  // 3. The conjugates that a transform to floats leaves out.
  if (isLine)
    return Complex{realBlockLines(builder, problem.loc, z, rank - 1, n, factor), {}};
  int64_t dim = rank - 1, rest = (n - 1) / 2;
  if (rest > 0) {
    Value re = transform.reverse(transform.slice(z.re, dim, 1, rest + 1), dim);
    Value im = transform.reverse(transform.slice(z.im, dim, 1, rest + 1), dim);
    z = {transform.concatenate(z.re, re, dim),
         transform.concatenate(z.im, transform.negate(im), dim)};
  }
  return Complex{transform.along(z, dim, sign, factor).re, {}};
}
