// Executables as bytes: the module and the options, from which they are compiled again, so that
// bytes fit every later version of Forge, and every machine. With FORGE_CACHE_DIR machine code of
// an equal module is found instead. The format:
//
//   magic [8], hash [8], bytes of the options [8], options, module
//
// with numbers in little-endian order. The hash is FNV-1a of all bytes behind it (Fowler, Noll, Vo:
// isthe.com/chongo/tech/comp/fnv), against damage only.
#include "Executable.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include <sys/mman.h>
#include <unistd.h>

using namespace forge;
using namespace forge::pjrt;

static constexpr std::string_view kMagic = "FORGEPJ1";
static constexpr size_t kHashAt = 8, kSizeAt = 16, kHeaderSize = 24;

struct pjrt::SerializedExecutable {
  std::string bytes;
};

static uint64_t hashOf(std::string_view bytes) {
  uint64_t hash = 0xcbf29ce484222325;
  for (char byte : bytes)
    hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  return hash;
}

static std::string encode(uint64_t number) {
  std::string bytes;
  for (unsigned i = 0; i < 8; ++i)
    bytes += static_cast<char>(number >> 8 * i & 0xff);
  return bytes;
}

static uint64_t decode(std::string_view bytes) {
  uint64_t number = 0;
  for (unsigned i = 0; i < 8; ++i)
    number |= static_cast<uint64_t>(static_cast<unsigned char>(bytes[i])) << 8 * i;
  return number;
}

Error *pjrt::Executable_Serialize(Executable_Serialize_Args *args) {
  const CompiledProgram &program = *args->executable->program;
  std::string behind = encode(program.options.size()) + program.options + program.source;
  auto *serialized =
      new SerializedExecutable{std::string(kMagic) + encode(hashOf(behind)) + behind};
  args->serialized_bytes = serialized->bytes.data();
  args->serialized_bytes_size = serialized->bytes.size();
  args->serialized_executable = serialized;
  args->serialized_executable_deleter = [](SerializedExecutable *bytes) { delete bytes; };
  return nullptr;
}

/// The module as text, as Forge's C functions write it to a file.
static Error *writeText(const std::string &source, std::string &text) {
  int file = memfd_create("program", MFD_CLOEXEC);
  if (file < 0)
    return fail(Internal, std::string("memfd_create: ") + std::strerror(errno));
  std::string path = "/proc/self/fd/" + std::to_string(file);
  forge_module *module = nullptr;
  forge_error *error = forge_module_parse(source.data(), source.size(), "program", &module);
  if (!error)
    error = forge_module_write(module, path.c_str());
  forge_module_destroy(module);
  if (!error)
    text = (std::stringstream() << std::ifstream(path).rdbuf()).str();
  close(file);
  return error ? fail(takeFailure(error)) : nullptr;
}

/// The module as it was given: what Forge makes of it has no form that frameworks print. They ask
/// for its size first. What jaxlib makes of it, HLO, has no async_start; of one with such
/// operations it is the module with their bodies in their places.
Error *pjrt::Executable_OptimizedProgram(Executable_OptimizedProgram_Args *args) {
  static constexpr std::string_view kFormat = "mlir";
  std::string source = args->executable->program->source;
  if (source.find("async_start_v1") != std::string::npos)
    if (Error *error = writeText(args->executable->program->source, source))
      return error;
  Program &program = *args->program;
  if (program.code)
    source.copy(program.code, std::min(source.size(), program.code_size));
  program.code_size = source.size();
  program.format = kFormat.data();
  program.format_size = kFormat.size();
  return nullptr;
}

Error *pjrt::Executable_DeserializeAndLoad(Executable_DeserializeAndLoad_Args *args) {
  std::string_view bytes(args->serialized_executable, args->serialized_executable_size);
  if (bytes.substr(0, kMagic.size()) != kMagic)
    return fail(InvalidArgument, "expected a serialized executable that begins with " +
                                     std::string(kMagic) + ", but got other bytes");
  if (bytes.size() < kHeaderSize || decode(bytes.substr(kHashAt)) != hashOf(bytes.substr(kSizeAt)))
    return fail(InvalidArgument, "the serialized executable is damaged: its bytes have another "
                                 "hash than when it was written");
  uint64_t size = decode(bytes.substr(kSizeAt));
  std::string_view rest = bytes.substr(kHeaderSize);
  if (size > rest.size())
    return fail(InvalidArgument, "expected at most " + std::to_string(rest.size()) +
                                     " bytes of options in the serialized executable, but got " +
                                     std::to_string(size));
  std::string_view options = rest.substr(0, size);
  // Callers of older versions have no room for options.
  if (args->struct_size >= sizeof(*args) && args->overridden_serialized_compile_options)
    options = {args->overridden_serialized_compile_options,
               args->overridden_serialized_compile_options_size};
  return compile(*args->client, rest.substr(size), options, args->loaded_executable);
}
