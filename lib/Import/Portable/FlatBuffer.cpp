#include "FlatBuffer.h"

using namespace forge;

std::optional<FlatTable> FlatTable::at(llvm::StringRef bytes, uint64_t offset) {
  std::optional<int32_t> distance = readFlatNumber<int32_t>(bytes, offset);
  if (!distance)
    return std::nullopt;
  int64_t fields = static_cast<int64_t>(offset) - *distance;
  if (fields < 0)
    return std::nullopt;
  // The list starts with its own size and that of the table.
  std::optional<uint16_t> size = readFlatNumber<uint16_t>(bytes, static_cast<uint64_t>(fields));
  if (!size || *size < 4 || bytes.size() - static_cast<uint64_t>(fields) < *size)
    return std::nullopt;
  return FlatTable(bytes, offset, static_cast<uint64_t>(fields), *size);
}

std::optional<FlatTable> FlatTable::root(llvm::StringRef bytes) {
  std::optional<uint32_t> offset = readFlatNumber<uint32_t>(bytes, 0);
  return offset ? at(bytes, *offset) : std::nullopt;
}

uint64_t FlatTable::placeOf(unsigned index) const {
  uint64_t entry = 4 + 2 * uint64_t(index);
  if (entry + 2 > fieldsSize)
    return 0;
  std::optional<uint16_t> place = readFlatNumber<uint16_t>(bytes, fields + entry);
  return place && *place ? offset + *place : 0;
}

std::optional<FlatVector> FlatTable::vectorFrom(uint64_t place, uint64_t itemSize) const {
  std::optional<uint32_t> distance = readFlatNumber<uint32_t>(bytes, place);
  if (!distance)
    return std::nullopt;
  uint64_t start = place + *distance;
  std::optional<uint32_t> count = readFlatNumber<uint32_t>(bytes, start);
  if (!count || (bytes.size() - start - 4) / itemSize < *count)
    return std::nullopt;
  return FlatVector{start + 4, *count};
}

std::optional<FlatVector> FlatTable::vector(unsigned index, uint64_t itemSize) const {
  uint64_t place = placeOf(index);
  return place ? vectorFrom(place, itemSize) : FlatVector{0, 0};
}

std::optional<llvm::StringRef> FlatTable::byteVector(unsigned index) const {
  std::optional<FlatVector> items = vector(index, 1);
  if (!items)
    return std::nullopt;
  return bytes.substr(items->start, items->count);
}

std::optional<llvm::StringRef> FlatTable::string(const FlatVector &vector, uint32_t index) const {
  std::optional<FlatVector> items = vectorFrom(vector.start + 4 * uint64_t(index), 1);
  if (!items)
    return std::nullopt;
  return bytes.substr(items->start, items->count);
}
