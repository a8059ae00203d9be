#include "forge/Reference/Position.h"

#include "forge/Reference/Rounding.h"

#include <algorithm>
#include <cmath>

using namespace forge;
using namespace forge::reference;

/// The pair whose frequency turns `rotations` times within the original context: the inverse of
/// turns(i) = L / (2 pi) * base^(-2i / R).
static double pairTurning(double rotations, double dims, double base, double length) {
  return dims * std::log(length / (rotations * 2 * M_PI)) / (2 * std::log(base));
}

/// Frequencies that turn fast stay, slow ones are divided by the factor, with a ramp between.
static void scaleYarn(std::vector<double> &frequencies, double base, const RopeScaling &scaling) {
  double dims = 2.0 * static_cast<double>(frequencies.size());
  double low = std::floor(pairTurning(scaling.betaFast, dims, base, scaling.originalLength));
  double high = std::ceil(pairTurning(scaling.betaSlow, dims, base, scaling.originalLength));
  low = std::max(low, 0.0);
  high = std::min(high, dims - 1);
  if (low == high)
    high += 0.001;
  for (size_t i = 0; i < frequencies.size(); ++i) {
    double ramp = std::clamp((static_cast<double>(i) - low) / (high - low), 0.0, 1.0);
    frequencies[i] = frequencies[i] / scaling.factor * ramp + frequencies[i] * (1 - ramp);
  }
}

static void scaleLlama3(std::vector<double> &frequencies, const RopeScaling &scaling) {
  double low = scaling.lowFrequencyFactor, high = scaling.highFrequencyFactor;
  for (double &frequency : frequencies) {
    double turns = scaling.originalLength * frequency / (2 * M_PI);
    double stays = std::clamp((turns - low) / (high - low), 0.0, 1.0);
    frequency = (1 - stays) * frequency / scaling.factor + stays * frequency;
  }
}

std::vector<double> reference::ropeFrequencies(int64_t rotaryDims, double base,
                                               const RopeScaling &scaling, double length) {
  double dims = static_cast<double>(rotaryDims);
  if (scaling.kind == RopeScaling::Kind::Dynamic) {
    double stretch =
        scaling.factor * std::max(length, scaling.originalLength) / scaling.originalLength -
        (scaling.factor - 1);
    base *= approximatedInDouble(std::pow(stretch, dims / (dims - 2)));
  }
  std::vector<double> frequencies;
  for (int64_t i = 0; i < rotaryDims / 2; ++i)
    frequencies.push_back(
        approximatedInDouble(std::pow(base, -2.0 * static_cast<double>(i) / dims)));
  if (scaling.kind == RopeScaling::Kind::Linear)
    for (double &frequency : frequencies)
      frequency /= scaling.factor;
  if (scaling.kind == RopeScaling::Kind::Yarn)
    scaleYarn(frequencies, base, scaling);
  if (scaling.kind == RopeScaling::Kind::Llama3)
    scaleLlama3(frequencies, scaling);
  return frequencies;
}

static double attentionFactor(const RopeScaling &scaling) {
  if (scaling.kind != RopeScaling::Kind::Yarn)
    return 1;
  if (scaling.attentionFactor)
    return *scaling.attentionFactor;
  return scaling.factor <= 1 ? 1 : 0.1 * std::log(scaling.factor) + 1;
}

static Result<void> checkRope(const HostTensor &input, const HostTensor &positions,
                              const RopeOptions &options) {
  bool fits = input.rank() == 4 && options.rotaryDims >= 2 && options.rotaryDims % 2 == 0 &&
              options.rotaryDims <= input.dims()[3];
  if (fits && positions.rank() == 1)
    fits = positions.dims()[0] == input.dims()[2];
  else if (fits)
    fits = positions.dims() == Dims{input.dims()[0], input.dims()[2]};
  if (fits && options.frequencies)
    fits = options.frequencies->dims() == Dims{options.rotaryDims / 2} ||
           options.frequencies->dims() == Dims{input.dims()[0], options.rotaryDims / 2};
  if (!fits)
    return Error{"rope of " + std::to_string(options.rotaryDims) + " dimensions does not fit " +
                 typeString(input) + " at " + typeString(positions)};
  return {};
}

