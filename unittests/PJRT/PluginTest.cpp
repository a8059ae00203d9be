// The plugin through its table: buffers, runs, donation, events, threads.
#include "Plugin.h"

#include <atomic>
#include <memory>
#include <thread>

using namespace forge::pjrt;

static const char *const kAdd = R"(
func.func @main(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.add %a, %b : tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
})";

static const char *const kDonated = R"(
func.func @main(%a: tensor<4xf32> {tf.aliasing_output = 0 : i32}, %b: tensor<4xf32>)
    -> tensor<4xf32> {
  %0 = stablehlo.add %a, %b : tensor<4xf32>
  return %0 : tensor<4xf32>
})";

TEST(Plugin, SaysWhatItIs) {
  const Api *api = loadPlugin();
  EXPECT_EQ(api->version.major_version, 0);
  EXPECT_EQ(api->version.minor_version, 90);
  EXPECT_EQ(api->struct_size, sizeof(Api));
  TestClient client;
  Client_PlatformName_Args name = {};
  name.client = client.client;
  call(Function::Client_PlatformName, name);
  EXPECT_EQ(std::string(name.platform_name, name.platform_name_size), "forge");
  Device_GetDescription_Args description = {};
  description.device = client.device;
  call(Function::Device_GetDescription, description);
  DeviceDescription_Kind_Args kind = {};
  kind.device_description = description.device_description;
  call(Function::DeviceDescription_Kind, kind);
  EXPECT_EQ(std::string(kind.device_kind, kind.device_kind_size), "cpu");
  Device_MemoryStats_Args memory = {};
  memory.device = client.device;
  EXPECT_EQ(messageOf(call(Function::Device_MemoryStats, memory)), "");
  EXPECT_EQ(memory.bytes_in_use, 0);
  EXPECT_GT(memory.bytes_limit, 0);
}

TEST(Plugin, RunsOnBuffers) {
  TestClient client;
  LoadedExecutable *add = client.compile(kAdd);
  Buffer *a = client.buffer({1, 2, 3, 4, 5, 6}, {2, 3});
  std::vector<Buffer *> results(1);
  ASSERT_EQ(messageOf(client.execute(add, {a, a}, results)), "");
  EXPECT_EQ(client.read(results[0]), (std::vector<float>{2, 4, 6, 8, 10, 12}));
  EXPECT_FALSE(client.isDeleted(a));
  Device_MemoryStats_Args memory = {};
  memory.device = client.device;
  call(Function::Device_MemoryStats, memory);
  EXPECT_EQ(memory.bytes_in_use, 48);
  client.destroy(a);
  client.destroy(results[0]);
  call(Function::Device_MemoryStats, memory);
  EXPECT_EQ(memory.bytes_in_use, 0);
  EXPECT_EQ(memory.peak_bytes_in_use, 48);
  EXPECT_TRUE(memory.num_allocs_is_set && memory.largest_alloc_size_is_set);
  EXPECT_EQ(memory.num_allocs, 2);
  EXPECT_EQ(memory.largest_alloc_size, 24);
  client.destroy(add);
}

/// Two products and a value between them, of 64 x 64 floats: 16 KiB each.
static constexpr char kProducts[] = R"(
func.func @main(%a: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = stablehlo.dot %a, %a : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = stablehlo.abs %0 : tensor<64x64xf32>
  %2 = stablehlo.dot %1, %a : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %2 : tensor<64x64xf32>
})";

TEST(Plugin, SaysWhatAProgramCosts) {
  TestClient client;
  for (const char *tier : {"hybrid", "correctness"}) {
    SCOPED_TRACE(tier);
    LoadedExecutable *program = client.compile(kProducts, overrideOption("forge_tier", tier));
    LoadedExecutable_GetExecutable_Args get = {};
    get.loaded_executable = program;
    call(Function::LoadedExecutable_GetExecutable, get);
    Executable_GetCostAnalysis_Args cost = {};
    cost.executable = get.executable;
    call(Function::Executable_GetCostAnalysis, cost);
    EXPECT_GE(cost.properties[0].float_value, 4.0f * 64 * 64 * 64);
    EXPECT_LT(cost.properties[0].float_value, 4.5f * 64 * 64 * 64);
    Executable_GetCompiledMemoryStats_Args memory = {};
    memory.struct_size = sizeof(memory);
    memory.executable = get.executable;
    call(Function::Executable_GetCompiledMemoryStats, memory);
    // The operand of the second product, and perhaps its own operand.
    EXPECT_GE(memory.temp_size_in_bytes, 16 << 10);
    EXPECT_LE(memory.temp_size_in_bytes, 48 << 10);
    EXPECT_EQ(memory.peak_memory_in_bytes, (32 << 10) + memory.temp_size_in_bytes);
    Executable_Destroy_Args destroy = {};
    destroy.executable = get.executable;
    call(Function::Executable_Destroy, destroy);
    client.destroy(program);
  }
}

