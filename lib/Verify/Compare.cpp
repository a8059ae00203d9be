#include "forge/Verify/Compare.h"

#include "forge/Support/SmallFloat.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>

using namespace forge;

static constexpr uint64_t kFar = std::numeric_limits<uint64_t>::max();

Tolerance Tolerance::exact() {
  Tolerance tolerance;
  tolerance.basis = "exact";
  return tolerance;
}

Tolerance Tolerance::ulps(uint64_t count) {
  Tolerance tolerance;
  tolerance.ulp = count;
  tolerance.basis = std::to_string(count) + " ulp";
  return tolerance;
}

Tolerance Tolerance::almost(double absolute) {
  Tolerance tolerance;
  tolerance.absolute = absolute;
  return tolerance;
}

static std::string shortNumber(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

std::optional<AllowedRange> forge::allowedRange(const Tolerance &tolerance) {
  if (!tolerance.elements || tolerance.elements->allowed.empty())
    return std::nullopt;
  std::vector<double> allowed = tolerance.elements->allowed;
  size_t middle = allowed.size() / 2;
  std::nth_element(allowed.begin(), allowed.begin() + middle, allowed.end());
  auto [least, most] = std::minmax_element(allowed.begin(), allowed.end());
  return AllowedRange{*least, allowed[middle], *most};
}

/// "1e-08 to 3e-06, mostly 2e-07"
static std::string rangeText(const AllowedRange &range) {
  if (range.least == range.most)
    return shortNumber(range.most);
  return shortNumber(range.least) + " to " + shortNumber(range.most) + ", mostly " +
         shortNumber(range.median);
}

ElementBounds::Class ElementBounds::classOf(double value) {
  if (std::isfinite(value))
    return Finite;
  if (std::isnan(value))
    return NaN;
  return value > 0 ? PlusInfinity : MinusInfinity;
}

std::string forge::describe(const Tolerance &tolerance) {
  std::string parts;
  auto add = [&](const std::string &part) { parts += (parts.empty() ? "" : " + ") + part; };
  if (tolerance.absolute > 0)
    add(shortNumber(tolerance.absolute));
  if (tolerance.ofScale > 0)
    add(shortNumber(tolerance.ofScale) + " of the largest value");
  if (std::optional<AllowedRange> range = allowedRange(tolerance))
    add(rangeText(*range));
  if (parts.empty())
    return tolerance.basis.empty() ? "exact" : tolerance.basis;
  return "tolerance " + parts + (tolerance.basis.empty() ? "" : " (" + tolerance.basis + ")");
}

double Comparison::relativeNorm() const {
  return errorNorm == 0 ? 0 : errorNorm / expectedNorm;
}

uint64_t forge::ulpDistance(DType type, uint64_t lhsBits, uint64_t rhsBits) {
  double lhs = decodeFloat(type, lhsBits), rhs = decodeFloat(type, rhsBits);
  if (lhs == rhs || (std::isnan(lhs) && std::isnan(rhs)))
    return 0;
  if (!std::isfinite(lhs) || !std::isfinite(rhs))
    return kFar;
  uint64_t signBit = signBitOf(type);
  uint64_t left = lhsBits & (signBit - 1), right = rhsBits & (signBit - 1);
  if ((lhsBits ^ rhsBits) & signBit)
    return left + right;
  return left > right ? left - right : right - left;
}

double forge::epsilonOf(DType type) {
  switch (type) {
  case DType::F64:
    return 0x1p-52;
  case DType::F32:
    return 0x1p-23;
  case DType::F16:
    return 0x1p-10;
  case DType::BF16:
    return 0x1p-7;
  case DType::F8E3M4:
    return 0x1p-4;
  case DType::F8E4M3FN:
  case DType::F8E4M3:
  case DType::F8E4M3B11FNUZ:
  case DType::F8E4M3FNUZ:
    return 0x1p-3;
  case DType::F8E5M2:
  case DType::F8E5M2FNUZ:
    return 0x1p-2;
  case DType::F4E2M1FN:
    return 0x1p-1;
  case DType::F8E8M0FNU:
    return 1;
  default:
    return 0;
  }
}

/// An integer element without loss.
static __int128 integerAt(const HostTensor &tensor, int64_t index) {
  uint64_t bits = tensor.getBits(index);
  if (!isSignedInteger(tensor.type()))
    return bits;
  int shift = 64 - static_cast<int>(byteWidth(tensor.type())) * 8;
  return static_cast<int64_t>(bits << shift) >> shift;
}

template <typename T> static std::string shortest(T value) {
  char text[64];
  std::to_chars_result end = std::to_chars(text, text + sizeof text, value);
  return std::string(text, end.ptr);
}

std::string forge::elementString(const HostTensor &tensor, int64_t index) {
  if (tensor.type() == DType::I1)
    return tensor.getBits(index) ? "true" : "false";
  if (isFloat(tensor.type()))
    return tensor.type() == DType::F64 ? shortest(tensor.getDouble(index))
                                       : shortest(static_cast<float>(tensor.getDouble(index)));
  return isSignedInteger(tensor.type())
             ? std::to_string(static_cast<int64_t>(integerAt(tensor, index)))
             : std::to_string(tensor.getBits(index));
}

std::string forge::previewString(const HostTensor &tensor, int64_t limit) {
  std::string text = typeString(tensor) + " [";
  for (int64_t i = 0; i < std::min(limit, tensor.numElements()); ++i)
    text += (i ? ", " : "") + elementString(tensor, i);
  return text + (tensor.numElements() > limit ? ", ...]" : "]");
}

namespace {
/// Compares element by element and gathers the statistics.
class Comparer {
public:
  Comparer(const HostTensor &actual, const HostTensor &expected, const Tolerance &tolerance)
      : actual(actual), expected(expected), tolerance(tolerance),
        narrow(epsilonOf(actual.type()) >= epsilonOf(expected.type()) ? actual.type()
                                                                      : expected.type()) {}

  Comparison run() {
    result.elements = expected.numElements();
    bool floats = isFloat(expected.type());
    if (floats)
      findScale();
    for (int64_t i = 0; i < result.elements; ++i) {
      bool agrees = floats ? visitFloat(i, actual.getDouble(i), expected.getDouble(i))
                           : visitInteger(i, integerAt(actual, i), integerAt(expected, i));
      if (agrees)
        continue;
      if (result.differing++ == 0)
        result.first =
            Comparison::Element{indexOf(i), elementString(expected, i), elementString(actual, i)};
    }
    result.agree = result.differing == 0;
    result.errorNorm = std::sqrt(errorSquares);
    result.expectedNorm = std::sqrt(expectedSquares);
    return result;
  }

private:
  void findScale() {
    for (int64_t i = 0; i < expected.numElements(); ++i) {
      double magnitude = std::fabs(expected.getDouble(i));
      if (std::isfinite(magnitude))
        scale = std::max(scale, magnitude);
    }
  }

  bool visitFloat(int64_t i, double value, double reference) {
    // Both in the narrower type: a bf16 result next to the f32 file it was stored in.
    uint64_t distance =
        ulpDistance(narrow, encodeFloat(narrow, value), encodeFloat(narrow, reference));
    result.maxUlp = std::max(result.maxUlp, distance);
    if (!std::isfinite(value) || !std::isfinite(reference))
      // 0 if the same, else the largest number there is
      return distance <= tolerance.ulp || bothSeen(i, value, reference);
    double difference = std::fabs(value - reference);
    result.maxAbs = std::max(result.maxAbs, difference);
    errorSquares += difference * difference;
    expectedSquares += reference * reference;
    if (difference > 0)
      result.maxRel = std::max(result.maxRel, difference / std::fabs(reference));
    double allowed = tolerance.absolute + tolerance.ofScale * scale;
    if (tolerance.elements && !tolerance.elements->allowed.empty())
      allowed += tolerance.elements->allowed[i];
    double share = allowed > 0 ? difference / allowed : std::numeric_limits<double>::infinity();
    if (tolerance.ulp > 0)
      share = std::min(share, static_cast<double>(distance) / static_cast<double>(tolerance.ulp));
    if (std::isfinite(share))
      result.maxOfAllowed = std::max(result.maxOfAllowed, share);
    return distance <= tolerance.ulp || difference <= allowed;
  }

  /// Whether correct executions gave both, one of them NaN or infinite.
  bool bothSeen(int64_t i, double value, double reference) const {
    if (!tolerance.elements || tolerance.elements->classes.empty())
      return false;
    uint8_t both = ElementBounds::classOf(value) | ElementBounds::classOf(reference);
    return (tolerance.elements->classes[i] & both) == both;
  }

  bool visitInteger(int64_t i, __int128 value, __int128 reference) {
    __int128 difference = value > reference ? value - reference : reference - value;
    if (difference == 0)
      return true;
    double magnitude = static_cast<double>(reference < 0 ? -reference : reference);
    result.maxAbs = std::max(result.maxAbs, static_cast<double>(difference));
    result.maxRel = std::max(result.maxRel, static_cast<double>(difference) / magnitude);
    result.maxUlp = std::max(result.maxUlp, static_cast<uint64_t>(difference));
    return wasSeen(i, value) && wasSeen(i, reference);
  }

  bool wasSeen(int64_t i, __int128 value) const {
    return tolerance.elements &&
           std::any_of(tolerance.elements->alternatives.begin(),
                       tolerance.elements->alternatives.end(), [&](const HostTensor &seen) {
                         return seen.dims() == expected.dims() && integerAt(seen, i) == value;
                       });
  }

  std::vector<int64_t> indexOf(int64_t position) const {
    std::vector<int64_t> index(expected.dims().size());
    for (size_t d = index.size(); d-- > 0;) {
      index[d] = position % expected.dims()[d];
      position /= expected.dims()[d];
    }
    return index;
  }

  const HostTensor &actual, &expected;
  const Tolerance &tolerance;
  DType narrow;
  double scale = 0, errorSquares = 0, expectedSquares = 0;
  Comparison result;
};
} // namespace

static bool comparable(DType actual, DType expected) {
  if (actual == DType::I1 || expected == DType::I1)
    return actual == expected;
  return isFloat(actual) == isFloat(expected) &&
         isSignedInteger(actual) == isSignedInteger(expected);
}

Comparison forge::compare(const HostTensor &actual, const HostTensor &expected,
                          const Tolerance &tolerance) {
  if (!comparable(actual.type(), expected.type()) || actual.dims() != expected.dims()) {
    Comparison result;
    result.agree = false;
    result.mismatch = "expected " + typeString(expected) + ", but got " + typeString(actual);
    return result;
  }
  Tolerance fitting = tolerance;
  if (fitting.elements && !fitting.elements->allowed.empty() &&
      static_cast<int64_t>(fitting.elements->allowed.size()) != expected.numElements())
    fitting.elements = nullptr; // bounds of another shape allow nothing
  return Comparer(actual, expected, fitting).run();
}

std::string forge::describe(const Comparison &comparison) {
  if (!comparison.mismatch.empty())
    return comparison.mismatch;
  std::string text;
  if (!comparison.agree) {
    std::string index;
    for (int64_t i : comparison.first->index)
      index += (index.empty() ? "" : ", ") + std::to_string(i);
    text = std::to_string(comparison.differing) + " of " + std::to_string(comparison.elements) +
           " elements differ, first at [" + index + "]: expected " + comparison.first->expected +
           ", but got " + comparison.first->actual;
  }
  auto add = [&](const std::string &part) { text += (text.empty() ? "" : "; ") + part; };
  if (comparison.maxAbs > 0)
    add("off by at most " + shortNumber(comparison.maxAbs));
  // Where nothing may be off, there is no share.
  double share = comparison.maxOfAllowed;
  if (comparison.agree && share > 0)
    text += ", " + shortNumber(share) + " of what is allowed";
  else if (share > 1)
    text += ", " + shortNumber(share) + " times what is allowed";
  if (text.empty())
    add(comparison.maxUlp == 0 ? "equal" : "NaN or infinity only where that is allowed");
  return text;
}

std::string forge::describeDetails(const Comparison &comparison, const Tolerance &tolerance) {
  std::string ulp =
      comparison.maxUlp == kFar ? std::string("inf") : std::to_string(comparison.maxUlp);
  return "max_abs " + shortNumber(comparison.maxAbs) + ", max_rel " +
         shortNumber(comparison.maxRel) + ", max_ulp " + ulp + "; " + describe(tolerance);
}
