#include "forge/Reference/Gradients.h"

#include "forge/Reference/Rounding.h"

#include <algorithm>
#include <cmath>
#include <functional>

using namespace forge;
using namespace forge::reference;

double reference::activationSlope(Activation kind, double x) {
  // The slopes of the unbounded ones are at their limits, 0 and 1, long before: infinity times 0 is
  // no limit.
  if (kind == Activation::Gelu || kind == Activation::GeluTanh || kind == Activation::Silu)
    x = std::isnan(x) ? x : std::clamp(x, -1000.0, 1000.0);
  switch (kind) {
  case Activation::Relu:
    return x > 0 ? 1 : 0;
  case Activation::ReluSquared:
    return x > 0 ? 2 * x : 0;
  case Activation::Gelu: {
    double erf = saturating(std::erf(rounded(x / std::sqrt(2.0))));
    double density =
        rounded(approximated(std::exp(rounded(-rounded(x * x) / 2))) / std::sqrt(2 * M_PI));
    return rounded(rounded(1 + erf) / 2 + rounded(x * density));
  }
  case Activation::GeluTanh: {
    double root = std::sqrt(2 / M_PI), t = saturating(std::tanh(geluTanhInner(x)));
    double inner = rounded(root + rounded(root * 3 * 0.044715 * rounded(x * x)));
    double bend = rounded(rounded(x / 2 * rounded(1 - rounded(t * t))) * inner);
    return rounded(rounded(1 + t) / 2 + bend);
  }
  case Activation::Silu: {
    double s = activation(Activation::Sigmoid, x);
    return rounded(s + rounded(x * rounded(s * rounded(1 - s))));
  }
  case Activation::Sigmoid: {
    double s = activation(Activation::Sigmoid, x);
    return rounded(s * rounded(1 - s));
  }
  case Activation::Tanh: {
    double t = saturating(std::tanh(x));
    return rounded(1 - rounded(t * t));
  }
  }
  return 0;
}

static Result<void> checkAlike(const HostTensor &a, const HostTensor &b) {
  if (!isFloat(a.type()) || a.type() != b.type() || a.dims() != b.dims())
    return Error{"expected two tensors of floats of one type, but got " + typeString(a) + " and " +
                 typeString(b)};
  return {};
}

Result<HostTensor> reference::activationGrad(Activation kind, const HostTensor &cotangent,
                                             const HostTensor &x) {
  if (Result<void> ok = checkAlike(cotangent, x); !ok)
    return ok.error();
  Result<HostTensor> result = HostTensor::create(x.type(), x.dims());
  if (!result)
    return result;
  for (int64_t i = 0; i < x.numElements(); ++i)
    result->setDouble(i, rounded(cotangent.getDouble(i) * activationSlope(kind, x.getDouble(i))));
  return result;
}

Result<HostTensor> reference::embeddingGrad(const HostTensor &cotangent, const HostTensor &ids,
                                            int64_t rows) {
  Dims expected = ids.dims();
  expected.push_back(cotangent.rank() > 0 ? cotangent.dims().back() : 0);
  if (isFloat(ids.type()) || cotangent.dims() != expected)
    return Error{"expected integers and a cotangent of their shape with rows, but got " +
                 typeString(ids) + " and " + typeString(cotangent)};
  int64_t width = expected.back();
  if (rows == 0 && cotangent.numElements() != 0)
    return Error{"expected a table of one row or more"};
  std::vector<Sum> sums(static_cast<size_t>(rows * width));
  for (int64_t i = 0; i < ids.numElements(); ++i) {
    int64_t row = std::clamp<int64_t>(getInteger(ids, i), 0, rows - 1);
    for (int64_t d = 0; d < width; ++d)
      sums[row * width + d] += cotangent.getDouble(i * width + d);
  }
  return fromDoubles(cotangent.type(), {rows, width}, valuesOf(sums));
}

Result<HostTensor> reference::sum(const HostTensor &x, const Dims &dimensions) {
  for (int64_t dim : dimensions)
    if (dim < 0 || dim >= x.rank())
      return Error{"no dimension " + std::to_string(dim) + " in " + typeString(x)};
  Dims kept = otherDims(x.rank(), dimensions), dims = pick(x.dims(), kept),
       strides = stridesOf(dims), index(x.dims().size(), 0);
  std::vector<Sum> sums(static_cast<size_t>(product(dims)));
  for (int64_t i = 0; i < x.numElements(); ++i, advance(index, x.dims()))
    sums[flatten(pick(index, kept), strides)] += x.getDouble(i);
  return fromDoubles(x.type(), dims, valuesOf(sums));
}

