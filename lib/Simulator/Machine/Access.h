// The checks that every access makes, inline: this is where a simulation spends its time.
#ifndef FORGE_LIB_SIMULATOR_MACHINE_ACCESS_H
#define FORGE_LIB_SIMULATOR_MACHINE_ACCESS_H

#include "State.h"

#include <cstring>

namespace forge::sim {

Region &addRegion(MachineState &state, Allocation &allocation, uintptr_t begin, uintptr_t end,
                  uint32_t elementBytes);
Cell *takeCells(MachineState &state, const Region &region);
void refine(MachineState &state, Region &region, unsigned shift);
[[noreturn]] void reportRace(const Region &region, const Cell *cell, const Record &other,
                             uint32_t site);
[[noreturn]] void reportMisaligned(uintptr_t address, uint32_t site);
/// Bytes that are not initialised, or that an asynchronous copy is going to write. Returns if the
/// options say that the former is no finding.
void reportState(const Region &region, uintptr_t address, uint64_t bytes, uint32_t site);
/// Async.cpp
[[noreturn]] void reportPendingCopy(const Region &region, uintptr_t address, uint32_t site);

template <typename Word> inline Word wordAt(const uint8_t *bytes) {
  Word word;
  std::memcpy(&word, bytes, sizeof(Word));
  return word;
}

inline bool allInitialised(const uint8_t *states, uint64_t bytes) {
  constexpr uint64_t ones = 0x0101010101010101ull;
  for (; bytes >= 8; bytes -= 8, states += 8)
    if (wordAt<uint64_t>(states) != ones)
      return false;
  if (bytes & 4) {
    if (wordAt<uint32_t>(states) != uint32_t(ones))
      return false;
    states += 4;
  }
  if (bytes & 2) {
    if (wordAt<uint16_t>(states) != uint16_t(ones))
      return false;
    states += 2;
  }
  return !(bytes & 1) || *states == kInitialised;
}

inline bool anyPending(const uint8_t *states, uint64_t bytes) {
  uint64_t any = 0;
  for (; bytes >= 8; bytes -= 8, states += 8)
    any |= wordAt<uint64_t>(states);
  for (; bytes; --bytes, ++states)
    any |= *states;
  return any & 0x0202020202020202ull;
}

/// orderedBefore, with the frequent answers first.
inline bool isOver(const Record &record, const Thread &thread, const Region &region) {
  if (record.clock < region.epoch || record.thread == thread.global)
    return true;
  const Block &block = *thread.block;
  uint32_t local = record.thread - block.firstThread;
  if (local < block.threads.size()) {
    if (record.clock < thread.base[!region.shared])
      return true;
    if (local - thread.warp->first < thread.warp->lanes && record.clock < thread.warpBase)
      return true;
  }
  return thread.knows && orderedBefore(record, thread);
}

template <Access kind>
inline void touchCell(const Thread &thread, const Region &region, Cell &cell, uint32_t site) {
  constexpr bool atomic = kind == Access::Atomic || kind == Access::AtomicLoad;
  auto conflicts = [&](const Record &other) {
    return !(atomic && other.atomic) && !isOver(other, thread, region);
  };
  if (conflicts(cell.write)) [[unlikely]]
    reportRace(region, &cell, cell.write, site);
  Record self(thread.global, thread.clock, site, atomic);
  if (kind == Access::Store || kind == Access::Atomic) {
    for (const Record &read : cell.reads)
      if (conflicts(read)) [[unlikely]]
        reportRace(region, &cell, read, site);
    cell.write = self;
    return;
  }
  // A read that is over need not be remembered: what conflicts with it conflicts with this one. An
  // atomic read gives way to a plain one, which conflicts with more.
  Record &first = cell.reads[0], &second = cell.reads[1];
  Record *slot = first.thread == thread.global    ? &first
                 : second.thread == thread.global ? &second
                 : isOver(first, thread, region)  ? &first
                 : isOver(second, thread, region) ? &second
                 : atomic                         ? nullptr
                 : first.atomic                   ? &first
                 : second.atomic                  ? &second
                                                  : nullptr;
  bool keepsPlain = atomic && slot && !slot->atomic && slot->thread == thread.global &&
                    slot->clock == thread.clock;
  if (slot && !keepsPlain)
    *slot = self;
}

template <Access kind>
inline void touch(MachineState &state, Region &region, uintptr_t address, uint64_t bytes,
                  uint32_t site) {
  uint8_t *states = region.states + (address - region.base);
  if (kind != Access::Store && !allInitialised(states, bytes)) [[unlikely]]
    reportState(region, address, bytes, site);
  if (kind == Access::Store || kind == Access::Atomic) {
    if (anyPending(states, bytes)) [[unlikely]]
      reportState(region, address, bytes, site);
    std::memset(states, kInitialised, bytes);
  }
  if (!state.options.races)
    return;
  uint64_t offset = address - region.base;
  unsigned shift = region.shift;
  if ((offset | bytes) & ((uint64_t(1) << shift) - 1)) [[unlikely]] {
    refine(state, region, __builtin_ctzll(offset | bytes));
    shift = region.shift;
  }
  Cell *cell = region.cells + (offset >> shift);
  Cell *end = region.cells + ((offset + bytes) >> shift);
  const Thread &thread = *state.current;
  for (; cell != end; ++cell)
    touchCell<kind>(thread, region, *cell, site);
}

} // namespace forge::sim

#endif // FORGE_LIB_SIMULATOR_MACHINE_ACCESS_H
