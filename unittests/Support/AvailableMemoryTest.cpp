#include "forge/Support/AvailableMemory.h"

#include "forge/Support/HostTensor.h"
#include "forge/Support/ScratchFolder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

using namespace forge;

namespace {

/// Folders that stand for /proc and /sys/fs/cgroup.
struct AvailableMemory : testing::Test {
  void SetUp() override {
    write("/proc/meminfo",
          "MemTotal: 1000 kB\nMemFree: 1 kB\nMemAvailable: 600 kB\nSwapFree: 40 kB\n");
  }
  void write(const std::string &name, const std::string &text) {
    std::filesystem::path path = folder->path() + name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  uint64_t available() const {
    return availableMemory(folder->path() + "/proc", folder->path() + "/groups");
  }
  Result<ScratchFolder> folder = ScratchFolder::create("forge-test");
};

TEST_F(AvailableMemory, IsWhatTheKernelSaysWithSwap) { EXPECT_EQ(available(), 640u * 1024); }

TEST_F(AvailableMemory, IsUnlimitedWhereNothingIsSaid) {
  write("/proc/meminfo", "MemTotal: 1000 kB\n");
  EXPECT_EQ(available(), ~uint64_t(0));
}

TEST_F(AvailableMemory, GroupOfVersion2Limits) {
  write("/proc/self/cgroup", "0::/outer/inner\n");
  write("/groups/outer/inner/memory.max", "max\n");
  write("/groups/outer/inner/memory.current", "1000\n");
  EXPECT_EQ(available(), 640u * 1024);
  // A group above counts too; its file cache gives way.
  write("/groups/outer/memory.max", "50000\n");
  write("/groups/outer/memory.current", "20000\n");
  EXPECT_EQ(available(), 30000u);
  write("/groups/outer/memory.stat", "anon 12000\ninactive_file 3000\nactive_file 5000\n");
  EXPECT_EQ(available(), 38000u);
  write("/groups/outer/memory.current", "70000\n");
  EXPECT_EQ(available(), 0u);
}

TEST_F(AvailableMemory, GroupOfVersion1Limits) {
  write("/proc/self/cgroup", "5:cpu,cpuacct:/\n4:memory:/job\n0::/\n");
  write("/groups/memory/job/memory.limit_in_bytes", "50000\n");
  write("/groups/memory/job/memory.usage_in_bytes", "20000\n");
  write("/groups/memory/job/memory.stat", "cache 9000\ntotal_inactive_file 1000\n");
  EXPECT_EQ(available(), 31000u);
}

/// More than is there, less than malloc promises: to touch it would end the process.
TEST(HostTensor, RefusesMoreThanIsAvailable) {
  auto megabytes = static_cast<int64_t>(availableMemory() >> 20) + 512;
  EXPECT_FALSE(exceedsMemory(4096));
  EXPECT_TRUE(exceedsMemory(static_cast<size_t>(megabytes) << 20));
  Result<HostTensor> tensor = HostTensor::create(DType::U8, {megabytes, 1 << 20});
  ASSERT_FALSE(tensor);
  EXPECT_EQ(tensor.error().message.rfind("out of memory: tensor<", 0), 0u)
      << tensor.error().message;
}

} // namespace
