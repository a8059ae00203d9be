#include "forge/Tune/Search.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

#include <limits>
#include <random>

using namespace forge;
using llvm::ArrayRef;

namespace {
class Search {
public:
  Search(const SearchSpace &space, const SearchQuestions &questions, const SearchOptions &options)
      : space(space), questions(questions), options(options), random(options.seed) {}

  SearchResult run();

private:
  ScheduleAttr climb(ScheduleAttr from);
  bool climbFrom(ScheduleAttr from);
  ScheduleAttr bestOf(ScheduleAttr best, ArrayRef<ScheduleAttr> others);
  void tryProposals();
  void tryPairs();
  ScheduleAttr randomSchedule();
  std::vector<std::optional<double>> costsOf(ArrayRef<ScheduleAttr> schedules);
  std::vector<ScheduleAttr> untried(llvm::SmallVector<ScheduleAttr> schedules) const;
  bool isRight(ScheduleAttr schedule);
  void confirm();
  /// Below `limit`. The generator's own numbers, since the standard's distributions differ between
  /// libraries.
  size_t draw(size_t limit) { return static_cast<size_t>(random() % limit); }

  const SearchSpace &space;
  const SearchQuestions &questions;
  const SearchOptions &options;
  std::mt19937_64 random;
  SearchResult result;
  llvm::DenseSet<ScheduleAttr> tried;
  llvm::DenseMap<ScheduleAttr, bool> right;
};
} // namespace

std::vector<std::optional<double>> Search::costsOf(ArrayRef<ScheduleAttr> schedules) {
  std::vector<std::optional<double>> costs = questions.costs(schedules);
  for (auto [schedule, cost] : llvm::zip_equal(schedules, costs))
    if (tried.insert(schedule).second)
      result.tried.emplace_back(schedule, cost);
  return costs;
}

bool Search::isRight(ScheduleAttr schedule) {
  auto [entry, isNew] = right.try_emplace(schedule, false);
  if (isNew)
    entry->second = questions.isRight(schedule);
  return entry->second;
}

/// `best`, or the best right one of `others`, each compared with what was the best until then.
ScheduleAttr Search::bestOf(ScheduleAttr best, ArrayRef<ScheduleAttr> others) {
  while (!others.empty()) {
    if (questions.isOver()) {
      result.isComplete = false;
      return best;
    }
    std::vector<ScheduleAttr> batch = {best};
    llvm::append_range(batch, others.take_front(options.batch));
    others = others.drop_front(batch.size() - 1);
    std::vector<std::optional<double>> costs = costsOf(batch);
    double limit = costs.front() ? *costs.front() * (1 - options.margin)
                                 : std::numeric_limits<double>::infinity();
    std::vector<size_t> better;
    for (size_t i = 1; i < batch.size(); ++i)
      if (costs[i] && *costs[i] < limit)
        better.push_back(i);
    llvm::stable_sort(better, [&](size_t a, size_t b) { return *costs[a] < *costs[b]; });
    auto found = llvm::find_if(better, [&](size_t i) { return isRight(batch[i]); });
    if (found != better.end())
      best = batch[*found];
  }
  return best;
}

std::vector<ScheduleAttr> Search::untried(llvm::SmallVector<ScheduleAttr> schedules) const {
  llvm::erase_if(schedules, [&](ScheduleAttr schedule) { return tried.contains(schedule); });
  return {schedules.begin(), schedules.end()};
}

ScheduleAttr Search::climb(ScheduleAttr from) {
  for (ScheduleAttr at = from; space.neighbours;) {
    ScheduleAttr next = bestOf(at, untried(space.neighbours(at)));
    if (next == at)
      return at;
    at = next;
  }
  return from;
}

/// Whether that leads to something better.
bool Search::climbFrom(ScheduleAttr from) {
  ScheduleAttr before = result.best;
  result.best = bestOf(before, {climb(from)});
  return result.best != before;
}

/// All that are proposed are checked, whatever they cost: they come from outside.
void Search::tryProposals() {
  // Who proposes is told what is in force, also where nothing else was tried.
  ScheduleAttr start = space.starts.front();
  if (space.propose && !tried.contains(start))
    costsOf(start);
  while (space.propose && !questions.isOver()) {
    std::vector<ScheduleAttr> proposed = space.propose(result.tried);
    if (proposed.empty())
      return;
    llvm::erase_if(proposed, [&](ScheduleAttr schedule) { return !isRight(schedule); });
    ScheduleAttr next = bestOf(result.best, proposed);
    if (next != result.best)
      result.best = climb(next);
  }
}

void Search::tryPairs() {
  while (space.pairs && result.isComplete) {
    ScheduleAttr next = bestOf(result.best, untried(space.pairs(result.best)));
    if (next == result.best)
      return;
    result.best = climb(next);
  }
}

ScheduleAttr Search::randomSchedule() {
  size_t number = draw(space.starts.size() + 1);
  ScheduleAttr at = number < space.starts.size() ? space.starts[number] : result.best;
  for (size_t left = 1 + draw(options.randomSteps); left > 0; --left) {
    llvm::SmallVector<ScheduleAttr> neighbours = space.neighbours(at);
    if (neighbours.empty())
      return at;
    at = neighbours[draw(neighbours.size())];
  }
  return at;
}

/// Of many costs that vary the least is a lucky one: it has to be less once more.
void Search::confirm() {
  ScheduleAttr start = space.starts.front();
  std::vector<std::optional<double>> costs = costsOf({start, result.best});
  result.startCost = costs.front();
  result.bestCost = costs.back();
  if (result.best != start &&
      (!costs.back() ||
       (costs.front() && *costs.back() >= (1 - options.margin) * *costs.front()))) {
    result.best = start;
    result.bestCost = result.startCost;
  }
}

SearchResult Search::run() {
  ArrayRef<ScheduleAttr> starts(space.starts);
  ScheduleAttr first = bestOf(starts.front(), starts.drop_front());
  result.best = climb(first);
  tryProposals();
  // Another strategy may have the better schedules though what it offers is worse.
  for (ScheduleAttr start : starts)
    if (space.neighbours && start != first)
      climbFrom(start);
  for (unsigned vain = 0; space.neighbours && vain < options.vainClimbs && result.isComplete;) {
    ScheduleAttr from = randomSchedule();
    vain = !tried.contains(from) && climbFrom(from) ? 0 : vain + 1;
  }
  tryPairs();
  confirm();
  return std::move(result);
}

SearchResult forge::searchSchedules(const SearchSpace &space, const SearchQuestions &questions,
                                    const SearchOptions &options) {
  return Search(space, questions, options).run();
}