Result<HostTensor> reference::rope(const HostTensor &input, const HostTensor &positions,
                                   const RopeOptions &options) {
  if (Result<void> ok = checkRope(input, positions, options); !ok)
    return ok.error();
  int64_t last = 0;
  for (int64_t i = 0; i < positions.numElements(); ++i)
    last = std::max(last, getInteger(positions, i));
  std::vector<double> frequencies =
      options.frequencies ? toDoubles(*options.frequencies)
                          : ropeFrequencies(options.rotaryDims, options.base, options.scaling,
                                            static_cast<double>(last) + 1);
  double factor = options.frequencies ? 1 : attentionFactor(options.scaling);
  bool ofSequences = options.frequencies && options.frequencies->rank() == 2;
  HostTensor result = input;
  const Dims &dims = input.dims();
  int64_t half = options.rotaryDims / 2, row = 0;
  for (int64_t b = 0; b < dims[0]; ++b)
    for (int64_t h = 0; h < dims[1]; ++h)
      for (int64_t s = 0; s < dims[2]; ++s, ++row) {
        int64_t place = positions.rank() == 1 ? s : b * dims[2] + s;
        double position =
            roundToType(options.angleType, static_cast<double>(getInteger(positions, place)));
        int64_t first = ofSequences ? b * half : 0;
        for (int64_t i = 0; i < half; ++i) {
          double frequency = roundToType(options.angleType, frequencies[first + i]);
          double angle = roundToType(options.angleType, position * frequency);
          int64_t first = row * dims[3] + (options.interleaved ? 2 * i : i);
          int64_t second = first + (options.interleaved ? 1 : half);
          double x = input.getDouble(first), y = input.getDouble(second);
          double cosine = approximated(std::cos(angle));
          double sine = approximated(std::sin(options.inverse ? -angle : angle));
          auto combined = [&](double a, double b) {
            double sum = rounded(rounded(a) + rounded(b));
            return factor == 1 ? sum : rounded(sum * factor);
          };
          result.setDouble(first, combined(x * cosine, -y * sine));
          result.setDouble(second, combined(y * cosine, x * sine));
        }
      }
  return result;
}

/// Whether rows go into a cache, or into pages by `table`.
static bool fitCache(const HostTensor &rows, const HostTensor &cache, const HostTensor &positions,
                     const HostTensor *table) {
  return rows.rank() == 4 && cache.rank() == 4 && rows.type() == cache.type() &&
         rows.dims()[1] == cache.dims()[1] && rows.dims()[3] == cache.dims()[3] &&
         positions.dims() == Dims{rows.dims()[0]} &&
         (table ? table->rank() == 2 && table->dims()[0] == rows.dims()[0]
                : rows.dims()[0] == cache.dims()[0]);
}

/// Calls `copy` with the element of `rows` and the one of `cache` where it belongs, for all that
/// belong anywhere.
template <typename Copy>
static void forEachPlace(const HostTensor &rows, const HostTensor &cache,
                         const HostTensor &positions, const HostTensor *table, Copy copy) {
  const Dims &n = rows.dims();
  int64_t size = cache.dims()[2], pages = table ? table->dims()[1] : 1;
  Dims from = stridesOf(n), to = stridesOf(cache.dims());
  for (int64_t b = 0; b < n[0]; ++b)
    for (int64_t s = 0; s < n[2]; ++s) {
      int64_t t = getInteger(positions, b) + s;
      if (t < 0 || t >= pages * size)
        continue;
      int64_t place = table ? getInteger(*table, b * pages + t / size) : b;
      if (place < 0 || place >= cache.dims()[0])
        continue;
      for (int64_t h = 0; h < n[1]; ++h)
        for (int64_t d = 0; d < n[3]; ++d)
          copy(flatten({b, h, s, d}, from), flatten({place, h, t % size, d}, to));
    }
}

Result<HostTensor> reference::kvAppend(const HostTensor &rows, const HostTensor &cache,
                                       const HostTensor &positions, const HostTensor *table) {
  if (!fitCache(rows, cache, positions, table))
    return Error{"cannot append " + typeString(rows) + " at " + typeString(positions) + " to " +
                 typeString(cache)};
  HostTensor result = cache;
  forEachPlace(rows, cache, positions, table,
               [&](int64_t row, int64_t place) { copyElement(result, place, rows, row); });
  return result;
}

Result<HostTensor> reference::kvAppendGrad(const HostTensor &cotangent, const HostTensor &rows,
                                           const HostTensor &positions, const HostTensor *table) {
  if (!fitCache(rows, cotangent, positions, table))
    return Error{"no gradient of " + typeString(rows) + " at " + typeString(positions) + " from " +
                 typeString(cotangent)};
  Result<HostTensor> result = HostTensor::create(rows.type(), rows.dims());
  if (result)
    forEachPlace(rows, cotangent, positions, table,
                 [&](int64_t row, int64_t place) { copyElement(*result, row, cotangent, place); });
  return result;
}
