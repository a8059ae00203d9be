#include "forge/Checkpoint/Gguf.h"

#include "forge/Checkpoint/Json.h"
#include "forge/Checkpoint/MappedFile.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <filesystem>
#include <fstream>

using namespace forge;

// Elements are not converted.
static_assert(std::endian::native == std::endian::little);

namespace {
/// How a type is stored: blocks of so many elements of a row, in so many bytes. A block of one
/// element is of the type; others are bytes.
struct BlockType {
  uint32_t number;
  std::string_view name;
  uint64_t elements, bytes;
  DType type;
  std::optional<BlockFormat> format = std::nullopt;
};

constexpr BlockType blocks(uint32_t number, std::string_view name, BlockFormat format) {
  return {number,
          name,
          static_cast<uint64_t>(elementsOf(format)),
          static_cast<uint64_t>(bytesOf(format)),
          DType::U8,
          format};
}

/// What values of metadata are, by their numbers in the format.
enum ValueType : uint32_t {
  kUInt8,
  kInt8,
  kUInt16,
  kInt16,
  kUInt32,
  kInt32,
  kFloat32,
  kBool,
  kString,
  kArray,
  kUInt64,
  kInt64,
  kFloat64
};

/// Reads the bytes in front of the tensors' elements in order.
class Reader {
public:
  explicit Reader(std::string_view bytes) : bytes(bytes) {}

  size_t position() const { return place; }
  bool failed() const { return !problem.empty(); }
  Error error() const { return Error{problem}; }
  void fail(std::string message) {
    if (!failed())
      problem = std::move(message);
  }
  /// Puts what has failed in front of the error.
  void within(const std::string &what) { problem = what + ": " + problem; }

  /// The next `size` bytes; none after an error.
  std::string_view take(uint64_t size, const char *what) {
    if (size > bytes.size() - place)
      fail("expected " + std::string(what) + " of " + std::to_string(size) + " bytes at " +
           std::to_string(place) + ", but " + std::to_string(bytes.size() - place) + " are left");
    if (failed())
      return {};
    place += size;
    return bytes.substr(place - size, size);
  }
  /// The next number; 0 after an error.
  template <typename T> T number(const char *what) {
    T value = 0;
    std::string_view stored = take(sizeof value, what);
    if (!failed())
      std::memcpy(&value, stored.data(), sizeof value);
    return value;
  }
  std::string_view text(const char *what) { return take(number<uint64_t>(what), what); }

private:
  std::string_view bytes;
  size_t place = 0;
  std::string problem;
};
} // namespace

static constexpr BlockType blockTypes[] = {
    {0, "F32", 1, 4, DType::F32},          {1, "F16", 1, 2, DType::F16},
    blocks(2, "Q4_0", BlockFormat::Q4_0),  blocks(8, "Q8_0", BlockFormat::Q8_0),
    blocks(12, "Q4_K", BlockFormat::Q4_K), blocks(14, "Q6_K", BlockFormat::Q6_K),
    {24, "I8", 1, 1, DType::I8},           {25, "I16", 1, 2, DType::I16},
    {26, "I32", 1, 4, DType::I32},         {27, "I64", 1, 8, DType::I64},
    {28, "F64", 1, 8, DType::F64},         {30, "BF16", 1, 2, DType::BF16}};

/// The bytes of a value that is no text and no array; none for other types.
static std::optional<uint64_t> widthOf(uint32_t type) {
  constexpr uint64_t widths[] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
  if (type >= std::size(widths) || widths[type] == 0)
    return std::nullopt;
  return widths[type];
}

template <typename T> static T read(std::string_view stored) {
  T value;
  std::memcpy(&value, stored.data(), sizeof value);
  return value;
}

/// Natural numbers are of one type in JSON, whatever the file has them in.
static nlohmann::json integer(int64_t value) {
  return value < 0 ? nlohmann::json(value) : nlohmann::json(static_cast<uint64_t>(value));
}

/// A number or truth value from as many bytes as `type` has.
static nlohmann::json numberFrom(uint32_t type, std::string_view stored) {
  switch (type) {
  case kUInt8:
    return read<uint8_t>(stored);
  case kInt8:
    return integer(read<int8_t>(stored));
  case kUInt16:
    return read<uint16_t>(stored);
  case kInt16:
    return integer(read<int16_t>(stored));
  case kUInt32:
    return read<uint32_t>(stored);
  case kInt32:
    return integer(read<int32_t>(stored));
  case kFloat32:
    return read<float>(stored);
  case kBool:
    return read<uint8_t>(stored) != 0;
  case kUInt64:
    return read<uint64_t>(stored);
  case kInt64:
    return integer(read<int64_t>(stored));
  default:
    return read<double>(stored);
  }
}

