#include "forge/Tune/ModelError.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace forge;

/// Of each value; equal ones have the mean of their ranks.
static std::vector<double> ranksOf(const std::vector<double> &values) {
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), size_t(0));
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    while (end < order.size() && values[order[end]] == values[order[begin]])
      ++end;
    for (size_t i = begin; i < end; ++i)
      ranks[order[i]] = double(begin + end - 1) / 2;
  }
  return ranks;
}

/// Pearson's.
static std::optional<double> correlation(const std::vector<double> &x,
                                         const std::vector<double> &y) {
  double n = double(x.size()), meanX = std::accumulate(x.begin(), x.end(), 0.0) / n,
         meanY = std::accumulate(y.begin(), y.end(), 0.0) / n;
  double xy = 0, xx = 0, yy = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    xy += (x[i] - meanX) * (y[i] - meanY);
    xx += (x[i] - meanX) * (x[i] - meanX);
    yy += (y[i] - meanY) * (y[i] - meanY);
  }
  if (xx == 0 || yy == 0)
    return std::nullopt;
  return xy / std::sqrt(xx * yy);
}

ModelError forge::modelErrorOf(const std::vector<Prediction> &predictions) {
  ModelError error;
  error.predictions = predictions.size();
  std::vector<double> predicted, measured;
  double worst = -1, squares = 0;
  for (const Prediction &one : predictions) {
    predicted.push_back(one.predicted);
    measured.push_back(one.measured);
    double distance = std::abs(std::log(one.measured / one.predicted));
    squares += distance * distance;
    if (distance > worst) {
      worst = distance;
      error.worst = one;
    }
  }
  if (!predictions.empty())
    error.typicalFactor = std::exp(std::sqrt(squares / double(predictions.size())));
  if (predictions.size() > 1)
    error.rankCorrelation = correlation(ranksOf(predicted), ranksOf(measured));
  return error;
}
