// Operations of a warp: lanes meet, the last one to come computes for all. Shuffles, votes,
// synchronisation.
#include "State.h"

using namespace forge::sim;

/// Operations of different kinds do not meet; those of one that waits for lanes by mask need not
/// are at the same place, but for gpu.shuffle.
enum : uint32_t { kShuffle = 1, kVote = 2, kSync = 3, kMatch = 4, kGpuShuffle = 5 };

static Thread &laneThread(Warp &warp, uint32_t lane) {
  return warp.block->threads[warp.first + lane];
}

/// All are here: computes, and lets those go on that wait.
static void complete(Warp &warp, size_t index) {
  Collective done = warp.pending[index];
  warp.pending.erase(warp.pending.begin() + index);
  done.complete(done, warp);
  for (uint64_t rest = done.arrived; rest; rest &= rest - 1) {
    Thread &thread = laneThread(warp, __builtin_ctzll(rest));
    if (thread.wait == Wait::Collective)
      makeReady(thread);
  }
}

static bool isComplete(const Collective &collective, const Warp &warp) {
  uint64_t needed = collective.mask ? collective.mask & warp.live : warp.live;
  return (needed & ~collective.arrived) == 0;
}

void forge::sim::meet(uint32_t kind, uint64_t mask, bool activeLanes, void *payload,
                      void (*completion)(Collective &, Warp &), uint32_t site) {
  Thread &self = *machine->current;
  Warp &warp = *self.warp;
  uint64_t bit = uint64_t(1) << self.lane;
  if (mask && !(mask & bit))
    fail(FindingKind::InvalidOperation, "the lane is not in the mask of lanes that take part",
         site);
  size_t index = 0;
  for (; index < warp.pending.size(); ++index) {
    const Collective &other = warp.pending[index];
    if (other.kind == kind && other.mask == mask &&
        ((mask && kind != kGpuShuffle) || other.site == site) && !(other.arrived & bit))
      break;
  }
  if (index == warp.pending.size()) {
    Collective collective;
    collective.kind = kind;
    collective.site = site;
    collective.mask = mask;
    collective.activeLanes = activeLanes;
    collective.complete = completion;
    warp.pending.push_back(collective);
  }
  Collective &collective = warp.pending[index];
  collective.arrived |= bit;
  collective.payloads[self.lane] = payload;
  if (isComplete(collective, warp))
    return complete(warp, index);
  suspend(Wait::Collective, site);
}

void forge::sim::threadExitedWarp(Thread &thread) {
  Warp &warp = *thread.warp;
  warp.live &= ~(uint64_t(1) << thread.lane);
  for (size_t i = 0; i < warp.pending.size();) {
    if (isComplete(warp.pending[i], warp)) {
      complete(warp, i);
      i = 0;
    } else {
      ++i;
    }
  }
}

bool forge::sim::completeActiveLanes(Launch &launch) {
  for (Block *block : launch.cluster)
    for (Warp &warp : block->warps)
      for (size_t i = 0; i < warp.pending.size(); ++i)
        if (warp.pending[i].activeLanes) {
          complete(warp, i);
          return true;
        }
  return false;
}

static const char *describe(Wait wait) {
  switch (wait) {
  case Wait::Barrier:
    return "a barrier of the block";
  case Wait::NamedBarrier:
    return "a barrier with a number";
  case Wait::ClusterBarrier:
    return "a barrier of the cluster";
  case Wait::Collective:
    return "an operation of the warp";
  case Wait::MBarrier:
    return "an mbarrier that is never completed";
  default:
    return "a change that never comes";
  }
}

void forge::sim::reportDeadlock(Launch &launch) {
  Finding finding{FindingKind::Deadlock, {}, {}, {}};
  Wait seen[8];
  unsigned numSeen = 0;
  uint32_t waiting = 0, exited = 0;
  // The first thread of each kind of waiting, and of each place.
  std::vector<uint32_t> sites;
  for (Block *block : launch.cluster)
    for (const Thread &thread : block->threads) {
      exited += thread.exited;
      if (thread.exited)
        continue;
      ++waiting;
      if (std::find(sites.begin(), sites.end(), thread.site) != sites.end() || sites.size() == 4)
        continue;
      sites.push_back(thread.site);
      seen[numSeen++] = thread.wait;
      finding.parties.push_back(partyOf(thread, thread.site));
    }
  finding.what = std::to_string(waiting) + " threads wait for ";
  for (unsigned i = 0; i < numSeen; ++i)
    finding.what += std::string(i ? ", " : "") + describe(seen[i]);
  finding.what += "; " + std::to_string(exited) + " have ended";
  bool warp =
      numSeen &&
      std::all_of(seen, seen + numSeen,
                  [](Wait wait) { return wait == Wait::Collective || wait == Wait::Barrier; }) &&
      std::any_of(seen, seen + numSeen, [](Wait wait) { return wait == Wait::Collective; });
  if (warp)
    finding.what += "; lanes of a warp have gone different ways";
  fail(std::move(finding));
}

