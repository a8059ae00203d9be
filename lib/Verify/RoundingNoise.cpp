#include "RoundingNoise.h"

#include "Evaluation.h"
#include "ProductFactors.h"

#include "forge/Dialect/StableHLO/IR/StableHLO.h"
#include "forge/Support/MatrixArithmetic.h"
#include "forge/Support/SmallFloat.h"
#include "forge/Verify/Compare.h"

#include <bit>
#include <cmath>
#include <limits>

using namespace mlir;
using namespace forge;

double forge::computeRoundoff(DType type) { return type == DType::F64 ? 0x1p-53 : 0x1p-24; }

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

/// A copy with every element moved relative to itself.
TensorRef RoundingNoise::moved(const TensorRef &tensor, double each) {
  if (!tensor || tensor->type() != DType::F64)
    return tensor;
  auto result = std::make_shared<HostTensor>(*tensor);
  auto *values = result->dataAs<double>();
  for (int64_t i = 0; i < result->numElements(); ++i)
    values[i] *= 1 + each * random();
  return result;
}

/// The type of the first float result, or else operand.
static DType storageOf(Operation *op) {
  for (TypeRange types : {TypeRange(op->getResultTypes()), TypeRange(op->getOperandTypes())})
    for (Type type : types)
      if (holdsFloats(type))
        return interpreter::elementTypeOf(type);
  return DType::F32;
}

bool StepRounding::enter(Operation *op, ArrayRef<TensorRef> operands) {
  RoundingProfile profile = profileOn(op, operands);
  if (!profile.inSteps)
    return false;
  storage = storageOf(op);
  roundoff = roundoffOf(profile, storage);
  matrix = roundoff == 0x1p-24 ? matrixUnitOf(factorsOf(op), chip) : nullptr;
  return true;
}

bool RoundingNoise::before(Operation *op, std::vector<TensorRef> &operands) {
  RoundingProfile profile = profileOn(op, operands);
  for (unsigned operand : profile.roundedOperands)
    operands[operand] =
        moved(operands[operand], reference::kRoundingUnits * epsilonOf(profile.roundedType) / 2);
  if (enter(op, operands)) {
    if (matrix && matrix->fractionBits < 23)
      roundoff = std::ldexp(0.5, -matrix->fractionBits);
    return true;
  }
  std::optional<double> u = roundoffOf(profile, op);
  if (profile.exact || profile.terms <= 1 || !u)
    return false;
  double each = reference::kRoundingUnits * *u * std::sqrt((profile.terms + 1) / 6);
  for (TensorRef &operand : operands)
    operand = moved(operand, each);
  return false;
}

double RoundingNoise::accumulated(double value) {
  if (!std::isfinite(value))
    return value;
  // No neighbours to choose from in f64; whole numbers (0, 1) mostly come without rounding.
  if (roundoff < 0x1p-24)
    return value == std::trunc(value) ? value : value * (1 + 0x1p-53 * (2 * uniform() - 1));
  return roundedToF32(flushed(value));
}

/// Below the smallest normal number of f32: kept, or flushed to 0.
double RoundingNoise::flushed(double value) {
  bool flushes = std::fabs(value) < 0x1p-126 && uniform() < 0.5;
  return flushes ? std::copysign(0.0, value) : value;
}

/// A finite `value` beyond the largest number of `type`, where `limit` is what becomes of it: an
/// infinity, or NaN in types without.
double RoundingNoise::beyond(DType type, double value, double limit) {
  if (unlimited)
    return value * (1 + epsilonOf(type) / 2 * (2 * uniform() - 1));
  return std::copysign(limit, value);
}

/// The number of f32 after `nearest` on the side of `value`, which differs: std::nextafter is a
/// call that takes as long as all the rest here.
static inline float neighbourOf(float nearest, double value) {
  if (nearest == 0)
    return std::copysign(std::numeric_limits<float>::denorm_min(), static_cast<float>(value));
  auto bits = std::bit_cast<uint32_t>(nearest);
  return std::bit_cast<float>(std::fabs(value) > std::fabs(nearest) ? bits + 1 : bits - 1);
}

inline double RoundingNoise::roundedToF32(double value) {
  float nearest = static_cast<float>(value);
  if (nearest == value || !std::isfinite(value))
    return value;
  if (!std::isfinite(nearest))
    return beyond(DType::F32, value, nearest);
  float other = neighbourOf(nearest, value);
  bool takesOther = std::isfinite(other) &&
                    uniform() * std::fabs(double(other) - nearest) < std::fabs(value - nearest);
  return takesOther ? other : nearest;
}

/// One of the two neighbours of `value` in `type`, the nearer one more often.
double RoundingNoise::rounded(DType type, double value) {
  if (!std::isfinite(value))
    return value;
  if (type == DType::F64) // the execution's own type: no neighbours to choose from
    return value * (1 + 0x1p-53 * (2 * uniform() - 1));
  if (type == DType::F32)
    return roundedToF32(value);
  double magnitude = std::fabs(value);
  uint64_t bits = encodeFloat(type, magnitude);
  double nearest = decodeFloat(type, bits);
  if (!std::isfinite(nearest))
    return beyond(type, value, nearest);
  if (nearest == magnitude)
    return value;
  double other = decodeFloat(type, magnitude > nearest ? bits + 1 : bits - 1);
  bool takesOther = std::isfinite(other) &&
                    uniform() * std::fabs(other - nearest) < std::fabs(magnitude - nearest);
  return std::copysign(takesOther ? other : nearest, value);
}

