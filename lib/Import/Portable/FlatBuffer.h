// FlatBuffers, read with bounds checks: tables of fields, strings and vectors, which refer to each
// other by offsets in the bytes.
#ifndef FORGE_LIB_IMPORT_PORTABLE_FLATBUFFER_H
#define FORGE_LIB_IMPORT_PORTABLE_FLATBUFFER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Endian.h"

#include <optional>

namespace forge {

/// A number at `offset`; none where it reaches beyond the bytes.
template <typename Number>
std::optional<Number> readFlatNumber(llvm::StringRef bytes, uint64_t offset) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(Number))
    return std::nullopt;
  return llvm::support::endian::read<Number>(bytes.data() + offset, llvm::endianness::little);
}

/// What starts at `start`: a count of 32 bits, then as many items of `itemSize` bytes.
struct FlatVector {
  uint64_t start; ///< of the items
  uint32_t count;
};

/// A table: at its offset it has the distance to a list of where each field is.
class FlatTable {
public:
  /// The table at `offset`; none where its list of fields is not in the bytes.
  static std::optional<FlatTable> at(llvm::StringRef bytes, uint64_t offset);
  /// The one that the bytes are about.
  static std::optional<FlatTable> root(llvm::StringRef bytes);

  bool hasField(unsigned index) const { return placeOf(index) != 0; }
  /// A number, `otherwise` where the table lacks the field; none where it is not in the bytes.
  template <typename Number>
  std::optional<Number> number(unsigned index, Number otherwise = 0) const {
    uint64_t place = placeOf(index);
    return place ? readFlatNumber<Number>(bytes, place) : std::optional(otherwise);
  }
  /// A vector, all of whose items are in the bytes; empty where the table lacks the field.
  std::optional<FlatVector> vector(unsigned index, uint64_t itemSize) const;
  /// The bytes of a vector of bytes.
  std::optional<llvm::StringRef> byteVector(unsigned index) const;
  /// A string of a vector of strings.
  std::optional<llvm::StringRef> string(const FlatVector &vector, uint32_t index) const;

private:
  FlatTable(llvm::StringRef bytes, uint64_t offset, uint64_t fields, uint16_t fieldsSize)
      : bytes(bytes), offset(offset), fields(fields), fieldsSize(fieldsSize) {}
  /// Where a field is; 0 where the table lacks it.
  uint64_t placeOf(unsigned index) const;
  /// The vector that the number at `place` refers to.
  std::optional<FlatVector> vectorFrom(uint64_t place, uint64_t itemSize) const;

  llvm::StringRef bytes;
  uint64_t offset;
  uint64_t fields;
  uint16_t fieldsSize;
};

} // namespace forge

#endif // FORGE_LIB_IMPORT_PORTABLE_FLATBUFFER_H
