#include "forge/Reference/Selection.h"

#include "Rows.h"

#include "forge/Reference/Random.h"
#include "forge/Reference/Rounding.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

using namespace forge;
using namespace forge::reference;

static bool comesBefore(double a, double b) { return a > b || (std::isnan(a) && !std::isnan(b)); }

std::vector<int64_t> reference::fallingOrder(const std::vector<double> &values) {
  std::vector<int64_t> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
    bool isBehind = comesBefore(values[b], values[a]);
    return comesBefore(values[a], values[b]) || (!isBehind && a < b);
  });
  return order;
}

static Result<void> checkRows(const HostTensor &input, const char *what) {
  if (input.rank() >= 1 && isFloat(input.type()))
    return {};
  return Error{std::string("expected rows of floats for ") + what + ", but got " +
               typeString(input)};
}

Result<HostTensor> reference::argmax(const HostTensor &input, DType indexType) {
  if (Result<void> ok = checkRows(input, "argmax"); !ok)
    return ok.error();
  Dims rows(input.dims().begin(), input.dims().end() - 1);
  Result<HostTensor> result = HostTensor::create(indexType, rows);
  int64_t length = input.dims().back();
  for (int64_t i = 0; result && length > 0 && i < result->numElements(); ++i)
    setInteger(*result, i, fallingOrder(rowOf(input, i, length)).front());
  return result;
}

Result<Selected> reference::largest(const HostTensor &input, int64_t k, DType indexType) {
  if (Result<void> ok = checkRows(input, "top_k"); !ok)
    return ok.error();
  int64_t length = input.dims().back();
  if (k < 1 || k > length)
    return Error{"top_k: expected at least " + std::to_string(k) + " elements, but got " +
                 std::to_string(length)};
  Dims dims = input.dims();
  dims.back() = k;
  Result<HostTensor> values = HostTensor::create(input.type(), dims);
  Result<HostTensor> indices = HostTensor::create(indexType, dims);
  if (!values || !indices)
    return values ? indices.error() : values.error();
  for (int64_t i = 0; i < values->numElements() / k; ++i) {
    std::vector<int64_t> order = fallingOrder(rowOf(input, i, length));
    for (int64_t j = 0; j < k; ++j) {
      copyElement(*values, i * k + j, input, i * length + order[j]);
      setInteger(*indices, i * k + j, order[j]);
    }
  }
  return Selected{std::move(*values), std::move(*indices)};
}

//===----------------------------------------------------------------------===//
// sample
//===----------------------------------------------------------------------===//

/// The number in [0, 1) that a seed gives at a step.
static double uniform(uint64_t seed, uint64_t step) {
  auto low = [](uint64_t x) { return static_cast<uint32_t>(x); };
  auto high = [](uint64_t x) { return static_cast<uint32_t>(x >> 32); };
  uint32_t word = philox4x32({low(seed), high(seed)}, {low(step), high(step), 0, 0})[0];
  return static_cast<double>(word >> 8) * 0x1p-24;
}

/// How many tokens of the order are kept: at most `count`, and of these the shortest beginning that
/// holds `share` of the weights.
static int64_t countKept(const std::vector<int64_t> &order, const std::vector<double> &weights,
                         int64_t count, double share) {
  double total = 0;
  for (int64_t j = 0; j < count; ++j)
    total += weights[order[j]];
  if (!(share < 1))
    return count;
  double sum = 0;
  for (int64_t j = 0; j < count; ++j) {
    sum += weights[order[j]];
    if (sum >= share * total)
      return j + 1;
  }
  return count;
}

/// The first token by index, of those kept, at which the running sum exceeds u of the whole.
static int64_t draw(const std::vector<double> &weights, const std::vector<bool> &kept, double u) {
  double total = 0, sum = 0;
  int64_t last = 0;
  for (size_t i = 0; i < weights.size(); ++i)
    total += kept[i] ? weights[i] : 0;
  for (size_t i = 0; i < weights.size(); ++i) {
    if (!kept[i])
      continue;
    sum += weights[i];
    last = static_cast<int64_t>(i);
    if (sum > u * total)
      break;
  }
  return last;
}