/// Each element takes a byte of the file or more, so that a list is no larger than a small multiple
/// of it.
static nlohmann::json readArray(Reader &reader) {
  auto type = reader.number<uint32_t>("an array");
  auto count = reader.number<uint64_t>("an array");
  nlohmann::json list = nlohmann::json::array();
  if (type == kString) {
    for (uint64_t i = 0; i < count && !reader.failed(); ++i)
      list.push_back(std::string(reader.text("a text")));
    return list;
  }
  std::optional<uint64_t> width = widthOf(type);
  uint64_t size = 0;
  if (!width)
    reader.fail("expected an array of numbers or texts, but got type " + std::to_string(type));
  else if (__builtin_mul_overflow(*width, count, &size))
    reader.fail("expected an array of less than 2^64 bytes, but got " + std::to_string(count) +
                " elements");
  std::string_view stored = reader.take(size, "an array");
  for (uint64_t i = 0; i < count && !reader.failed(); ++i)
    list.push_back(numberFrom(type, stored.substr(i * *width, *width)));
  return list;
}

static nlohmann::json readValue(Reader &reader, uint32_t type) {
  if (type == kString)
    return std::string(reader.text("a text"));
  if (type == kArray)
    return readArray(reader);
  std::optional<uint64_t> width = widthOf(type);
  if (!width)
    reader.fail("expected a type of values from 0 to 12, but got " + std::to_string(type));
  std::string_view stored = reader.take(width.value_or(0), "a number");
  return reader.failed() ? nlohmann::json() : numberFrom(type, stored);
}

/// general.alignment: what offsets of tensors are multiples of.
static uint32_t checkedAlignment(Reader &reader, uint32_t type, const nlohmann::json &value) {
  if (reader.failed())
    return 1;
  if (type != kUInt32) {
    reader.fail("expected general.alignment of type 4, but got " + std::to_string(type));
    return 1;
  }
  auto alignment = value.get<uint32_t>();
  if (!std::has_single_bit(alignment)) {
    reader.fail("expected general.alignment to be a power of two, but got " +
                std::to_string(alignment));
    return 1;
  }
  return alignment;
}

/// Fills `metadata`; the alignment, which is 32 where the file has none.
static uint32_t readMetadata(Reader &reader, uint64_t count, nlohmann::json &metadata) {
  uint32_t alignment = 32;
  metadata = nlohmann::json::object();
  for (uint64_t i = 0; i < count && !reader.failed(); ++i) {
    std::string key(reader.text("a key"));
    auto type = reader.number<uint32_t>("a type of values");
    if (reader.failed())
      break;
    if (metadata.contains(key)) {
      reader.fail("key " + briefText(key) + " is given twice");
      break;
    }
    nlohmann::json value = readValue(reader, type);
    if (key == "general.alignment")
      alignment = checkedAlignment(reader, type, value);
    metadata[key] = std::move(value);
  }
  return alignment;
}

namespace {
/// What a file begins with.
struct Header {
  uint64_t numTensors = 0, numKeys = 0;
};

/// An entry of the table of tensors.
struct Entry {
  std::string name;
  TensorSpec spec;
  std::optional<BlockFormat> format;
  uint64_t offset = 0; ///< in bytes, from where the first tensor may be
};
} // namespace

/// Sizes are given innermost first.
static std::vector<int64_t> readSizes(Reader &reader) {
  constexpr uint32_t most = 4;
  auto rank = reader.number<uint32_t>("a rank");
  if (rank > most)
    reader.fail("expected at most " + std::to_string(most) + " dimensions, but got " +
                std::to_string(rank));
  std::vector<int64_t> dims;
  for (uint32_t i = 0; i < rank && !reader.failed(); ++i) {
    auto size = reader.number<uint64_t>("a size");
    if (size > static_cast<uint64_t>(INT64_MAX))
      reader.fail("expected a size below 2^63, but got " + std::to_string(size));
    dims.insert(dims.begin(), static_cast<int64_t>(size));
  }
  return dims;
}

/// The type of a tensor with the bytes of its blocks, if it has any, in place of its elements.
static TensorSpec typeOf(Reader &reader, uint32_t number, std::vector<int64_t> dims,
                         std::optional<BlockFormat> &format) {
  const auto *type = std::ranges::find(blockTypes, number, &BlockType::number);
  if (type == std::end(blockTypes)) {
    reader.fail("expected type F32, F16, BF16, F64, I8 to I64, Q4_0, Q8_0, Q4_K or Q6_K, but got "
                "number " +
                std::to_string(number));
    return {};
  }
  format = type->format;
  if (type->elements > 1) {
    uint64_t row = dims.empty() ? 1 : static_cast<uint64_t>(dims.back());
    uint64_t size = 0;
    bool fits = row % type->elements == 0 &&
                !__builtin_mul_overflow(row / type->elements, type->bytes, &size) &&
                size <= static_cast<uint64_t>(INT64_MAX);
    if (!fits) {
      reader.fail("expected rows of a multiple of " + std::to_string(type->elements) +
                  " elements of " + std::string(type->name) + ", but got " + std::to_string(row));
      return {};
    }
    dims.back() = static_cast<int64_t>(size);
  }
  return {type->type, std::move(dims)};
}

