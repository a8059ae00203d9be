// The search for a schedule that costs less, whatever costs are and wherever schedules come from.
#ifndef FORGE_TUNE_SEARCH_H
#define FORGE_TUNE_SEARCH_H

#include "forge/Codegen/Schedule.h"

#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace forge {

/// The schedules of a kernel that there are.
struct SearchSpace {
  /// The first is the one in force, which another one has to beat.
  std::vector<ScheduleAttr> starts;
  /// Schedules one step from one; none where only the starts are tried.
  std::function<llvm::SmallVector<ScheduleAttr>(ScheduleAttr)> neighbours;
  /// Schedules two steps from one, tried where no single step is better; may be missing.
  std::function<llvm::SmallVector<ScheduleAttr>(ScheduleAttr)> pairs;
  /// Others, told what was tried so far, with its costs; asked again until it gives none. May be
  /// missing.
  std::function<std::vector<ScheduleAttr>(
      llvm::ArrayRef<std::pair<ScheduleAttr, std::optional<double>>>)>
      propose;
};

/// What a search asks about schedules.
struct SearchQuestions {
  /// What each of them costs, all taken at the same time; nothing where one cannot be used. Costs
  /// of different calls are not compared.
  std::function<std::vector<std::optional<double>>(llvm::ArrayRef<ScheduleAttr>)> costs;
  /// Whether it computes what the kernel says. Asked before a schedule is preferred to another one.
  std::function<bool(ScheduleAttr)> isRight;
  /// Whether there is no time left.
  std::function<bool()> isOver;
};

struct SearchOptions {
  uint64_t seed = 0;
  /// Climbs in a row that lead to nothing better before it ends; steps, at most, from a start or
  /// the best to a random place.
  unsigned vainClimbs = 8, randomSteps = 6;
  /// Schedules whose costs are asked for at the same time, besides the one that they have to beat.
  size_t batch = 8;
  /// A schedule is better if it costs less by this share.
  double margin = 0.01;
};

struct SearchResult {
  ScheduleAttr best;
  /// Taken at the same time, at the end. Nothing if the first start cannot be used.
  std::optional<double> startCost, bestCost;
  /// All schedules that were tried, in order, with their costs where they have one.
  std::vector<std::pair<ScheduleAttr, std::optional<double>>> tried;
  /// Whether it ended before the time was over.
  bool isComplete = true;
};

/// 1. Goes from the best of the starts to its best neighbour as long as that is better.
/// 2. Asks for proposals, as long as there are some and time. Of each round those that compute what
/// the kernel says are compared with the best, and a better one is climbed from.
/// 3. Does so from the other starts, too: another strategy may be better though what it offers is
/// worse. Takes the best of all.
/// 4. Does so from random places, until some climbs in a row led to nothing better.
/// 5. Tries two steps at once from the best, and climbs from what is better, as long as there is
/// such.
/// 6. Asks once more for the costs of the result and of the first start, which is kept unless the
/// result is better.
/// The same for the same seed, costs and time.
SearchResult searchSchedules(const SearchSpace &space, const SearchQuestions &questions,
                             const SearchOptions &options = {});

} // namespace forge

#endif // FORGE_TUNE_SEARCH_H
