// A gradient against central differences of the function it is the gradient of.
#ifndef FORGE_UNITTESTS_REFERENCE_DIFFERENCES_H
#define FORGE_UNITTESTS_REFERENCE_DIFFERENCES_H

#include "TestTensors.h"

#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cmath>

namespace forge::reference {

inline HostTensor randomDoubles(const Dims &dims) {
  HostTensor tensor = *HostTensor::create(DType::F64, dims);
  for (int64_t i = 0; i < tensor.numElements(); ++i)
    tensor.setDouble(i, *rc::gen::inRange(-200, 200) / 100.0 + 0.001 * static_cast<double>(i));
  return tensor;
}

inline double dot(const HostTensor &a, const HostTensor &b) {
  double sum = 0;
  for (int64_t i = 0; i < a.numElements(); ++i)
    sum += a.getDouble(i) * b.getDouble(i);
  return sum;
}

/// `gradient` holds the derivative of sum(cotangent * f(x)) by every element of x.
template <typename F>
void expectDerivative(F f, const HostTensor &x, const HostTensor &cotangent,
                      const HostTensor &gradient) {
  RC_ASSERT(gradient.dims() == x.dims());
  const double step = 1e-5;
  for (int64_t i = 0; i < x.numElements(); ++i) {
    HostTensor above = x, below = x;
    above.setDouble(i, x.getDouble(i) + step);
    below.setDouble(i, x.getDouble(i) - step);
    double expected = (dot(cotangent, *f(above)) - dot(cotangent, *f(below))) / (2 * step);
    RC_ASSERT(std::fabs(expected - gradient.getDouble(i)) <= 1e-6 * (1 + std::fabs(expected)));
  }
}

} // namespace forge::reference

#endif // FORGE_UNITTESTS_REFERENCE_DIFFERENCES_H
