// A process that crashes: its line, its status, its temporary files.
#include "forge/Support/Crash.h"
#include "forge/Support/AtomicFile.h"
#include "forge/Support/Sanitizers.h"
#include "forge/Support/ScratchFolder.h"

#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>

#include <sys/wait.h>
#include <unistd.h>

using namespace forge;

namespace {

struct Ending {
  int status = 0; // as waitpid gives it
  std::string errors;
};

/// Runs `work` in a child.
template <typename Work> Ending endOf(Work work) {
  int ends[2];
  Ending ending;
  if (pipe(ends) != 0)
    return ending;
  pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    work();
    _exit(0);
  }
  close(ends[1]);
  char bytes[4096];
  for (ssize_t count; (count = read(ends[0], bytes, sizeof bytes)) > 0;)
    ending.errors.append(bytes, static_cast<size_t>(count));
  close(ends[0]);
  waitpid(child, &ending.status, 0);
  return ending;
}

bool exitedWithOne(const Ending &ending) {
  return WIFEXITED(ending.status) && WEXITSTATUS(ending.status) == 1;
}

int recurse(volatile int *depth) {
  volatile char block[4096];
  block[0] = static_cast<char>(++*depth);
  return recurse(depth) + block[0];
}

/// A sanitizer has handlers of its own, which ours leave alone.
class Crash : public testing::Test {
protected:
  void SetUp() override {
    if (FORGE_ADDRESS_SANITIZER)
      GTEST_SKIP() << "the sanitizer reports crashes";
  }
};

TEST_F(Crash, LeavesOneLineThatSaysWhatWasDone) {
  for (auto [signal, name] :
       {std::pair(SIGSEGV, "SIGSEGV"), std::pair(SIGABRT, "SIGABRT"), std::pair(SIGFPE, "SIGFPE"),
        std::pair(SIGILL, "SIGILL"), std::pair(SIGBUS, "SIGBUS")}) {
    Ending ending = endOf([signal = signal] {
      installCrashHandler();
      CrashNote outer("forge compile");
      {
        CrashNote inner("pass x");
      }
      raise(signal);
    });
    EXPECT_TRUE(exitedWithOne(ending));
    EXPECT_EQ(ending.errors, "error: crashed in forge compile (" + std::string(name) + ")\n");
  }
}

TEST_F(Crash, OfAFullStackIsReportedToo) {
  Ending ending = endOf([] {
    installCrashHandler();
    volatile int depth = 0;
    recurse(&depth);
  });
  EXPECT_TRUE(exitedWithOne(ending));
  EXPECT_EQ(ending.errors, "error: crashed (SIGSEGV)\n");
}

TEST_F(Crash, CutsALongNote) {
  Ending ending = endOf([] {
    installCrashHandler();
    setCrashNote(std::string(1000, 'x'));
    raise(SIGSEGV);
  });
  EXPECT_EQ(ending.errors, "error: crashed in " + std::string(255, 'x') + " (SIGSEGV)\n");
}

TEST_F(Crash, TakesTemporaryFilesWithIt) {
  Result<ScratchFolder> outer = ScratchFolder::create("forge-test");
  ASSERT_TRUE(outer) << outer.error().message;
  std::string kept = outer->path() + "/kept";
  ASSERT_TRUE(writeFileAtomically(kept, "whole"));
  Ending ending = endOf([&] {
    setenv("TMPDIR", outer->path().c_str(), 1);
    installCrashHandler();
    Result<ScratchFolder> folder = ScratchFolder::create("forge-inner");
    raise(SIGSEGV);
  });
  EXPECT_TRUE(exitedWithOne(ending));
  // The child knows of the outer folder, too, which is not empty.
  EXPECT_TRUE(std::filesystem::exists(kept));
  std::filesystem::remove(kept);
  EXPECT_TRUE(std::filesystem::is_empty(outer->path()));
}

TEST_F(Crash, ShowsTheCallsWhereTheyAreWanted) {
  Ending ending = endOf([] {
    setenv("FORGE_BACKTRACE", "1", 1);
    installCrashHandler();
    raise(SIGSEGV);
  });
  EXPECT_TRUE(exitedWithOne(ending));
  EXPECT_NE(ending.errors.find("libc"), std::string::npos) << ending.errors;
}

TEST_F(Crash, IsTheSystemsAgainAfterRemoval) {
  Ending ending = endOf([] {
    installCrashHandler();
    removeCrashHandler();
    raise(SIGSEGV);
  });
  EXPECT_TRUE(WIFSIGNALED(ending.status) && WTERMSIG(ending.status) == SIGSEGV);
  EXPECT_EQ(ending.errors, "");
}

} // namespace
