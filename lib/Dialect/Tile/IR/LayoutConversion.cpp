// Plans conversions between layouts. A layout is a permutation of bits, so that it is enough to
// look at where each bit of the coordinates is before and after:
//
// 1. A warp entry that changes, other than from `_` to what the warp's threads have, needs shared
//    memory.
// 2. Entries that become a lane's or a warp's where these were replicas are selected first: that
//    leaves fewer registers to exchange.
// 3. Entries that leave the lanes and those that come to them are swapped in pairs.
// 4. What lanes hold is then permuted into its place.
// 5. What still is to leave the lanes is gathered, and warps select from it.
#include "forge/Dialect/Tile/IR/LayoutConversion.h"

using namespace mlir;
using namespace forge::tile;

namespace {

class Planner {
public:
  Planner(LayoutAttr from, LayoutAttr to)
      : now(from), to(to), lane(from.getLane()), warp(from.getWarp()) {}

  SmallVector<ConversionStep> plan();

private:
  using Kind = ConversionStep::Kind;

  bool needsShared() const;
  /// A layout with the lanes and warps reached, which holds the rest in registers.
  LayoutAttr reached() const;
  ConversionStep &add(Kind kind);
  void select(bool ofWarp, unsigned bit, LayoutEntry in);
  void selectInWarps();
  void selectInLanes();
  void swap();
  void permute();
  void gather();

  /// Whether a lane entry is to leave the lanes, and whether one of `to` is to come to them.
  bool leaves(LayoutEntry entry) const {
    return !entry.isReplicated() && !llvm::is_contained(to.getLane(), entry);
  }
  bool comes(LayoutEntry entry) const {
    return !entry.isReplicated() && !llvm::is_contained(lane, entry);
  }

  LayoutAttr now, to;
  SmallVector<LayoutEntry> lane, warp;
  SmallVector<ConversionStep> steps;
};

} // namespace

bool Planner::needsShared() const {
  for (auto [before, after] : llvm::zip_equal(warp, to.getWarp()))
    if (!(before == after) && !before.isReplicated())
      return true;
  return false;
}

LayoutAttr Planner::reached() const {
  SmallVector<LayoutEntry> reg;
  for (int8_t dim = 0; dim < to.getRank(); ++dim) {
    int64_t extent = std::max(now.getAtom()[dim], to.getAtom()[dim]);
    for (uint8_t bit = 0; int64_t(1) << bit < extent; ++bit)
      if (LayoutEntry entry{dim, bit};
          !llvm::is_contained(lane, entry) && !llvm::is_contained(warp, entry))
        reg.push_back(entry);
  }
  return LayoutAttr::get(to.getContext(), to.getRank(), reg, lane, warp);
}

ConversionStep &Planner::add(Kind kind) {
  LayoutAttr next = reached();
  ConversionStep &step = steps.emplace_back();
  step.kind = kind;
  step.from = now;
  step.to = next;
  now = next;
  return step;
}

void Planner::select(bool ofWarp, unsigned bit, LayoutEntry in) {
  (ofWarp ? warp : lane)[bit] = in;
  ConversionStep &step = add(Kind::Select);
  step.ofWarp = ofWarp;
  step.bit = bit;
  step.in = in;
}

void Planner::selectInWarps() {
  for (auto [bit, entry] : llvm::enumerate(to.getWarp()))
    if (!(warp[bit] == entry) && !llvm::is_contained(lane, entry))
      select(/*ofWarp=*/true, bit, entry);
}

void Planner::selectInLanes() {
  auto isReplicated = [](LayoutEntry entry) { return entry.isReplicated(); };
  int64_t count = llvm::count_if(lane, isReplicated) - llvm::count_if(to.getLane(), isReplicated);
  // Those first that have their place already.
  for (bool inPlace : {true, false}) {
    for (auto [bit, entry] : llvm::enumerate(to.getLane())) {
      if (count <= 0 || !comes(entry) || (inPlace && !lane[bit].isReplicated()))
        continue;
      unsigned place = inPlace ? bit : llvm::find_if(lane, isReplicated) - lane.begin();
      select(/*ofWarp=*/false, place, entry);
      --count;
    }
  }
}

void Planner::swap() {
  for (bool inPlace : {true, false}) {
    for (auto [bit, entry] : llvm::enumerate(to.getLane())) {
      if (!comes(entry))
        continue;
      unsigned place = bit;
      if (!leaves(lane[place])) {
        if (inPlace)
          continue;
        place = llvm::find_if(lane, [&](LayoutEntry old) { return leaves(old); }) - lane.begin();
      }
      LayoutEntry out = lane[place];
      lane[place] = entry;
      ConversionStep &step = add(Kind::Swap);
      step.bit = place;
      step.in = entry;
      step.out = out;
    }
  }
}

void Planner::permute() {
  SmallVector<unsigned> lanes(lane.size());
  SmallVector<bool> used(lane.size());
  auto take = [&](unsigned bit, unsigned from) {
    lanes[bit] = from;
    used[from] = true;
  };
  SmallVector<unsigned> rest;
  for (auto [bit, entry] : llvm::enumerate(to.getLane())) {
    // What is gathered later, or was replicated, may be anywhere.
    if (!entry.isReplicated())
      take(bit, llvm::find(lane, entry) - lane.begin());
    else if (lane[bit].isReplicated() || leaves(lane[bit]))
      take(bit, bit);
    else
      rest.push_back(bit);
  }
  for (unsigned bit : rest)
    take(bit, llvm::find(used, false) - used.begin());
  if (llvm::equal(lanes, llvm::seq<unsigned>(0, lanes.size())))
    return;
  SmallVector<LayoutEntry> before = lane;
  // A reader's bit `i` is bit `lanes[i]` of the lane it reads: so is what they hold.
  for (auto [bit, from] : llvm::enumerate(lanes))
    lane[bit] = before[from];
  add(Kind::Permute).lanes = lanes;
}

void Planner::gather() {
  for (unsigned bit = 0; bit < lane.size(); ++bit) {
    if (!leaves(lane[bit]))
      continue;
    LayoutEntry out = lane[bit];
    lane[bit] = LayoutEntry::replicated();
    ConversionStep &step = add(Kind::Gather);
    step.bit = bit;
    step.out = out;
  }
}

SmallVector<ConversionStep> Planner::plan() {
  if (now == to)
    return {};
  if (needsShared()) {
    lane.assign(to.getLane().begin(), to.getLane().end());
    warp.assign(to.getWarp().begin(), to.getWarp().end());
    add(Kind::Shared);
  } else {
    selectInWarps();
    selectInLanes();
    swap();
    permute();
    gather();
    selectInWarps();
    if (steps.empty())
      add(Kind::Rename);
  }
  // The last step puts the registers into the order asked for.
  steps.back().to = to;
  return std::move(steps);
}

SmallVector<ConversionStep> forge::tile::planConversion(LayoutAttr from, LayoutAttr to) {
  assert(from.getRank() == to.getRank() && from.getLanes() == to.getLanes() &&
         from.getWarps() == to.getWarps() && "layouts of different threads");
  return Planner(from, to).plan();
}
