#include "forge/Tune/TunedSchedules.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <gtest/gtest.h>

#include <fstream>
#include <thread>

using namespace forge;

namespace {

class TunedSchedulesTest : public ::testing::Test {
protected:
  TunedSchedulesTest() {
    llvm::SmallString<128> made;
    EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("forge-tuned", made));
    folder = made.str().str();
    path = folder + "/tuned.plan";
  }
  ~TunedSchedulesTest() override { llvm::sys::fs::remove_directories(folder); }

  TunedSchedules schedules(std::string compiler = "forge 1") const {
    return {path, std::move(compiler), "sm_90a"};
  }
  static ScheduleAttr threads(mlir::MLIRContext &context, int64_t number) {
    context.loadDialect<ForgeDialect>();
    return ScheduleAttr::empty(&context).orWord("strategy", "generic").orSize("threads", number);
  }
  static std::string hash(int64_t number) {
    std::string digits = llvm::utohexstr(static_cast<uint64_t>(number), /*LowerCase=*/true);
    return std::string(32 - digits.size(), '0') + digits;
  }

  mlir::MLIRContext context;
  std::string folder, path;
};

TEST_F(TunedSchedulesTest, FindsWhatWasStored) {
  EXPECT_FALSE(schedules().find(hash(1), &context));
  ASSERT_TRUE(schedules().store({hash(1), "rows", threads(context, 64)}));
  ASSERT_TRUE(schedules().store({hash(2), "rows\n", threads(context, 128)}));
  EXPECT_EQ(schedules().find(hash(1), &context), threads(context, 64));
  EXPECT_EQ(schedules().find(hash(2), &context), threads(context, 128));
  EXPECT_FALSE(schedules().find(hash(3), &context));
  // The later one counts.
  ASSERT_TRUE(schedules().store({hash(1), "rows", threads(context, 32)}));
  EXPECT_EQ(schedules().find(hash(1), &context), threads(context, 32));
  EXPECT_EQ(schedules().find(hash(2), &context), threads(context, 128));
}

TEST_F(TunedSchedulesTest, AnotherCompilersCountAsNone) {
  ASSERT_TRUE(schedules("forge 1").store({hash(1), "rows", threads(context, 64)}));
  EXPECT_FALSE(schedules("forge 2").find(hash(1), &context));
  ASSERT_TRUE(schedules("forge 2").store({hash(2), "rows", threads(context, 64)}));
  EXPECT_FALSE(schedules("forge 1").find(hash(1), &context));
  EXPECT_TRUE(schedules("forge 2").find(hash(2), &context));
}

TEST_F(TunedSchedulesTest, DamageCountsAsNone) {
  std::ofstream(path) << "forge-plan 1\ncompiler forge 1\nchip sm_90a\nkernel zz\n";
  EXPECT_FALSE(schedules().find(hash(1), &context));
  ASSERT_TRUE(schedules().store({hash(1), "rows", threads(context, 64)}));
  EXPECT_TRUE(schedules().find(hash(1), &context));
}

TEST_F(TunedSchedulesTest, NothingIsLostBetweenWriters) {
  std::vector<std::thread> writers;
  for (int64_t writer = 0; writer < 4; ++writer)
    writers.emplace_back([this, writer] {
      mlir::MLIRContext own;
      for (int64_t i = 0; i < 8; ++i)
        EXPECT_TRUE(schedules().store({hash(8 * writer + i + 1), "rows", threads(own, 64)}));
    });
  for (std::thread &writer : writers)
    writer.join();
  for (int64_t i = 1; i <= 32; ++i)
    EXPECT_TRUE(schedules().find(hash(i), &context)) << i;
}

TEST_F(TunedSchedulesTest, SaysWhyNothingIsStored) {
  TunedSchedules nowhere(folder + "/missing/tuned.plan", "forge 1", "sm_90a");
  Result<void> stored = nowhere.store({hash(1), "rows", threads(context, 64)});
  ASSERT_FALSE(stored);
  EXPECT_NE(stored.error().message.find("missing/tuned.plan.lock: cannot open"), std::string::npos);
}

} // namespace
