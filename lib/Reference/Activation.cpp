#include "forge/Reference/Activation.h"

#include "forge/Reference/Rounding.h"

#include <algorithm>
#include <cmath>

using namespace forge;
using namespace forge::reference;

double reference::geluTanhInner(double x) {
  double cubic = rounded(0.044715 * rounded(rounded(x * x) * x));
  return rounded(std::sqrt(2 / M_PI) * rounded(x + cubic));
}

double reference::activation(Activation kind, double x) {
  double positive = x < 0 ? 0 : x; // keeps NaN
  switch (kind) {
  case Activation::Relu:
    return positive;
  case Activation::ReluSquared:
    return rounded(positive * positive);
  case Activation::Gelu:
    return rounded(x / 2 * rounded(1 + saturating(std::erf(rounded(x / std::sqrt(2.0))))));
  case Activation::GeluTanh:
    return rounded(x / 2 * rounded(1 + saturating(std::tanh(geluTanhInner(x)))));
  case Activation::Silu:
    return rounded(x / rounded(1 + approximated(std::exp(-x))));
  case Activation::Sigmoid:
    return rounded(1 / rounded(1 + approximated(std::exp(-x))));
  case Activation::Tanh:
    return saturating(std::tanh(x));
  }
  return x;
}

Result<HostTensor> reference::activation(Activation kind, const HostTensor &x) {
  if (!isFloat(x.type()))
    return Error{"expected floats for an activation, but got " + typeString(x)};
  Result<HostTensor> result = HostTensor::create(x.type(), x.dims());
  if (!result)
    return result;
  for (int64_t i = 0; i < x.numElements(); ++i)
    result->setDouble(i, activation(kind, x.getDouble(i)));
  return result;
}

Result<HostTensor> reference::embedding(const HostTensor &table, const HostTensor &ids) {
  if (table.rank() != 2 || isFloat(ids.type()))
    return Error{"expected a table [V, D] and integers, but got " + typeString(table) + " and " +
                 typeString(ids)};
  int64_t rows = table.dims()[0], width = table.dims()[1];
  Dims dims = ids.dims();
  dims.push_back(width);
  Result<HostTensor> result = HostTensor::create(table.type(), dims);
  if (!result || result->numElements() == 0)
    return result;
  if (rows == 0)
    return Error{"expected a table of one row or more, but got " + typeString(table)};
  for (int64_t i = 0; i < ids.numElements(); ++i) {
    int64_t row = std::clamp<int64_t>(getInteger(ids, i), 0, rows - 1);
    for (int64_t d = 0; d < width; ++d)
      copyElement(*result, i * width + d, table, row * width + d);
  }
  return result;
}