/// The group of every row, the last of those that hold it, or -1.
static std::vector<int64_t> ownersOf(const HostTensor &groups, bool offsets, int64_t rows) {
  std::vector<int64_t> owners(static_cast<size_t>(rows), -1);
  int64_t end = 0, count = groups.dims()[0] - (offsets ? 1 : 0);
  for (int64_t e = 0; e < count; ++e) {
    int64_t begin = offsets ? std::clamp<int64_t>(getInteger(groups, e), 0, rows) : end;
    end = offsets ? std::clamp<int64_t>(getInteger(groups, e + 1), begin, rows)
                  : begin + std::clamp<int64_t>(getInteger(groups, e), 0, rows - begin);
    std::fill(owners.begin() + begin, owners.begin() + end, e);
  }
  return owners;
}

Result<HostTensor> reference::groupedOuter(const HostTensor &lhs, const HostTensor &rhs,
                                           const HostTensor &groups, bool offsets) {
  if (lhs.rank() != 2 || rhs.rank() != 2 || groups.rank() != 1 || lhs.dims()[0] != rhs.dims()[0] ||
      (offsets && groups.dims()[0] == 0))
    return Error{"grouped_outer does not fit " + typeString(lhs) + ", " + typeString(rhs) +
                 " and " + typeString(groups)};
  int64_t rows = lhs.dims()[0], m = lhs.dims()[1], n = rhs.dims()[1];
  int64_t count = groups.dims()[0] - (offsets ? 1 : 0);
  std::vector<Sum> sums(static_cast<size_t>(count * m * n), Sum::ofProducts());
  std::vector<int64_t> owners = ownersOf(groups, offsets, rows);
  for (int64_t t = 0; t < rows; ++t)
    for (int64_t i = 0; owners[t] >= 0 && i < m; ++i)
      for (int64_t j = 0; j < n; ++j)
        sums[(owners[t] * m + i) * n + j] += lhs.getDouble(t * m + i) * rhs.getDouble(t * n + j);
  return fromDoubles(lhs.type(), {count, m, n}, valuesOf(sums));
}

/// Fills a tensor like `a`, row by row along `dimension`, from the rows of `a` and `b`.
static Result<HostTensor>
alongRows(const HostTensor &a, const HostTensor &b, int64_t dimension,
          const std::function<std::vector<double>(const std::vector<double> &,
                                                  const std::vector<double> &)> &compute) {
  if (Result<void> ok = checkAlike(a, b); !ok)
    return ok.error();
  if (dimension < 0 || dimension >= a.rank())
    return Error{"no dimension " + std::to_string(dimension) + " in " + typeString(a)};
  Result<HostTensor> result = HostTensor::create(a.type(), a.dims());
  if (!result || a.numElements() == 0)
    return result;
  int64_t length = a.dims()[dimension], step = stridesOf(a.dims())[dimension];
  std::vector<double> x(static_cast<size_t>(length)), y(static_cast<size_t>(length));
  for (int64_t begin = 0; begin < a.numElements(); ++begin) {
    if (begin / step % length != 0)
      continue;
    for (int64_t i = 0; i < length; ++i) {
      x[i] = a.getDouble(begin + i * step);
      y[i] = b.getDouble(begin + i * step);
    }
    std::vector<double> row = compute(x, y);
    for (int64_t i = 0; i < length; ++i)
      result->setDouble(begin + i * step, row[i]);
  }
  return result;
}

Result<HostTensor> reference::softmaxGrad(const HostTensor &cotangent, const HostTensor &p,
                                          int64_t dimension) {
  return alongRows(cotangent, p, dimension,
                   [](const std::vector<double> &dy, const std::vector<double> &weights) {
                     Sum sum;
                     for (size_t i = 0; i < dy.size(); ++i)
                       sum += dy[i] * weights[i];
                     double mean = sum.value();
                     std::vector<double> row(dy.size());
                     for (size_t i = 0; i < dy.size(); ++i)
                       row[i] = rounded(weights[i] * rounded(dy[i] - mean));
                     return row;
                   });
}

