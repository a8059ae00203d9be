#include "forge/Generate/PageTable.h"

#include <gtest/gtest.h>

using namespace forge;
using Entries = std::vector<int32_t>;

static std::string resize(PageTable &table, std::vector<int64_t> tokens) {
  Result<void> done = table.resize(tokens);
  return done ? "" : done.error().message;
}

TEST(PageTable, GivesPagesAndTakesThemBack) {
  PageTable table(/*batch=*/2, /*perSequence=*/3, /*pageSize=*/4, /*pages=*/5);
  EXPECT_EQ(table.entries(), Entries(6, -1));
  EXPECT_TRUE(table.takeChange()) << "a new table is a change";
  EXPECT_EQ(resize(table, {5, 1}), "");
  EXPECT_EQ(table.entries(), (Entries{0, 1, -1, 2, -1, -1}));
  EXPECT_TRUE(table.takeChange());
  // Within their pages.
  EXPECT_EQ(resize(table, {8, 4}), "");
  EXPECT_FALSE(table.takeChange());
  EXPECT_EQ(resize(table, {9, 5}), "");
  EXPECT_EQ(table.entries(), (Entries{0, 1, 3, 2, 4, -1}));
  EXPECT_EQ(table.numFree(), 0);
  // Too many: all stays.
  EXPECT_TRUE(table.takeChange());
  EXPECT_EQ(resize(table, {12, 9}),
            "expected tokens that take at most 5 pages of 4, but got some that take 6");
  EXPECT_FALSE(table.takeChange());
  EXPECT_EQ(table.numFree(), 0);
  // What one gives back the other gets.
  EXPECT_EQ(resize(table, {1, 12}), "");
  EXPECT_EQ(table.entries()[0], 0);
  EXPECT_EQ(table.entries()[1], -1);
  EXPECT_EQ(table.entries()[3], 2);
  EXPECT_EQ(table.entries()[5], 1) << "the last one given back";
  EXPECT_EQ(table.numFree(), 1);
  EXPECT_EQ(resize(table, {0, 0}), "");
  EXPECT_EQ(table.entries(), Entries(6, -1));
  EXPECT_EQ(table.numFree(), 5);
}

TEST(PageTable, KnowsWhichSequencesFitTogether) {
  PageTable table(/*batch=*/3, /*perSequence=*/4, /*pageSize=*/4, /*pages=*/5);
  auto fitting = [&](std::vector<int64_t> tokens) { return table.fitting(tokens); };
  EXPECT_EQ(fitting({4, 4, 4, 4}), 3u);
  EXPECT_EQ(fitting({16, 4, 1}), 2u);
  EXPECT_EQ(fitting({5, 9}), 2u);
  EXPECT_EQ(fitting({16, 5}), 1u);
  EXPECT_EQ(fitting({}), 0u);
  EXPECT_EQ(table.capacity(), 16);
  EXPECT_EQ(PageTable(2, 8, 4, 5).capacity(), 20);
}