static int64_t sampleRow(const std::vector<double> &logits, double temperature, int64_t topK,
                         double topP, double u, DType weightType) {
  std::vector<int64_t> order = fallingOrder(logits);
  int64_t size = static_cast<int64_t>(logits.size());
  double largest = logits[order[0]];
  if (!(temperature > 0) || !std::isfinite(largest))
    return order[0];
  std::vector<double> weights;
  for (double x : logits)
    weights.push_back(roundToType(
        weightType, approximated(std::exp(rounded(rounded(x - largest) / temperature)))));
  int64_t count = topK < 1 || topK > size ? size : topK;
  count = countKept(order, weights, count, topP);
  std::vector<bool> kept(logits.size());
  for (int64_t j = 0; j < count; ++j)
    kept[order[j]] = true;
  return draw(weights, kept, u);
}

Result<HostTensor> reference::sample(const HostTensor &logits, const HostTensor &seeds,
                                     const HostTensor &steps, const SampleOptions &options,
                                     DType weightType, DType indexType) {
  if (logits.rank() != 2 || logits.dims()[1] == 0)
    return Error{"expected logits of rank 2, in rows of 1 or more, but got " + typeString(logits)};
  int64_t rows = logits.dims()[0], size = logits.dims()[1];
  for (const HostTensor *vector : {&seeds, &steps, options.temperature, options.topK, options.topP})
    if (vector && vector->dims() != Dims{rows})
      return Error{"expected one parameter per row of " + typeString(logits) + ", but got " +
                   typeString(*vector)};
  Result<HostTensor> result = HostTensor::create(indexType, {rows});
  for (int64_t b = 0; result && b < rows; ++b)
    setInteger(*result, b,
               sampleRow(rowOf(logits, b, size),
                         options.temperature ? options.temperature->getDouble(b) : 1,
                         options.topK ? getInteger(*options.topK, b) : 0,
                         options.topP ? options.topP->getDouble(b) : 1,
                         uniform(seeds.getBits(b), steps.getBits(b)), weightType));
  return result;
}

//===----------------------------------------------------------------------===//
// cross_entropy
//===----------------------------------------------------------------------===//

/// log(sum(exp(logits))) - logits[target] with the largest logit subtracted from all, so that
/// nothing overflows and large logits take no digits away.
static double lossOf(std::vector<double> logits, int64_t target, double smoothing) {
  int64_t size = static_cast<int64_t>(logits.size());
  if (target < 0 || target >= size)
    return std::numeric_limits<double>::quiet_NaN();
  double largest = logits[fallingOrder(logits).front()];
  Sum sum, exponentials;
  for (double &x : logits) {
    x = rounded(x - largest);
    exponentials += approximated(std::exp(x));
    sum += x;
  }
  double whole = approximated(std::log(exponentials.value()));
  double loss = rounded(whole - logits[target]);
  if (smoothing == 0)
    return loss;
  double mean = rounded(sum.value() / static_cast<double>(size));
  return rounded(rounded((1 - smoothing) * loss) + rounded(smoothing * rounded(whole - mean)));
}

Result<HostTensor> reference::crossEntropy(const HostTensor &logits, const HostTensor &targets,
                                           const CrossEntropyOptions &options, DType resultType) {
  if (Result<void> ok = checkRows(logits, "cross_entropy"); !ok)
    return ok.error();
  Dims rows(logits.dims().begin(), logits.dims().end() - 1);
  if (targets.dims() != rows)
    return Error{"expected targets of shape " + dimsString(rows) + ", but got " +
                 typeString(targets)};
  bool isSingle = options.reduction != LossReduction::None;
  Result<HostTensor> result = HostTensor::create(resultType, isSingle ? Dims() : rows);
  if (!result)
    return result;
  int64_t length = logits.dims().back(), counted = 0;
  Sum losses;
  for (int64_t i = 0; i < targets.numElements(); ++i) {
    int64_t target = getInteger(targets, i);
    double loss = 0;
    if (!options.ignoreIndex || target != *options.ignoreIndex) {
      loss = lossOf(rowOf(logits, i, length), target, options.labelSmoothing);
      ++counted;
    }
    losses += loss;
    if (!isSingle)
      result->setDouble(i, loss);
  }
  if (isSingle) {
    double sum = losses.value();
    if (options.reduction == LossReduction::Mean)
      sum = rounded(sum / static_cast<double>(std::max<int64_t>(counted, 1)));
    result->setDouble(0, sum);
  }
  return result;
}
