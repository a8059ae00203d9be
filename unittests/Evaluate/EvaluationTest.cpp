#include "forge/Evaluate/Evaluation.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace forge;

namespace {

Evaluation example() {
  Evaluation evaluation{"forge 1", "cpu", "hybrid", {}};
  ModuleEvaluation all;
  all.module = "a.mlir";
  all.function = "main";
  all.results = {{1e-6, 2e-6, 3e-7, 0.5, 1, 16}, {0, 0, INFINITY, 0, 0, 0}};
  all.time = ModuleTime{{1, 2, 3, 4, 5, 6}, 3.5e6, 7e6};
  all.mutation = MutationScore{50, 12, 10, 9};
  ModuleEvaluation failed;
  failed.module = "b.mlir";
  failed.error = "b.mlir:1:1: \"quoted\"";
  evaluation.modules = {all, failed};
  return evaluation;
}

TEST(Evaluation, RoundTrip) {
  std::string text = writeEvaluation(example());
  Result<Evaluation> read = readEvaluation(text, "e.json");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->compiler, "forge 1");
  EXPECT_EQ(read->target, "cpu");
  EXPECT_EQ(read->tier, "hybrid");
  ASSERT_EQ(read->modules.size(), 2u);
  const ModuleEvaluation &all = read->modules[0];
  ASSERT_EQ(all.results.size(), 2u);
  EXPECT_EQ(all.results[0].maxRel, 2e-6);
  EXPECT_EQ(all.results[0].elements, 16);
  EXPECT_TRUE(std::isinf(all.results[1].relativeNorm));
  ASSERT_TRUE(all.time && all.mutation);
  EXPECT_EQ(all.time->ms.size(), 6u);
  EXPECT_EQ(all.time->flops, 3.5e6);
  EXPECT_EQ(all.mutation->counted, 10);
  EXPECT_EQ(all.mutation->score(), 0.9);
  EXPECT_EQ(read->modules[1].error, "b.mlir:1:1: \"quoted\"");
  EXPECT_FALSE(read->modules[1].time);
  EXPECT_EQ(writeEvaluation(*read), text);
}

/// 3.5e6 operations in 3.5 ms, and 7e6 bytes.
TEST(Evaluation, Rates) {
  std::string text = writeEvaluation(example());
  EXPECT_NE(text.find("\"latency_ms\": 3.5"), std::string::npos) << text;
  EXPECT_NE(text.find("\"gflops\": 1,"), std::string::npos) << text;
  EXPECT_NE(text.find("\"gbytes_per_s\": 2,"), std::string::npos) << text;
  EXPECT_NE(text.find("\"mutation_score\": 0.9"), std::string::npos) << text;
}

TEST(Evaluation, WithoutMutants) {
  Evaluation evaluation = example();
  evaluation.modules[0].mutation = MutationScore{};
  EXPECT_FALSE(evaluation.mutationScore());
  EXPECT_EQ(MutationScore().score(), 1);
}

TEST(Evaluation, RefusesOthers) {
  std::string right = writeEvaluation(example());
  auto replaced = [&](const std::string &what, const std::string &by) {
    std::string text = right;
    text.replace(text.find(what), what.size(), by);
    return text;
  };
  for (const std::string &text :
       {std::string(), std::string("[]"), replaced("\"forge_evaluation\": 1", "\"forge_evaluation\": 2"),
        replaced("\"possible\"", "\"impossible\""), replaced("\"flops\": 3500000", "\"flops\": \"many\"")}) {
    Result<Evaluation> read = readEvaluation(text, "e.json");
    ASSERT_FALSE(read) << text;
    EXPECT_TRUE(read.error().message.starts_with("e.json: not what forge evaluate"));
  }
}

} // namespace
