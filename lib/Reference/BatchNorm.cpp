#include "forge/Reference/BatchNorm.h"

#include <cmath>

using namespace forge;
using namespace forge::reference;

static Result<void> check(const HostTensor &operand, int64_t feature,
                          std::initializer_list<const HostTensor *> perFeature) {
  if (!isFloat(operand.type()) || feature < 0 || feature >= operand.rank())
    return Error{"no feature dimension " + std::to_string(feature) + " in " + typeString(operand)};
  for (const HostTensor *tensor : perFeature)
    if (tensor->type() != operand.type() || tensor->dims() != Dims{operand.dims()[feature]})
      return Error{"expected one value per feature of " + typeString(operand) + ", but got " +
                   typeString(*tensor)};
  return {};
}

/// The feature every element belongs to, in row-major order.
static std::vector<int64_t> featuresOf(const HostTensor &operand, int64_t feature) {
  int64_t stride = stridesOf(operand.dims())[feature], size = operand.dims()[feature];
  std::vector<int64_t> features(static_cast<size_t>(operand.numElements()));
  for (int64_t i = 0; i < operand.numElements(); ++i)
    features[i] = i / stride % size;
  return features;
}

/// Sums per feature of values[i].
static std::vector<double> sums(const std::vector<double> &values,
                                const std::vector<int64_t> &features, size_t count) {
  std::vector<double> result(count, 0);
  for (size_t i = 0; i < values.size(); ++i)
    result[features[i]] += values[i];
  return result;
}

static std::vector<double>
normalised(const std::vector<double> &x, const std::vector<int64_t> &features,
           const std::vector<double> &scale, const std::vector<double> &offset,
           const std::vector<double> &mean, const std::vector<double> &variance, double epsilon) {
  std::vector<double> result(x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    int64_t f = features[i];
    result[i] = (x[i] - mean[f]) / std::sqrt(variance[f] + epsilon) * scale[f] + offset[f];
  }
  return result;
}

Result<HostTensor> reference::batchNormInference(const HostTensor &operand, const HostTensor &scale,
                                                 const HostTensor &offset, const HostTensor &mean,
                                                 const HostTensor &variance, double epsilon,
                                                 int64_t feature) {
  if (Result<void> ok = check(operand, feature, {&scale, &offset, &mean, &variance}); !ok)
    return ok.error();
  return fromDoubles(operand.type(), operand.dims(),
                     normalised(toDoubles(operand), featuresOf(operand, feature), toDoubles(scale),
                                toDoubles(offset), toDoubles(mean), toDoubles(variance), epsilon));
}

/// Collects three results, or the first error.
static Result<std::vector<HostTensor>> together(Result<HostTensor> a, Result<HostTensor> b,
                                                Result<HostTensor> c) {
  std::vector<HostTensor> results;
  for (Result<HostTensor> *result : {&a, &b, &c}) {
    if (!*result)
      return result->error();
    results.push_back(std::move(**result));
  }
  return results;
}

Result<std::vector<HostTensor>> reference::batchNormTraining(const HostTensor &operand,
                                                             const HostTensor &scale,
                                                             const HostTensor &offset,
                                                             double epsilon, int64_t feature) {
  if (Result<void> ok = check(operand, feature, {&scale, &offset}); !ok)
    return ok.error();
  std::vector<double> x = toDoubles(operand), squares(x.size());
  std::vector<int64_t> features = featuresOf(operand, feature);
  size_t count = static_cast<size_t>(operand.dims()[feature]);
  double perFeature = static_cast<double>(x.size()) / static_cast<double>(count);
  std::vector<double> mean = sums(x, features, count);
  for (double &value : mean)
    value /= perFeature;
  for (size_t i = 0; i < x.size(); ++i)
    squares[i] = (x[i] - mean[features[i]]) * (x[i] - mean[features[i]]);
  std::vector<double> variance = sums(squares, features, count);
  for (double &value : variance)
    value /= perFeature;
  std::vector<double> output =
      normalised(x, features, toDoubles(scale), toDoubles(offset), mean, variance, epsilon);
  return together(fromDoubles(operand.type(), operand.dims(), output),
                  fromDoubles(operand.type(), scale.dims(), mean),
                  fromDoubles(operand.type(), scale.dims(), variance));
}

Result<std::vector<HostTensor>>
reference::batchNormGrad(const HostTensor &operand, const HostTensor &scale, const HostTensor &mean,
                         const HostTensor &variance, const HostTensor &gradient, double epsilon,
                         int64_t feature) {
  if (Result<void> ok = check(operand, feature, {&scale, &mean, &variance}); !ok)
    return ok.error();
  if (gradient.dims() != operand.dims() || gradient.type() != operand.type())
    return Error{"expected a gradient of " + typeString(operand) + ", but got " +
                 typeString(gradient)};
  std::vector<double> x = toDoubles(operand), g = toDoubles(gradient), products(x.size());
  std::vector<double> s = toDoubles(scale), m = toDoubles(mean), v = toDoubles(variance);
  std::vector<int64_t> features = featuresOf(operand, feature);
  double perFeature = static_cast<double>(x.size()) / static_cast<double>(s.size());
  for (size_t i = 0; i < x.size(); ++i)
    products[i] = g[i] * (x[i] - m[features[i]]);
  std::vector<double> sum = sums(g, features, s.size()),
                      sumOfProducts = sums(products, features, s.size());
  // With c = x - mean and d = sqrt(variance + epsilon):
  // grad x = scale / d * (g - mean(g) - c * mean(g c) / d^2), grad scale = sum(g c) / d, grad
  // offset = sum(g).
  std::vector<double> gradX(x.size()), gradScale(s.size());
  for (size_t i = 0; i < x.size(); ++i) {
    int64_t f = features[i];
    double centred = x[i] - m[f], deviation = std::sqrt(v[f] + epsilon);
    gradX[i] =
        s[f] / deviation *
        (g[i] - sum[f] / perFeature - centred * sumOfProducts[f] / perFeature / (v[f] + epsilon));
  }
  for (size_t f = 0; f < s.size(); ++f)
    gradScale[f] = sumOfProducts[f] / std::sqrt(v[f] + epsilon);
  return together(fromDoubles(operand.type(), operand.dims(), gradX),
                  fromDoubles(operand.type(), scale.dims(), gradScale),
                  fromDoubles(operand.type(), scale.dims(), sum));
}
