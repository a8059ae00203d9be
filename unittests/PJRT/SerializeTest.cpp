// Executables as bytes, and machine code that is kept in a folder.
#include "Plugin.h"

#include <cstdlib>
#include <filesystem>
#include <unistd.h>

using namespace forge::pjrt;
namespace fs = std::filesystem;

static const char *const kDouble = R"(
func.func @main(%a: tensor<3xf32>) -> tensor<3xf32> {
  %0 = stablehlo.add %a, %a : tensor<3xf32>
  return %0 : tensor<3xf32>
})";

static std::string serialize(LoadedExecutable *loaded) {
  LoadedExecutable_GetExecutable_Args get = {};
  get.loaded_executable = loaded;
  EXPECT_EQ(messageOf(call(Function::LoadedExecutable_GetExecutable, get)), "");
  Executable_Serialize_Args args = {};
  args.executable = get.executable;
  EXPECT_EQ(messageOf(call(Function::Executable_Serialize, args)), "");
  // The bytes are their own: they may outlive the executable.
  Executable_Destroy_Args destroy = {};
  destroy.executable = get.executable;
  call(Function::Executable_Destroy, destroy);
  std::string bytes(args.serialized_bytes, args.serialized_bytes_size);
  args.serialized_executable_deleter(args.serialized_executable);
  return bytes;
}

static Error *deserialize(TestClient &client, const std::string &bytes, LoadedExecutable *&loaded,
                          const char *options = nullptr) {
  Executable_DeserializeAndLoad_Args args = {};
  args.client = client.client;
  args.serialized_executable = bytes.data();
  args.serialized_executable_size = bytes.size();
  args.overridden_serialized_compile_options = options;
  args.overridden_serialized_compile_options_size = options ? strlen(options) : 0;
  Error *error = call(Function::Executable_DeserializeAndLoad, args);
  loaded = args.loaded_executable;
  return error;
}

static void expectDoubles(TestClient &client, LoadedExecutable *loaded) {
  Buffer *argument = client.buffer({1, 2, 3}, {3});
  std::vector<Buffer *> results(1);
  ASSERT_EQ(messageOf(client.execute(loaded, {argument}, results)), "");
  EXPECT_EQ(client.read(results[0]), (std::vector<float>{2, 4, 6}));
  client.destroy(argument);
  client.destroy(results[0]);
}

// For frameworks that print it: the module, whose size they ask for first.
TEST(Serialize, ProgramIsTheModule) {
  TestClient client;
  LoadedExecutable *add = client.compile(kDouble);
  LoadedExecutable_GetExecutable_Args get = {};
  get.loaded_executable = add;
  ASSERT_EQ(messageOf(call(Function::LoadedExecutable_GetExecutable, get)), "");
  Program program = {};
  Executable_OptimizedProgram_Args args = {};
  args.executable = get.executable;
  args.program = &program;
  ASSERT_EQ(messageOf(call(Function::Executable_OptimizedProgram, args)), "");
  EXPECT_EQ(std::string_view(program.format, program.format_size), "mlir");
  std::string code(program.code_size, '?');
  program.code = code.data();
  ASSERT_EQ(messageOf(call(Function::Executable_OptimizedProgram, args)), "");
  EXPECT_EQ(code, kDouble);
  // No more than there is a place for.
  code.assign(8, '?');
  program.code_size = 4;
  program.code = code.data();
  ASSERT_EQ(messageOf(call(Function::Executable_OptimizedProgram, args)), "");
  EXPECT_EQ(code, std::string(kDouble, 4) + "????");
  Executable_Destroy_Args destroy = {};
  destroy.executable = get.executable;
  call(Function::Executable_Destroy, destroy);
}

TEST(Serialize, ComesBackInAnotherClient) {
  std::string bytes;
  {
    TestClient client;
    LoadedExecutable *add = client.compile(kDouble);
    bytes = serialize(add);
    client.destroy(add);
  }
  TestClient client;
  LoadedExecutable *again = nullptr;
  ASSERT_EQ(messageOf(deserialize(client, bytes, again)), "");
  expectDoubles(client, again);
  EXPECT_EQ(serialize(again), bytes);
  client.destroy(again);
  EXPECT_EQ(messageOf(deserialize(client, bytes, again, "\x3a\x7f")), "malformed compile options");
}

TEST(Serialize, DamagedBytesAreErrors) {
  TestClient client;
  LoadedExecutable *add = client.compile(kDouble), *again = nullptr;
  std::string bytes = serialize(add);
  client.destroy(add);
  for (std::string other : {std::string(), std::string("FORGE"), std::string(64, 'x')})
    EXPECT_EQ(messageOf(deserialize(client, other, again)),
              "expected a serialized executable that begins with FORGEPJ1, but got other bytes");
  for (size_t size = 8; size < bytes.size(); ++size)
    EXPECT_NE(messageOf(deserialize(client, bytes.substr(0, size), again)), "") << size;
  for (size_t place = 8; place < bytes.size(); ++place) {
    std::string damaged = bytes;
    damaged[place] ^= 4;
    EXPECT_EQ(messageOf(deserialize(client, damaged, again)),
              "the serialized executable is damaged: its bytes have another hash than when it was "
              "written");
  }
}

TEST(Serialize, MachineCodeIsKeptInAFolder) {
  fs::path folder = fs::path(testing::TempDir()) / ("forge-pjrt-" + std::to_string(getpid()));
  setenv("FORGE_CACHE_DIR", folder.c_str(), 1);
  auto compileOnce = [] {
    TestClient client;
    LoadedExecutable *add = client.compile(kDouble);
    expectDoubles(client, add);
    client.destroy(add);
  };
  auto files = [&] { return std::vector<fs::path>(fs::directory_iterator(folder), {}); };
  compileOnce();
  ASSERT_EQ(files().size(), 1u);
  fs::path file = files().front();
  // What is found is marked as used now, and not written anew.
  auto longAgo = fs::file_time_type::clock::now() - std::chrono::hours(10);
  fs::last_write_time(file, longAgo);
  uintmax_t size = fs::file_size(file);
  compileOnce();
  EXPECT_GT(fs::last_write_time(file), longAgo);
  // A damaged file counts as missing: it is compiled and written again.
  fs::resize_file(file, size / 2);
  compileOnce();
  EXPECT_EQ(fs::file_size(file), size);
  EXPECT_EQ(files().size(), 1u);
  unsetenv("FORGE_CACHE_DIR");
  fs::remove_all(folder);
}
