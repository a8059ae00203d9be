#include "CompileOptions.h"

#include <optional>

using namespace forge;
using namespace forge::pjrt;

// Field numbers of xla/pjrt/proto/compile_options.proto and xla/xla_data.proto.
static constexpr uint64_t kBuildOptions = 3, kOverrides = 7;
static constexpr uint64_t kDeviceAssignment = 9, kComputationDevices = 3, kReplicaDeviceIds = 1;
static constexpr uint64_t kReplicaCount = 1, kComputationCount = 2;
static constexpr uint64_t kMapKey = 1, kMapValue = 2, kStringField = 1;

namespace {
/// One field of a message: a number, or the bytes of a string or a message.
struct Field {
  uint64_t number = 0, value = 0;
  std::string_view bytes;
  bool isBytes = false;
};

/// Walks over the fields of a message in protocol buffers' wire format
/// (protobuf.dev/programming-guides/encoding).
class Message {
public:
  explicit Message(std::string_view bytes) : rest(bytes) {}
  /// Nothing at the end, and when the bytes are malformed.
  std::optional<Field> next();
  bool isMalformed() const { return malformed; }

private:
  std::optional<uint64_t> varint();
  std::optional<Field> fail() {
    malformed = true;
    return std::nullopt;
  }
  std::string_view rest;
  bool malformed = false;
};
} // namespace

std::optional<uint64_t> Message::varint() {
  uint64_t value = 0;
  for (unsigned shift = 0; shift < 64 && !rest.empty(); shift += 7) {
    auto byte = static_cast<unsigned char>(rest.front());
    rest.remove_prefix(1);
    value |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if (!(byte & 0x80))
      return value;
  }
  return std::nullopt;
}

std::optional<Field> Message::next() {
  if (rest.empty())
    return std::nullopt;
  std::optional<uint64_t> tag = varint();
  if (!tag)
    return fail();
  Field field{*tag >> 3, 0, {}, false};
  uint64_t kind = *tag & 7, size = 0;
  if (kind == 0) {
    std::optional<uint64_t> value = varint();
    if (!value)
      return fail();
    field.value = *value;
    return field;
  }
  if (kind == 1 || kind == 5) {
    size = kind == 1 ? 8 : 4;
  } else if (kind == 2) {
    std::optional<uint64_t> length = varint();
    if (!length)
      return fail();
    size = *length;
    field.isBytes = true;
  } else {
    return fail();
  }
  if (size > rest.size())
    return fail();
  field.bytes = rest.substr(0, size);
  rest.remove_prefix(size);
  return field;
}

/// The bytes of the last field of this number, empty if there is none; `malformed` is set, never
/// cleared.
static std::string_view findBytes(std::string_view bytes, uint64_t number, bool &malformed) {
  Message message(bytes);
  std::string_view found;
  while (std::optional<Field> field = message.next())
    if (field->number == number && field->isBytes)
      found = field->bytes;
  malformed |= message.isMalformed();
  return found;
}

/// Flags of XLA, and fields of its ExecutableBuildOptions: how it compiles, not what.
static bool isOfXla(std::string_view name) {
  return name.starts_with("xla_") || name == "exec_time_optimization_effort" ||
         name == "memory_fitting_effort" || name == "optimization_level" ||
         name == "memory_fitting_level";
}

static Error *setOverride(std::string_view entry, CompileOptions &options, bool &malformed) {
  std::string_view name = findBytes(entry, kMapKey, malformed);
  std::string_view value =
      findBytes(findBytes(entry, kMapValue, malformed), kStringField, malformed);
  if (name == "forge_tier")
    options.tier = value;
  else if (name == "forge_dump_to")
    options.dumpFolder = value;
  else if (!isOfXla(name))
    return fail(InvalidArgument, "No such compile option: '" + std::string(name) +
                                     "', expected forge_tier or forge_dump_to (strings), or an "
                                     "option of XLA, which is ignored");
  return nullptr;
}

/// How many devices an assignment has: replicas times partitions.
static uint64_t countDevices(std::string_view assignment, bool &malformed) {
  Message message(assignment);
  uint64_t replicas = 1, partitions = 1;
  while (std::optional<Field> field = message.next()) {
    if (field->number == kReplicaCount && !field->isBytes)
      replicas = field->value;
    if (field->number == kComputationCount && !field->isBytes)
      partitions = field->value;
  }
  malformed |= message.isMalformed();
  return replicas * partitions;
}

/// The only device of an assignment.
static int readDevice(std::string_view assignment, bool &malformed) {
  std::string_view devices = findBytes(assignment, kComputationDevices, malformed);
  Message message(devices);
  uint64_t id = 0;
  while (std::optional<Field> field = message.next()) {
    if (field->number != kReplicaDeviceIds)
      continue;
    id = field->value;
    if (field->isBytes && !field->bytes.empty()) // packed
      id = static_cast<unsigned char>(field->bytes.front());
  }
  malformed |= message.isMalformed();
  return static_cast<int>(id);
}

Error *pjrt::readCompileOptions(std::string_view bytes, CompileOptions &options) {
  bool malformed = false;
  Message message(bytes);
  while (std::optional<Field> field = message.next()) {
    if (field->number == kOverrides && field->isBytes)
      if (Error *error = setOverride(field->bytes, options, malformed))
        return error;
    if (field->number == kBuildOptions && field->isBytes)
      if (std::string_view devices = findBytes(field->bytes, kDeviceAssignment, malformed);
          !devices.empty()) {
        if (uint64_t count = countDevices(devices, malformed); count != 1)
          return fail(Unimplemented,
                      "expected a program for 1 device, but got one for " + std::to_string(count));
        options.device = readDevice(devices, malformed);
      }
  }
  if (malformed || message.isMalformed())
    return fail(InvalidArgument, "malformed compile options");
  return nullptr;
}
