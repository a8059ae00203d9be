// The encoding of protocol buffers, as far as SentencePiece's models use it.
#ifndef FORGE_LIB_TOKENIZER_WIRE_H
#define FORGE_LIB_TOKENIZER_WIRE_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace forge::tokenizer {

/// How a field is encoded; groups, which nothing writes any more, are refused.
enum class WireType : uint8_t { Varint = 0, Fixed64 = 1, Bytes = 2, Fixed32 = 5 };

struct WireField {
  uint32_t number;
  WireType type;
  uint64_t value = 0;     ///< of Varint, Fixed64 and Fixed32, the bits
  std::string_view bytes; ///< of Bytes
};

/// Reads the fields of a message in order.
class WireReader {
public:
  explicit WireReader(std::string_view message) : rest(message) {}

  /// None at the end, and where what remains is no field.
  std::optional<WireField> next();
  bool failed() const { return broken; }

private:
  std::optional<uint64_t> varint();
  /// The next `size` bytes; none where there are fewer.
  std::optional<std::string_view> take(uint64_t size);

  std::string_view rest;
  bool broken = false;
};

/// Writes a message field by field.
class WireWriter {
public:
  void number(uint32_t field, uint64_t value);
  void number(uint32_t field, float value);
  void bytes(uint32_t field, std::string_view value);
  const std::string &message() const { return text; }

private:
  void key(uint32_t field, WireType type);
  void varint(uint64_t value);

  std::string text;
};

} // namespace forge::tokenizer

#endif // FORGE_LIB_TOKENIZER_WIRE_H
