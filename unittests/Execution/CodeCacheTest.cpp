#include "forge/Execution/CodeCache.h"

#include "CompileText.h"

#include "forge/Support/AtomicFile.h"
#include "forge/Support/ScratchFolder.h"

#include <filesystem>
#include <fstream>

#include <sys/stat.h>

using namespace forge;
using namespace forge::test;
namespace fs = std::filesystem;

/// A module that multiplies by `factor`, with another function of some name.
static std::string scaleText(double factor, const std::string &other = "other") {
  return "func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {\n"
         "  %f = arith.constant dense<" +
         std::to_string(factor) +
         "> : tensor<2xf32>\n"
         "  %e = tensor.empty() : tensor<2xf32>\n"
         "  %r = linalg.mul ins(%a, %f : tensor<2xf32>, tensor<2xf32>) outs(%e : tensor<2xf32>)"
         " -> tensor<2xf32>\n"
         "  return %r : tensor<2xf32>\n"
         "}\n"
         "func.func @" +
         other + "() { return }\n";
}

namespace {
class CodeCacheTest : public ::testing::Test {
protected:
  ScratchFolder scratch = std::move(*ScratchFolder::create("forge-code-cache"));
  std::string folder = scratch.path() + "/new/cache";

  /// What @main makes of {1, 2}, by code of `cache`.
  static std::vector<double> run(CodeCache &cache, const std::string &text,
                                 CompileOptions options = {}) {
    options.function = "main";
    options.cache = &cache;
    Result<Executable> code = compileText(text, options);
    EXPECT_TRUE(code) << code.error().message;
    Result<RunResult> done = code->run({tensor(DType::F32, {2}, {1, 2})});
    EXPECT_TRUE(done) << done.error().message;
    return values(done->results[0]);
  }

  /// Whether a new user of the folder finds the code of scaleText(3), which it then has.
  bool isFound() {
    CodeCache cache(folder);
    EXPECT_EQ(run(cache, scaleText(3)), (std::vector<double>{3, 6}));
    EXPECT_EQ(cache.numHits() + cache.numMisses(), 1u);
    return cache.numHits() == 1;
  }

  std::vector<fs::path> files() const {
    std::vector<fs::path> list;
    for (const auto &file : fs::directory_iterator(folder))
      list.push_back(file.path());
    return list;
  }
};
} // namespace