//===--- shuffles
//-------------------------------------------------------------------------------===//

namespace {
struct Shuffle {
  uint64_t value;
  uint32_t source;
};

struct Vote {
  uint64_t value;
  uint64_t ballot;
};
} // namespace

static void completeShuffle(Collective &collective, Warp &warp) {
  uint64_t values[64];
  for (uint64_t rest = collective.arrived; rest; rest &= rest - 1) {
    unsigned lane = __builtin_ctzll(rest);
    values[lane] = static_cast<Shuffle *>(collective.payloads[lane])->value;
  }
  for (uint64_t rest = collective.arrived; rest; rest &= rest - 1) {
    unsigned lane = __builtin_ctzll(rest);
    Shuffle &shuffle = *static_cast<Shuffle *>(collective.payloads[lane]);
    if (shuffle.source < 64 && (collective.arrived >> shuffle.source & 1)) {
      shuffle.value = values[shuffle.source];
      continue;
    }
    if (collective.activeLanes) {
      shuffle.value = 0;
      continue;
    }
    failAt(laneThread(warp, lane), FindingKind::InvalidOperation,
           "lane " + std::to_string(lane) + " takes a value from lane " +
               std::to_string(shuffle.source) +
               (shuffle.source < warp.lanes
                    ? ", which does not take part"
                    : ", but the warp has " + std::to_string(warp.lanes) + " lanes"),
           collective.site);
  }
}

static void completeVote(Collective &collective, Warp &) {
  uint64_t ballot = 0;
  for (uint64_t rest = collective.arrived; rest; rest &= rest - 1) {
    unsigned lane = __builtin_ctzll(rest);
    if (static_cast<Vote *>(collective.payloads[lane])->value)
      ballot |= uint64_t(1) << lane;
  }
  for (uint64_t rest = collective.arrived; rest; rest &= rest - 1)
    *static_cast<Vote *>(collective.payloads[__builtin_ctzll(rest)]) = {collective.arrived, ballot};
}

static void completeMatch(Collective &collective, Warp &) {
  uint64_t values[64], masks[64];
  for (uint64_t rest = collective.arrived; rest; rest &= rest - 1) {
    unsigned lane = __builtin_ctzll(rest);
    values[lane] = static_cast<Vote *>(collective.payloads[lane])->value;
  }
  for (uint64_t rest = collective.arrived; rest; rest &= rest - 1) {
    unsigned lane = __builtin_ctzll(rest);
    masks[lane] = 0;
    for (uint64_t others = collective.arrived; others; others &= others - 1)
      if (values[__builtin_ctzll(others)] == values[lane])
        masks[lane] |= others & -others;
    static_cast<Vote *>(collective.payloads[lane])->ballot = masks[lane];
  }
}

/// What was done before by the lanes is over for all of them.
static void completeSync(Collective &collective, Warp &warp) {
  uint64_t all = warp.lanes == 64 ? ~uint64_t(0) : (uint64_t(1) << warp.lanes) - 1;
  bool whole = collective.arrived == all;
  Clocks joined;
  for (uint64_t rest = collective.arrived; rest; rest &= rest - 1) {
    Thread &thread = laneThread(warp, __builtin_ctzll(rest));
    if (!whole)
      joined.join(snapshot(thread));
    else if (!thread.known.empty())
      joined.join(thread.known);
  }
  uint32_t now = machine->tick();
  for (uint64_t rest = collective.arrived; rest; rest &= rest - 1) {
    Thread &thread = laneThread(warp, __builtin_ctzll(rest));
    acquire(thread, joined);
    thread.clock = now;
    if (whole)
      thread.warpBase = now;
  }
}

namespace {
struct Shuffled {
  uint64_t value, valid;
};
enum Mode : uint32_t { Xor, Up, Down, Index };
} // namespace

