#include "forge/Checkpoint/Gguf.h"

#include "forge/Checkpoint/Json.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <set>

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
};

/// What values of metadata are, by their numbers in the format.
enum ValueType : uint32_t { kUInt32 = 4, kString = 8, kArray = 9 };

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
      fail("expected " + std::string(what) + " of at most " + std::to_string(bytes.size() - place) +
           " bytes at " + std::to_string(place) + ", but got " + std::to_string(size));
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
    {0, "F32", 1, 4, DType::F32},      {1, "F16", 1, 2, DType::F16},
    {2, "Q4_0", 32, 18, DType::U8},    {8, "Q8_0", 32, 34, DType::U8},
    {12, "Q4_K", 256, 144, DType::U8}, {14, "Q6_K", 256, 210, DType::U8},
    {24, "I8", 1, 1, DType::I8},       {25, "I16", 1, 2, DType::I16},
    {26, "I32", 1, 4, DType::I32},     {27, "I64", 1, 8, DType::I64},
    {28, "F64", 1, 8, DType::F64},     {30, "BF16", 1, 2, DType::BF16}};

/// The bytes of a value that is no text and no array; none for other types.
static std::optional<uint64_t> widthOf(uint32_t type) {
  constexpr uint64_t widths[] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
  if (type >= std::size(widths) || widths[type] == 0)
    return std::nullopt;
  return widths[type];
}

static void skipArray(Reader &reader) {
  auto type = reader.number<uint32_t>("an array");
  auto count = reader.number<uint64_t>("an array");
  if (type == kString) {
    for (uint64_t i = 0; i < count && !reader.failed(); ++i)
      reader.text("a text");
    return;
  }
  std::optional<uint64_t> width = widthOf(type);
  if (!width)
    return reader.fail("expected an array of numbers or texts, but got type " +
                       std::to_string(type));
  uint64_t size = 0;
  if (__builtin_mul_overflow(*width, count, &size))
    return reader.fail("expected an array of less than 2^64 bytes, but got " +
                       std::to_string(count) + " elements");
  reader.take(size, "an array");
}

static void skipValue(Reader &reader, uint32_t type) {
  if (type == kString)
    reader.text("a text");
  else if (type == kArray)
    skipArray(reader);
  else if (std::optional<uint64_t> width = widthOf(type))
    reader.take(*width, "a number");
  else
    reader.fail("expected a type of values from 0 to 12, but got " + std::to_string(type));
}

/// general.alignment: what offsets of tensors are multiples of.
static uint32_t readAlignment(Reader &reader, uint32_t type) {
  if (type != kUInt32) {
    reader.fail("expected general.alignment of type 4, but got " + std::to_string(type));
    return 1;
  }
  auto alignment = reader.number<uint32_t>("a number");
  if (!std::has_single_bit(alignment)) {
    reader.fail("expected general.alignment to be a power of two, but got " +
                std::to_string(alignment));
    return 1;
  }
  return alignment;
}

/// Passes over the metadata; the alignment, which is 32 where the file has none.
static uint32_t readMetadata(Reader &reader, uint64_t count) {
  uint32_t alignment = 32;
  std::set<std::string_view> keys;
  for (uint64_t i = 0; i < count && !reader.failed(); ++i) {
    std::string_view key = reader.text("a key");
    auto type = reader.number<uint32_t>("a type of values");
    if (reader.failed())
      break;
    if (!keys.insert(key).second)
      reader.fail("key " + briefText(std::string(key)) + " is given twice");
    else if (key == "general.alignment")
      alignment = readAlignment(reader, type);
    else
      skipValue(reader, type);
  }
  return alignment;
}

namespace {
/// An entry of the table of tensors.
struct Entry {
  std::string name;
  TensorSpec spec;
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
static TensorSpec typeOf(Reader &reader, uint32_t number, std::vector<int64_t> dims) {
  const auto *type = std::ranges::find(blockTypes, number, &BlockType::number);
  if (type == std::end(blockTypes)) {
    reader.fail("expected type F32, F16, BF16, F64, I8 to I64, Q4_0, Q8_0, Q4_K or Q6_K, but got "
                "number " +
                std::to_string(number));
    return {};
  }
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
  entry.spec = typeOf(reader, type, std::move(dims));
  if (entry.offset % alignment != 0)
    reader.fail("expected an offset that is a multiple of " + std::to_string(alignment) +
                ", but got " + std::to_string(entry.offset));
  return entry;
}

/// The elements of an entry; `data` is all that follows the table.
static Result<StoredTensor> elementsOf(const Entry &entry, std::string_view data) {
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

Result<StoredTensors> forge::parseGguf(std::string_view bytes) {
  Reader reader(bytes);
  std::string_view magic = reader.take(4, "a magic number");
  if (!reader.failed() && !isGguf(magic))
    return Error{"expected the magic number GGUF, but got " + briefText(std::string(magic))};
  auto version = reader.number<uint32_t>("a version");
  if (!reader.failed() && version != 2 && version != 3)
    return Error{"expected version 2 or 3 of GGUF, little endian, but got " +
                 std::to_string(version)};
  auto numTensors = reader.number<uint64_t>("a number of tensors");
  auto numKeys = reader.number<uint64_t>("a number of keys");
  uint32_t alignment = readMetadata(reader, numKeys);
  std::vector<Entry> entries = readTable(reader, numTensors, alignment);
  if (reader.failed())
    return reader.error();
  // What is behind the table is padded; a file without tensors may end before.
  uint64_t begin = (reader.position() + alignment - 1) / alignment * alignment;
  std::string_view data = bytes.substr(std::min<uint64_t>(begin, bytes.size()));
  StoredTensors tensors;
  for (const Entry &entry : entries) {
    Result<StoredTensor> tensor = elementsOf(entry, data);
    if (!tensor)
      return Error{"tensor " + briefText(entry.name) + ": " + tensor.error().message};
    if (!tensors.emplace(entry.name, std::move(*tensor)).second)
      return Error{"tensor " + briefText(entry.name) + " is given twice"};
  }
  if (Result<void> apart = checkApart(tensors); !apart)
    return apart.error();
  return tensors;
}
