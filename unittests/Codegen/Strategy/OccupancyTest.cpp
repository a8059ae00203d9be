// Blocks that a multiprocessor runs at once, beside what the vendors' tools say.
#include "forge/Codegen/Occupancy.h"

#include <gtest/gtest.h>

using namespace forge;

namespace {

struct Case {
  const char *chip;
  BlockResources block;
  int64_t blocks, warps;
  const char *limit;
};

class OccupancyTest : public testing::TestWithParam<Case> {};

TEST_P(OccupancyTest, IsWhatTheChipAllows) {
  const GPUChip *chip = findChip(GetParam().chip);
  ASSERT_TRUE(chip);
  Occupancy found = occupancyOf(GetParam().block, *chip);
  EXPECT_EQ(found.blocks, GetParam().blocks);
  EXPECT_EQ(found.warps, GetParam().warps);
  EXPECT_EQ(found.limit.str(), GetParam().limit);
  EXPECT_LE(found.warps, found.mostWarps);
}

// 65,536 registers are 16 warps of 128 registers; 33 are 40 of a warp. A block of sm_80 and sm_90a
// takes 1,024 bytes more than it asks for.
INSTANTIATE_TEST_SUITE_P(
    All, OccupancyTest,
    testing::Values(Case{"sm_90a", {256, 32, 0}, 8, 64, "warps"},
                    Case{"sm_90a", {32, 16, 0}, 32, 32, "blocks"},
                    Case{"sm_90a", {256, 33, 0}, 6, 48, "registers"},
                    Case{"sm_90a", {384, 168, 0}, 1, 12, "registers"},
                    Case{"sm_90a", {384, 64, 227 << 10}, 1, 12, "shared memory"},
                    Case{"sm_90a", {128, 64, 113 << 10}, 2, 8, "shared memory"},
                    Case{"sm_90a", {1024, 128, 0}, 0, 0, "registers"},
                    Case{"sm_80", {256, 32, 40 << 10}, 4, 32, "shared memory"},
                    Case{"sm_75", {256, 32, 0}, 4, 32, "warps"},
                    Case{"gfx90a", {256, 128, 0}, 4, 16, "registers"},
                    Case{"gfx90a", {64, 32, 0}, 32, 32, "warps"},
                    Case{"gfx90a", {128, 32, 0}, 16, 32, "warps"},
                    Case{"gfx1100", {32, 32, 0}, 64, 64, "warps"},
                    Case{"gfx942", {256, 64, 33 << 10}, 1, 4, "shared memory"},
                    Case{"gfx1100", {256, 96, 0}, 8, 64, "warps"},
                    Case{"gfx1100", {128, 97, 0}, 12, 48, "registers"}));

} // namespace
