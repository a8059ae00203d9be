#include "forge/Evaluate/Evaluation.h"

#include <gtest/gtest.h>

using namespace forge;

namespace {

ModuleEvaluation module(std::string name = "m.mlir") {
  ModuleEvaluation one;
  one.module = std::move(name);
  one.function = "main";
  one.results = {{1e-6, 1e-6, 1e-7, 0.3, 0, 16}};
  one.time = ModuleTime{std::vector<double>(9, 1.0), 1e6, 1e6};
  one.mutation = MutationScore{100, 12, 10, 9};
  return one;
}

std::vector<std::string> worse(const ModuleEvaluation &before, const ModuleEvaluation &now) {
  return whatGotWorse({"c", "cpu", "hybrid", {before}}, {"c", "cpu", "hybrid", {now}}, {});
}

TEST(Changes, NothingIsWorse) {
  EXPECT_TRUE(worse(module(), module()).empty());
  ModuleEvaluation better = module();
  better.results[0].relativeNorm = 0;
  better.time->ms.assign(9, 0.1);
  better.mutation->killed = 10;
  EXPECT_TRUE(worse(module(), better).empty());
  ModuleEvaluation failing = module();
  failing.error = "it differs";
  EXPECT_TRUE(worse(failing, module()).empty());
  // It failed before.
  EXPECT_TRUE(worse(failing, failing).empty());
}

TEST(Changes, AFailure) {
  ModuleEvaluation now = module();
  now.error = "result 0 differs";
  now.time.reset();
  EXPECT_EQ(worse(module(), now), std::vector<std::string>{"m.mlir: result 0 differs"});
  // A module that is new counts, too; without its function it is the same module.
  now.module = "new.mlir";
  EXPECT_EQ(worse(module(), now),
            (std::vector<std::string>{"new.mlir: result 0 differs", "m.mlir: missing"}));
  now.module = "m.mlir";
  now.function = "";
  EXPECT_EQ(worse(module(), now), std::vector<std::string>{"m.mlir: result 0 differs"});
}

TEST(Changes, AnErrorNorm) {
  ModuleEvaluation now = module();
  now.results[0].relativeNorm = 1.4e-7;
  EXPECT_TRUE(worse(module(), now).empty());
  now.results[0].relativeNorm = 2e-7;
  // The share of what is allowed decides with it.
  EXPECT_TRUE(worse(module(), now).empty());
  now.results[0].ofAllowed = 0.6;
  ASSERT_EQ(worse(module(), now).size(), 1u);
  EXPECT_EQ(worse(module(), now).front(),
            "m.mlir: the error of result 0 grew: norm 2.0e-07 of the result's, before 1.0e-07; 0.60 of "
            "what is allowed, before 0.30");
}

TEST(Changes, ATime) {
  ModuleEvaluation now = module();
  now.time->ms.assign(9, 1.05);
  EXPECT_TRUE(worse(module(), now).empty());
  now.time->ms.assign(9, 1.2);
  EXPECT_EQ(worse(module(), now).front(), "m.mlir: slower: 1.2000 ms, 1.2000 to 1.2000; before "
                                          "1.0000 ms, 1.0000 to 1.0000");
  // Half of the times are as before: it may be chance.
  now.time->ms = {1, 1, 1, 1, 1.2, 1.2, 1.2, 1.2, 1.2};
  EXPECT_TRUE(worse(module(), now).empty());
  // Too few to tell.
  now.time->ms = {9, 9};
  EXPECT_TRUE(worse(module(), now).empty());
}

TEST(Changes, AScore) {
  ModuleEvaluation now = module();
  now.mutation->killed = 8;
  EXPECT_EQ(worse(module(), now).front(),
            "m.mlir: the mutation score fell: 0.800, before 0.900");
  now.mutation.reset();
  EXPECT_TRUE(worse(module(), now).empty());
}

} // namespace
