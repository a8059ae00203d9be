// Locks of files, which processes take in turn.
#include "FileLock.h"

#include "forge/Support/ScratchFolder.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

using namespace forge;

namespace {

TEST(FileLock, OneAtATime) {
  Result<ScratchFolder> folder = ScratchFolder::create("forge-lock");
  ASSERT_TRUE(folder);
  std::string path = folder->file("lock");
  std::atomic<int> holders = 0, most = 0, locked = 0;
  auto hold = [&] {
    for (int i = 0; i < 50; ++i) {
      FileLock lock;
      if (!lock.lock(path))
        return;
      most = std::max(most.load(), ++holders);
      ++locked;
      std::this_thread::yield();
      --holders;
    }
  };
  std::thread other(hold);
  hold();
  other.join();
  EXPECT_EQ(locked, 100);
  EXPECT_EQ(most, 1);
}

TEST(FileLock, SaysWhatIsWrong) {
  FileLock lock;
  Result<void> locked = lock.lock("/nowhere/lock");
  ASSERT_FALSE(locked);
  EXPECT_EQ(locked.error().message, "/nowhere/lock: cannot open: No such file or directory");
}

} // namespace
