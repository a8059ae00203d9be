// Comparison of a computed tensor with the expected one, under a tolerance that says where it comes
// from. No MLIR.
#ifndef FORGE_VERIFY_COMPARE_H
#define FORGE_VERIFY_COMPARE_H

#include "forge/Support/HostTensor.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace forge {

/// What correct executions may give for each element of one result.
struct ElementBounds {
  /// A value that a float may be, besides finite ones.
  enum Class : uint8_t { Finite = 1, NaN = 2, PlusInfinity = 4, MinusInfinity = 8 };
  static Class classOf(double value);

  /// Per element, the largest |actual - expected| of finite values; empty for what is no float.
  std::vector<double> allowed;
  /// Per element, the classes that were seen, or'ed; empty when only equal classes agree.
  std::vector<uint8_t> classes;
  /// Integer or truth-value results of executions whose deciding floats were rounded otherwise.
  std::vector<HostTensor> alternatives;
};

/// How far an element may be from the expected one. An element agrees when any of these holds
/// (integers and truth values agree when equal, or when `elements` has seen both):
///   both are NaN, or both the same infinity;
///   it is within `ulp` units in the last place of the narrower of the two types;
///   |actual - expected| <= absolute + ofScale * scale, where `scale` is the largest finite
///   magnitude in the expected tensor;
///   `elements` allows it.
struct Tolerance {
  double absolute = 0;
  double ofScale = 0;
  uint64_t ulp = 0;
  /// Bounds of each element; null when one number says it for all.
  std::shared_ptr<const ElementBounds> elements;
  /// Where the numbers come from, for the report: "6 standard deviations, 18 executions, f32".
  std::string basis;

  /// Bit for bit, but any NaN equals any NaN and -0 equals +0.
  static Tolerance exact();
  /// Within `count` ulp (check.expect_close uses 3).
  static Tolerance ulps(uint64_t count);
  /// |actual - expected| <= absolute (check.expect_almost_eq uses 1e-3).
  static Tolerance almost(double absolute);
};

/// What the elements of a result may be off by, where that was measured for each.
struct AllowedRange {
  double least, median, most;
};
std::optional<AllowedRange> allowedRange(const Tolerance &tolerance);

/// One line: "tolerance 3.1e-08 to 2.1e-06, mostly 4e-07 (6 standard deviations, ...)".
std::string describe(const Tolerance &tolerance);

/// What comparing two tensors found.
struct Comparison {
  bool agree = true;
  /// Why the two cannot be compared at all (element type or shape), else empty.
  std::string mismatch;
  /// Largest |actual - expected|, and the same over |expected|, over elements finite on both sides.
  double maxAbs = 0;
  double maxRel = 0;
  /// Largest distance in units in the last place of the narrower type; 2^64 - 1 when one side only
  /// is NaN or infinite.
  uint64_t maxUlp = 0;
  /// Largest |actual - expected|, in what is allowed there, where anything is.
  double maxOfAllowed = 0;
  /// Of floats that are finite on both sides: the root of the sum of (actual - expected)², and of
  /// expected².
  double errorNorm = 0, expectedNorm = 0;
  /// One over the other: 0 where both are, infinite where nothing was expected.
  double relativeNorm() const;
  /// Elements that do not agree, and all elements.
  int64_t differing = 0;
  int64_t elements = 0;

  /// The first element, in row-major order, that does not agree.
  struct Element {
    std::vector<int64_t> index;
    std::string expected;
    std::string actual;
  };
  std::optional<Element> first;
};

/// Compares `actual` with `expected`. The element types are equal, or both are floats (a bf16
/// result is compared with the f32 file it was stored in; the narrower type counts), or integers of
/// one kind; the shapes are equal.
Comparison compare(const HostTensor &actual, const HostTensor &expected,
                   const Tolerance &tolerance);

/// The verdict in one line. Agreement: "equal", or "off by at most 1.2e-07, 0.3 of what is allowed";
/// otherwise "12 of 4096 elements differ, first at [3, 7]: expected 0.5, but got 0.25; off by at
/// most 0.25, 40.1 times what is allowed".
std::string describe(const Comparison &comparison);

/// The numbers behind it: "max_abs 1.2e-07, max_rel 3e-07, max_ulp 2; tolerance 4e-07 (...)".
std::string describeDetails(const Comparison &comparison, const Tolerance &tolerance);

/// Units in the last place between two values of the float type `type`, given as bits: how many
/// representable values lie between them; 0 for two NaNs and for -0 and +0; 2^64 - 1 when only one
/// is finite.
uint64_t ulpDistance(DType type, uint64_t lhsBits, uint64_t rhsBits);

/// The distance from 1 to the next larger value of the float type `type`.
double epsilonOf(DType type);

/// Element `index` as a person reads it: shortest decimal that gives the value back, "true", "-7",
/// "nan".
std::string elementString(const HostTensor &tensor, int64_t index);

/// The first elements of a tensor on one line: "tensor<2x8xf32> [0.5, 1, ...]".
std::string previewString(const HostTensor &tensor, int64_t limit = 8);

} // namespace forge

#endif // FORGE_VERIFY_COMPARE_H
