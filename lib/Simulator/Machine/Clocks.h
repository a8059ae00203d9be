// Which events of other threads a thread knows to be over: what is ordered before it by
// synchronisation.
//
// Every thread has a clock, taken from one counter of the machine. A synchronisation that releases
// gives the thread a new, larger one, so an access is named by its thread and the clock at that
// time. A block barrier needs no vector: it sets one number, `Thread::base`, below which all
// accesses of the block are over. Only other synchronisation (warps, mbarriers, atomics) needs the
// sparse vectors here.
#ifndef FORGE_LIB_SIMULATOR_MACHINE_CLOCKS_H
#define FORGE_LIB_SIMULATOR_MACHINE_CLOCKS_H

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace forge::sim {

/// A sparse map from a number to the greatest clock seen for it, sorted by number.
class ClockMap {
public:
  bool empty() const { return entries.empty(); }
  size_t size() const { return entries.size(); }
  void clear() { entries.clear(); }
  uint32_t lookup(uint32_t key) const {
    auto it = std::lower_bound(entries.begin(), entries.end(), std::pair(key, 0u));
    return it != entries.end() && it->first == key ? it->second : 0;
  }
  void raise(uint32_t key, uint32_t clock) {
    auto it = std::lower_bound(entries.begin(), entries.end(), std::pair(key, 0u));
    if (it == entries.end() || it->first != key)
      entries.insert(it, {key, clock});
    else
      it->second = std::max(it->second, clock);
  }
  /// Raises every number of `other`. Where `other` is not small, in one pass over both: barriers of
  /// a cluster bring the clocks of thousands of threads to each of them.
  void join(const ClockMap &other) {
    if (other.size() * 8 < size()) {
      for (const auto &[key, clock] : other.entries)
        raise(key, clock);
      return;
    }
    if (size_t missing = raiseKnown(other))
      insertMissing(other, missing);
  }
  auto begin() const { return entries.begin(); }
  auto end() const { return entries.end(); }

private:
  /// Raises the numbers that both have; how many of `other` this map does not have.
  size_t raiseKnown(const ClockMap &other) {
    size_t missing = 0;
    auto it = entries.begin();
    for (const auto &[key, clock] : other.entries) {
      while (it != entries.end() && it->first < key)
        ++it;
      if (it == entries.end() || it->first != key)
        ++missing;
      else
        it->second = std::max(it->second, clock);
    }
    return missing;
  }
  /// From the back, so that each entry moves once; what stands before the first new one stays.
  void insertMissing(const ClockMap &other, size_t missing) {
    size_t from = entries.size(), to = from + missing;
    entries.resize(to);
    for (size_t i = other.entries.size(); i-- > 0 && to > from;) {
      while (from > 0 && entries[from - 1].first > other.entries[i].first)
        entries[--to] = entries[--from];
      if (from == 0 || entries[from - 1].first != other.entries[i].first)
        entries[--to] = other.entries[i];
    }
  }

  std::vector<std::pair<uint32_t, uint32_t>> entries;
};

/// What is known to be over, of threads (accesses up to and with the clock) and of whole blocks
/// (before the clock).
struct Clocks {
  ClockMap threads, blocks;
  bool empty() const { return threads.empty() && blocks.empty(); }
  void clear() {
    threads.clear();
    blocks.clear();
  }
  void join(const Clocks &other) {
    threads.join(other.threads);
    blocks.join(other.blocks);
  }
};

} // namespace forge::sim

#endif // FORGE_LIB_SIMULATOR_MACHINE_CLOCKS_H
