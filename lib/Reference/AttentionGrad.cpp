#include "forge/Reference/AttentionGrad.h"

#include "AttentionRow.h"

#include "forge/Reference/Rounding.h"

#include <algorithm>
#include <cmath>

using namespace forge;
using namespace forge::reference;

namespace {

/// The operands in double, and the gradients as they add up.
struct Backward {
  AttentionSizes n;
  const AttentionOptions &options;
  double scale;
  std::vector<double> cotangent = {}, lse = {}, query = {}, key = {}, value = {};
  std::vector<double> dquery = {};
  std::vector<Sum> dkey = {}, dvalue = {}, dmask = {}, dsinks = {};
  std::vector<std::vector<Sum>> dtables = {};
};

/// Queries whose scores are kept at once.
constexpr int64_t kQueriesOfBlock = 64;

/// What the scores of some queries of one head, [queries, keys], add to the gradients of keys and
/// values.
struct BlockScores {
  int64_t first, count;
  /// The weights, as they multiply values, and the gradients of the products of queries and keys.
  std::vector<double> weights, dproducts;
  /// Of each key, the queries whose scores of it count.
  std::vector<std::vector<int64_t>> queriesOf;

  BlockScores(const AttentionSizes &n, int64_t first)
      : first(first), count(std::min(kQueriesOfBlock, n.queries - first)), weights(count * n.keys),
        dproducts(count * n.keys), queriesOf(n.keys) {}
};

} // namespace

/// The gradient of the product of a query and a key from that of its score: back through the score
/// function, the cap and the scale.
static Result<double> throughScore(const Backward &p, double dscore, double product,
                                   const Dims &index) {
  if (p.options.slope) {
    Result<double> slope = p.options.slope(cappedScore(product, p.options, p.scale), index[0],
                                           index[1], index[2], index[3]);
    if (!slope)
      return slope.error();
    dscore = rounded(dscore * approximated(*slope));
  }
  if (p.options.softCap) {
    double capped = rounded(rounded(p.scale * product) / *p.options.softCap);
    double tanh = saturating(std::tanh(capped));
    dscore = rounded(dscore * rounded(1 - rounded(tanh * tanh)));
  }
  return rounded(p.scale * dscore);
}

/// Adds the gradient of a score to the elements of tables that were read for it.
static Result<void> addToTables(Backward &p, double dscore, double product, const Dims &index) {
  if (p.dtables.empty())
    return {};
  auto reads = p.options.reads(cappedScore(product, p.options, p.scale), index[0], index[1],
                               index[2], index[3]);
  if (!reads)
    return reads.error();
  for (size_t i = 0; i < p.dtables.size(); ++i) {
    auto [place, slope] = (*reads)[i];
    if (place < 0 || place >= static_cast<int64_t>(p.dtables[i].size()))
      return Error{"a score reads outside of table " + std::to_string(i)};
    p.dtables[i][place] += rounded(dscore * approximated(slope));
  }
  return {};
}

/// Adds factors[at * factorStep] * values[at * step] for each of `places`.
static void addOver(Sum &sum, const std::vector<int64_t> &places, const double *factors,
                    int64_t factorStep, const double *values, int64_t step) {
  std::vector<double> terms(places.size());
  for (size_t i = 0; i < terms.size(); ++i)
    terms[i] = factors[places[i] * factorStep] * values[places[i] * step];
  sum.add(terms.data(), static_cast<int64_t>(terms.size()));
}

/// The sum of factors[at] * values[at * step] over `places`.
static double sumOver(const std::vector<int64_t> &places, const double *factors,
                      const double *values, int64_t step) {
  Sum sum = Sum::ofProducts();
  addOver(sum, places, factors, 1, values, step);
  return sum.value();
}

