// The search on costs that are written down.
#include "forge/Tune/Search.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

using namespace forge;

namespace {

/// Schedules of 1 to 1024 threads, a factor of 2 from one to the next.
class ScheduleSearch : public ::testing::Test {
protected:
  ScheduleSearch() { context.loadDialect<ForgeDialect>(); }

  ScheduleAttr threads(int64_t number) {
    return ScheduleAttr::empty(&context).orWord("strategy", "generic").orSize("threads", number);
  }
  SearchSpace space(std::vector<int64_t> starts) {
    SearchSpace space;
    for (int64_t start : starts)
      space.starts.push_back(threads(start));
    space.neighbours = [this](ScheduleAttr schedule) {
      llvm::SmallVector<ScheduleAttr> steps;
      int64_t number = schedule.size("threads");
      if (number > 1)
        steps.push_back(threads(number / 2));
      if (number < 1024)
        steps.push_back(threads(number * 2));
      return steps;
    };
    return space;
  }
  /// `cost` of the number of threads; nothing where that is negative.
  SearchQuestions questions(std::function<double(int64_t)> cost) {
    SearchQuestions questions;
    questions.costs = [this, cost](llvm::ArrayRef<ScheduleAttr> schedules) {
      ++numAsked;
      std::vector<std::optional<double>> costs;
      for (ScheduleAttr schedule : schedules) {
        double value = cost(schedule.size("threads"));
        costs.push_back(value < 0 ? std::nullopt : std::optional(value));
      }
      return costs;
    };
    questions.isRight = [this](ScheduleAttr schedule) {
      return !wrong.count(schedule.size("threads"));
    };
    questions.isOver = [this] { return numAsked >= mostAsked; };
    return questions;
  }

