#include "forge/Support/CommandLine.h"

#include <gtest/gtest.h>

using namespace forge;
using Words = std::vector<std::string>;

TEST(CommandLine, ClosestName) {
  Words names = {"input", "expect", "save", "save-tolerances", "stats"};
  EXPECT_EQ(closestName("inputs", names), "input");
  EXPECT_EQ(closestName("imput", names), "input");
  EXPECT_EQ(closestName("expected", names), "expect");
  EXPECT_EQ(closestName("save-tol", names), "save-tolerances");
  EXPECT_EQ(closestName("sav", names), "save");
  EXPECT_EQ(closestName("frobnicate", names), std::nullopt);
  EXPECT_EQ(closestName("", names), std::nullopt);
  EXPECT_EQ(closestName("input", {}), std::nullopt);
}

TEST(CommandLine, OptionsAreRepeatedBeforeFiles) {
  Words options = {"--input", "--expect"};
  auto repeated = [&](Words arguments) { return repeatBeforeFiles(arguments, options); };
  EXPECT_EQ(repeated({"m.mlir", "--input", "a.npy", "b.npy", "c.npy", "--expect", "d.npy"}),
            (Words{"m.mlir", "--input", "a.npy", "--input", "b.npy", "--input", "c.npy", "--expect",
                   "d.npy"}));
  EXPECT_EQ(repeated({"--input=a.npy", "b.npy", "m.mlir"}),
            (Words{"--input=a.npy", "--input", "b.npy", "m.mlir"}));
  // The first value may have any name; what follows a module is no input.
  EXPECT_EQ(repeated({"--input", "-", "a.npy", "m.mlir", "b.npy"}),
            (Words{"--input", "-", "--input", "a.npy", "m.mlir", "b.npy"}));
  EXPECT_EQ(repeated({"--save", "a.npy", "b.npy"}), (Words{"--save", "a.npy", "b.npy"}));
  EXPECT_EQ(repeated({"--input", "a.npy", "--", "b.npy"}),
            (Words{"--input", "a.npy", "--", "b.npy"}));
  EXPECT_EQ(repeated({"--input"}), (Words{"--input"}));
}
