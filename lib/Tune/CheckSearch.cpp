#include "CheckSearch.h"

#include "llvm/ADT/SetVector.h"

#include <algorithm>
#include <limits>
#include <random>

using namespace forge;

std::vector<ScheduleAttr> forge::allSchedules(const SearchSpace &space, size_t most) {
  llvm::SetVector<ScheduleAttr> all(space.starts.begin(), space.starts.end());
  for (size_t i = 0; i < all.size() && all.size() < most && space.neighbours; ++i)
    for (ScheduleAttr neighbour : space.neighbours(all[i]))
      if (all.size() < most)
        all.insert(neighbour);
  return {all.begin(), all.end()};
}

/// Schedules whose costs are asked for at the same time: more than a search does, as they are also
/// compiled at the same time.
static constexpr size_t kBatch = 32;

/// The costs of all of them, each with that of the first, which tells how the device fared: they
/// are taken in its time at the beginning.
static std::vector<std::optional<double>> costsOfAll(llvm::ArrayRef<ScheduleAttr> all,
                                                     const SearchQuestions &questions) {
  std::vector<std::optional<double>> costs;
  std::optional<double> first;
  for (size_t at = 0; at < all.size() && !questions.isOver(); at += kBatch) {
    std::vector<ScheduleAttr> batch = {all.front()};
    llvm::append_range(batch, all.slice(at, std::min(kBatch, all.size() - at)));
    std::vector<std::optional<double>> found = questions.costs(batch);
    if (!first)
      first = found.front();
    double scale = first && found.front() && *found.front() > 0 ? *first / *found.front() : 1;
    for (size_t i = 1; i < batch.size(); ++i)
      costs.push_back(found[i] ? std::optional(*found[i] * scale) : std::nullopt);
  }
  return costs;
}

/// The fastest one that is right, or null.
static ScheduleAttr fastestOf(llvm::ArrayRef<ScheduleAttr> all,
                              llvm::ArrayRef<std::optional<double>> costs,
                              const SearchQuestions &questions) {
  std::vector<size_t> order;
  for (size_t i = 0; i < costs.size(); ++i)
    if (costs[i])
      order.push_back(i);
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return *costs[a] < *costs[b]; });
  // What varies makes some lucky: the best few once more, at the same time.
  std::vector<ScheduleAttr> best;
  for (size_t i : order)
    if (best.size() < 8 && questions.isRight(all[i]))
      best.push_back(all[i]);
  if (best.empty())
    return {};
  std::vector<std::optional<double>> again = questions.costs(best);
  auto cost = [&](size_t i) { return again[i].value_or(std::numeric_limits<double>::infinity()); };
  size_t least = 0;
  for (size_t i = 1; i < best.size(); ++i)
    if (cost(i) < cost(least))
      least = i;
  return best[least];
}

/// How much longer than `fastest` a schedule takes, in several turns.
static std::optional<double> ratioOf(ScheduleAttr schedule, ScheduleAttr fastest,
                                     const SearchQuestions &questions) {
  constexpr int turns = 5;
  double seconds = 0, secondsOfFastest = 0;
  for (int turn = 0; turn < turns; ++turn) {
    std::vector<std::optional<double>> costs = questions.costs({schedule, fastest});
    if (!costs.front() || !costs.back())
      return std::nullopt;
    seconds += *costs.front();
    secondsOfFastest += *costs.back();
  }
  return secondsOfFastest > 0 ? std::optional(seconds / secondsOfFastest) : std::nullopt;
}

void forge::checkSearch(const SearchSpace &space, const SearchQuestions &questions, unsigned count,
                        uint64_t seed, TunedKernel &result) {
  std::vector<ScheduleAttr> all = allSchedules(space);
  std::vector<std::optional<double>> costs = costsOfAll(all, questions);
  for (auto [schedule, cost] : llvm::zip(all, costs))
    result.tried.push_back({schedule, {}, cost});
  if (costs.size() < all.size() || all.size() == kMostChecked)
    result.incomplete = costs.size() < all.size()
                            ? "the time was over"
                            : "there are more than " + std::to_string(kMostChecked) + " schedules";
  ScheduleAttr fastest = fastestOf(all, costs, questions);
  if (!fastest)
    return;
  std::mt19937_64 random(seed);
  for (unsigned i = 0; i < count && !questions.isOver(); ++i) {
    SearchSpace from = space;
    from.starts.insert(from.starts.begin(), all[random() % all.size()]);
    SearchResult found = searchSchedules(from, questions, {.seed = seed + i});
    result.searchedStarts.push_back({from.starts.front(), found.best,
                                     ratioOf(found.best, fastest, questions), found.tried.size()});
  }
  std::vector<std::optional<double>> last = questions.costs({space.starts.front(), fastest});
  result.startSeconds = last.front();
  result.bestSeconds = last.back();
  if (last.back() && (!last.front() || *last.back() < *last.front()))
    result.best = fastest;
  else
    result.bestSeconds = result.startSeconds;
}
