// What the plugin refuses, and that it goes on afterwards.
#include "Plugin.h"

#include <bit>

using namespace forge::pjrt;

TEST(PluginErrors, UnknownOptionsAndDevices) {
  NamedValue option = {};
  option.name = "colour";
  option.name_size = 6;
  option.type = String;
  option.string_value = "red";
  option.value_size = 3;
  Client_Create_Args args = {};
  args.create_options = &option;
  args.num_options = 1;
  ErrorCode code = Internal;
  EXPECT_EQ(
      messageOf(call(Function::Client_Create, args), &code),
      "unknown option 'colour', expected target (a string: cpu, cuda, cuda:1, hip, sim:CHIP)");
  EXPECT_EQ(code, InvalidArgument);
  option.name = "target";
  EXPECT_NE(messageOf(call(Function::Client_Create, args)).find("unknown target 'red'"),
            std::string::npos);
  TestClient client;
  Client_LookupDevice_Args lookup = {};
  lookup.client = client.client;
  lookup.id = 7;
  EXPECT_EQ(messageOf(call(Function::Client_LookupDevice, lookup)), "there is no device 7");
}

TEST(PluginErrors, ModulesThatDoNotCompile) {
  TestClient client;
  LoadedExecutable *executable = nullptr;
  ErrorCode code = Internal;
  EXPECT_EQ(messageOf(client.compile("func.func @main( {", executable), &code).substr(0, 8),
            "program:");
  EXPECT_EQ(code, InvalidArgument);
  EXPECT_FALSE(executable);
  std::string unsupported = messageOf(client.compile(R"(
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.custom_call @unheard_of(%a) : (tensor<4xf32>) -> tensor<4xf32> loc("model.py":3:7)
  return %0 : tensor<4xf32>
})",
                                                     executable),
                                      &code);
  EXPECT_EQ(code, Unimplemented) << unsupported;
  EXPECT_EQ(unsupported.substr(0, 12), "model.py:3:7");
  EXPECT_NE(unsupported.find("unheard_of"), std::string::npos);
}

/// The error of an array of floats that is one number many times.
static std::string repeatOneNumber(const TestClient &client, std::vector<int64_t> dims,
                                   ErrorCode &code) {
  float number = 1;
  std::vector<int64_t> strides(dims.size(), 0);
  Client_BufferFromHostBuffer_Args args = {};
  args.client = client.client;
  args.device = client.device;
  args.data = &number;
  args.type = F32;
  args.dims = dims.data();
  args.num_dims = dims.size();
  args.byte_strides = strides.data();
  args.num_byte_strides = strides.size();
  std::string message = messageOf(call(Function::Client_BufferFromHostBuffer, args), &code);
  EXPECT_FALSE(args.buffer);
  return message;
}

TEST(PluginErrors, ArraysLargerThanMemory) {
  TestClient client;
  ErrorCode code = Internal;
  EXPECT_EQ(repeatOneNumber(client, {int64_t(1) << 50}, code), "out of memory");
  EXPECT_EQ(code, ResourceExhausted);
  EXPECT_EQ(repeatOneNumber(client, {int64_t(1) << 40, int64_t(1) << 40}, code),
            "out of memory: a buffer of more than 2^63 bytes");
  EXPECT_EQ(code, ResourceExhausted);
  EXPECT_EQ(repeatOneNumber(client, {4, -1}, code), "a buffer with a size of -1");
  EXPECT_EQ(code, InvalidArgument);
}

static const char *const kIdentity = R"(
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
})";

TEST(PluginErrors, CompileOptions) {
  TestClient client;
  LoadedExecutable *executable = nullptr;
  EXPECT_EQ(
      messageOf(client.compile(kIdentity, executable, overrideOption("forge_tier", "correctness"))),
      "");
  client.destroy(executable);
  EXPECT_EQ(messageOf(client.compile(kIdentity, executable, overrideOption("forge_tier", "best"))),
            "expected tier hybrid, production, optimized or correctness, but got 'best'");
  EXPECT_EQ(messageOf(client.compile(kIdentity, executable, overrideOption("xla_flag", "1"))), "");
  client.destroy(executable);
  EXPECT_EQ(messageOf(client.compile(kIdentity, executable, overrideOption("flag", "1"))),
            "No such compile option: 'flag', expected forge_tier or forge_dump_to (strings), or an "
            "option of XLA, which is ignored");
  for (const char *malformed :
       {"\x3a", "\x3a\x7f", "\x3b", "\x3a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f"})
    EXPECT_EQ(messageOf(client.compile(kIdentity, executable, malformed)),
              "malformed compile options");
  // Two replicas.
  ErrorCode code = Internal;
  EXPECT_EQ(messageOf(client.compile(kIdentity, executable,
                                     field(3, field(9, "\x08\x02\x10\x01" + field(3, "\x08\x01")))),
                      &code),
            "expected a program for 1 device, but got one for 2");
  EXPECT_EQ(code, Unimplemented);
  // A device assignment that names device 3: options, assignment, devices, ids.
  std::string three = field(3, field(9, field(3, field(1, "\x03"))));
  EXPECT_EQ(messageOf(client.compile(kIdentity, executable, three)), "there is no device 3");
}

