#include "forge/Reference/Normalization.h"

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

/// Subtracts the largest element; returns the sum of exponentials of what is left. NaN wins.
static double shiftByLargest(std::vector<double> &row) {
  double largest = -std::numeric_limits<double>::infinity();
  for (double value : row)
    if (value > largest || std::isnan(value))
      largest = value;
  double sum = 0;
  for (double &value : row) {
    value -= largest;
    sum += std::exp(value);
  }
  return sum;
}

Result<HostTensor> reference::softmax(const HostTensor &x, int64_t dimension) {
  return alongRows(x, dimension, [](std::vector<double> &row) {
    double sum = shiftByLargest(row);
    for (double &value : row)
      value = std::exp(value) / sum;
  });
}

Result<HostTensor> reference::logSoftmax(const HostTensor &x, int64_t dimension) {
  return alongRows(x, dimension, [](std::vector<double> &row) {
    double logarithm = std::log(shiftByLargest(row));
    for (double &value : row)
      value -= logarithm;
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
    double count = static_cast<double>(row.size()), mean = 0, variance = 0;
    for (double value : row)
      mean += value / count;
    for (double value : row)
      variance += (value - mean) * (value - mean) / count;
    for (size_t i = 0; i < row.size(); ++i) {
      row[i] = (row[i] - mean) / std::sqrt(variance + epsilon);
      if (scale)
        row[i] *= scale->getDouble(static_cast<int64_t>(i));
      if (shift)
        row[i] += shift->getDouble(static_cast<int64_t>(i));
    }
  });
}

Result<HostTensor> reference::rmsNorm(const HostTensor &x, const HostTensor *scale, double epsilon,
                                      bool unitOffset) {
  if (Result<void> ok = checkVector("scale", scale, x); !ok)
    return ok.error();
  return alongRows(x, x.rank() - 1, [&](std::vector<double> &row) {
    double count = static_cast<double>(row.size()), square = 0;
    for (double value : row)
      square += value * value / count;
    for (size_t i = 0; i < row.size(); ++i) {
      row[i] /= std::sqrt(square + epsilon);
      if (scale)
        row[i] *= scale->getDouble(static_cast<int64_t>(i)) + (unitOffset ? 1 : 0);
    }
  });
}
