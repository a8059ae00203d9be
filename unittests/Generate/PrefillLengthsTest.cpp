#include "forge/Generate/Compiler/PrefillLengths.h"

#include <gtest/gtest.h>

using namespace forge;
using Lengths = std::vector<int64_t>;

static Target targetOf(const char *text) { return *Target::parse(text); }

TEST(PrefillLengths, FallByQuartersToSomeTensOfRows) {
  auto prefillLengths = [](const Target &target, int64_t batch) {
    forge::PrefillLengths lengths = forge::prefillLengths(target, batch, /*paged=*/false);
    EXPECT_TRUE(lengths.alone.empty());
    return lengths.together;
  };
  EXPECT_EQ(prefillLengths(targetOf("cuda:sm_90a"), 1), (Lengths{2048, 512, 128, 32}));
  EXPECT_EQ(prefillLengths(targetOf("cuda:sm_90a"), 3), (Lengths{682, 128, 32, 8}));
  EXPECT_EQ(prefillLengths(targetOf("sim:sm_90a"), 16), (Lengths{256, 64, 16, 4}));
  // Without attention that keeps scores out of memory.
  EXPECT_EQ(prefillLengths(targetOf("hip:gfx942"), 1), (Lengths{256, 64, 16}));
  EXPECT_EQ(prefillLengths(targetOf("cpu"), 1), (Lengths{256, 64, 16}));
}

TEST(PrefillLengths, OfKnownPromptsAreThoseOfTheLongest) {
  Target cuda = targetOf("cuda:sm_90a"), cpu = targetOf("cpu");
  auto of = [](const Target &target, int64_t batch, const Lengths &prompts) {
    forge::PrefillLengths lengths = prefillLengthsFor(target, batch, /*paged=*/false, prompts);
    EXPECT_TRUE(lengths.alone.empty());
    return lengths.together;
  };
  EXPECT_EQ(of(cuda, 1, {2000}), (Lengths{2048}));
  EXPECT_EQ(of(cuda, 1, {2100}), (Lengths{1152}));
  EXPECT_EQ(of(cpu, 1, {300}), (Lengths{160}));
  EXPECT_EQ(of(cpu, 1, {0}), (Lengths{1}));
  // Several batches: much shorter ones have their own.
  EXPECT_EQ(of(cuda, 1, {20, 500, 90, 450, 3}), (Lengths{512, 96, 4}));
  EXPECT_EQ(of(cuda, 2, {20, 500, 90, 450, 3}), (Lengths{512, 4}));
  EXPECT_EQ(of(cpu, 2, {20, 19}), (Lengths{32}));
}

TEST(PrefillLengths, OfPagesAreOfSequencesAloneWhereThatCostsLess) {
  Target cuda = targetOf("cuda:sm_90a"), cpu = targetOf("cpu");
  // Any prompts: short ones together.
  forge::PrefillLengths any = prefillLengths(cuda, 16, /*paged=*/true);
  EXPECT_EQ(any.together, (Lengths{64, 16, 4}));
  EXPECT_EQ(any.alone, (Lengths{2048, 512, 128}));
  any = prefillLengths(cpu, 4, true);
  EXPECT_EQ(any.together, (Lengths{16, 4}));
  EXPECT_EQ(any.alone, (Lengths{256, 64}));
  EXPECT_TRUE(prefillLengths(cuda, 1, true).alone.empty());
  // Known prompts: 16 short ones share a read of the weights; a long one is not padded.
  forge::PrefillLengths known = prefillLengthsFor(cuda, 16, true, Lengths(16, 10));
  EXPECT_EQ(known.together, (Lengths{16}));
  EXPECT_TRUE(known.alone.empty());
  Lengths prompts(16, 10);
  prompts[3] = 1500;
  known = prefillLengthsFor(cuda, 16, true, prompts);
  EXPECT_TRUE(known.together.empty());
  EXPECT_EQ(known.alone, (Lengths{1536, 16}));
  EXPECT_EQ(prefillLengthsFor(cuda, 1, true, Lengths{1500}).together, (Lengths{1536}));
}

TEST(PrefillLengths, ShorterPrefillsDoWithoutTheLibrary) {
  EXPECT_EQ(forge::tierOfFunction("prefill_16", Tier::Hybrid), Tier::Optimized);
  EXPECT_EQ(forge::tierOfFunction("prefill_alone_64", Tier::Hybrid), Tier::Optimized);
  for (const char *name : {"prefill", "decode"})
    EXPECT_EQ(forge::tierOfFunction(name, Tier::Hybrid), Tier::Hybrid);
  for (Tier tier : {Tier::Production, Tier::Correctness})
    EXPECT_EQ(forge::tierOfFunction("prefill_16", tier), tier) << "what is asked for is kept";
}