  mlir::MLIRContext context;
  std::set<int64_t> wrong;
  int numAsked = 0, mostAsked = 1000;
};

/// Least at 64.
double valley(int64_t threads) { return 1 + std::abs(std::log2(double(threads)) - 6); }

TEST_F(ScheduleSearch, ClimbsToTheBest) {
  SearchResult found = searchSchedules(space({1}), questions(valley), {.vainClimbs = 0});
  EXPECT_EQ(found.best, threads(64));
  EXPECT_EQ(*found.startCost, 7);
  EXPECT_EQ(*found.bestCost, 1);
  EXPECT_TRUE(found.isComplete);
  // 1 to 128, each once.
  EXPECT_EQ(found.tried.size(), 8u);
}

/// Single steps lead nowhere: as many threads as there are vectors of a row.
TEST_F(ScheduleSearch, TakesTwoStepsAtOnce) {
  auto of = [&](int64_t number) { return threads(number).orSize("vector", 1024 / number); };
  SearchSpace all;
  all.starts = {of(1)};
  all.neighbours = [](ScheduleAttr) { return llvm::SmallVector<ScheduleAttr>(); };
  all.pairs = [&](ScheduleAttr schedule) {
    llvm::SmallVector<ScheduleAttr> steps;
    int64_t number = schedule.size("threads");
    if (number < 1024)
      steps.push_back(of(number * 2));
    return steps;
  };
  SearchResult found = searchSchedules(all, questions(valley), {});
  EXPECT_EQ(found.best, of(64));
  all.pairs = nullptr;
  EXPECT_EQ(searchSchedules(all, questions(valley), {}).best, of(1));
}

/// Proposals are compared with the best, and a better one is climbed from.
TEST_F(ScheduleSearch, ProposalsLeadOutOfAValley) {
  // 2 is better than its neighbours, 256 is best, which leads on from 512.
  auto cost = [](int64_t threads) {
    return threads == 2 ? 5.0
                        : 6 + std::abs(std::log2(double(threads)) - 8) - (threads > 64 ? 4 : 0);
  };
  SearchSpace all = space({1});
  size_t rounds = 0, seen = 0;
  all.propose = [&](auto tried) -> std::vector<ScheduleAttr> {
    seen = tried.size();
    ++rounds;
    return rounds == 1   ? std::vector{threads(16)}
           : rounds == 2 ? std::vector{threads(32), threads(512)}
                         : std::vector<ScheduleAttr>();
  };
  SearchResult without = searchSchedules(space({1}), questions(cost), {.vainClimbs = 0});
  EXPECT_EQ(without.best, threads(2));
  SearchResult found = searchSchedules(all, questions(cost), {.vainClimbs = 0});
  EXPECT_EQ(found.best, threads(256));
  EXPECT_EQ(rounds, 3u);
  // 1, 2, 4, 16, 32, 512, and from there 1024, 256 and 128.
  EXPECT_EQ(seen, 9u);
}

/// They come from outside: all are checked, and wrong ones are not even timed.
TEST_F(ScheduleSearch, WrongProposalsAreNotTried) {
  wrong = {64};
  SearchSpace all = space({1});
  all.neighbours = nullptr;
  size_t rounds = 0;
  all.propose = [&](auto) -> std::vector<ScheduleAttr> {
    ++rounds;
    return rounds == 1   ? std::vector{threads(64)}
           : rounds == 2 ? std::vector{threads(32), threads(64)}
                         : std::vector<ScheduleAttr>();
  };
  SearchResult found = searchSchedules(all, questions(valley), {.vainClimbs = 0});
  EXPECT_EQ(found.best, threads(32));
  EXPECT_EQ(rounds, 3u);
  for (auto [schedule, cost] : found.tried)
    EXPECT_NE(schedule, threads(64));
}

TEST_F(ScheduleSearch, NoProposalsWithoutTime) {
  mostAsked = 0;
  SearchSpace all = space({1});
  all.propose = [&](auto) {
    ADD_FAILURE() << "asked";
    return std::vector<ScheduleAttr>();
  };
  EXPECT_EQ(searchSchedules(all, questions(valley)).best, threads(1));
}

TEST_F(ScheduleSearch, RandomPlacesLeadOutOfAValley) {
  // 2 is better than its neighbours, 256 is best.
  auto cost = [](int64_t threads) {
    return threads <= 8 ? 10 + std::abs(double(threads) - 2) : valley(threads / 4);
  };
  EXPECT_EQ(searchSchedules(space({1}), questions(cost), {.vainClimbs = 0}).best, threads(2));
  SearchResult found =
      searchSchedules(space({1}), questions(cost), {.vainClimbs = 20, .randomSteps = 12});
  EXPECT_EQ(found.best, threads(256));
}

TEST_F(ScheduleSearch, SameSeedSameOrder) {
  SearchOptions options{.seed = 7, .vainClimbs = 5};
  SearchResult a = searchSchedules(space({1, 512}), questions(valley), options);
  SearchResult b = searchSchedules(space({1, 512}), questions(valley), options);
  EXPECT_EQ(a.tried, b.tried);
}

TEST_F(ScheduleSearch, OnlyStartsWithoutNeighbours) {
  SearchSpace starts = space({1, 512, 128});
  starts.neighbours = nullptr;
  SearchResult found = searchSchedules(starts, questions(valley));
  EXPECT_EQ(found.best, threads(128));
  EXPECT_EQ(found.tried.size(), 3u);
}

TEST_F(ScheduleSearch, WrongOnesNeverWin) {
  wrong = {64};
  SearchResult found = searchSchedules(space({8, 512}), questions(valley));
  EXPECT_TRUE(found.best == threads(32) || found.best == threads(128)) << found.best.describe();
}

TEST_F(ScheduleSearch, StaysWhereNothingIsBetter) {
  SearchResult found = searchSchedules(space({16, 64}), questions([](int64_t) { return 5.0; }));
  EXPECT_EQ(found.best, threads(16));
  EXPECT_EQ(*found.startCost, 5);
  EXPECT_EQ(*found.bestCost, 5);
}

TEST_F(ScheduleSearch, OneLuckyCostIsNotEnough) {
  int asked = 0;
  auto cost = [&](int64_t threads) { return threads == 32 && ++asked == 1 ? 1.0 : 5.0; };
  SearchResult found = searchSchedules(space({16}), questions(cost), {.vainClimbs = 0});
  EXPECT_EQ(found.best, threads(16));
}

TEST_F(ScheduleSearch, AStartThatCannotBeUsedLoses) {
  auto cost = [](int64_t threads) { return threads == 1024 ? -1.0 : valley(threads); };
  SearchResult found = searchSchedules(space({1024}), questions(cost), {.vainClimbs = 0});
  EXPECT_EQ(found.best, threads(64));
  EXPECT_FALSE(found.startCost);
  EXPECT_EQ(*found.bestCost, 1);
}

TEST_F(ScheduleSearch, EndsWithTheTime) {
  mostAsked = 2;
  SearchResult found = searchSchedules(space({1}), questions(valley));
  EXPECT_FALSE(found.isComplete);
  // Confirmed like any other.
  EXPECT_EQ(found.best, threads(4));
  mostAsked = 0;
  numAsked = 0;
  found = searchSchedules(space({1}), questions(valley));
  EXPECT_FALSE(found.isComplete);
  EXPECT_EQ(found.best, threads(1));
}

} // namespace
