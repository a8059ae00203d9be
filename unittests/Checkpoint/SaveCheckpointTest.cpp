#include "forge/Checkpoint/SaveCheckpoint.h"

#include "forge/Checkpoint/CheckpointIndex.h"
#include "forge/Checkpoint/Weights.h"
#include "forge/Support/ScratchFolder.h"

#include <gtest/gtest.h>

using namespace forge;

/// Byte i of a tensor is i plus the first letter of its name.
static Result<void> countUp(const NamedTensor &tensor, int64_t begin, std::span<char> bytes) {
  auto first = static_cast<size_t>(begin) * byteWidth(tensor.spec.type);
  for (size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<char>(first + i + static_cast<unsigned char>(tensor.name[0]));
  return {};
}

static Result<void> save(const std::string &path, const std::vector<NamedTensor> &tensors,
                         uint64_t shardBytes, const ElementSource &source = countUp) {
  Result<StagedFolder> folder = StagedFolder::create(path);
  if (!folder)
    return folder.error();
  Result<void> saved = saveCheckpoint(*folder, tensors, source, shardBytes);
  return saved ? folder->commit() : saved;
}

static const std::vector<NamedTensor> tensors = {{"a", {DType::F32, {2, 3}}},
                                                 {"b", {DType::BF16, {4}}},
                                                 {"c", {DType::I8, {}}},
                                                 {"d", {DType::F64, {0, 5}}},
                                                 {"e", {DType::F16, {40}}}};

/// Whether all tensors are read as they were written.
static void expectAll(const std::string &path, size_t numFiles) {
  Result<CheckpointIndex> index = indexCheckpoint(path);
  ASSERT_TRUE(index) << index.error().message;
  ASSERT_EQ(index->size(), tensors.size());
  WeightFiles files({path});
  std::map<std::string, int> used;
  for (const NamedTensor &tensor : tensors) {
    const std::string &file = index->at(tensor.name).file;
    ++used[file];
    Result<HostTensor> loaded = files.load({file, tensor.name}, tensor.spec);
    ASSERT_TRUE(loaded) << loaded.error().message;
    for (size_t i = 0; i < loaded->numBytes(); ++i)
      EXPECT_EQ(loaded->dataAs<char>()[i], static_cast<char>(i + tensor.name[0]));
  }
  EXPECT_EQ(used.size(), numFiles);
}

TEST(SaveCheckpoint, WritesOneFileOrSeveral) {
  ScratchFolder folder = std::move(*ScratchFolder::create("forge-save"));
  ASSERT_TRUE(save(folder.path() + "/one", tensors, 1000));
  EXPECT_TRUE(std::filesystem::exists(folder.path() + "/one/model.safetensors"));
  expectAll(folder.path() + "/one", 1);
  // a; b, c and d; e, which is larger than a file may be.
  ASSERT_TRUE(save(folder.path() + "/three", tensors, 30));
  EXPECT_TRUE(std::filesystem::exists(folder.path() + "/three/model-00003-of-00003.safetensors"));
  expectAll(folder.path() + "/three", 3);
  ASSERT_TRUE(save(folder.path() + "/most", tensors, 0));
  expectAll(folder.path() + "/most", 5);
}

TEST(SaveCheckpoint, WritesLargeTensorsInParts) {
  ScratchFolder folder = std::move(*ScratchFolder::create("forge-save"));
  std::vector<int64_t> begins;
  size_t most = 0;
  ASSERT_TRUE(save(folder.path() + "/large", {{"w", {DType::BF16, {(40 << 20) + 3}}}}, 1,
                   [&](const NamedTensor &, int64_t begin, std::span<char> bytes) -> Result<void> {
                     begins.push_back(begin);
                     most = std::max(most, bytes.size());
                     return {};
                   }));
  EXPECT_EQ(begins, (std::vector<int64_t>{0, 32 << 20}));
  EXPECT_EQ(most, size_t(64) << 20);
}

TEST(SaveCheckpoint, LeavesNothingBehindOnErrors) {
  ScratchFolder folder = std::move(*ScratchFolder::create("forge-save"));
  std::string path = folder.path() + "/none";
  auto problem = [&](const std::vector<NamedTensor> &list, const ElementSource &source) {
    Result<void> saved = save(path, list, 1000, source);
    EXPECT_FALSE(std::filesystem::exists(path));
    return saved ? "" : saved.error().message;
  };
  EXPECT_EQ(problem(tensors, [](auto &&...) -> Result<void> { return Error{"no elements"}; }),
            "tensor 'a': no elements");
  EXPECT_EQ(problem({{"w", {DType::I4, {2}}}}, countUp),
            "tensor 'w': expected a type of safetensors, but got tensor<2xi4>");
  EXPECT_EQ(problem({{"w", {DType::F32, {TensorSpec::dynamic}}}}, countUp),
            "tensor 'w': expected static sizes of less than 2^64 bytes, but got tensor<?xf32>");
  EXPECT_EQ(problem({{"w", {DType::F32, {int64_t(1) << 62, 4}}}}, countUp),
            "tensor 'w': expected static sizes of less than 2^64 bytes, but got "
            "tensor<4611686018427387904x4xf32>");
}