TEST(PluginErrors, Arguments) {
  TestClient client;
  LoadedExecutable *identity = client.compile(kIdentity);
  Buffer *three = client.buffer({1, 2, 3}, {3});
  std::vector<Buffer *> results(1);
  EXPECT_EQ(messageOf(client.execute(identity, {}, results)), "expected 1 argument, but got 0");
  EXPECT_EQ(messageOf(client.execute(identity, {three}, results)),
            "argument 0, dimension 0: expected size 4, but got 3");
  // The failed run's result says so too, and so does what is computed from it.
  std::vector<float> data;
  EXPECT_NE(messageOf(client.read(results[0], data)), "");
  std::vector<Buffer *> next(1);
  EXPECT_NE(messageOf(client.execute(identity, {results[0]}, next)), "");
  client.destroy(results[0]);
  client.destroy(next[0]);
  Buffer *four = client.buffer({1, 2, 3, 4}, {4});
  EXPECT_EQ(messageOf(client.execute(identity, {four}, results)), "");
  EXPECT_EQ(client.read(results[0]), (std::vector<float>{1, 2, 3, 4}));
  for (Buffer *buffer : {three, four, results[0]})
    client.destroy(buffer);
  LoadedExecutable_Delete_Args remove = {};
  remove.executable = identity;
  call(Function::LoadedExecutable_Delete, remove);
  EXPECT_EQ(messageOf(client.execute(identity, {}, results)), "the executable was deleted");
  client.destroy(identity);
}

// A run that fails behind its caller's back: each who waits for what it was to compute hears of it,
// what is computed from it is not run, and the queue goes on.
TEST(PluginErrors, LateErrorsReachAllThatWait) {
  TestClient client;
  // Busy first, so that all below is submitted before the failing run begins.
  LoadedExecutable *slow = client.compile(R"(
func.func @main(%a: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %limit = stablehlo.constant dense<20> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %done:2 = stablehlo.while(%i = %zero, %x = %a) : tensor<i32>, tensor<512x512xf32>
    cond {
      %less = stablehlo.compare LT, %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %less : tensor<i1>
    } do {
      %next = stablehlo.add %i, %one : tensor<i32>
      %y = stablehlo.dot %x, %a : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
      stablehlo.return %next, %y : tensor<i32>, tensor<512x512xf32>
    }
  return %done#1 : tensor<512x512xf32>
})");
  LoadedExecutable *failing = client.compile(R"(
func.func @main(%a: tensor<512x512xf32>, %sizes: tensor<2xi32>) -> tensor<512x512xf32> {
  %flat = stablehlo.dynamic_reshape %a, %sizes : (tensor<512x512xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %sum = stablehlo.dynamic_reshape %flat, %sizes : (tensor<?x?xf32>, tensor<2xi32>) -> tensor<512x512xf32>
  return %sum : tensor<512x512xf32>
})");
  Buffer *a = client.buffer(std::vector<float>(512 * 512, 0), {512, 512});
  // Another number of elements: 2 x 3, as the bits of floats.
  Buffer *sizes = client.buffer({std::bit_cast<float>(2), std::bit_cast<float>(3)}, {2}, {}, S32);
  std::vector<Buffer *> busy(1), failed(1), next(1), after(1);
  Event *failedEvent = nullptr, *nextEvent = nullptr, *afterEvent = nullptr, *busyEvent = nullptr;
  ASSERT_EQ(messageOf(client.execute(slow, {a}, busy, {}, &busyEvent)), "");
  ASSERT_EQ(messageOf(client.execute(failing, {busy[0], sizes}, failed, {}, &failedEvent)), "");
  ASSERT_EQ(messageOf(client.execute(slow, {failed[0]}, next, {}, &nextEvent)), "");
  ASSERT_EQ(messageOf(client.execute(slow, {a}, after, {}, &afterEvent)), "");
  std::vector<float> data;
  std::string why = messageOf(client.await(failedEvent));
  EXPECT_NE(why, "");
  EXPECT_EQ(messageOf(client.read(failed[0], data)), why);
  EXPECT_EQ(messageOf(client.await(nextEvent)), why);
  EXPECT_EQ(messageOf(client.read(next[0], data)), why);
  EXPECT_EQ(messageOf(client.await(busyEvent)), "");
  EXPECT_EQ(messageOf(client.await(afterEvent)), "");
  EXPECT_EQ(client.read(after[0]), std::vector<float>(512 * 512, 0));
  for (Event *event : {busyEvent, failedEvent, nextEvent, afterEvent})
    client.destroy(event);
  for (Buffer *buffer : {a, sizes, busy[0], failed[0], next[0], after[0]})
    client.destroy(buffer);
  for (LoadedExecutable *executable : {slow, failing})
    client.destroy(executable);
}

TEST(PluginErrors, ElementTypesAndFunctionsThatForgeLacks) {
  TestClient client;
  Client_BufferFromHostBuffer_Args args = {};
  int data = 0;
  args.client = client.client;
  args.data = &data;
  args.type = TOKEN;
  ErrorCode code = Internal;
  EXPECT_NE(messageOf(call(Function::Client_BufferFromHostBuffer, args), &code), "");
  EXPECT_EQ(code, Unimplemented);
  Header none = {};
  EXPECT_EQ(messageOf(call(Function::Client_DmaMap, none), &code),
            "Client_DmaMap is not implemented by Forge");
  EXPECT_EQ(code, Unimplemented);
}
