// The plugin as a framework sees it: a shared library and its table of functions.
#ifndef FORGE_UNITTESTS_PJRT_PLUGIN_H
#define FORGE_UNITTESTS_PJRT_PLUGIN_H

#include "Abi.h"

#include "gtest/gtest.h"

#include <cstring>
#include <dlfcn.h>
#include <string>
#include <vector>

namespace forge::pjrt {

inline const Api *loadPlugin() {
  static const Api *api = [] {
    void *library = dlopen(FORGE_PLUGIN, RTLD_NOW | RTLD_LOCAL);
    EXPECT_TRUE(library) << dlerror();
    auto get = reinterpret_cast<const Api *(*)()>(dlsym(library, "GetPjrtApi"));
    return get();
  }();
  return api;
}

/// Calls a function of the table.
template <typename Args> Error *call(Function function, Args &args) {
  args.struct_size = sizeof(Args);
  void *code = loadPlugin()->functions[static_cast<size_t>(function)];
  return reinterpret_cast<Error *(*)(Args *)>(code)(&args);
}

/// The message of an error, which goes; "" without one.
inline std::string messageOf(Error *error, ErrorCode *code = nullptr) {
  if (!error)
    return "";
  Error_Message_Args message = {};
  message.error = error;
  call(Function::Error_Message, message);
  std::string text(message.message, message.message_size);
  Error_GetCode_Args kind = {};
  kind.error = error;
  call(Function::Error_GetCode, kind);
  if (code)
    *code = kind.code;
  Error_Destroy_Args destroy = {};
  destroy.error = error;
  call(Function::Error_Destroy, destroy);
  return text;
}

/// A field of a protocol buffer: bytes under a number.
inline std::string field(int number, const std::string &bytes) {
  return std::string{static_cast<char>(number << 3 | 2), static_cast<char>(bytes.size())} + bytes;
}

inline std::string overrideOption(const std::string &name, const std::string &value) {
  return field(7, field(1, name) + field(2, field(1, value)));
}

/// A client for the CPU, with what is needed to use it.
class TestClient {
public:
  TestClient() {
    NamedValue target = {};
    target.name = "target";
    target.name_size = 6;
    target.type = String;
    target.string_value = "cpu";
    target.value_size = 3;
    Client_Create_Args args = {};
    args.create_options = &target;
    args.num_options = 1;
    EXPECT_EQ(messageOf(call(Function::Client_Create, args)), "");
    client = args.client;
    Client_Devices_Args devices = {};
    devices.client = client;
    call(Function::Client_Devices, devices);
    EXPECT_EQ(devices.num_devices, 1u);
    device = devices.devices[0];
  }
  ~TestClient() {
    Client_Destroy_Args args = {};
    args.client = client;
    call(Function::Client_Destroy, args);
  }

  Error *compile(const std::string &text, LoadedExecutable *&executable,
                 const std::string &options = "") {
    Program program = {};
    program.code = const_cast<char *>(text.data());
    program.code_size = text.size();
    program.format = "mlir";
    program.format_size = 4;
    Client_Compile_Args args = {};
    args.client = client;
    args.program = &program;
    args.compile_options = options.data();
    args.compile_options_size = options.size();
    Error *error = call(Function::Client_Compile, args);
    executable = args.executable;
    return error;
  }
  LoadedExecutable *compile(const std::string &text, const std::string &options = "") {
    LoadedExecutable *executable = nullptr;
    EXPECT_EQ(messageOf(compile(text, executable, options)), "");
    return executable;
  }

  /// `type` is of the size of floats: their bits are taken.
  Buffer *buffer(const std::vector<float> &data, std::vector<int64_t> dims,
                 std::vector<int64_t> strides = {}, BufferType type = F32) {
    Client_BufferFromHostBuffer_Args args = {};
    args.client = client;
    args.data = data.data();
    args.type = type;
    args.dims = dims.data();
    args.num_dims = dims.size();
    args.byte_strides = strides.empty() ? nullptr : strides.data();
    args.num_byte_strides = strides.size();
    args.device = device;
    EXPECT_EQ(messageOf(call(Function::Client_BufferFromHostBuffer, args)), "");
    destroy(args.done_with_host_buffer);
    return args.buffer;
  }

  /// Runs; results are written to `results`. Waits when `done` is null.
  Error *execute(LoadedExecutable *executable, std::vector<Buffer *> arguments,
                 std::vector<Buffer *> &results, std::vector<int64_t> kept = {},
                 Event **done = nullptr) {
    ExecuteOptions options = {};
    options.non_donatable_input_indices = kept.data();
    options.num_non_donatable_input_indices = kept.size();
    Buffer *const *lists[] = {arguments.data()};
    Buffer **outputs[] = {results.data()};
    Event *event = nullptr;
    LoadedExecutable_Execute_Args args = {};
    args.executable = executable;
    args.options = &options;
    args.argument_lists = lists;
    args.num_devices = 1;
    args.num_args = arguments.size();
    args.output_lists = outputs;
    args.device_complete_events = &event;
    if (Error *error = call(Function::LoadedExecutable_Execute, args))
      return error;
    if (done) {
      *done = event;
      return nullptr;
    }
    Error *failed = await(event);
    destroy(event);
    return failed;
  }

  Error *await(Event *event) {
    Event_Await_Args args = {};
    args.event = event;
    return call(Function::Event_Await, args);
  }

  Error *read(Buffer *buffer, std::vector<float> &data, MemoryLayout *layout = nullptr) {
    Buffer_ToHostBuffer_Args args = {};
    args.src = buffer;
    args.host_layout = layout;
    if (Error *error = call(Function::Buffer_ToHostBuffer, args))
      return error;
    data.resize(args.dst_size / sizeof(float));
    args.dst = data.data();
    if (Error *error = call(Function::Buffer_ToHostBuffer, args))
      return error;
    Error *failed = await(args.event);
    destroy(args.event);
    return failed;
  }
  std::vector<float> read(Buffer *buffer) {
    std::vector<float> data;
    EXPECT_EQ(messageOf(read(buffer, data)), "");
    return data;
  }

  bool isDeleted(Buffer *buffer) {
    Buffer_IsDeleted_Args args = {};
    args.buffer = buffer;
    EXPECT_EQ(messageOf(call(Function::Buffer_IsDeleted, args)), "");
    return args.is_deleted;
  }

  void destroy(Event *event) {
    Event_Destroy_Args args = {};
    args.event = event;
    call(Function::Event_Destroy, args);
  }
  void destroy(Buffer *buffer) {
    Buffer_Destroy_Args args = {};
    args.buffer = buffer;
    call(Function::Buffer_Destroy, args);
  }
  void destroy(LoadedExecutable *executable) {
    LoadedExecutable_Destroy_Args args = {};
    args.executable = executable;
    call(Function::LoadedExecutable_Destroy, args);
  }

  Client *client = nullptr;
  Device *device = nullptr;
};

} // namespace forge::pjrt

#endif // FORGE_UNITTESTS_PJRT_PLUGIN_H
