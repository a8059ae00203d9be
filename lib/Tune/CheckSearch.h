// Between the files of lib/Tune: whether searches find what trying everything finds.
#ifndef FORGE_LIB_TUNE_CHECKSEARCH_H
#define FORGE_LIB_TUNE_CHECKSEARCH_H

#include "forge/Tune/Search.h"
#include "forge/Tune/Tune.h"

namespace forge {

/// Beyond as many schedules not all are tried.
constexpr size_t kMostChecked = 3000;

/// All schedules that steps from the starts of `space` lead to, in the order they are met; as many
/// as `most`, where there are more.
std::vector<ScheduleAttr> allSchedules(const SearchSpace &space, size_t most = kMostChecked);

/// Takes the costs of all schedules, then searches from `count` of them, by `seed`, each time with
/// the starts of `space` behind, and compares what it ends with and the fastest of all. Fills
/// `result`: `tried`, `searchedStarts`, and as `best` the fastest of all that is right, if it is
/// better than the first start.
void checkSearch(const SearchSpace &space, const SearchQuestions &questions, unsigned count,
                 uint64_t seed, TunedKernel &result);

} // namespace forge

#endif // FORGE_LIB_TUNE_CHECKSEARCH_H
