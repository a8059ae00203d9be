// Schedules that come with the compiler.
#include "forge/Codegen/ShippedPlans.h"

#include "forge/Diagnostics/Location.h"

#include <gtest/gtest.h>

using namespace forge;

namespace {

constexpr char kText[] = "forge-plan 1\n"
                         "compiler forge 1\n"
                         "chip sm_80\n"
                         "kernel 00000000000000000000000000000001 #forge.schedule<strategy = rows>\n"
                         "chip sm_90a\n"
                         "kernel 00000000000000000000000000000002 #forge.schedule<strategy = generic, "
                         "threads = 64>  // softmax\n"
                         "kernel 00000000000000000000000000000003 nonsense\n";

class ShippedPlans : public ::testing::Test {
protected:
  ShippedPlans() { context.loadDialect<ForgeDialect>(); }
  mlir::MLIRContext context;
};

TEST_F(ShippedPlans, AreOfOneChip) {
  ShippedPlan plan("p.plan", kText, "forge 1", "sm_90a");
  EXPECT_FALSE(plan.empty());
  std::optional<PlannedSchedule> found =
      plan.find("00000000000000000000000000000002", &context);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->schedule.strategy(), "generic");
  EXPECT_EQ(found->schedule.size("threads"), 64);
  EXPECT_EQ(locationString(found->place), "p.plan:6:8");
  EXPECT_FALSE(plan.find("00000000000000000000000000000001", &context));
  EXPECT_TRUE(ShippedPlan("p.plan", kText, "forge 1", "sm_75").empty());
}

/// They never are an error: what cannot be read is not there.
TEST_F(ShippedPlans, OthersCountForNothing) {
  EXPECT_TRUE(ShippedPlan("p.plan", kText, "forge 2", "sm_90a").empty());
  ShippedPlan plan("p.plan", kText, "forge 1", "sm_90a");
  EXPECT_FALSE(plan.find("00000000000000000000000000000003", &context));
  EXPECT_TRUE(ShippedPlan("p.plan", "", "forge 1", "sm_90a").empty());
}

TEST_F(ShippedPlans, TheirCompilerIsThisOne) {
  EXPECT_EQ(compilerText().rfind("forge ", 0), 0u);
  EXPECT_NE(compilerText().find("(MLIR "), std::string::npos);
  EXPECT_TRUE(shippedPlan("gfx1100").empty());
}

} // namespace
