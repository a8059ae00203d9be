#include "CompileOptions.h"
#include "Executable.h"

#include <atomic>
#include <cstdlib>
#include <filesystem>

using namespace forge;
using namespace forge::pjrt;

/// Programs of less work than this take about as long as waking a thread (some microseconds).
static constexpr int64_t kSmallFlops = 1 << 18, kSmallBytes = 1 << 18;

/// Writes the module to the next free number of the folder, for forge run, verify and explain.
static Error *dump(const forge_module &module, const std::string &folder) {
  static std::atomic<int> next = 0;
  std::error_code ignored;
  std::filesystem::create_directories(folder, ignored);
  std::string path = folder + "/" + std::to_string(next++) + ".mlir";
  if (forge_error *error = forge_module_write(&module, path.c_str()))
    return fail(takeFailure(error));
  return nullptr;
}

/// Reads type and sizes of a result; fails on sizes that are not known.
static Error *addResult(CompiledProgram &program, const forge_tensor &tensor) {
  const ElementType *type = findElementType(tensor.type);
  Result result{type, {tensor.sizes, tensor.sizes + tensor.rank}};
  for (int64_t size : result.dims)
    if (size < 0)
      return fail(Unimplemented, "results of open sizes");
  if (!type)
    return fail(Unimplemented, std::string("results of type ") + tensor.type);
  program.resultTypes.push_back(type->type);
  program.resultDims.insert(program.resultDims.end(), result.dims.begin(), result.dims.end());
  program.resultRanks.push_back(result.dims.size());
  program.memoryKinds.push_back(kMemoryKind.data());
  program.memoryKindSizes.push_back(kMemoryKind.size());
  int64_t bytes = static_cast<int64_t>(type->bytes);
  for (int64_t size : result.dims)
    bytes *= size;
  program.resultBytes += bytes;
  program.results.push_back(std::move(result));
  return nullptr;
}

static NamedValue costValue(const char *name, size_t size, int64_t value) {
  NamedValue cost = {};
  cost.struct_size = sizeof(cost);
  cost.name = name;
  cost.name_size = size;
  cost.type = Float;
  cost.float_value = static_cast<float>(value);
  cost.value_size = 1;
  return cost;
}

/// Fills in all that can be asked of a program.
static Error *describe(CompiledProgram &program) {
  forge_executable *code = program.code.get();
  program.numArguments = static_cast<size_t>(forge_executable_num_arguments(code));
  for (int64_t i = 0; i < forge_executable_num_arguments(code); ++i) {
    forge_tensor tensor = forge_executable_argument(code, i);
    const ElementType *type = findElementType(tensor.type);
    int64_t bytes = type ? static_cast<int64_t>(type->bytes) : 0;
    for (int64_t d = 0; d < tensor.rank; ++d)
      bytes *= tensor.sizes[d];
    program.argumentBytes += bytes;
  }
  for (int64_t i = 0; i < forge_executable_num_results(code); ++i)
    if (Error *error = addResult(program, forge_executable_result(code, i)))
      return error;
  int64_t flops = 0, bytes = 0;
  forge_executable_cost(code, &flops, &bytes);
  program.temporaryBytes = forge_executable_temporary_bytes(code);
  program.costs[0] = costValue("flops", 5, flops);
  program.costs[1] = costValue("bytes accessed", 14, bytes);
  bytes += program.argumentBytes + program.resultBytes;
  program.cost = flops <= kSmallFlops && bytes <= kSmallBytes ? DeviceQueue::Cost::Small
                                                              : DeviceQueue::Cost::Large;
  // DeviceAssignmentProto: one replica, one computation, on this device.
  program.assignment = std::string("\x08\x01\x10\x01\x1a\x03\x0a\x01", 8) +
                       static_cast<char>(program.device->description.id);
  return nullptr;
}

Error *pjrt::compile(Client &client, std::string_view source, std::string_view optionBytes,
                     LoadedExecutable *&executable) {
  CompileOptions options;
  if (Error *error = readCompileOptions(optionBytes, options))
    return error;
  Device *device = client.find(options.device);
  if (!device)
    return fail(InvalidArgument, "there is no device " + std::to_string(options.device));

  forge_module *parsed = nullptr;
  if (forge_error *error = forge_module_parse(source.data(), source.size(), "program", &parsed))
    return fail(takeFailure(error));
  std::unique_ptr<forge_module, ForgeDelete> module(parsed);
  if (!options.dumpFolder.empty())
    if (Error *error = dump(*module, options.dumpFolder))
      return error;

  forge_compile_options compile = {sizeof(compile), nullptr, nullptr, nullptr,
                                   std::getenv("FORGE_CACHE_DIR")};
  if (!options.tier.empty())
    compile.tier = options.tier.c_str();
  forge_executable *code = nullptr;
  if (forge_error *error = forge_compile(module.get(), device->forge.get(), &compile, &code))
    return fail(takeFailure(error));
  auto program = std::make_shared<CompiledProgram>();
  program->device = device;
  program->code.reset(code);
  program->source = source;
  program->options = optionBytes;
  if (Error *error = describe(*program))
    return error;
  executable = new LoadedExecutable{std::move(program)};
  return nullptr;
}

Error *pjrt::Client_Compile(Client_Compile_Args *args) {
  std::string_view format(args->program->format, args->program->format_size);
  if (format != "mlir")
    return fail(Unimplemented, "expected a program in format mlir, but got " + std::string(format));
  return compile(*args->client, {args->program->code, args->program->code_size},
                 {args->compile_options, args->compile_options_size}, args->executable);
}