/// Where the scale is not known the place between two neighbours is not either.
double RoundingNoise::scaledAndRounded(DType type, double value) {
  double rounding = reference::kRoundingUnits * epsilonOf(type) / 2;
  return std::isfinite(value) ? value * (1 + rounding * random()) : value;
}

/// As reference::saturating, on what a function gave.
static double saturated(double value, double moved, double u) {
  if (1 - std::fabs(value) < u / 8 || std::fabs(moved) > 1)
    return std::copysign(1.0, value);
  return moved;
}

static double square(double value) { return value * value; }

/// Each step of a fast transform mixes all numbers of a line, so that a large one errs in all: by
/// theory and measurement u times the square root of the number of steps, relative to the root mean
/// square (Schatzman, "Accuracy of the discrete Fourier transform and the fast Fourier transform",
/// SIAM J. Sci. Comput. 17, 1996). FFTW 3.3.10 was seen to err by 1.2 u (32 numbers) to 2.8 u
/// (65,536), and 2.9 u (97) to 5.7 u (1,000,003) for primes, which are convolutions. A library that
/// multiplies and adds as the decomposition does errs less.
void RoundingNoise::afterFft(Operation *composite, std::vector<TensorRef> &results) {
  auto attributes = composite->getAttrOfType<DictionaryAttr>("composite_attributes");
  auto kind = attributes ? attributes.getAs<StringAttr>("kind") : StringAttr();
  auto dims = attributes ? attributes.getAs<IntegerAttr>("dims") : IntegerAttr();
  if (!kind || !dims || llvm::any_of(results, [](const TensorRef &result) {
        return !result || result->type() != DType::F64;
      }))
    return;
  int64_t parts = kind.getValue() == "irfft" ? 1 : 2, line = 1;
  bool areNextToEachOther = parts == 2 && results.size() == 1;
  auto last = static_cast<size_t>(dims.getInt()) + (areNextToEachOther ? 1 : 0);
  if (dims.getInt() < 1 || last > results.front()->dims().size())
    return;
  for (size_t i = results.front()->dims().size() - last; i < results.front()->dims().size(); ++i)
    line *= results.front()->dims()[i];
  if (line == 0)
    return;
  DType element = interpreter::elementTypeOf(composite->getResult(0).getType());
  double points = static_cast<double>(areNextToEachOther ? line / parts : line);
  double units = computeRoundoff(element) * (1 + std::log2(points) / 4);
  std::vector<std::shared_ptr<HostTensor>> changed;
  for (const TensorRef &result : results)
    changed.push_back(std::make_shared<HostTensor>(*result));
  for (int64_t first = 0; first < changed.front()->numElements(); first += line) {
    double squares = 0;
    for (const auto &part : changed)
      for (int64_t i = first; i < first + line; ++i)
        squares += square(part->dataAs<double>()[i]);
    double deviation = units * std::sqrt(squares / points);
    if (!std::isfinite(deviation))
      continue;
    for (const auto &part : changed)
      for (int64_t i = first; i < first + line; ++i) {
        double &value = part->dataAs<double>()[i];
        value = rounded(element, value + deviation * random());
      }
  }
  for (auto [result, part] : llvm::zip(results, changed))
    result = std::move(part);
}

void RoundingNoise::after(Operation *op, ArrayRef<TensorRef> operands,
                          std::vector<TensorRef> &results) {
  if (isa<stablehlo::CompositeOp>(op)) // others are calls
    return afterFft(op, results);
  RoundingProfile profile = profileOn(op, operands);
  if (profile.exact)
    return;
  for (auto [result, type] : llvm::zip(results, op->getResultTypes())) {
    if (!result || !holdsFloats(type))
      continue;
    DType element = interpreter::elementTypeOf(type);
    double u = roundoffOf(profile, element);
    double ofSum =
        profile.terms > 1 ? square(reference::kRoundingUnits) * (profile.terms + 1) / 3 : 0;
    double relative = profile.inSteps ? 0 : u * std::sqrt(ofSum + square(profile.relative));
    auto changed = std::make_shared<HostTensor>(*result);
    auto *values = changed->dataAs<double>();
    bool onlyRounds = relative == 0 && !profile.saturates && profile.relative == 0 &&
                      !profile.roundsResult && !profile.roundsAtAnyScale;
    for (int64_t i = 0; i < changed->numElements(); ++i) {
      double value = values[i];
      if (onlyRounds && element == DType::F32) { // the same as below, of most operations
        values[i] = roundedToF32(value);
        continue;
      }
      if (relative > 0)
        value *= 1 + relative * random();
      if (profile.saturates)
        value = saturated(values[i], value, u);
      if (profile.relative > 0 && u >= 0x1p-24)
        value = flushed(value);
      if (profile.roundsResult)
        value = scaledAndRounded(profile.roundedType, value);
      values[i] =
          profile.roundsAtAnyScale ? scaledAndRounded(element, value) : rounded(element, value);
    }
    result = std::move(changed);
  }
}