Result<HostTensor> reference::logSoftmaxGrad(const HostTensor &cotangent, const HostTensor &l,
                                             int64_t dimension) {
  return alongRows(cotangent, l, dimension,
                   [](const std::vector<double> &dy, const std::vector<double> &logarithms) {
                     Sum sum;
                     for (double value : dy)
                       sum += value;
                     double total = sum.value();
                     std::vector<double> row(dy.size());
                     for (size_t i = 0; i < dy.size(); ++i) {
                       double weight = approximated(std::exp(logarithms[i]));
                       row[i] = rounded(dy[i] - rounded(weight * total));
                     }
                     return row;
                   });
}

namespace {
/// What the rows of a norm add up to on the way back, and the vectors that go with the rows.
struct NormRows {
  std::vector<double> inputs;
  std::vector<Sum> scales, shifts;
};
} // namespace

/// Row `begin` of `length` of both norms: `centered` is layer_norm.
static void normGradRow(NormRows &sums, int64_t begin, int64_t length, const HostTensor &cotangent,
                        const HostTensor &x, const HostTensor *scale, double epsilon, bool centered,
                        double offset) {
  double count = static_cast<double>(length), mean = 0;
  Sum elements, squares, total, projection;
  for (int64_t i = 0; i < length; ++i)
    elements += x.getDouble(begin + i);
  if (centered)
    mean = rounded(elements.value() / count);
  for (int64_t i = 0; i < length; ++i)
    squares += std::pow(rounded(x.getDouble(begin + i) - mean), 2);
  double inverse = approximated(1 / std::sqrt(rounded(squares.value() / count) + epsilon));
  std::vector<double> normal(length), scaled(length);
  for (int64_t i = 0; i < length; ++i) {
    double dy = cotangent.getDouble(begin + i);
    normal[i] = rounded(rounded(x.getDouble(begin + i) - mean) * inverse);
    scaled[i] = rounded(dy * rounded(scale ? scale->getDouble(i) + offset : 1));
    sums.scales[i] += rounded(dy * normal[i]);
    sums.shifts[i] += dy;
    total += scaled[i];
    projection += rounded(scaled[i] * normal[i]);
  }
  double average = centered ? rounded(total.value() / count) : 0;
  double part = rounded(projection.value() / count);
  for (int64_t i = 0; i < length; ++i) {
    Sum rest; // of terms that may be of very different sizes, in any order
    rest += scaled[i];
    rest += -average;
    rest += -rounded(normal[i] * part);
    sums.inputs[begin + i] = rounded(inverse * rest.value());
  }
}

static Result<std::vector<HostTensor>> normGrad(const HostTensor &cotangent, const HostTensor &x,
                                                const HostTensor *scale, double epsilon,
                                                bool centered, double offset) {
  if (Result<void> ok = checkAlike(cotangent, x); !ok)
    return ok.error();
  if (x.rank() < 1 || (scale && scale->dims() != Dims{x.dims().back()}))
    return Error{"expected rows and a scale of their length, but got " + typeString(x)};
  int64_t length = x.dims().back();
  NormRows sums{std::vector<double>(x.numElements(), 0.0), std::vector<Sum>(length),
                std::vector<Sum>(length)};
  for (int64_t begin = 0; begin < x.numElements(); begin += length)
    normGradRow(sums, begin, length, cotangent, x, scale, epsilon, centered, offset);
  std::vector<HostTensor> results;
  for (auto &[values, dims] :
       {std::pair(sums.inputs, x.dims()), std::pair(valuesOf(sums.scales), Dims{length}),
        std::pair(valuesOf(sums.shifts), Dims{length})}) {
    Result<HostTensor> tensor = fromDoubles(x.type(), dims, values);
    if (!tensor)
      return tensor.error();
    results.push_back(std::move(*tensor));
  }
  if (!centered)
    results.pop_back();
  return results;
}

Result<std::vector<HostTensor>> reference::layerNormGrad(const HostTensor &cotangent,
                                                         const HostTensor &x,
                                                         const HostTensor *scale, double epsilon) {
  return normGrad(cotangent, x, scale, epsilon, true, 0);
}

Result<std::vector<HostTensor>> reference::rmsNormGrad(const HostTensor &cotangent,
                                                       const HostTensor &x, const HostTensor *scale,
                                                       double epsilon, bool unitOffset) {
  return normGrad(cotangent, x, scale, epsilon, false, unitOffset ? 1 : 0);
}