static Entry readEntry(Reader &reader, uint32_t alignment) {
  Entry entry;
  entry.name = reader.text("a name");
  std::vector<int64_t> dims = readSizes(reader);
  auto type = reader.number<uint32_t>("a type");
  entry.offset = reader.number<uint64_t>("an offset");
  if (reader.failed())
    return entry;
  entry.spec = typeOf(reader, type, std::move(dims), entry.format);
  if (entry.offset % alignment != 0)
    reader.fail("expected an offset that is a multiple of " + std::to_string(alignment) +
                ", but got " + std::to_string(entry.offset));
  return entry;
}

/// The elements of an entry; `data` is all that follows the table.
static Result<StoredTensor> storedElements(const Entry &entry, std::string_view data) {
  std::optional<uint64_t> size = denseBytes(entry.spec);
  if (!size || entry.offset > data.size() || *size > data.size() - entry.offset)
    return Error{"expected " + typeString(entry.spec) + " at " + std::to_string(entry.offset) +
                 " to be inside the " + std::to_string(data.size()) +
                 " bytes of all tensors, but got " +
                 (size ? std::to_string(*size) : "more than 2^64") + " bytes"};
  return StoredTensor{entry.spec, data.substr(entry.offset, *size)};
}

/// The table's entries, by their order in the file.
static std::vector<Entry> readTable(Reader &reader, uint64_t count, uint32_t alignment) {
  std::vector<Entry> entries;
  for (uint64_t i = 0; i < count && !reader.failed(); ++i) {
    entries.push_back(readEntry(reader, alignment));
    if (reader.failed() && !entries.back().name.empty())
      reader.within("tensor " + briefText(entries.back().name));
  }
  return entries;
}

static Result<Header> readHeader(Reader &reader) {
  std::string_view magic = reader.take(4, "a magic number");
  if (!reader.failed() && !isGguf(magic))
    return Error{"expected the magic number GGUF, but got " + briefText(std::string(magic))};
  auto version = reader.number<uint32_t>("a version");
  if (!reader.failed() && version != 2 && version != 3)
    return Error{"expected version 2 or 3 of GGUF, little endian, but got " +
                 std::to_string(version)};
  auto numTensors = reader.number<uint64_t>("a number of tensors");
  return Header{numTensors, reader.number<uint64_t>("a number of keys")};
}

Result<std::string> forge::withoutTensors(std::string_view bytes) {
  Reader reader(bytes);
  Result<Header> header = readHeader(reader);
  if (!header)
    return header.error();
  nlohmann::json metadata;
  readMetadata(reader, header->numKeys, metadata);
  if (reader.failed())
    return reader.error();
  std::string copy(bytes.substr(0, reader.position()));
  copy.replace(8, sizeof header->numTensors, sizeof header->numTensors, '\0'); // how many there are
  return copy;
}

Result<GgufFile> forge::parseGgufFile(std::string_view bytes) {
  Reader reader(bytes);
  Result<Header> header = readHeader(reader);
  if (!header)
    return header.error();
  GgufFile file;
  uint32_t alignment = readMetadata(reader, header->numKeys, file.metadata);
  std::vector<Entry> entries = readTable(reader, header->numTensors, alignment);
  if (reader.failed())
    return reader.error();
  // What is behind the table is padded; a file without tensors may end before.
  uint64_t begin = (reader.position() + alignment - 1) / alignment * alignment;
  std::string_view data = bytes.substr(std::min<uint64_t>(begin, bytes.size()));
  for (const Entry &entry : entries) {
    Result<StoredTensor> tensor = storedElements(entry, data);
    if (!tensor)
      return Error{"tensor " + briefText(entry.name) + ": " + tensor.error().message};
    if (!file.tensors.emplace(entry.name, std::move(*tensor)).second)
      return Error{"tensor " + briefText(entry.name) + " is given twice"};
    if (entry.format)
      file.formats.emplace(entry.name, *entry.format);
  }
  if (Result<void> apart = checkApart(file.tensors); !apart)
    return apart.error();
  return file;
}

Result<StoredTensors> forge::parseGguf(std::string_view bytes) {
  Result<GgufFile> file = parseGgufFile(bytes);
  if (!file)
    return file.error();
  return std::move(file->tensors);
}

Result<nlohmann::json> forge::readGgufMetadata(const std::string &path) {
  Result<MappedFile> mapped = MappedFile::open(path);
  if (!mapped)
    return mapped.error();
  Result<GgufFile> file = parseGgufFile(mapped->bytes());
  if (!file)
    return Error{path + ": " + file.error().message};
  return std::move(file->metadata);
}

bool forge::isGgufFile(const std::string &path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored))
    return false;
  std::ifstream stream(path, std::ios::binary);
  char magic[4] = {};
  stream.read(magic, sizeof magic);
  return stream && isGguf({magic, sizeof magic});
}
