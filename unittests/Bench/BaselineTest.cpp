#include "forge/Bench/Baseline.h"

#include <gtest/gtest.h>

using namespace forge;

namespace {

TEST(Baseline, ReadsWhatItWrites) {
  Baseline written{
      "cpu",
      {{"m.mlir", "main", {{"hybrid", {0.5, 1.25}}, {"copy", {2}, 64, 0}}}, {"m.mlir", "f", {}}}};
  Result<Baseline> read = readBaseline(writeBaseline(written), "b.json");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->target, "cpu");
  ASSERT_EQ(read->functions.size(), 2u);
  const FunctionTimes *times = read->find("m.mlir", "main");
  ASSERT_TRUE(times);
  ASSERT_EQ(times->rows.size(), 2u);
  EXPECT_EQ(times->rows[0].name, "hybrid");
  EXPECT_EQ(times->rows[0].ms, (std::vector<double>{0.5, 1.25}));
  EXPECT_EQ(times->rows[1].name, "copy");
  EXPECT_TRUE(read->find("m.mlir", "f"));
  EXPECT_FALSE(read->find("m.mlir", "g"));
  EXPECT_FALSE(read->find("n.mlir", "main"));
}

/// A baseline with these rows.
std::string withRows(const std::string &rows) {
  return R"({"forge_bench": 1, "target": "cpu", "functions": [{"module": "m", "function": "f", "rows": )" +
         rows + "}]}";
}

TEST(Baseline, RefusesWhatItDidNotWrite) {
  ASSERT_TRUE(readBaseline(withRows(R"([{"name": "a", "ms": [1]}])"), "b.json"));
  for (const std::string &text :
       {std::string(""), std::string("[]"), std::string("{}"), std::string(R"({"forge_bench": 1})"),
        std::string(R"({"forge_bench": 2, "target": "cpu", "functions": []})"),
        std::string(R"({"forge_bench": 1, "target": "cpu", "functions": [1]})"), withRows("1"),
        withRows(R"([{"name": "a"}])"), withRows(R"([{"name": "a", "ms": ["x"]}])"),
        withRows(R"([{"name": "a", "ms": [-1]}])"),
        withRows(R"([{"name": "a", "ms": [1e999]}])")}) {
    Result<Baseline> read = readBaseline(text, "b.json");
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error().message.find("b.json: not what forge bench --save wrote: "), 0u)
        << read.error().message;
  }
}

} // namespace
