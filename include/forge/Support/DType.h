// Element types of tensors as they are in host memory. No MLIR.
#ifndef FORGE_SUPPORT_DTYPE_H
#define FORGE_SUPPORT_DTYPE_H

#include <cstddef>
#include <iterator>
#include <optional>
#include <string_view>

namespace forge {

/// An element type. Every element takes a whole number of bytes: those of less than 8 bits take one
/// each (i1 as 0 or 1, i2 and i4 sign-extended, u2, u4 and f4 zero-extended).
enum class DType {
  F64,
  F32,
  F16,
  BF16,
  F8E4M3FN,
  F8E5M2,
  F8E3M4,
  F8E4M3,
  F8E4M3B11FNUZ,
  F8E4M3FNUZ,
  F8E5M2FNUZ,
  F8E8M0FNU,
  F4E2M1FN,
  I1,
  I2,
  U2,
  I4,
  U4,
  I8,
  U8,
  I16,
  U16,
  I32,
  U32,
  I64,
  U64
};

/// Bits of the value itself: 1 for I1, 2 for I2 and U2, 4 for I4, U4 and F4E2M1FN, otherwise 8 *
/// byteWidth.
constexpr unsigned bitWidth(DType type) {
  constexpr unsigned kBits[] = {64, 32, 16, 16, 8, 8, 8, 8,  8,  8,  8,  8,  4,
                                1,  2,  2,  4,  4, 8, 8, 16, 16, 32, 32, 64, 64};
  static_assert(std::size(kBits) == static_cast<size_t>(DType::U64) + 1);
  return kBits[static_cast<size_t>(type)];
}
/// Bytes one element takes in memory.
constexpr size_t byteWidth(DType type) { return (bitWidth(type) + 7) / 8; }
constexpr bool isFloat(DType type) { return type <= DType::F4E2M1FN; }
/// True for I2, I4, I8, I16, I32, I64. I1 is neither signed nor unsigned: it is a truth value.
constexpr bool isSignedInteger(DType type) {
  return type == DType::I2 || type == DType::I4 || type == DType::I8 || type == DType::I16 ||
         type == DType::I32 || type == DType::I64;
}
constexpr bool isUnsignedInteger(DType type) { return type > DType::I1 && !isSignedInteger(type); }

/// The type as StableHLO text spells it: "f32", "f8E4M3FN", "i1", "ui16", "i64".
std::string_view dtypeName(DType type);
/// The inverse of dtypeName; also accepts the short forms "u2" … "u64".
std::optional<DType> parseDType(std::string_view name);

} // namespace forge

#endif // FORGE_SUPPORT_DTYPE_H
