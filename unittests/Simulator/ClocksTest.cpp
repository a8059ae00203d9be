// Joining clocks is raising each of them, whatever the sizes of the two maps and what they share.
#include "Clocks.h"

#include "gtest/gtest.h"

#include <map>
#include <random>
#include <vector>

using forge::sim::ClockMap;

namespace {

using Entries = std::vector<std::pair<uint32_t, uint32_t>>;

Entries entriesOf(const ClockMap &map) { return {map.begin(), map.end()}; }

TEST(Clocks, JoinRaisesEachNumber) {
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    // Few numbers, so that the maps share some; sizes on both sides of what is one pass.
    uint32_t numbers = 1 + random() % 200;
    ClockMap left, right;
    std::map<uint32_t, uint32_t> expected;
    for (uint32_t count = random() % 100; count > 0; --count) {
      uint32_t key = random() % numbers, clock = random() % 50;
      left.raise(key, clock);
      expected[key] = std::max(expected[key], clock);
    }
    for (uint32_t count = random() % (round % 2 ? 100 : 8); count > 0; --count) {
      uint32_t key = random() % numbers, clock = random() % 50;
      right.raise(key, clock);
      expected[key] = std::max(expected[key], clock);
    }
    Entries before = entriesOf(right);
    left.join(right);
    EXPECT_EQ(entriesOf(left), Entries(expected.begin(), expected.end()));
    EXPECT_EQ(entriesOf(right), before);
    for (const auto &[key, clock] : expected)
      EXPECT_EQ(left.lookup(key), clock);
  }
}

TEST(Clocks, JoinOfEmptyMaps) {
  ClockMap empty, one;
  one.raise(7, 3);
  ClockMap copy = one;
  copy.join(empty);
  EXPECT_EQ(entriesOf(copy), entriesOf(one));
  empty.join(one);
  EXPECT_EQ(entriesOf(empty), entriesOf(one));
  one.join(one);
  EXPECT_EQ(entriesOf(one), (Entries{{7, 3}}));
}

} // namespace
