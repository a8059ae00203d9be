#include "forge/Checkpoint/Safetensors.h"

#include "forge/Checkpoint/Json.h"

#include <algorithm>
#include <bit>
#include <cstring>

using namespace forge;
using nlohmann::json;

// The format is little endian, and elements are not converted.
static_assert(std::endian::native == std::endian::little);

/// Types by the names the format has for them.
static constexpr std::pair<std::string_view, DType> types[] = {{"F64", DType::F64},
                                                               {"F32", DType::F32},
                                                               {"F16", DType::F16},
                                                               {"BF16", DType::BF16},
                                                               {"F8_E4M3", DType::F8E4M3FN},
                                                               {"F8_E5M2", DType::F8E5M2},
                                                               {"BOOL", DType::I1},
                                                               {"I8", DType::I8},
                                                               {"U8", DType::U8},
                                                               {"I16", DType::I16},
                                                               {"U16", DType::U16},
                                                               {"I32", DType::I32},
                                                               {"U32", DType::U32},
                                                               {"I64", DType::I64},
                                                               {"U64", DType::U64}};

static std::optional<DType> typeNamed(std::string_view name) {
  for (auto [known, type] : types)
    if (known == name)
      return type;
  return std::nullopt;
}

std::optional<std::string_view> forge::safetensorsTypeName(DType type) {
  for (auto [name, known] : types)
    if (known == type)
      return name;
  return std::nullopt;
}

/// The member `key` of a tensor's entry; null where there is none.
static const json *member(const json &entry, const char *key) {
  auto found = entry.find(key);
  return found == entry.end() ? nullptr : &*found;
}

static Error wrongMember(const char *key, const char *expected, const json *got) {
  return Error{std::string("expected ") + key + " to be " + expected + ", but got " +
               (got ? briefText(*got) : "none")};
}

/// The numbers of an array; null where it is not one of natural numbers.
static std::optional<std::vector<int64_t>> numbersOf(const json *value) {
  if (!value || !value->is_array())
    return std::nullopt;
  std::vector<int64_t> numbers;
  for (const json &element : *value) {
    std::optional<int64_t> number = naturalNumber(element);
    if (!number)
      return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

/// One entry of the header; `data` is all that follows the header.
static Result<StoredTensor> parseEntry(const json &entry, std::string_view data) {
  if (!entry.is_object())
    return Error{"expected an object, but got " + briefText(entry)};
  const json *dtype = member(entry, "dtype");
  std::optional<DType> type;
  if (dtype && dtype->is_string())
    type = typeNamed(dtype->get_ref<const std::string &>());
  if (!type)
    return wrongMember("dtype",
                       "one of F64, F32, F16, BF16, F8_E4M3, F8_E5M2, BOOL, I8 to I64 or U8 to U64",
                       dtype);
  const json *shape = member(entry, "shape");
  std::optional<std::vector<int64_t>> dims = numbersOf(shape);
  if (!dims)
    return wrongMember("shape", "an array of sizes", shape);
  const json *place = member(entry, "data_offsets");
  std::optional<std::vector<int64_t>> offsets = numbersOf(place);
  if (!offsets || offsets->size() != 2 || (*offsets)[0] > (*offsets)[1])
    return wrongMember("data_offsets", "[begin, end]", place);
  uint64_t begin = static_cast<uint64_t>((*offsets)[0]), end = static_cast<uint64_t>((*offsets)[1]);
  if (end > data.size())
    return Error{"expected its bytes to end by " + std::to_string(data.size()) +
                 ", where the file ends, but got " + std::to_string(end)};
  StoredTensor tensor{{*type, *dims}, data.substr(begin, end - begin)};
  std::optional<uint64_t> bytes = denseBytes(tensor.spec);
  if (bytes != end - begin)
    return Error{"expected " + (bytes ? std::to_string(*bytes) : "more than 2^64") + " bytes of " +
                 typeString(tensor.spec) + ", but got " + std::to_string(end - begin)};
  return tensor;
}

Result<StoredTensors> forge::parseSafetensors(std::string_view bytes) {
  // The limit of the format's own library.
  constexpr uint64_t mostHeader = 100'000'000;
  uint64_t length = 0;
  if (bytes.size() < sizeof length)
    return Error{"expected 8 bytes with the length of the header, but got " +
                 std::to_string(bytes.size())};
  std::memcpy(&length, bytes.data(), sizeof length);
  uint64_t most = std::min<uint64_t>(mostHeader, bytes.size() - sizeof length);
  if (length > most)
    return Error{"expected a header of at most " + std::to_string(most) + " bytes, but got " +
                 std::to_string(length)};
  Result<json> header = parseJsonObject(bytes.substr(sizeof length, length));
  if (!header)
    return Error{"header: " + header.error().message};
  std::string_view data = bytes.substr(sizeof length + length);
  StoredTensors tensors;
  for (const auto &[name, entry] : header->items()) {
    if (name == "__metadata__")
      continue;
    Result<StoredTensor> tensor = parseEntry(entry, data);
    if (!tensor)
      return Error{"tensor " + briefText(name) + ": " + tensor.error().message};
    tensors.emplace(name, std::move(*tensor));
  }
  if (Result<void> apart = checkApart(tensors); !apart)
    return apart.error();
  return tensors;
}
