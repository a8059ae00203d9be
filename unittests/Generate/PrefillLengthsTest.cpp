#include "forge/Generate/Compiler/PrefillLengths.h"

#include <gtest/gtest.h>

using namespace forge;
using Lengths = std::vector<int64_t>;

static Target targetOf(const char *text) { return *Target::parse(text); }

TEST(PrefillLengths, FallByQuartersToSomeTensOfRows) {
  EXPECT_EQ(prefillLengths(targetOf("cuda:sm_90a"), 1), (Lengths{2048, 512, 128, 32}));
  EXPECT_EQ(prefillLengths(targetOf("cuda:sm_90a"), 3), (Lengths{682, 128, 32, 8}));
  EXPECT_EQ(prefillLengths(targetOf("sim:sm_90a"), 16), (Lengths{256, 64, 16, 4}));
  // Without attention that keeps scores out of memory.
  EXPECT_EQ(prefillLengths(targetOf("hip:gfx942"), 1), (Lengths{256, 64, 16}));
  EXPECT_EQ(prefillLengths(targetOf("cpu"), 1), (Lengths{256, 64, 16}));
}

TEST(PrefillLengths, OfKnownPromptsAreThoseOfTheLongest) {
  Target cuda = targetOf("cuda:sm_90a"), cpu = targetOf("cpu");
  auto of = [](const Target &target, int64_t batch, Lengths prompts) {
    return prefillLengthsFor(target, batch, prompts);
  };
  EXPECT_EQ(of(cuda, 1, {2000}), (Lengths{2048}));
  EXPECT_EQ(of(cuda, 1, {2100}), (Lengths{1152}));
  EXPECT_EQ(of(cpu, 1, {300}), (Lengths{160}));
  EXPECT_EQ(of(cpu, 1, {0}), (Lengths{1}));
  // Several batches: much shorter ones have their own.
  EXPECT_EQ(of(cuda, 4, {20, 500, 90, 450, 3}), (Lengths{512, 96, 4}));
  EXPECT_EQ(of(cpu, 2, {20, 19}), (Lengths{32}));
}
