// The tensors of a checkpoint's folder, and how its files are called from another one.
#include "forge/Checkpoint/CheckpointIndex.h"

#include "SafetensorsText.h"

#include "forge/Support/AtomicFile.h"
#include "forge/Support/ScratchFolder.h"

#include <gtest/gtest.h>

using namespace forge;

namespace {

/// A folder of files, each with tensors of tensor<2xi8>.
class Folder {
public:
  void add(const std::string &file, const std::vector<std::string> &tensors) {
    std::string header;
    for (size_t i = 0; i < tensors.size(); ++i)
      header += (i ? ",\"" : "{\"") + tensors[i] +
                R"(":{"dtype":"I8","shape":[2],"data_offsets":[)" + std::to_string(2 * i) + "," +
                std::to_string(2 * i + 2) + "]}";
    write(file, safetensorsText(header + "}", 2 * tensors.size()));
  }
  void write(const std::string &file, const std::string &bytes) {
    EXPECT_TRUE(writeFileAtomically(folder.file(file), bytes));
  }
  void index(const std::string &map) {
    write("model.safetensors.index.json", "{\"weight_map\":" + map + "}");
  }
  Result<CheckpointIndex> read() { return indexCheckpoint(folder.path()); }
  /// The error without the folder's name.
  std::string problem() {
    Result<CheckpointIndex> read = this->read();
    std::string message = read ? "" : read.error().message, prefix = folder.path() + "/";
    return message.rfind(prefix, 0) == 0 ? message.substr(prefix.size()) : message;
  }

private:
  ScratchFolder folder = std::move(*ScratchFolder::create("forge-index"));
};

TEST(CheckpointIndex, OneFile) {
  Folder folder;
  folder.add("model.safetensors", {"a", "b"});
  Result<CheckpointIndex> index = folder.read();
  ASSERT_TRUE(index) << index.error().message;
  ASSERT_EQ(index->size(), 2u);
  EXPECT_EQ(index->at("b").file, "model.safetensors");
  EXPECT_EQ(typeString(index->at("b").spec), "tensor<2xi8>");
}

// What a shard has besides what the index names is in the checkpoint, too.
TEST(CheckpointIndex, Shards) {
  Folder folder;
  folder.add("1.safetensors", {"a", "extra"});
  folder.add("2.safetensors", {"b"});
  folder.add("model.safetensors", {"unread"});
  folder.index(R"({"a":"1.safetensors","b":"2.safetensors"})");
  Result<CheckpointIndex> index = folder.read();
  ASSERT_TRUE(index) << index.error().message;
  EXPECT_EQ(index->size(), 3u);
  EXPECT_EQ(index->at("a").file, "1.safetensors");
  EXPECT_EQ(index->at("b").file, "2.safetensors");
}

TEST(CheckpointIndex, TensorsAreWhereTheIndexSays) {
  Folder folder;
  folder.add("1.safetensors", {"a"});
  folder.add("2.safetensors", {"b"});
  folder.index(R"({"a":"1.safetensors","c":"2.safetensors"})");
  EXPECT_EQ(folder.problem(), "model.safetensors.index.json: weight_map: expected \"c\" in "
                              "2.safetensors, but it is in no file");
  folder.index(R"({"a":"1.safetensors","b":"1.safetensors","z":"2.safetensors"})");
  EXPECT_EQ(folder.problem(), "model.safetensors.index.json: weight_map: expected \"b\" in "
                              "1.safetensors, but it is in 2.safetensors");
}

TEST(CheckpointIndex, ATensorIsInOneFile) {
  Folder folder;
  folder.add("1.safetensors", {"a"});
  folder.add("2.safetensors", {"b", "a"});
  folder.index(R"({"a":"1.safetensors","b":"2.safetensors"})");
  EXPECT_EQ(folder.problem(), "2.safetensors: tensor \"a\" is in 1.safetensors, too");
}

// Shards are in the folder: an index must not make us read any other file.
TEST(CheckpointIndex, FilesAreInTheFolder) {
  Folder folder;
  for (const char *file : {"\"../a\"", "\"/etc/passwd\"", "\"d/a\"", "\"..\"", "\"\"", "7"}) {
    folder.index("{\"a\":" + std::string(file) + "}");
    EXPECT_EQ(folder.problem(), "model.safetensors.index.json: weight_map: \"a\": expected the "
                                "name of a file, but got " +
                                    std::string(file));
  }
}

TEST(CheckpointIndex, MalformedFiles) {
  Folder folder;
  EXPECT_EQ(folder.problem(), "model.safetensors: cannot open: No such file or directory");
  folder.write("model.safetensors", "short");
  EXPECT_EQ(folder.problem().rfind("model.safetensors: ", 0), 0u);
  folder.write("model.safetensors.index.json", "{}");
  EXPECT_EQ(folder.problem(),
            "model.safetensors.index.json: expected weight_map to be an object, but got none");
  folder.index("[1]");
  EXPECT_EQ(folder.problem(),
            "model.safetensors.index.json: expected weight_map to be an object, but got [1]");
}

TEST(RebaseFile, FromOneFolderToAnother) {
  EXPECT_EQ(rebaseFile("/x/w.safetensors", "/a", "/b"), "/x/w.safetensors");
  EXPECT_EQ(rebaseFile("w.safetensors", "/a/b", "/a"), "b/w.safetensors");
  EXPECT_EQ(rebaseFile("w.safetensors", "/a/b", "/a/c"), "../b/w.safetensors");
  EXPECT_EQ(rebaseFile("w.safetensors", "/a/b", "/a/b"), "w.safetensors");
  EXPECT_EQ(rebaseFile("d/w.safetensors", "", ""), "d/w.safetensors");
}

} // namespace
