#include "forge/Reference/Normalization.h"

#include "forge/Reference/Rounding.h"

#include <cmath>
#include <functional>
#include <limits>

using namespace forge;
using namespace forge::reference;

/// Replaces every row of `x` along `dimension` by what `compute` makes of it in place.
static Result<HostTensor> alongRows(const HostTensor &x, int64_t dimension,
                                    const std::function<void(std::vector<double> &)> &compute) {
  if (!isFloat(x.type()) || dimension < 0 || dimension >= x.rank())
    return Error{"expected floats with a dimension " + std::to_string(dimension) + ", but got " +
                 typeString(x)};
  Result<HostTensor> result = HostTensor::create(x.type(), x.dims());
  if (!result || x.numElements() == 0)
    return result;
  int64_t length = x.dims()[dimension], step = stridesOf(x.dims())[dimension];
  std::vector<double> row(static_cast<size_t>(length));
  for (int64_t begin = 0; begin < x.numElements(); ++begin) {
    if (begin / step % length != 0)
      continue;
    for (int64_t i = 0; i < length; ++i)
      row[i] = x.getDouble(begin + i * step);
    compute(row);
    for (int64_t i = 0; i < length; ++i)
      result->setDouble(begin + i * step, row[i]);
  }
  return result;
}

/// Subtracts the largest element. NaN wins.
static void shiftByLargest(std::vector<double> &row) {
  double largest = -std::numeric_limits<double>::infinity();
  for (double value : row)
    if (value > largest || std::isnan(value))
      largest = value;
  for (double &value : row)
    value = rounded(value - largest);
}

Result<HostTensor> reference::softmax(const HostTensor &x, int64_t dimension) {
  return alongRows(x, dimension, [](std::vector<double> &row) {
    shiftByLargest(row);
    Sum sum;
    for (double &value : row) {
      value = approximated(std::exp(value));
      sum += value;
    }
    double whole = sum.value();
    for (double &value : row)
      value = rounded(value / whole);
  });
}

Result<HostTensor> reference::logSoftmax(const HostTensor &x, int64_t dimension) {
  return alongRows(x, dimension, [](std::vector<double> &row) {
    shiftByLargest(row);
    Sum sum;
    for (double value : row)
      sum += approximated(std::exp(value));
    double logarithm = approximated(std::log(sum.value()));
    for (double &value : row)
      value = rounded(value - logarithm);
  });
}

static Result<void> checkVector(const char *name, const HostTensor *vector, const HostTensor &x) {
  if (x.rank() < 1)
    return Error{"expected rank 1 or more, but got " + typeString(x)};
  if (vector && vector->dims() != Dims{x.dims().back()})
    return Error{std::string("expected a ") + name + " of shape [" +
                 std::to_string(x.dims().back()) + "], but got " + typeString(*vector)};
  return {};
}

Result<HostTensor> reference::layerNorm(const HostTensor &x, const HostTensor *scale,
                                        const HostTensor *shift, double epsilon) {
  for (auto [name, vector] : {std::pair("scale", scale), std::pair("shift", shift)})
    if (Result<void> ok = checkVector(name, vector, x); !ok)
      return ok.error();
  return alongRows(x, x.rank() - 1, [&](std::vector<double> &row) {
    double count = static_cast<double>(row.size());
    Sum elements, squares;
    for (double value : row)
      elements += value;
    double mean = rounded(elements.value() / count);
    for (double &value : row) {
      value = rounded(value - mean);
      squares += value * value;
    }
    double variance = rounded(squares.value() / count);
    double root = approximated(std::sqrt(rounded(variance + epsilon)));
    for (size_t i = 0; i < row.size(); ++i) {
      row[i] = rounded(row[i] / root);
      if (scale)
        row[i] = rounded(row[i] * scale->getDouble(static_cast<int64_t>(i)));
      if (shift)
        row[i] = rounded(row[i] + shift->getDouble(static_cast<int64_t>(i)));
    }
  });
}

Result<HostTensor> reference::rmsNorm(const HostTensor &x, const HostTensor *scale, double epsilon,
                                      bool unitOffset) {
  if (Result<void> ok = checkVector("scale", scale, x); !ok)
    return ok.error();
  return alongRows(x, x.rank() - 1, [&](std::vector<double> &row) {
    double count = static_cast<double>(row.size());
    Sum squares;
    for (double value : row)
      squares += value * value;
    double square = rounded(squares.value() / count);
    double root = approximated(std::sqrt(rounded(square + epsilon)));
    for (size_t i = 0; i < row.size(); ++i) {
      row[i] = rounded(row[i] / root);
      if (scale) {
        double factor = scale->getDouble(static_cast<int64_t>(i));
        row[i] = rounded(row[i] * (unitOffset ? rounded(factor + 1) : factor));
      }
    }
  });
}