/// One query: its weights again, the gradient of each of its scores, and what they add to the
/// gradients of its own operands.
static Result<void> differentiateRow(Backward &p, BlockScores &scores, int64_t b, int64_t h,
                                     int64_t s, int64_t position, int64_t length) {
  const AttentionSizes &n = p.n;
  int64_t row = (b * n.queryHeads + h) * n.queries + s;
  int64_t keyRow = (b * n.keyHeads + h / (n.queryHeads / n.keyHeads)) * n.keys;
  const double *q = &p.query[row * n.depth], *dout = &p.cotangent[row * n.width];
  std::vector<double> weights(n.keys, kHidden), products(n.keys, 0.0), dweights(n.keys, 0.0);
  for (int64_t t = 0; t < n.keys; ++t) {
    if (!sees(p.options, position, t, length))
      continue;
    products[t] = dotProduct(q, p.key.data() + (keyRow + t) * n.depth, n.depth);
    Result<double> score = finalScore(products[t], p.options, p.scale, {b, h, s, t});
    if (!score)
      return score.error();
    weights[t] = *score;
  }
  double base, sink = p.options.sinks ? p.options.sinks->getDouble(h) : 0;
  double sum = exponentials(weights, p.options.sinks ? &sink : nullptr, base);
  if (sum == 0)
    return {}; // sees nothing
  // Of a key without weight, what is not finite may count.
  auto counts = [&](int64_t t) { return weights[t] != 0 || (t < length && looksAtHidden()); };
  bool rounds = p.options.roundsWeights;
  std::vector<int64_t> counted;
  double *factors = scores.weights.data() + (s - scores.first) * n.keys,
         *dproducts = scores.dproducts.data() + (s - scores.first) * n.keys;
  const double *key = p.key.data() + keyRow * n.depth, *value = p.value.data() + keyRow * n.width;
  Sum weighted;
  for (int64_t t = 0; t < n.keys; ++t) {
    weights[t] = rounded(weights[t] / sum);
    if (!counts(t))
      continue;
    counted.push_back(t);
    scores.queriesOf[t].push_back(s - scores.first);
    factors[t] = rounds ? storedAtAnyScale(weights[t]) : weights[t];
    dweights[t] = dotProduct(dout, value + t * n.width, n.width);
    weighted += rounded(weights[t] * dweights[t]);
  }
  // The same of the result, which may have been rounded.
  if (rounds) {
    weighted = Sum();
    for (int64_t j = 0; j < n.width; ++j)
      weighted += dout[j] * stored(sumOver(counted, factors, value + j, n.width));
  }
  double common = weighted.value();
  if (!p.lse.empty())
    common = rounded(common - p.lse[row]);
  if (p.options.sinks) {
    double weight = rounded(approximated(std::exp(rounded(sink - base))) / sum);
    p.dsinks[h] += rounded(-weight * common);
  }
  for (int64_t t : counted) {
    double dscore = rounded(weights[t] * rounded(dweights[t] - common));
    dproducts[t] = dscore; // without weight 0, or NaN
    if (weights[t] != 0) {
      if (!p.dmask.empty())
        p.dmask[maskPlace(*p.options.mask, {b, h, s, t})] += dscore;
      if (Result<void> ok = addToTables(p, dscore, products[t], {b, h, s, t}); !ok)
        return ok;
      Result<double> through = throughScore(p, dscore, products[t], {b, h, s, t});
      if (!through)
        return through.error();
      dproducts[t] = rounds ? storedAtAnyScale(*through) : *through;
    }
  }
  for (int64_t d = 0; d < n.depth; ++d)
    p.dquery[row * n.depth + d] = sumOver(counted, dproducts, key + d, n.depth);
  return {};
}

/// A block of queries of head h of sequence b: each of them, and what all of them add to the
/// gradients of keys and values.
static Result<void> differentiateBlock(Backward &p, int64_t b, int64_t h, int64_t first,
                                       int64_t offset, int64_t length) {
  const AttentionSizes &n = p.n;
  BlockScores scores(n, first);
  for (int64_t s = first; s < first + scores.count; ++s)
    if (Result<void> ok = differentiateRow(p, scores, b, h, s, offset + s, length); !ok)
      return ok;
  int64_t row = (b * n.queryHeads + h) * n.queries + first;
  int64_t keyRow = (b * n.keyHeads + h / (n.queryHeads / n.keyHeads)) * n.keys;
  const double *query = p.query.data() + row * n.depth,
               *cotangent = p.cotangent.data() + row * n.width;
  for (int64_t t = 0; t < n.keys; ++t) {
    const std::vector<int64_t> &queries = scores.queriesOf[t];
    for (int64_t j = 0; j < n.width; ++j)
      addOver(p.dvalue[(keyRow + t) * n.width + j], queries, scores.weights.data() + t, n.keys,
              cotangent + j, n.width);
    for (int64_t d = 0; d < n.depth; ++d)
      addOver(p.dkey[(keyRow + t) * n.depth + d], queries, scores.dproducts.data() + t, n.keys,
              query + d, n.depth);
  }
  return {};
}

