#include "AttentionRow.h"

#include "forge/Reference/Rounding.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace forge;
using namespace forge::reference;

static Result<void> checkVector(const HostTensor *vector, const char *name, int64_t size) {
  if (!vector || vector->dims() == Dims{size})
    return {};
  return Error{std::string("expected ") + name + " of shape " + dimsString({size}) + ", but got " +
               typeString(*vector)};
}

static Result<AttentionSizes> checkSizes(const HostTensor &query, const HostTensor &key,
                                         const HostTensor &value) {
  const Dims &q = query.dims(), &k = key.dims(), &v = value.dims();
  bool fits = q.size() == 4 && k.size() == 4 && v.size() == 4 && q[0] == k[0] && q[0] == v[0] &&
              k[1] == v[1] && k[2] == v[2] && q[3] == k[3];
  if (!fits)
    return Error{"attention does not fit " + typeString(query) + ", " + typeString(key) + " and " +
                 typeString(value)};
  if (k[1] == 0 ? q[1] != 0 : q[1] % k[1] != 0)
    return Error{"expected query heads to be a multiple of the " + std::to_string(k[1]) +
                 " key heads, but got " + std::to_string(q[1])};
  return AttentionSizes{q[0], q[1], k[1], q[2], k[2], q[3], v[3]};
}

static Result<void> checkOptions(const AttentionSizes &sizes, const AttentionOptions &options) {
  if (Result<void> ok = checkVector(options.lengths, "lengths", sizes.batch); !ok)
    return ok;
  if (Result<void> ok = checkVector(options.offsets, "offsets", sizes.batch); !ok)
    return ok;
  if (Result<void> ok = checkVector(options.sinks, "sinks", sizes.queryHeads); !ok)
    return ok;
  if (!options.mask)
    return {};
  Dims full = {sizes.batch, sizes.queryHeads, sizes.queries, sizes.keys};
  bool fits = options.mask->rank() == 4;
  for (size_t d = 0; fits && d < 4; ++d)
    fits = options.mask->dims()[d] == 1 || options.mask->dims()[d] == full[d];
  if (!fits)
    return Error{"expected a mask for scores of shape " + dimsString(full) + ", but got " +
                 typeString(*options.mask)};
  return {};
}

Result<AttentionSizes> reference::checkAttention(const HostTensor &query, const HostTensor &key,
                                                 const HostTensor &value,
                                                 const AttentionOptions &options) {
  Result<AttentionSizes> sizes = checkSizes(query, key, value);
  if (!sizes)
    return sizes;
  if (Result<void> ok = checkOptions(*sizes, options); !ok)
    return ok.error();
  return sizes;
}

int64_t reference::maskPlace(const HostTensor &mask, const Dims &index) {
  Dims place = index;
  for (size_t d = 0; d < 4; ++d)
    place[d] = mask.dims()[d] == 1 ? 0 : place[d];
  return flatten(place, stridesOf(mask.dims()));
}

SequencePlace reference::placeOf(const AttentionSizes &n, const AttentionOptions &options,
                                 int64_t b) {
  int64_t length = n.keys;
  if (options.lengths)
    length = std::clamp<int64_t>(getInteger(*options.lengths, b), 0, n.keys);
  int64_t offset = options.offsets ? getInteger(*options.offsets, b) : length - n.queries;
  return {length, offset};
}

bool reference::sees(const AttentionOptions &options, int64_t p, int64_t t, int64_t length) {
  if (t >= length || (options.causal && t > p))
    return false;
  return !options.window || std::llabs(p - t) < *options.window;
}

double reference::cappedScore(double product, const AttentionOptions &options, double scale) {
  double x = rounded(scale * product);
  if (!options.softCap)
    return x;
  return rounded(*options.softCap * saturating(std::tanh(rounded(x / *options.softCap))));
}

Result<double> reference::finalScore(double product, const AttentionOptions &options, double scale,
                                     const Dims &index) {
  double x = cappedScore(product, options, scale);
  if (options.score) {
    Result<double> changed = options.score(x, index[0], index[1], index[2], index[3]);
    if (!changed)
      return changed;
    x = approximated(*changed);
  }
  if (!options.mask)
    return x;
  double mask = options.mask->getDouble(maskPlace(*options.mask, index));
  if (options.mask->type() == DType::I1)
    return mask != 0 ? x : kHidden;
  return rounded(x + mask);
}

double reference::dotProduct(const double *x, const double *y, int64_t count) {
  std::vector<double> terms(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i)
    terms[i] = x[i] * y[i];
  Sum sum = Sum::ofProducts();
  sum.add(terms.data(), count);
  return sum.value();
}

double reference::exponentials(std::vector<double> &scores, const double *sink, double &base) {
  double largest = sink ? *sink : kHidden;
  for (double x : scores)
    if (std::isnan(x) || x > largest)
      largest = x;
  base = largest == kHidden ? 0 : largest;
  Sum sum;
  if (sink)
    sum += approximated(std::exp(rounded(*sink - base)));
  for (double &x : scores) {
    x = approximated(std::exp(rounded(x - base)));
    sum += x;
  }
  return sum.value();
}

namespace {

/// The operands in double, and the results that rows are written to.
struct Problem {
  AttentionSizes n;
  const AttentionOptions &options;
  std::vector<double> query, key, value;
  double scale;
  HostTensor result, lse;
};

} // namespace

