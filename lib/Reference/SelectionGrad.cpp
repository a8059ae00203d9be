#include "forge/Reference/SelectionGrad.h"

#include "Rows.h"

#include "forge/Reference/Activation.h"
#include "forge/Reference/Rounding.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace forge;
using namespace forge::reference;

static std::vector<double> softmaxOf(std::vector<double> row) {
  double largest = -std::numeric_limits<double>::infinity();
  Sum sum;
  for (double x : row)
    if (x > largest || std::isnan(x))
      largest = x;
  for (double &x : row) {
    x = approximated(std::exp(rounded(x - largest)));
    sum += x;
  }
  double whole = sum.value();
  for (double &x : row)
    x = rounded(x / whole);
  return row;
}

Result<HostTensor> reference::crossEntropyGrad(const HostTensor &cotangent,
                                               const HostTensor &logits, const HostTensor &targets,
                                               const CrossEntropyOptions &options) {
  bool isSingle = options.reduction != LossReduction::None;
  if (logits.rank() < 1 || targets.dims() != Dims(logits.dims().begin(), logits.dims().end() - 1) ||
      cotangent.dims() != (isSingle ? Dims() : targets.dims()))
    return Error{"cross_entropy_grad does not fit " + typeString(cotangent) + ", " +
                 typeString(logits) + " and " + typeString(targets)};
  Result<HostTensor> result = HostTensor::create(logits.type(), logits.dims());
  if (!result)
    return result;
  auto isIgnored = [&](int64_t i) {
    return options.ignoreIndex && getInteger(targets, i) == *options.ignoreIndex;
  };
  int64_t length = logits.dims().back(), counted = 0;
  for (int64_t i = 0; i < targets.numElements(); ++i)
    counted += !isIgnored(i);
  double e = options.labelSmoothing;
  for (int64_t i = 0; i < targets.numElements(); ++i) {
    double g = cotangent.getDouble(isSingle ? 0 : i);
    if (options.reduction == LossReduction::Mean)
      g = rounded(g / static_cast<double>(std::max<int64_t>(counted, 1)));
    int64_t target = getInteger(targets, i);
    std::vector<double> p = softmaxOf(rowOf(logits, i, length));
    for (int64_t j = 0; j < length; ++j) {
      double rest = rounded(p[j] - (j == target ? 1 - e : 0));
      double value = rounded(g * rounded(rest - rounded(e / static_cast<double>(length))));
      if (target < 0 || target >= length)
        value = std::numeric_limits<double>::quiet_NaN();
      result->setDouble(i * length + j, isIgnored(i) ? 0 : value);
    }
  }
  return result;
}

/// The gradients of the chosen scores `c` by the weights made of them.
static std::vector<double> chosenGrads(const std::vector<double> &c, const std::vector<double> &dw,
                                       const RouteOptions &options) {
  Sum sum, common;
  for (size_t i = 0; i < c.size(); ++i) {
    sum += c[i];
    common += rounded(dw[i] * c[i]);
  }
  double whole = rounded(sum.value() + 1e-20), mean = rounded(common.value() / whole);
  std::vector<double> grads(c.size());
  for (size_t i = 0; i < c.size(); ++i) {
    double grad = options.normalize ? rounded(rounded(dw[i] - mean) / whole) : dw[i];
    grads[i] = rounded(options.scale * grad);
  }
  return grads;
}

Result<HostTensor> reference::moeRouteGrad(const HostTensor &cotangent, const HostTensor &logits,
                                           const HostTensor &experts, const RouteOptions &options) {
  if (logits.rank() != 2 || cotangent.rank() != 2 || cotangent.dims() != experts.dims() ||
      cotangent.dims()[0] != logits.dims()[0])
    return Error{"moe_route_grad does not fit " + typeString(cotangent) + ", " +
                 typeString(logits) + " and " + typeString(experts)};
  Result<HostTensor> result = HostTensor::create(logits.type(), logits.dims());
  if (!result || result->numElements() == 0)
    return result;
  int64_t count = logits.dims()[1], k = cotangent.dims()[1];
  for (int64_t n = 0; n < logits.dims()[0]; ++n) {
    std::vector<double> s = rowOf(logits, n, count), c(k), ds(count, 0.0);
    if (options.score == RouterScore::Softmax)
      s = softmaxOf(s);
    else
      for (double &x : s)
        x = activation(Activation::Sigmoid, x);
    std::vector<int64_t> chosen(k);
    for (int64_t i = 0; i < k; ++i) {
      chosen[i] = std::clamp<int64_t>(getInteger(experts, n * k + i), 0, count - 1);
      c[i] = s[chosen[i]];
    }
    std::vector<double> dc = chosenGrads(c, rowOf(cotangent, n, k), options);
    Sum products;
    for (int64_t i = 0; i < k; ++i) {
      ds[chosen[i]] = rounded(ds[chosen[i]] + dc[i]);
      products += rounded(c[i] * dc[i]);
    }
    double common = products.value();
    for (int64_t e = 0; e < count; ++e) {
      double slope = rounded(s[e] * rounded(1 - s[e]));
      result->setDouble(n * count + e, options.score == RouterScore::Softmax
                                           ? rounded(s[e] * rounded(ds[e] - common))
                                           : rounded(slope * ds[e]));
    }
  }
  return result;
}

Result<HostTensor> reference::topKGrad(const HostTensor &cotangent, const HostTensor &indices,
                                       int64_t length) {
  if (cotangent.rank() < 1 || cotangent.dims() != indices.dims())
    return Error{"top_k_grad does not fit " + typeString(cotangent) + " and " +
                 typeString(indices)};
  Dims dims = cotangent.dims();
  int64_t k = dims.back();
  dims.back() = length;
  std::vector<Sum> sums(static_cast<size_t>(product(dims)));
  for (int64_t i = 0; i < cotangent.numElements(); ++i) {
    int64_t place = getInteger(indices, i);
    if (place >= 0 && place < length)
      sums[i / k * length + place] += cotangent.getDouble(i);
  }
  return fromDoubles(cotangent.type(), dims, valuesOf(sums));
}
