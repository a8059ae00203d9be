#include "NpyHeader.h"

#include "forge/Support/HostTensor.h"

#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <string>

using namespace forge;
using namespace forge::npy;

/// Little-endian.
static uint64_t readLength(std::string_view bytes) {
  uint64_t value = 0;
  for (size_t i = bytes.size(); i-- > 0;)
    value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

Result<Prefix> npy::parsePrefix(std::string_view start) {
  if (start.substr(0, kMagic.size()) != kMagic.substr(0, start.size()))
    return Error{"not an .npy file: wrong magic"};
  if (start.size() < kPrefixSizeV1)
    return Error{"truncated: the header is incomplete"};
  unsigned major = static_cast<unsigned char>(start[6]),
           minor = static_cast<unsigned char>(start[7]);
  if (major < 1 || major > 3 || minor != 0)
    return Error{"unsupported .npy version " + std::to_string(major) + "." + std::to_string(minor)};
  uint64_t offset = major == 1 ? kPrefixSizeV1 : kPrefixSizeV2;
  if (start.size() < offset)
    return Error{"truncated: the header is incomplete"};
  uint64_t size = readLength(start.substr(8, offset - 8));
  if (size > kMaxHeaderSize)
    return Error{"header of " + std::to_string(size) + " bytes is too long, the limit is " +
                 std::to_string(kMaxHeaderSize)};
  return Prefix{offset, size};
}

namespace {
/// The element type of a dtype string such as "<f4".
struct Descr {
  std::string_view code;
  DType type;
};

/// A parser for the one literal that is in a header.
class DictParser {
public:
  explicit DictParser(std::string_view text) : rest(text) {}

  void skipSpace() {
    size_t n = rest.find_first_not_of(" \t\r\n\f\v");
    rest.remove_prefix(n == std::string_view::npos ? rest.size() : n);
  }
  bool accept(char c) {
    skipSpace();
    if (rest.empty() || rest.front() != c)
      return false;
    rest.remove_prefix(1);
    return true;
  }
  bool acceptWord(std::string_view word) {
    skipSpace();
    if (rest.substr(0, word.size()) != word)
      return false;
    rest.remove_prefix(word.size());
    return true;
  }
  bool atEnd() {
    skipSpace();
    return rest.empty();
  }
  std::optional<std::string_view> string() {
    skipSpace();
    if (rest.empty() || (rest.front() != '\'' && rest.front() != '"'))
      return std::nullopt;
    size_t end = rest.find(rest.front(), 1);
    if (end == std::string_view::npos)
      return std::nullopt;
    std::string_view text = rest.substr(1, end - 1);
    rest.remove_prefix(end + 1);
    return text;
  }
  std::optional<bool> boolean() {
    if (acceptWord("True"))
      return true;
    if (acceptWord("False"))
      return false;
    return std::nullopt;
  }
  Result<std::vector<int64_t>> shape();

private:
  std::string_view rest;
};
} // namespace

/// "(2, 3)", "(5,)", "()"; Python 2 wrote long integers as "2L".
Result<std::vector<int64_t>> DictParser::shape() {
  std::vector<int64_t> dims;
  if (!accept('('))
    return Error{"malformed header: expected a tuple as shape"};
  while (!accept(')')) {
    skipSpace();
    int64_t dim = 0;
    auto [end, status] = std::from_chars(rest.data(), rest.data() + rest.size(), dim);
    if (status == std::errc::result_out_of_range)
      return Error{"size in shape does not fit 64 bits"};
    if (status != std::errc())
      return Error{"malformed header: expected a size in shape"};
    if (dim < 0)
      return Error{"negative size " + std::to_string(dim) + " in shape"};
    rest.remove_prefix(static_cast<size_t>(end - rest.data()));
    acceptWord("L");
    dims.push_back(dim);
    if (accept(')'))
      break;
    if (!accept(','))
      return Error{"malformed header: expected ',' or ')' in shape"};
  }
  return dims;
}

/// The file decides what is here: what cannot be printed on one line becomes "?".
static Error unsupportedDtype(std::string_view descr) {
  std::string text(descr.substr(0, 32));
  for (char &c : text)
    if (c < ' ' || c > '~')
      c = '?';
  return Error{"unsupported dtype '" + text + "'"};
}

static Result<void> parseDescr(std::string_view descr, Header &header) {
  static constexpr std::array<Descr, 16> known{{{"f8", DType::F64},
                                                {"f4", DType::F32},
                                                {"f2", DType::F16},
                                                {"b1", DType::I1},
                                                {"?", DType::I1},
                                                {"i1", DType::I8},
                                                {"i2", DType::I16},
                                                {"i4", DType::I32},
                                                {"i8", DType::I64},
                                                {"u1", DType::U8},
                                                {"u2", DType::U16},
                                                {"u4", DType::U32},
                                                {"u8", DType::U64},
                                                {"V1", DType::U8},
                                                {"f1", DType::U8},
                                                {"V2", DType::U16}}};
  std::string_view code = descr;
  if (!code.empty() && std::string_view("<>=|").find(code.front()) != std::string_view::npos) {
    header.bigEndian = code.front() == '>';
    code.remove_prefix(1);
  }
  header.isComplex = code == "c8" || code == "c16";
  if (header.isComplex)
    code = code == "c8" ? "f4" : "f8";
  for (const Descr &entry : known) {
    if (entry.code != code)
      continue;
    header.type = entry.type;
    return {};
  }
  return unsupportedDtype(descr);
}

Result<Header> npy::parseHeader(std::string_view text) {
  DictParser parser(text);
  Header header;
  bool haveDescr = false, haveOrder = false, haveShape = false;
  if (!parser.accept('{'))
    return Error{"malformed header: expected a dictionary"};
  while (!parser.accept('}')) {
    std::optional<std::string_view> key = parser.string();
    if (!key || !parser.accept(':'))
      return Error{"malformed header: expected a key and ':'"};
    if (*key == "descr") {
      std::optional<std::string_view> descr = parser.string();
      if (!descr)
        return Error{"unsupported structured dtype"};
      if (Result<void> parsed = parseDescr(*descr, header); !parsed)
        return parsed.error();
      haveDescr = true;
    } else if (*key == "fortran_order") {
      std::optional<bool> order = parser.boolean();
      if (!order)
        return Error{"malformed header: expected True or False as fortran_order"};
      header.fortranOrder = *order;
      haveOrder = true;
    } else if (*key == "shape") {
      Result<std::vector<int64_t>> dims = parser.shape();
      if (!dims)
        return dims.error();
      header.dims = std::move(*dims);
      haveShape = true;
    } else {
      return Error{"malformed header: unknown key"};
    }
    if (parser.accept('}'))
      break;
    if (!parser.accept(','))
      return Error{"malformed header: expected ',' or '}'"};
  }
  if (!parser.atEnd())
    return Error{"malformed header: text after the dictionary"};
  if (!haveDescr || !haveOrder || !haveShape)
    return Error{"malformed header: expected the keys descr, fortran_order and shape"};
  if (header.isComplex)
    header.dims.push_back(2);
  return header;
}

Result<uint64_t> npy::dataSize(const Header &header) {
  uint64_t size = byteWidth(header.type);
  bool empty = false, overflow = false;
  for (int64_t dim : header.dims) {
    if (dim == 0)
      empty = true;
    else if (size > static_cast<uint64_t>(std::numeric_limits<int64_t>::max() / dim))
      overflow = true;
    else
      size *= static_cast<uint64_t>(dim);
  }
  if (empty)
    return uint64_t(0);
  if (overflow)
    return Error{"size of " + typeString(header.type, header.dims) + " does not fit 64 bits"};
  return size;
}
