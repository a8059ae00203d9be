// Between numbers and the narrow types they are stored in. No MLIR.
#ifndef FORGE_REFERENCE_QUANTIZATION_H
#define FORGE_REFERENCE_QUANTIZATION_H

#include "forge/Reference/Elements.h"

#include <optional>

namespace forge::reference {

/// What narrow values stand for: (value - zeroPoint) * scale, with the element of both that belongs
/// to the value's place.
struct Quantization {
  /// [] for the whole tensor; [channels] with `axis`; one element per block with `block`.
  const HostTensor *scale = nullptr;
  /// The shape of `scale`; null is zero.
  const HostTensor *zeroPoint = nullptr;
  std::optional<int64_t> axis = std::nullopt;
  /// Sizes of a block, one per dimension.
  std::optional<Dims> block = std::nullopt;

  /// Fails unless scale and zero point cover a tensor of these sizes.
  Result<void> check(const Dims &dims) const;
  /// The place in `scale` of the element at `index`.
  int64_t at(const Dims &index) const;
};

/// x / scale, rounded to `quotient` (F32 or F64), then to `narrow`. I4 and I8: to the nearest
/// integer, ties to even, plus the zero point, clamped to the type's range; NaN is the zero point.
/// F8E4M3FN and F8E5M2: clamped to the type's finite numbers, then to nearest, ties to even; NaN
/// stays. The format of f8 follows the OCP 8-bit Floating Point Specification 1.0. The result has
/// the type `narrow`, or for f8 `carrier` where that is given: clamped then, not rounded.
Result<HostTensor> quantize(const HostTensor &x, const Quantization &quantization, DType quotient,
                            DType narrow, std::optional<DType> carrier = std::nullopt);

struct QuantizedRows {
  HostTensor numbers, scale;
};

/// Rows [..., K] of F8E4M3FN or F8E5M2, and a scale for each, [...] of F32: the largest magnitude
/// of a row divided by that of the type, rounded to `computed` (F32 or F64) and to F32, but at
/// least 2^-126; elements times its inverse, both rounded to `computed`, then as quantize rounds.
/// With `carrier` and `scaleCarrier` results have those types. Fails where x has no dimension.
Result<QuantizedRows> quantizeRows(const HostTensor &x, DType computed, DType narrow,
                                   std::optional<DType> carrier = std::nullopt,
                                   std::optional<DType> scaleCarrier = std::nullopt);

/// (x - zeroPoint) * scale, rounded to `product` (F32 or F64), then to `result`.
Result<HostTensor> dequantize(const HostTensor &x, const Quantization &quantization, DType product,
                              DType result);

} // namespace forge::reference

#endif // FORGE_REFERENCE_QUANTIZATION_H
