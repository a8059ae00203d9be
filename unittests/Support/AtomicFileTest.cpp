#include "forge/Support/AtomicFile.h"

#include "forge/Support/Interrupt.h"
#include "forge/Support/ScratchFolder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace forge;
namespace fs = std::filesystem;

namespace {

class AtomicFileTest : public testing::Test {
protected:
  void SetUp() override { ASSERT_TRUE(scratch) << scratch.error().message; }
  std::string path(const std::string &name) const { return scratch->path() + "/" + name; }
  static std::string textOf(const std::string &file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  size_t countEntries() const {
    return static_cast<size_t>(
        std::distance(fs::directory_iterator(scratch->path()), fs::directory_iterator()));
  }

private:
  Result<ScratchFolder> scratch = ScratchFolder::create("forge-atomic");
};

TEST_F(AtomicFileTest, WritesTheTargetOfLinks) {
  fs::create_directory(path("below"));
  ASSERT_TRUE(writeFileAtomically(path("below/file"), "old"));
  fs::create_symlink("below/file", path("relative"));
  fs::create_symlink(path("relative"), path("absolute"));
  fs::create_symlink("below/new", path("dangling"));
  ASSERT_TRUE(writeFileAtomically(path("absolute"), "new"));
  ASSERT_TRUE(writeFileAtomically(path("dangling"), "other"));
  for (const char *link : {"relative", "absolute", "dangling"})
    EXPECT_TRUE(fs::is_symlink(path(link))) << link;
  EXPECT_EQ(textOf(path("below/file")), "new");
  EXPECT_EQ(textOf(path("below/new")), "other");
}

TEST_F(AtomicFileTest, LinksInACircleAreAnError) {
  fs::create_symlink("two", path("one"));
  fs::create_symlink("one", path("two"));
  EXPECT_EQ(writeFileAtomically(path("one"), "x").error().message,
            path("one") + ": cannot write: Too many levels of symbolic links");
}

TEST_F(AtomicFileTest, KeepsPermissions) {
  ASSERT_TRUE(writeFileAtomically(path("script"), "old"));
  fs::permissions(path("script"), fs::perms(0750));
  ASSERT_TRUE(writeFileAtomically(path("script"), "new"));
  EXPECT_EQ(fs::status(path("script")).permissions(), fs::perms(0750));
  EXPECT_EQ(textOf(path("script")), "new");
}

TEST_F(AtomicFileTest, ReadOnlyFileIsNotReplaced) {
  if (geteuid() == 0)
    GTEST_SKIP() << "root may write anything";
  ASSERT_TRUE(writeFileAtomically(path("kept"), "old"));
  fs::permissions(path("kept"), fs::perms(0444));
  EXPECT_EQ(writeFileAtomically(path("kept"), "new").error().message,
            path("kept") + ": cannot write: Permission denied");
  EXPECT_EQ(textOf(path("kept")), "old");
}

TEST_F(AtomicFileTest, LongestNameIsWritten) {
  std::string name(255, 'n');
  ASSERT_TRUE(writeFileAtomically(path(name), "x"));
  EXPECT_EQ(textOf(path(name)), "x");
}

TEST_F(AtomicFileTest, TemporaryFileOfAnotherProcessIsLeftAlone) {
  // All names that this process could come to next.
  for (int i = 0; i < 64; ++i)
    std::ofstream(path(".tmp." + std::to_string(getpid()) + "." + std::to_string(i))) << "theirs";
  size_t before = countEntries();
  ASSERT_TRUE(writeFileAtomically(path("x"), "ours"));
  EXPECT_EQ(textOf(path("x")), "ours");
  EXPECT_EQ(countEntries(), before + 1);
}

TEST_F(AtomicFileTest, LimitOnFileSizesIsAnError) {
  pid_t child = fork();
  if (child == 0) {
    installInterruptHandler();
    rlimit limit = {1000, 1000};
    setrlimit(RLIMIT_FSIZE, &limit);
    Result<void> written = writeFileAtomically(path("x"), std::string(5000, 'x'));
    bool isRight =
        !written && written.error().message == path("x") + ": cannot write: File too large";
    _exit(isRight ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  EXPECT_EQ(countEntries(), 0u);
}

} // namespace
