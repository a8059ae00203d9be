#include "forge/Support/StagedFolder.h"

#include "forge/Support/AtomicFile.h"

#include <gtest/gtest.h>

#include <fstream>

#include <unistd.h>

using namespace forge;
namespace fs = std::filesystem;

namespace {

class StagedFolderTest : public testing::Test {
protected:
  StagedFolderTest()
      : root(fs::temp_directory_path() / ("forge-staged-" + std::to_string(getpid()))) {
    fs::create_directories(root);
  }
  ~StagedFolderTest() override { fs::remove_all(root); }

  static std::string textOf(const fs::path &path) {
    std::ifstream stream(path);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  static size_t countEntries(const fs::path &folder) {
    return static_cast<size_t>(
        std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
  }
  fs::path root;
};

TEST_F(StagedFolderTest, CommitMovesEverythingAndLeavesNoStage) {
  fs::path folder = root / "a" / "b";
  Result<StagedFolder> staged = StagedFolder::create(folder.string() + "/");
  ASSERT_TRUE(staged);
  ASSERT_TRUE(writeFileAtomically(staged->pathOf("x"), "one"));
  ASSERT_TRUE(writeFileAtomically(staged->pathOf("y"), "two"));
  EXPECT_FALSE(fs::exists(folder / "x"));
  ASSERT_TRUE(staged->commit());
  EXPECT_EQ(textOf(folder / "x"), "one");
  EXPECT_EQ(textOf(folder / "y"), "two");
  EXPECT_EQ(countEntries(folder), 2u);
}

TEST_F(StagedFolderTest, DroppedStageLeavesNothingItMade) {
  {
    Result<StagedFolder> staged = StagedFolder::create((root / "a" / "b").string());
    ASSERT_TRUE(staged);
    ASSERT_TRUE(writeFileAtomically(staged->pathOf("x"), "one"));
  }
  EXPECT_EQ(countEntries(root), 0u);
}

TEST_F(StagedFolderTest, DroppedStageKeepsWhatWasThere) {
  ASSERT_TRUE(writeFileAtomically((root / "x").string(), "old"));
  {
    Result<StagedFolder> staged = StagedFolder::create(root.string());
    ASSERT_TRUE(staged);
    ASSERT_TRUE(writeFileAtomically(staged->pathOf("x"), "new"));
  }
  EXPECT_EQ(textOf(root / "x"), "old");
  EXPECT_EQ(countEntries(root), 1u);
}

TEST_F(StagedFolderTest, CommitReplacesOlderFiles) {
  ASSERT_TRUE(writeFileAtomically((root / "x").string(), "old"));
  Result<StagedFolder> staged = StagedFolder::create(root.string());
  ASSERT_TRUE(staged);
  ASSERT_TRUE(writeFileAtomically(staged->pathOf("x"), "new"));
  ASSERT_TRUE(staged->commit());
  EXPECT_EQ(textOf(root / "x"), "new");
}

TEST_F(StagedFolderTest, NumbersGoOnFromTheLargest) {
  fs::path parent = root / "a" / "b";
  for (const char *number : {"1", "2"}) {
    Result<StagedFolder> staged = StagedFolder::createNumbered(parent.string() + "/");
    ASSERT_TRUE(staged) << staged.error().message;
    EXPECT_EQ(staged->path(), (parent / number).string());
    ASSERT_TRUE(writeFileAtomically(staged->pathOf("x"), number));
    ASSERT_TRUE(staged->commit());
  }
  fs::remove_all(parent / "1");
  ASSERT_TRUE(writeFileAtomically((parent / "7").string(), "a file may have the number"));
  ASSERT_TRUE(writeFileAtomically((parent / "30x").string(), "no number"));
  Result<StagedFolder> staged = StagedFolder::createNumbered(parent.string());
  ASSERT_TRUE(staged) << staged.error().message;
  EXPECT_EQ(staged->path(), (parent / "8").string());
  EXPECT_EQ(textOf(parent / "2" / "x"), "2");
}

TEST_F(StagedFolderTest, DroppedNumberLeavesNothing) {
  {
    ASSERT_TRUE(StagedFolder::createNumbered((root / "a").string()));
  }
  EXPECT_EQ(countEntries(root), 0u);
  fs::create_directory(root / "a");
  {
    ASSERT_TRUE(StagedFolder::createNumbered((root / "a").string()));
  }
  EXPECT_EQ(countEntries(root / "a"), 0u);
  ASSERT_TRUE(writeFileAtomically((root / "f").string(), "file"));
  Result<StagedFolder> staged = StagedFolder::createNumbered((root / "f" / "g").string());
  ASSERT_FALSE(staged);
  EXPECT_EQ(staged.error().message,
            (root / "f" / "g").string() + ": cannot make this folder: Not a directory");
}

TEST_F(StagedFolderTest, FileInTheWayIsAnError) {
  ASSERT_TRUE(writeFileAtomically((root / "x").string(), "file"));
  Result<StagedFolder> staged = StagedFolder::create((root / "x" / "y").string());
  ASSERT_FALSE(staged);
  EXPECT_NE(staged.error().message.find("cannot make this folder"), std::string::npos);
  EXPECT_EQ(textOf(root / "x"), "file");
}

} // namespace
