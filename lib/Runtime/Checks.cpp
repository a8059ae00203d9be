// The check.* operations: comparison element by element, the first difference recorded.
#include "forge/Runtime/CABI.h"
#include "forge/Runtime/Context.h"
#include "forge/Runtime/MemRef.h"
#include "forge/Support/DType.h"
#include "forge/Support/SmallFloat.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>

using namespace forge;
using namespace forge::rt;

namespace {
/// One element: its bits, and as a double if it is a float, otherwise sign- or zero-extended.
struct Element {
  uint64_t bits = 0;
  double value = 0;
  int64_t integer = 0;
};

/// What a check compares by.
struct Criterion {
  enum Kind { Equal, AlmostEqual, Close } kind;
  double tolerance = 0;
  uint64_t minUlp = 0, maxUlp = 0;
};
} // namespace

static Element load(DType type, const char *place) {
  Element element;
  std::memcpy(&element.bits, place, byteWidth(type));
  unsigned width = bitWidth(type);
  if (width < 64)
    element.bits &= (uint64_t(1) << width) - 1;
  if (isFloat(type)) {
    element.value = decodeFloat(type, element.bits);
    return element;
  }
  element.integer = static_cast<int64_t>(element.bits);
  if (isSignedInteger(type))
    element.integer = static_cast<int64_t>(element.bits << (64 - width)) >> (64 - width);
  return element;
}

/// How many representable values lie between two floats; the most there is if one is infinite or
/// NaN and they differ.
static uint64_t ulpDistance(DType type, const Element &a, const Element &b) {
  if (a.bits == b.bits || (std::isnan(a.value) && std::isnan(b.value)))
    return 0;
  if (!std::isfinite(a.value) || !std::isfinite(b.value))
    return std::numeric_limits<uint64_t>::max();
  uint64_t sign = signBitOf(type);
  uint64_t fromZeroA = a.bits & ~sign, fromZeroB = b.bits & ~sign;
  if ((a.bits & sign) != (b.bits & sign))
    return fromZeroA + fromZeroB;
  return fromZeroA > fromZeroB ? fromZeroA - fromZeroB : fromZeroB - fromZeroA;
}

static bool holds(DType type, const Criterion &criterion, const Element &actual,
                  const Element &expected) {
  if (!isFloat(type))
    return criterion.kind == Criterion::AlmostEqual
               ? std::fabs(static_cast<double>(actual.integer) -
                           static_cast<double>(expected.integer)) <= criterion.tolerance
               : actual.integer == expected.integer;
  switch (criterion.kind) {
  case Criterion::Equal:
    // An expected NaN asks for a NaN; which one is nowhere specified.
    return actual.value == expected.value ||
           (std::isnan(actual.value) && std::isnan(expected.value));
  case Criterion::AlmostEqual:
    if (std::isnan(actual.value) || std::isnan(expected.value))
      return std::isnan(actual.value) && std::isnan(expected.value);
    return actual.value == expected.value ||
           std::fabs(actual.value - expected.value) <= criterion.tolerance;
  case Criterion::Close:
    uint64_t distance = ulpDistance(type, actual, expected);
    return criterion.minUlp <= distance && distance <= criterion.maxUlp;
  }
  return false;
}

static std::string valueText(DType type, const Element &element) {
  if (!isFloat(type))
    return isSignedInteger(type) ? std::to_string(element.integer) : std::to_string(element.bits);
  char text[40];
  std::snprintf(text, sizeof text, "%.*g", type == DType::F64 ? 17 : 9, element.value);
  return text;
}

static std::string criterionText(const Criterion &criterion) {
  char text[80];
  switch (criterion.kind) {
  case Criterion::Equal:
    return "expect_eq";
  case Criterion::AlmostEqual:
    std::snprintf(text, sizeof text, "expect_almost_eq (tolerance %g)", criterion.tolerance);
    return text;
  case Criterion::Close:
    std::snprintf(text, sizeof text, "expect_close (%llu to %llu ulp)",
                  (unsigned long long)criterion.minUlp, (unsigned long long)criterion.maxUlp);
    return text;
  }
  return "";
}

static std::string indexText(const std::vector<int64_t> &index) {
  std::string text = "[";
  for (size_t dim = 0; dim < index.size(); ++dim)
    text += (dim ? ", " : "") + std::to_string(index[dim]);
  return text + "]";
}

/// Steps `index` to the next one in row-major order.
static void advance(const MemRef &shape, std::vector<int64_t> &index) {
  for (int64_t dim = shape.rank() - 1; dim >= 0; --dim) {
    if (++index[dim] < shape.size(dim))
      return;
    index[dim] = 0;
  }
}

static Element loadAt(DType type, const MemRef &memref, const std::vector<int64_t> &index) {
  int64_t offset = 0;
  for (size_t dim = 0; dim < index.size(); ++dim)
    offset += index[dim] * memref.stride(static_cast<int64_t>(dim));
  size_t width = byteWidth(type);
  return load(type, memref.base(width) + offset * static_cast<int64_t>(width));
}

/// The message of a check that does not hold; empty if it does.
static std::string compare(DType type, const Criterion &criterion, const MemRef &actual,
                           const MemRef &expected) {
  if (actual.sizes() != expected.sizes())
    return criterionText(criterion) + ": expected shape " + indexText(expected.sizes()) +
           ", but got " + indexText(actual.sizes());
  int64_t count = actual.numElements(), different = 0;
  std::string first;
  std::vector<int64_t> index(static_cast<size_t>(actual.rank()), 0);
  for (int64_t i = 0; i < count; ++i, advance(actual, index)) {
    Element a = loadAt(type, actual, index), e = loadAt(type, expected, index);
    if (holds(type, criterion, a, e))
      continue;
    if (different++ == 0)
      first = "element " + indexText(index) + ": expected " + valueText(type, e) + ", but got " +
              valueText(type, a);
  }
  if (!different)
    return "";
  return criterionText(criterion) + " of " + std::string(dtypeName(type)) + ": " + first + " (" +
         std::to_string(different) + " of " + std::to_string(count) + " differ)";
}

static void check(DType type, const Criterion &criterion, int64_t actualRank, void *actual,
                  int64_t expectedRank, void *expected) {
  Context *context = Context::current();
  if (!context) {
    std::fputs("forge runtime: check outside of an execution context\n", stderr);
    std::abort();
  }
  context->recordCheck(
      compare(type, criterion, MemRef(actualRank, actual), MemRef(expectedRank, expected)));
}

#define FORGE_DEFINE_CHECKS(suffix, type)                                                          \
  void forge_rt_expect_eq_##suffix(int64_t actualRank, void *actual, int64_t expectedRank,         \
                                   void *expected) {                                               \
    check(DType::type, {Criterion::Equal}, actualRank, actual, expectedRank, expected);            \
  }                                                                                                \
  void forge_rt_expect_almost_eq_##suffix(int64_t actualRank, void *actual, int64_t expectedRank,  \
                                          void *expected, double tolerance) {                      \
    check(DType::type, {Criterion::AlmostEqual, tolerance}, actualRank, actual, expectedRank,      \
          expected);                                                                               \
  }                                                                                                \
  void forge_rt_expect_close_##suffix(int64_t actualRank, void *actual, int64_t expectedRank,      \
                                      void *expected, int64_t minUlp, int64_t maxUlp) {            \
    check(DType::type, {Criterion::Close, 0, (uint64_t)minUlp, (uint64_t)maxUlp}, actualRank,      \
          actual, expectedRank, expected);                                                         \
  }
FORGE_RT_ELEMENT_TYPES(FORGE_DEFINE_CHECKS)
