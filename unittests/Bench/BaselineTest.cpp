#include "forge/Bench/Baseline.h"

#include <gtest/gtest.h>

using namespace forge;

namespace {

TEST(Baseline, ReadsWhatItWrites) {
  Baseline written{"m.mlir", "main", "cpu", {{"hybrid", {0.5, 1.25}}, {"copy", {2}, 64, 0}}};
  Result<Baseline> read = readBaseline(writeBaseline(written), "b.json");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->module, "m.mlir");
  EXPECT_EQ(read->function, "main");
  EXPECT_EQ(read->target, "cpu");
  ASSERT_EQ(read->rows.size(), 2u);
  EXPECT_EQ(read->rows[0].name, "hybrid");
  EXPECT_EQ(read->rows[0].ms, (std::vector<double>{0.5, 1.25}));
  EXPECT_EQ(read->rows[1].name, "copy");
}

TEST(Baseline, RefusesWhatItDidNotWrite) {
  const char *rest = R"(, "module": "m", "function": "f", "target": "cpu", "rows": )";
  for (std::string text : {
           std::string(""),
           std::string("[]"),
           std::string("{}"),
           std::string("{\"forge_bench\": 1}"),
           R"({"forge_bench": 2)" + std::string(rest) + "[]}",
           R"({"forge_bench": 1)" + std::string(rest) + "1}",
           R"({"forge_bench": 1)" + std::string(rest) + R"([{"name": "a"}]})",
           R"({"forge_bench": 1)" + std::string(rest) + R"([{"name": "a", "ms": ["x"]}]})",
           R"({"forge_bench": 1)" + std::string(rest) + R"([{"name": "a", "ms": [-1]}]})",
           R"({"forge_bench": 1)" + std::string(rest) + R"([{"name": "a", "ms": [1e999]}]})",
       }) {
    Result<Baseline> read = readBaseline(text, "b.json");
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error().message.find("b.json: not what forge bench --save wrote: "), 0u)
        << read.error().message;
  }
}

} // namespace