static std::string read(const fs::path &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST_F(CodeCacheTest, KeepsCodeFromOneUserToTheNext) {
  EXPECT_FALSE(isFound());
  EXPECT_TRUE(isFound());
  ASSERT_EQ(files().size(), 1u);
  struct stat info;
  ASSERT_EQ(stat(folder.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700u);
}

TEST_F(CodeCacheTest, KeepsThePlannedTemporariesToo) {
  const char *text = R"(
func.func @main(%a: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %0 = linalg.matmul ins(%a, %a : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = linalg.matmul ins(%0, %a : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %1 : tensor<64x64xf32>
})";
  CompileOptions options;
  CodeCache cache(folder);
  options.cache = &cache;
  Result<Executable> first = compileText(text, options), second = compileText(text, options);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(cache.numHits(), 1u);
  EXPECT_GT(first->temporaryBytes(), 0);
  EXPECT_EQ(second->temporaryBytes(), first->temporaryBytes());
  // A run has them, and the result.
  Result<RunResult> done =
      second->run({tensor(DType::F32, {64, 64}, std::vector<double>(64 * 64, 1))});
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(done->peakTemporaryBytes, second->temporaryBytes() + (16 << 10));
}

TEST_F(CodeCacheTest, KeepsTheKernelsToo) {
  auto compile = [&](CodeCache *cache) {
    CompileOptions options;
    options.function = "main";
    options.target = "sim:sm_90a";
    options.cache = cache;
    Result<Executable> code = compileText(scaleText(3), options);
    EXPECT_TRUE(code) << code.error().message;
    return std::move(*code);
  };
  CodeCache cache(folder);
  Executable first = compile(&cache), second = compile(&cache);
  EXPECT_EQ(cache.numHits(), 1u);
  EXPECT_EQ(first.codeHash(), second.codeHash());
  EXPECT_FALSE(first.phaseTimes().empty());
  EXPECT_TRUE(second.phaseTimes().empty());
  ASSERT_EQ(second.kernels().size(), first.kernels().size());
  ASSERT_EQ(second.kernels().size(), 1u);
  const KernelInfo &a = first.kernels()[0], &b = second.kernels()[0];
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.strategy, b.strategy);
  EXPECT_EQ(a.schedule, b.schedule);
  EXPECT_GT(b.bytes, 0);
  EXPECT_EQ(a.bytes, b.bytes);
  EXPECT_EQ(a.flops, b.flops);
  EXPECT_EQ(a.launches, b.launches);
  EXPECT_EQ(a.registers, b.registers);
  Result<RunResult> done = second.run({tensor(DType::F32, {2}, {1, 2})});
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(values(done->results[0]), (std::vector<double>{3, 6}));
}

TEST_F(CodeCacheTest, TellsApartWhatCodeDependsOn) {
  CodeCache cache(folder);
  EXPECT_EQ(run(cache, scaleText(3)), (std::vector<double>{3, 6}));
  EXPECT_EQ(run(cache, scaleText(4)), (std::vector<double>{4, 8}));
  CompileOptions others[4];
  others[0].tier = Tier::Correctness;
  others[1].naiveAfter = Phase::Fuse;
  others[2].target = "sim:sm_90a";
  others[3].target = "sim:gfx942";
  for (const CompileOptions &options : others)
    EXPECT_EQ(run(cache, scaleText(3), options), (std::vector<double>{3, 6}));
  EXPECT_EQ(cache.numHits(), 0u);
  // But not by functions that are not called.
  EXPECT_EQ(run(cache, scaleText(3, "another")), (std::vector<double>{3, 6}));
  EXPECT_EQ(cache.numHits(), 1u);
}

TEST_F(CodeCacheTest, CompilesAgainWhatIsDamaged) {
  EXPECT_FALSE(isFound());
  fs::path file = files()[0];
  std::string good = read(file);
  auto replace = [&](const std::string &bytes) {
    EXPECT_TRUE(writeFileAtomically(file.string(), bytes));
    EXPECT_FALSE(isFound()) << "of " << bytes.size() << " bytes";
    EXPECT_EQ(read(file), good); // mended
  };
  for (size_t size :
       {size_t(0), size_t(1), size_t(119), size_t(120), good.size() / 2, good.size() - 1})
    replace(good.substr(0, size));
  replace(good + "x");
  // A bit of each part: magic, key, digest, sizes, kernels, object.
  for (size_t place : {size_t(0), size_t(8), size_t(80), size_t(104), size_t(111), size_t(112),
                       size_t(119), size_t(121), good.size() - 1}) {
    std::string bad = good;
    bad[place] = static_cast<char>(bad[place] ^ 1);
    replace(bad);
  }
  // The code of another key.
  CodeCache cache(folder);
  run(cache, scaleText(4));
  for (const fs::path &other : files())
    if (other != file)
      replace(read(other));
  // No file.
  fs::remove(file);
  fs::create_directory(file);
  EXPECT_FALSE(isFound());
}

TEST_F(CodeCacheTest, DropsWhatWasUsedLongestAgo) {
  EXPECT_FALSE(isFound());
  uint64_t size = fs::file_size(files()[0]);
  CodeCache cache(folder, 2 * size + size / 2);
  EXPECT_EQ(run(cache, scaleText(4)), (std::vector<double>{4, 8}));
  EXPECT_TRUE(isFound()); // now 4 is the oldest
  EXPECT_EQ(run(cache, scaleText(5)), (std::vector<double>{5, 10}));
  EXPECT_EQ(files().size(), 2u);
  EXPECT_TRUE(isFound());
  EXPECT_EQ(cache.numHits(), 0u);
  run(cache, scaleText(4));
  EXPECT_EQ(cache.numHits(), 0u);
  // What a process that was ended has left goes too, after an hour.
  for (const char *name : {".tmp.1.0", ".tmp.2.0"})
    EXPECT_TRUE(writeFileAtomically(folder + "/" + name, "half"));
  fs::last_write_time(folder + "/.tmp.1.0",
                      fs::file_time_type::clock::now() - std::chrono::hours(2));
  run(cache, scaleText(6));
  EXPECT_FALSE(fs::exists(folder + "/.tmp.1.0"));
  EXPECT_TRUE(fs::exists(folder + "/.tmp.2.0"));
}

TEST_F(CodeCacheTest, UsesNoFolderThatOthersCanWriteTo) {
  fs::create_directories(folder);
  fs::permissions(folder, fs::perms::all);
  CodeCache open(folder);
  EXPECT_NE(open.problem().find("expected a folder of one's own"), std::string::npos);
  EXPECT_EQ(run(open, scaleText(3)), (std::vector<double>{3, 6}));
  EXPECT_TRUE(files().empty());
  EXPECT_TRUE(writeFileAtomically(scratch.file("file"), ""));
  CodeCache noFolder(scratch.path() + "/file");
  EXPECT_NE(noFolder.problem().find("file: expected a folder"), std::string::npos);
  EXPECT_EQ(run(noFolder, scaleText(3)), (std::vector<double>{3, 6}));
  CodeCache below(scratch.path() + "/file/cache");
  EXPECT_NE(below.problem().find("file/cache: cannot make it: Not a directory"), std::string::npos);
}

TEST(CodeCache, IsWhereTheEnvironmentSays) {
  auto set = [](const char *name, const char *value) {
    value ? setenv(name, value, 1) : unsetenv(name);
  };
  set("HOME", "/home/a");
  set("XDG_CACHE_HOME", nullptr);
  set("FORGE_CACHE_DIR", nullptr);
  EXPECT_EQ(CodeCache::defaultFolder(), "/home/a/.cache/forge");
  set("XDG_CACHE_HOME", "relative");
  EXPECT_EQ(CodeCache::defaultFolder(), "/home/a/.cache/forge");
  set("XDG_CACHE_HOME", "/caches");
  EXPECT_EQ(CodeCache::defaultFolder(), "/caches/forge");
  set("FORGE_CACHE_DIR", "/mine");
  EXPECT_EQ(CodeCache::defaultFolder(), "/mine");
  set("FORGE_CACHE_DIR", "");
  EXPECT_EQ(CodeCache::defaultFolder(), "");
}