extern "C" {
/// gpu.shuffle: the first `width` lanes exchange values, or those of each segment of so many; where
/// there is no such lane, the own value is the result, and not valid.
Shuffled forge_sim_shuffle(uint64_t value, uint32_t mode, int32_t offset, uint32_t width,
                           uint32_t site) {
  const Chip &chip = machine->chip;
  Thread &self = *machine->current;
  bool segments = chip.shuffleSegments;
  if (width == 0 || width > chip.warpSize || (segments && (width & (width - 1))))
    fail(FindingKind::InvalidOperation,
         std::string("expected a width ") + (segments ? "that is a power of two " : "") + "up to " +
             std::to_string(chip.warpSize) + ", but got " + std::to_string(width),
         site);
  if (!segments && self.lane >= width)
    fail(FindingKind::InvalidOperation,
         "lane " + std::to_string(self.lane) + " takes part in a shuffle of " +
             std::to_string(width) + " lanes",
         site);
  uint32_t begin = segments ? self.lane & ~(width - 1) : 0;
  int64_t within = self.lane - begin;
  int64_t source = mode == Xor    ? within ^ offset
                   : mode == Up   ? within - offset
                   : mode == Down ? within + offset
                                  : offset;
  bool valid = source >= 0 && source < width;
  Shuffle shuffle{value, valid ? uint32_t(begin + source) : self.lane};
  uint64_t lanes = (width == 64 ? ~uint64_t(0) : (uint64_t(1) << width) - 1) << begin;
  meet(kGpuShuffle, lanes, false, &shuffle, completeShuffle, site);
  return {shuffle.value, valid};
}

/// shfl.sync as the PTX ISA defines it (9.7.9.6): `clampAndMask` holds the clamp in bits 0-4, the
/// segment mask in 8-12.
Shuffled forge_sim_shfl_sync(uint32_t mask, uint64_t value, uint32_t mode, uint32_t offset,
                             uint32_t clampAndMask, uint32_t site) {
  Thread &self = *machine->current;
  uint32_t lane = self.lane, segment = clampAndMask >> 8 & 31, clamp = clampAndMask & 31;
  uint32_t maxLane = (lane & segment) | (clamp & ~segment), minLane = lane & segment;
  offset &= 31;
  int32_t source = mode == Xor    ? lane ^ offset
                   : mode == Up   ? int32_t(lane) - int32_t(offset)
                   : mode == Down ? lane + offset
                                  : minLane | (offset & ~segment);
  bool valid = mode == Up ? source >= int32_t(maxLane) : source <= int32_t(maxLane);
  Shuffle shuffle{value, valid ? uint32_t(source) : lane};
  meet(kShuffle + 16 * (mode + 1), mask, false, &shuffle, completeShuffle, site);
  return {shuffle.value, valid};
}

/// The value of lane `source`; 0 from a lane that is not active (ds_bpermute, readlane).
uint64_t forge_sim_read_lane(uint64_t value, uint32_t source, uint32_t site) {
  Shuffle shuffle{value, source % machine->chip.warpSize};
  meet(kShuffle, 0, true, &shuffle, completeShuffle, site);
  return shuffle.value;
}

/// The value of the first active lane.
uint64_t forge_sim_read_first_lane(uint64_t value, uint32_t site) {
  Shuffle shuffle{value, 0};
  meet(
      kShuffle + 8, 0, true, &shuffle,
      [](Collective &collective, Warp &) {
        void **payloads = collective.payloads;
        uint64_t first =
            static_cast<Shuffle *>(payloads[__builtin_ctzll(collective.arrived)])->value;
        for (uint64_t rest = collective.arrived; rest; rest &= rest - 1)
          static_cast<Shuffle *>(payloads[__builtin_ctzll(rest)])->value = first;
      },
      site);
  return shuffle.value;
}

/// Bit i is set if lane i says so. `mask`: 0 for all active lanes.
uint64_t forge_sim_ballot(uint32_t mask, uint32_t predicate, uint32_t site) {
  Vote vote{predicate, 0};
  meet(kVote, mask, mask == 0, &vote, completeVote, site);
  return vote.ballot;
}

/// vote.sync: 0 any, 1 all, 2 all the same.
uint32_t forge_sim_vote(uint32_t mask, uint32_t kind, uint32_t predicate, uint32_t site) {
  Vote vote{predicate, 0};
  meet(kVote + 16 * (kind + 1), mask, false, &vote, completeVote, site);
  bool all = vote.ballot == vote.value, none = vote.ballot == 0;
  return kind == 0 ? !none : kind == 1 ? all : all || none;
}

/// The first lane of the mask is elected.
uint32_t forge_sim_elect(uint32_t mask, uint32_t site) {
  Vote vote{1, 0};
  meet(kVote + 8, mask, false, &vote, completeVote, site);
  return machine->current->lane == uint32_t(__builtin_ctzll(vote.ballot));
}

/// Lanes of the mask that have the same value; with `all`, none unless all have.
uint32_t forge_sim_match(uint32_t mask, uint64_t value, uint32_t all, uint32_t site) {
  Vote vote{value, 0};
  meet(kMatch, mask, false, &vote, completeMatch, site);
  return all && vote.ballot != mask ? 0 : vote.ballot;
}

void forge_sim_warp_sync(uint32_t mask, uint32_t site) {
  meet(kSync, mask, mask == 0, nullptr, completeSync, site);
}
}
