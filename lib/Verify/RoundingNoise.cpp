#include "RoundingNoise.h"

#include "Evaluation.h"

#include "forge/Support/SmallFloat.h"
#include "forge/Verify/Compare.h"

#include <cmath>

using namespace mlir;
using namespace forge;

double forge::computeRoundoff(DType type) { return type == DType::F64 ? 0x1p-53 : 0x1p-24; }

/// splitmix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014).
double RoundingNoise::uniform() {
  uint64_t x = state += 0x9E3779B97F4A7C15u;
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
  x = (x ^ x >> 27) * 0x94D049BB133111EBu;
  return static_cast<double>((x ^ x >> 31) >> 11) * 0x1p-53;
}

static RoundingProfile profileOn(Operation *op, ArrayRef<TensorRef> operands) {
  return profileOf(op, [&](unsigned i) { return operands[i]->dims(); });
}

/// u of what an operation computes a result of element type `type` in.
static double roundoffOf(const RoundingProfile &profile, DType type) {
  if (profile.sumsInStorage)
    return epsilonOf(type) / 2;
  return computeRoundoff(profile.accumulator.value_or(type));
}

/// The widest among the float results; nothing without one.
static std::optional<double> roundoffOf(const RoundingProfile &profile, Operation *op) {
  std::optional<double> widest;
  for (Type type : op->getResultTypes())
    if (holdsFloats(type))
      widest = std::max(widest.value_or(0), roundoffOf(profile, interpreter::elementTypeOf(type)));
  return widest;
}

/// A copy with every element moved relative to itself, by a number of its own and by one that is
/// common to its row.
TensorRef RoundingNoise::moved(const TensorRef &tensor, double each, double row) {
  if (!tensor || tensor->type() != DType::F64)
    return tensor;
  auto result = std::make_shared<HostTensor>(*tensor);
  int64_t length = tensor->rank() == 0 ? 1 : std::max<int64_t>(tensor->dims().back(), 1);
  double common = 0;
  auto *values = result->dataAs<double>();
  for (int64_t i = 0; i < result->numElements(); ++i) {
    if (row > 0 && i % length == 0)
      common = row * unit();
    values[i] *= 1 + common + each * unit();
  }
  return result;
}

void RoundingNoise::before(Operation *op, std::vector<TensorRef> &operands) {
  RoundingProfile profile = profileOn(op, operands);
  std::optional<double> u = roundoffOf(profile, op);
  if (profile.exact || profile.terms <= 1 || !u)
    return;
  double each = kRounding * *u * std::sqrt((profile.terms + 1) / 6);
  double row = profile.composite ? kRounding * *u * std::sqrt((profile.terms + 1) / 3) : 0;
  for (TensorRef &operand : operands)
    operand = moved(operand, each, row);
}

/// The largest finite magnitude; 0 where there is none.
static double largestOf(const HostTensor &tensor) {
  double largest = 0;
  for (int64_t i = 0; i < tensor.numElements(); ++i)
    if (double magnitude = std::fabs(tensor.getDouble(i)); std::isfinite(magnitude))
      largest = std::max(largest, magnitude);
  return largest;
}

/// One of the two neighbours of `value` in `type`, the nearer one more often.
double RoundingNoise::rounded(DType type, double value) {
  if (!std::isfinite(value))
    return value;
  if (type == DType::F64) // the execution's own type: no neighbours to choose from
    return value * (1 + 0x1p-53 * (2 * uniform() - 1));
  double magnitude = std::fabs(value);
  uint64_t bits = encodeFloat(type, magnitude);
  double nearest = decodeFloat(type, bits);
  if (nearest == magnitude || !std::isfinite(nearest))
    return std::copysign(nearest, value);
  double other = decodeFloat(type, magnitude > nearest ? bits + 1 : bits - 1);
  bool takesOther = std::isfinite(other) &&
                    uniform() * std::fabs(other - nearest) < std::fabs(magnitude - nearest);
  return std::copysign(takesOther ? other : nearest, value);
}

void RoundingNoise::after(Operation *op, ArrayRef<TensorRef> operands,
                          std::vector<TensorRef> &results) {
  RoundingProfile profile = profileOn(op, operands);
  if (profile.exact)
    return;
  for (auto [result, type] : llvm::zip(results, op->getResultTypes())) {
    if (!result || !holdsFloats(type))
      continue;
    DType element = interpreter::elementTypeOf(type);
    double u = roundoffOf(profile, element);
    double ofSum = profile.terms > 1 ? kRounding * kRounding * (profile.terms + 1) / 3 : 0;
    double relative = u * std::sqrt(ofSum + profile.relative * profile.relative),
           absolute = u * profile.absolute;
    auto changed = std::make_shared<HostTensor>(*result);
    auto *values = changed->dataAs<double>();
    if (profile.ofLargest > 0)
      absolute += u * profile.ofLargest * largestOf(*changed);
    for (int64_t i = 0; i < changed->numElements(); ++i) {
      double value = values[i];
      if (relative > 0)
        value *= 1 + relative * unit();
      if (absolute > 0)
        value += absolute * unit();
      values[i] = rounded(element, value);
    }
    result = std::move(changed);
  }
}