TEST(Plugin, TakesAndGivesStrides) {
  TestClient client;
  // The transpose of a 3x2 array, and a row repeated by a stride of 0.
  Buffer *transposed = client.buffer({1, 4, 2, 5, 3, 6}, {2, 3}, {4, 8});
  EXPECT_EQ(client.read(transposed), (std::vector<float>{1, 2, 3, 4, 5, 6}));
  Buffer *repeated = client.buffer({7, 8}, {3, 2}, {0, 4});
  EXPECT_EQ(client.read(repeated), (std::vector<float>{7, 8, 7, 8, 7, 8}));
  // Column-major on the host.
  const int64_t order[] = {0, 1};
  MemoryLayout layout = {};
  layout.type = Tiled;
  layout.tiled.minor_to_major = order;
  layout.tiled.minor_to_major_size = 2;
  std::vector<float> columns;
  EXPECT_EQ(messageOf(client.read(transposed, columns, &layout)), "");
  EXPECT_EQ(columns, (std::vector<float>{1, 4, 2, 5, 3, 6}));
  client.destroy(transposed);
  client.destroy(repeated);
}

TEST(Plugin, DonatedBuffersAreGone) {
  TestClient client;
  LoadedExecutable *add = client.compile(kDonated);
  Buffer *a = client.buffer({1, 2, 3, 4}, {4}), *b = client.buffer({10, 10, 10, 10}, {4});
  std::vector<Buffer *> results(1);
  ASSERT_EQ(messageOf(client.execute(add, {a, b}, results)), "");
  EXPECT_EQ(client.read(results[0]), (std::vector<float>{11, 12, 13, 14}));
  EXPECT_TRUE(client.isDeleted(a));
  EXPECT_FALSE(client.isDeleted(b));
  std::vector<Buffer *> none(1);
  EXPECT_EQ(messageOf(client.execute(add, {a, b}, none)),
            "argument 0: the buffer was deleted, or donated to a computation");
  std::vector<float> data;
  EXPECT_NE(messageOf(client.read(a, data)), "");
  for (Buffer *buffer : {a, b, results[0]})
    client.destroy(buffer);
  client.destroy(add);
}

TEST(Plugin, KeepsWhatItsCallerKeeps) {
  TestClient client;
  LoadedExecutable *add = client.compile(kDonated);
  Buffer *a = client.buffer({1, 2, 3, 4}, {4});
  std::vector<Buffer *> results(1);
  // Not to be donated, though the program would overwrite it; and an argument twice.
  ASSERT_EQ(messageOf(client.execute(add, {a, a}, results, {0})), "");
  EXPECT_EQ(client.read(results[0]), (std::vector<float>{2, 4, 6, 8}));
  EXPECT_EQ(client.read(a), (std::vector<float>{1, 2, 3, 4}));
  client.destroy(results[0]);
  EXPECT_EQ(messageOf(client.execute(add, {a, a}, results)),
            "argument 0: the buffer is donated, but is also argument 1");
  // Donated while other code reads its memory: that stays as it is.
  Buffer_IncreaseExternalReferenceCount_Args reference = {};
  reference.buffer = a;
  ASSERT_EQ(messageOf(call(Function::Buffer_IncreaseExternalReferenceCount, reference)), "");
  Buffer_OpaqueDeviceMemoryDataPointer_Args pointer = {};
  pointer.buffer = a;
  ASSERT_EQ(messageOf(call(Function::Buffer_OpaqueDeviceMemoryDataPointer, pointer)), "");
  Buffer *b = client.buffer({1, 1, 1, 1}, {4});
  ASSERT_EQ(messageOf(client.execute(add, {a, b}, results)), "");
  EXPECT_TRUE(client.isDeleted(a));
  EXPECT_EQ(client.read(results[0]), (std::vector<float>{2, 3, 4, 5}));
  EXPECT_EQ(static_cast<float *>(pointer.device_memory_ptr)[3], 4);
  ASSERT_EQ(messageOf(call(Function::Buffer_DecreaseExternalReferenceCount, reference)), "");
  EXPECT_NE(messageOf(call(Function::Buffer_DecreaseExternalReferenceCount, reference)), "");
  for (Buffer *buffer : {a, b, results[0]})
    client.destroy(buffer);
  client.destroy(add);
}