static Result<Backward> startBackward(const HostTensor &cotangent, const HostTensor *lseCotangent,
                                      const HostTensor &query, const HostTensor &key,
                                      const HostTensor &value, const AttentionOptions &options) {
  Result<AttentionSizes> checked = checkAttention(query, key, value, options);
  if (!checked)
    return checked.error();
  AttentionSizes n = *checked;
  if (options.score && !options.slope)
    return Error{"expected the slope of the score function"};
  if (!options.tables.empty() && !options.reads)
    return Error{"expected a function that tells what scores read from tables"};
  Dims rows = {n.batch, n.queryHeads, n.queries}, result = rows;
  result.push_back(n.width);
  if (cotangent.dims() != result || (lseCotangent && lseCotangent->dims() != rows))
    return Error{"expected a cotangent of shape " + dimsString(result) + ", but got " +
                 typeString(cotangent)};
  auto zeros = [](const HostTensor &like, const Sum &zero = {}) {
    return std::vector<Sum>(static_cast<size_t>(like.numElements()), zero);
  };
  Backward p{n, options, options.scale.value_or(1 / std::sqrt(static_cast<double>(n.depth)))};
  p.cotangent = toDoubles(cotangent);
  if (lseCotangent)
    p.lse = toDoubles(*lseCotangent);
  p.query = toDoubles(query);
  p.key = toDoubles(key);
  p.value = toDoubles(value);
  p.dquery.assign(p.query.size(), 0.0);
  p.dkey = zeros(key, Sum::ofProducts());
  p.dvalue = zeros(value, Sum::ofProducts());
  if (options.mask && options.mask->type() != DType::I1)
    p.dmask = zeros(*options.mask);
  if (options.sinks)
    p.dsinks = zeros(*options.sinks);
  for (const HostTensor *table : options.tables)
    p.dtables.push_back(zeros(*table));
  return p;
}

/// The gradients, each of the type and shape of its operand.
static Result<AttentionGradients> gradientsOf(const Backward &p, const HostTensor &query,
                                              const HostTensor &key, const HostTensor &value) {
  auto like = [](const HostTensor &operand, const std::vector<Sum> &sums) {
    return fromDoubles(operand.type(), operand.dims(), valuesOf(sums));
  };
  Result<HostTensor> dq = fromDoubles(query.type(), query.dims(), p.dquery), dk = like(key, p.dkey),
                     dv = like(value, p.dvalue);
  if (!dq || !dk || !dv)
    return Error{"out of memory for the gradients of attention"};
  AttentionGradients result{std::move(*dq), std::move(*dk), std::move(*dv), {}, {}, {}};
  if (p.options.mask && p.options.mask->type() != DType::I1)
    if (Result<HostTensor> mask = like(*p.options.mask, p.dmask))
      result.mask = std::move(*mask);
  if (p.options.sinks)
    if (Result<HostTensor> sinks = like(*p.options.sinks, p.dsinks))
      result.sinks = std::move(*sinks);
  for (size_t i = 0; i < p.dtables.size(); ++i) {
    Result<HostTensor> table = like(*p.options.tables[i], p.dtables[i]);
    if (!table)
      return table.error();
    result.tables.push_back(std::move(*table));
  }
  return result;
}

Result<AttentionGradients> reference::attentionGrad(const HostTensor &cotangent,
                                                    const HostTensor *lseCotangent,
                                                    const HostTensor &query, const HostTensor &key,
                                                    const HostTensor &value,
                                                    const AttentionOptions &options) {
  Result<Backward> p = startBackward(cotangent, lseCotangent, query, key, value, options);
  if (!p)
    return p.error();
  for (int64_t b = 0; b < p->n.batch; ++b) {
    auto [length, offset] = placeOf(p->n, options, b);
    for (int64_t h = 0; h < p->n.queryHeads; ++h)
      for (int64_t first = 0; first < p->n.queries; first += kQueriesOfBlock)
        if (Result<void> ok = differentiateBlock(*p, b, h, first, offset, length); !ok)
          return ok.error();
  }
  return gradientsOf(*p, query, key, value);
}
