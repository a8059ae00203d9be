#include "forge/Generate/ChoosePrefill.h"

#include <limits>

using namespace forge;

namespace {
struct Choice {
  size_t number;
  int64_t cost; ///< of all runs
};
} // namespace

/// Either one run takes all that is left, the shortest that can, or runs of the longest that is
/// filled take all but a rest of at most its length. After some of them one run for all would cost
/// what it costs at first.
static Choice choose(std::span<const int64_t> lengths, int64_t left, const PrefillCosts &costs) {
  Choice best = {0, std::numeric_limits<int64_t>::max()};
  size_t filled = 0;
  for (; filled < lengths.size() && lengths[filled] >= left; ++filled)
    best = {filled, costs.ofRun(lengths[filled])};
  if (filled == lengths.size())
    return best;
  int64_t length = lengths[filled], runs = (left - 1) / length;
  int64_t cost = runs * costs.ofRun(length) +
                 choose(lengths.subspan(filled), left - runs * length, costs).cost;
  return cost < best.cost ? Choice{filled, cost} : best;
}

int64_t forge::prefillCost(std::span<const int64_t> lengths, int64_t left,
                           const PrefillCosts &costs) {
  return choose(lengths, left, costs).cost;
}

size_t forge::choosePrefill(std::span<const int64_t> lengths, int64_t left,
                            const PrefillCosts &costs) {
  return choose(lengths, left, costs).number;
}