TEST(Plugin, RunsInOrderBehindItsCallersBack) {
  std::atomic<int> order = 0, calls = 0;
  constexpr int kRuns = 20;
  auto owned = std::make_unique<TestClient>();
  TestClient &client = *owned;
  // Large enough to go to the queue.
  LoadedExecutable *step = client.compile(R"(
func.func @main(%x: tensor<262144xf32>) -> tensor<262144xf32> {
  %h = stablehlo.constant dense<0.5> : tensor<262144xf32>
  %o = stablehlo.constant dense<1.0> : tensor<262144xf32>
  %0 = stablehlo.multiply %x, %h : tensor<262144xf32>
  %1 = stablehlo.add %0, %o : tensor<262144xf32>
  return %1 : tensor<262144xf32>
})");
  Buffer *x = client.buffer(std::vector<float>(262144, 0.0f), {262144});
  float expected = 0;
  for (int i = 0; i < kRuns; ++i) {
    std::vector<Buffer *> results(1);
    Event *done = nullptr;
    ASSERT_EQ(messageOf(client.execute(step, {x}, results, {}, &done)), "");
    struct Check {
      std::atomic<int> *order, *calls;
      int index;
    };
    Event_OnReady_Args ready = {};
    ready.event = done;
    ready.user_arg = new Check{&order, &calls, i};
    ready.callback = [](Error *error, void *user) {
      auto *check = static_cast<Check *>(user);
      EXPECT_FALSE(error);
      EXPECT_EQ((*check->order)++, check->index);
      ++*check->calls;
      delete check;
    };
    ASSERT_EQ(messageOf(call(Function::Event_OnReady, ready)), "");
    client.destroy(done);
    client.destroy(x); // the run that reads it keeps the memory
    x = results[0];
    expected = 0.5f * expected + 1.0f;
  }
  EXPECT_EQ(client.read(x), std::vector<float>(262144, expected));
  client.destroy(x);
  client.destroy(step);
  owned = nullptr; // waits for the queue
  EXPECT_EQ(calls, kRuns);
}

TEST(Plugin, ThreadsCompileAndRunAtOnce) {
  TestClient client;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 3; ++i) {
        LoadedExecutable *add = client.compile(kAdd);
        Buffer *a = client.buffer(std::vector<float>(6, static_cast<float>(t)), {2, 3});
        for (int run = 0; run < 50; ++run) {
          std::vector<Buffer *> results(1);
          ASSERT_EQ(messageOf(client.execute(add, {a, a}, results)), "");
          EXPECT_EQ(client.read(results[0]), std::vector<float>(6, 2.0f * static_cast<float>(t)));
          client.destroy(results[0]);
        }
        client.destroy(a);
        client.destroy(add);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
}

TEST(Plugin, DescribesPrograms) {
  TestClient client;
  LoadedExecutable *add = client.compile(kAdd);
  LoadedExecutable_GetExecutable_Args get = {};
  get.loaded_executable = add;
  ASSERT_EQ(messageOf(call(Function::LoadedExecutable_GetExecutable, get)), "");
  Executable_NumReplicas_Args outputs = {};
  outputs.executable = get.executable;
  call(Function::Executable_NumOutputs, outputs);
  EXPECT_EQ(outputs.number, 1u);
  Executable_OutputDimensions_Args dims = {};
  dims.executable = get.executable;
  call(Function::Executable_OutputDimensions, dims);
  EXPECT_EQ(dims.dim_sizes[0], 2u);
  EXPECT_EQ(dims.dims[1], 3);
  Executable_GetCostAnalysis_Args cost = {};
  cost.executable = get.executable;
  call(Function::Executable_GetCostAnalysis, cost);
  ASSERT_EQ(cost.num_properties, 2u);
  EXPECT_EQ(std::string(cost.properties[0].name), "flops");
  EXPECT_EQ(cost.properties[0].float_value, 6);
  Executable_GetCompiledMemoryStats_Args memory = {};
  memory.executable = get.executable;
  call(Function::Executable_GetCompiledMemoryStats, memory);
  EXPECT_EQ(memory.argument_size_in_bytes, 48);
  EXPECT_EQ(memory.output_size_in_bytes, 24);
  Executable_Destroy_Args destroy = {};
  destroy.executable = get.executable;
  call(Function::Executable_Destroy, destroy);
  client.destroy(add);
}
