#include "forge/Support/ScratchFolder.h"

#include "forge/Support/AtomicFile.h"
#include "forge/Support/Interrupt.h"
#include "forge/Support/StagedFolder.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>

#include <sys/wait.h>
#include <unistd.h>

using namespace forge;
namespace fs = std::filesystem;

namespace {

TEST(ScratchFolder, GoesWithItsOwner) {
  std::string path;
  {
    Result<ScratchFolder> folder = ScratchFolder::create("forge-test");
    ASSERT_TRUE(folder) << folder.error().message;
    path = folder->path();
    ASSERT_TRUE(writeFileAtomically(folder->file("x"), "text"));
    fs::create_directories(path + "/below");
    ScratchFolder moved = std::move(*folder);
    EXPECT_EQ(moved.path(), path);
    EXPECT_TRUE(fs::exists(path + "/x"));
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST(ScratchFolder, TwoAreApart) {
  Result<ScratchFolder> one = ScratchFolder::create("forge-test");
  Result<ScratchFolder> two = ScratchFolder::create("forge-test");
  ASSERT_TRUE(one && two);
  EXPECT_NE(one->path(), two->path());
}

TEST(ScratchFolder, NamesTheFolderThatCannotBeUsed) {
  std::string before = std::getenv("TMPDIR") ? std::getenv("TMPDIR") : "";
  setenv("TMPDIR", "/nowhere/at/all", 1);
  Result<ScratchFolder> folder = ScratchFolder::create("forge-test");
  before.empty() ? unsetenv("TMPDIR") : setenv("TMPDIR", before.c_str(), 1);
  ASSERT_FALSE(folder);
  EXPECT_EQ(folder.error().message, "cannot make a temporary folder in /nowhere/at/all (TMPDIR): "
                                    "No such file or directory");
}

/// Runs `work` in a child that is then ended by `signal`; true if that is how it ended.
template <typename Work> bool endsBy(int signal, Work work) {
  pid_t child = fork();
  if (child == 0) {
    installInterruptHandler();
    work();
    raise(signal);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) && WTERMSIG(status) == signal;
}

TEST(Interrupt, TakesTemporaryFilesWithIt) {
  Result<ScratchFolder> outer = ScratchFolder::create("forge-test");
  ASSERT_TRUE(outer) << outer.error().message;
  std::string staging = outer->path() + "/a/b", kept = outer->path() + "/kept";
  for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXCPU}) {
    ASSERT_TRUE(endsBy(signal, [&] {
      setenv("TMPDIR", outer->path().c_str(), 1);
      Result<ScratchFolder> folder = ScratchFolder::create("forge-inner");
      Result<StagedFolder> staged = StagedFolder::create(staging);
      bool written = folder && staged && writeFileAtomically(folder->file("x"), "text") &&
                     writeFileAtomically(staged->pathOf("y"), "text") &&
                     writeFileAtomically(kept, "whole");
      if (!written)
        _exit(1);
      raise(signal);
    }));
    // What was complete stays.
    ASSERT_TRUE(fs::exists(kept));
    fs::remove(kept);
    EXPECT_TRUE(fs::is_empty(outer->path()));
  }
}

} // namespace
