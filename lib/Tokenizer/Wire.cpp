#include "Wire.h"

#include <bit>

using namespace forge::tokenizer;

std::optional<uint64_t> WireReader::varint() {
  uint64_t value = 0;
  for (unsigned shift = 0; shift < 64 && !rest.empty(); shift += 7) {
    auto byte = static_cast<unsigned char>(rest.front());
    rest.remove_prefix(1);
    value |= static_cast<uint64_t>(byte & 0x7F) << shift;
    if (byte < 0x80)
      return value;
  }
  return std::nullopt;
}

std::optional<std::string_view> WireReader::take(uint64_t size) {
  if (size > rest.size())
    return std::nullopt;
  std::string_view part = rest.substr(0, size);
  rest.remove_prefix(size);
  return part;
}

/// The bits of up to 8 bytes, the lowest first.
static uint64_t bitsOf(std::string_view bytes) {
  uint64_t bits = 0;
  for (size_t i = bytes.size(); i-- > 0;)
    bits = bits << 8 | static_cast<unsigned char>(bytes[i]);
  return bits;
}

std::optional<WireField> WireReader::next() {
  if (rest.empty() || broken)
    return std::nullopt;
  broken = true; // until the field is whole
  std::optional<uint64_t> key = varint();
  if (!key || *key >> 32 != 0 || *key >> 3 == 0)
    return std::nullopt;
  WireField field{static_cast<uint32_t>(*key >> 3), static_cast<WireType>(*key & 7), 0, {}};
  std::optional<uint64_t> number;
  std::optional<std::string_view> part;
  switch (field.type) {
  case WireType::Varint:
    number = varint();
    break;
  case WireType::Bytes:
    if (std::optional<uint64_t> size = varint())
      part = take(*size);
    break;
  case WireType::Fixed32:
  case WireType::Fixed64:
    if (std::optional<std::string_view> bits = take(field.type == WireType::Fixed32 ? 4 : 8))
      number = bitsOf(*bits);
    break;
  default:
    break;
  }
  if (!number && !part)
    return std::nullopt;
  broken = false;
  field.value = number.value_or(0);
  field.bytes = part.value_or(std::string_view());
  return field;
}

void WireWriter::varint(uint64_t value) {
  for (; value >= 0x80; value >>= 7)
    text += static_cast<char>(0x80 | (value & 0x7F));
  text += static_cast<char>(value);
}

void WireWriter::key(uint32_t field, WireType type) {
  varint(uint64_t(field) << 3 | static_cast<uint64_t>(type));
}

void WireWriter::number(uint32_t field, uint64_t value) {
  key(field, WireType::Varint);
  varint(value);
}

void WireWriter::number(uint32_t field, float value) {
  key(field, WireType::Fixed32);
  auto bits = std::bit_cast<uint32_t>(value);
  for (int shift = 0; shift < 32; shift += 8)
    text += static_cast<char>(bits >> shift & 0xFF);
}

void WireWriter::bytes(uint32_t field, std::string_view value) {
  key(field, WireType::Bytes);
  varint(value.size());
  text += value;
}