/// The query s of head h and sequence b, which is at `position` and of whose sequence there are
/// `length` keys.
static Result<void> attendRow(Problem &p, int64_t b, int64_t h, int64_t s, int64_t position,
                              int64_t length) {
  const AttentionSizes &n = p.n;
  int64_t row = (b * n.queryHeads + h) * n.queries + s;
  int64_t keyRow = (b * n.keyHeads + h / (n.queryHeads / n.keyHeads)) * n.keys;
  std::vector<double> scores(n.keys, kHidden);
  for (int64_t t = 0; t < n.keys; ++t) {
    if (!sees(p.options, position, t, length))
      continue;
    double product =
        dotProduct(p.query.data() + row * n.depth, p.key.data() + (keyRow + t) * n.depth, n.depth);
    Result<double> score = finalScore(product, p.options, p.scale, {b, h, s, t});
    if (!score)
      return score.error();
    scores[t] = *score;
  }
  double base, sink = p.options.sinks ? p.options.sinks->getDouble(h) : 0;
  double sum = exponentials(scores, p.options.sinks ? &sink : nullptr, base);
  std::vector<double> weights = scores;
  if (p.options.roundsWeights)
    for (double &weight : weights)
      weight = storedAtAnyScale(weight);
  std::vector<int64_t> counted;
  for (int64_t t = 0; t < n.keys; ++t)
    if (scores[t] != 0 || (t < length && looksAtHidden())) // what has no weight may count if NaN
      counted.push_back(t);
  std::vector<double> terms(counted.size());
  for (int64_t j = 0; j < n.width; ++j) {
    for (size_t i = 0; i < terms.size(); ++i)
      terms[i] = weights[counted[i]] * p.value[(keyRow + counted[i]) * n.width + j];
    Sum weighted = Sum::ofProducts();
    weighted.add(terms.data(), static_cast<int64_t>(terms.size()));
    p.result.setDouble(row * n.width + j, sum == 0 ? 0 : rounded(weighted.value() / sum));
  }
  p.lse.setDouble(row, rounded(base + approximated(std::log(sum))));
  return {};
}

Result<AttentionResult> reference::attention(const HostTensor &query, const HostTensor &key,
                                             const HostTensor &value,
                                             const AttentionOptions &options, DType lseType) {
  Result<AttentionSizes> checked = checkAttention(query, key, value, options);
  if (!checked)
    return checked.error();
  AttentionSizes n = *checked;
  Result<HostTensor> result =
      HostTensor::create(query.type(), {n.batch, n.queryHeads, n.queries, n.width});
  Result<HostTensor> lse = HostTensor::create(lseType, {n.batch, n.queryHeads, n.queries});
  if (!result || !lse)
    return result ? lse.error() : result.error();
  double scale = options.scale.value_or(1 / std::sqrt(static_cast<double>(n.depth)));
  Problem problem{n,
                  options,
                  toDoubles(query),
                  toDoubles(key),
                  toDoubles(value),
                  scale,
                  std::move(*result),
                  std::move(*lse)};
  for (int64_t b = 0; b < n.batch; ++b) {
    auto [length, offset] = placeOf(n, options, b);
    for (int64_t h = 0; h < n.queryHeads; ++h)
      for (int64_t s = 0; s < n.queries; ++s)
        if (Result<void> ok = attendRow(problem, b, h, s, offset + s, length); !ok)
          return ok.error();
  }
  return AttentionResult{std::move(problem.result), std::move(problem.lse)};
}

Result<HostTensor> reference::attention(const HostTensor &query, const HostTensor &key,
                                        const HostTensor &value, const AttentionOptions &options) {
  Result<AttentionResult> both = attention(query, key, value, options, query.type());
  if (!both)
    return both.error();
  return std::move(both->result);
}

/// The keys of every sequence, [B, H, M * R, D], taken from their pages; what is at or beyond a
/// sequence's length is zero.
static Result<HostTensor> gatherPages(const HostTensor &pages, const HostTensor &table,
                                      const HostTensor &lengths) {
  const Dims &p = pages.dims();
  int64_t batch = table.dims()[0], count = table.dims()[1], size = p[2];
  Result<HostTensor> result = HostTensor::create(pages.type(), {batch, p[1], count * size, p[3]});
  if (!result || result->numElements() == 0)
    return result;
  Dims strides = stridesOf(p), to = stridesOf(result->dims());
  for (int64_t b = 0; b < batch; ++b)
    for (int64_t t = 0; t < std::min(getInteger(lengths, b), count * size); ++t) {
      int64_t page = std::clamp<int64_t>(getInteger(table, b * count + t / size), 0, p[0] - 1);
      for (int64_t h = 0; h < p[1]; ++h)
        for (int64_t d = 0; d < p[3]; ++d)
          copyElement(*result, flatten({b, h, t, d}, to), pages,
                      flatten({page, h, t % size, d}, strides));
    }
  return result;
}

Result<AttentionResult> reference::pagedAttention(const HostTensor &query,
                                                  const HostTensor &keyPages,
                                                  const HostTensor &valuePages,
                                                  const HostTensor &table,
                                                  const AttentionOptions &options, DType lseType) {
  bool fits = keyPages.rank() == 4 && valuePages.rank() == 4 && table.rank() == 2 &&
              options.lengths && options.lengths->dims() == Dims{table.dims()[0]} &&
              keyPages.dims()[0] == valuePages.dims()[0] && keyPages.dims()[0] > 0;
  if (!fits)
    return Error{"paged attention does not fit " + typeString(keyPages) + ", " +
                 typeString(valuePages) + " and the table " + typeString(table)};
  Result<HostTensor> keys = gatherPages(keyPages, table, *options.lengths);
  Result<HostTensor> values = gatherPages(valuePages, table, *options.lengths);
  if (!keys || !values)
    return keys ? values.error() : keys.error();
  return attention(query, *keys, *values, options, lseType);
}
