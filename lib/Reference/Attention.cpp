#include "forge/Reference/Attention.h"

#include <cmath>
#include <limits>

using namespace forge;
using namespace forge::reference;

static constexpr double kHidden = -std::numeric_limits<double>::infinity();

static Result<void> check(const HostTensor &query, const HostTensor &key, const HostTensor &value,
                          const HostTensor *mask) {
  Error unfit{"attention cannot take " + typeString(query) + ", " + typeString(key) + " and " +
              typeString(value)};
  if (query.rank() != 4 || key.rank() != 4 || value.rank() != 4)
    return unfit;
  const Dims &q = query.dims(), &k = key.dims(), &v = value.dims();
  bool heads = k[1] == 0 ? q[1] == 0 : q[1] % k[1] == 0;
  if (q[0] != k[0] || q[0] != v[0] || k[1] != v[1] || k[2] != v[2] || q[3] != k[3] || !heads)
    return unfit;
  Dims scores = {q[0], q[1], q[2], k[2]};
  if (mask && mask->rank() != 4)
    return Error{"expected a mask of rank 4, but got " + typeString(*mask)};
  for (int64_t d = 0; mask && d < 4; ++d)
    if (mask->dims()[d] != 1 && mask->dims()[d] != scores[d])
      return Error{"a mask " + typeString(*mask) + " does not fit scores " + dimsString(scores)};
  return {};
}

/// The score after masks: -inf where the mask or causality hides the key.
static double masked(double score, const AttentionOptions &options, const Dims &at, int64_t queries,
                     int64_t keys) {
  if (options.causal && at[3] > at[2] + keys - queries)
    return kHidden;
  if (!options.mask)
    return score;
  Dims index = at;
  for (int64_t d = 0; d < 4; ++d)
    if (options.mask->dims()[d] == 1)
      index[d] = 0;
  int64_t position = flatten(index, stridesOf(options.mask->dims()));
  if (isFloat(options.mask->type()))
    return score + options.mask->getDouble(position);
  return getInteger(*options.mask, position) != 0 ? score : kHidden;
}

/// exp(score - max) and their sum; all zero where every score is -inf.
static double exponentials(std::vector<double> &scores) {
  double largest = kHidden, sum = 0;
  for (double score : scores)
    if (score > largest || std::isnan(score))
      largest = score;
  for (double &score : scores) {
    score = std::exp(score - (largest == kHidden ? 0 : largest));
    sum += score;
  }
  return sum;
}

Result<HostTensor> reference::attention(const HostTensor &query, const HostTensor &key,
                                        const HostTensor &value, const AttentionOptions &options) {
  if (Result<void> ok = check(query, key, value, options.mask); !ok)
    return ok.error();
  int64_t batches = query.dims()[0], heads = query.dims()[1], queries = query.dims()[2],
          depth = query.dims()[3], keyHeads = key.dims()[1], keys = key.dims()[2],
          width = value.dims()[3];
  Result<HostTensor> result = HostTensor::create(query.type(), {batches, heads, queries, width});
  if (!result || result->numElements() == 0)
    return result;
  double scale = options.scale.value_or(1 / std::sqrt(static_cast<double>(depth)));
  std::vector<double> scores(static_cast<size_t>(keys));
  for (int64_t b = 0; b < batches; ++b)
    for (int64_t h = 0; h < heads; ++h)
      for (int64_t s = 0; s < queries; ++s) {
        int64_t head = b * keyHeads + h / (heads / keyHeads), row = (b * heads + h) * queries + s;
        for (int64_t t = 0; t < keys; ++t) {
          double dot = 0;
          for (int64_t d = 0; d < depth; ++d)
            dot += query.getDouble(row * depth + d) * key.getDouble((head * keys + t) * depth + d);
          scores[t] = masked(scale * dot, options, {b, h, s, t}, queries, keys);
        }
        double sum = exponentials(scores);
        for (int64_t e = 0; e < width; ++e) {
          double total = 0;
          for (int64_t t = 0; t < keys; ++t)
            total += scores[t] * value.getDouble((head * keys + t) * width + e);
          result->setDouble(row * width + e, sum == 0 ? 0 : total / sum);
        }
      }
  return result;
}
