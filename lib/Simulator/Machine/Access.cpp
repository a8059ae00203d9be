// Checks of one memory access, in the order: bounds, alignment, initialised, race.
#include "Access.h"

#include <cstring>

using namespace forge;
using namespace forge::sim;

//===--- where an access lies
//------------------------------------------------------------------===//

static std::string bytesAt(uint64_t bytes, int64_t offset, const std::string &where) {
  return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes") + " at offset " +
         std::to_string(offset) + " of " + where;
}

/// The shared memory that holds `address`: the block's own, or that of another block of the
/// cluster.
static Block *sharedOwner(uintptr_t address) {
  for (Block *block : machine->launch->cluster)
    if (address - block->shared.base < kSharedWindow)
      return block;
  return nullptr;
}

static Region &sharedRegion(Block &owner, uintptr_t address, uint64_t bytes, uint32_t site,
                            Extent &bounds) {
  Region &region = owner.shared;
  bounds = {region.base, region.end};
  if (address + bytes > region.end)
    fail(FindingKind::OutOfBounds,
         bytesAt(bytes, address - region.base, "shared memory") + ", of which the block has " +
             std::to_string(region.end - region.base) + " bytes",
         site);
  return region;
}

/// The part of `allocation` around `address` that no region covers yet becomes one.
static Region &coverGap(Launch &launch, Allocation &allocation, uintptr_t address) {
  uintptr_t begin = allocation.base, end = allocation.base + allocation.bytes;
  for (const Region &region : launch.regions) {
    if (region.end <= address)
      begin = std::max(begin, region.end);
    else if (region.base > address)
      end = std::min(end, region.base);
  }
  return addRegion(*machine, allocation, begin, end, 4);
}

static void requireExtent(const Launch &launch, uintptr_t address, uint64_t bytes, uint32_t site,
                          int32_t root) {
  const Extent &extent = launch.extents[root];
  if (address >= extent.base && address + bytes <= extent.end)
    return;
  fail(FindingKind::OutOfBounds,
       bytesAt(bytes, int64_t(address - extent.base), "argument " + std::to_string(root)) +
           ", which has " + std::to_string(extent.end - extent.base) + " bytes",
       site);
}

Region &forge::sim::regionAt(uintptr_t address, uint64_t bytes, uint32_t site, int32_t root,
                             Extent &bounds) {
  Launch &launch = *machine->launch;
  if (Block *owner = sharedOwner(address))
    return sharedRegion(*owner, address, bytes, site, bounds);
  bool bounded = root >= 0 && launch.extents[root].end;
  if (bounded)
    requireExtent(launch, address, bytes, site, root);
  Allocation *allocation = machine->memory.find(address);
  if (!allocation)
    fail(FindingKind::OutOfBounds,
         std::to_string(bytes) + " bytes at an address " + machine->memory.describe(address), site);
  if (address + bytes > allocation->base + allocation->bytes)
    fail(FindingKind::OutOfBounds,
         bytesAt(bytes, address - allocation->base,
                 "an allocation of " + std::to_string(allocation->bytes) + " bytes"),
         site);
  Region *found = nullptr;
  for (Region &region : launch.regions)
    if (address >= region.base && address < region.end)
      found = &region;
  if (!found)
    found = &coverGap(launch, *allocation, address);
  bounds = {found->base, found->end};
  if (bounded) {
    bounds.base = std::max(bounds.base, launch.extents[root].base);
    bounds.end = std::min(bounds.end, launch.extents[root].end);
  }
  return *found;
}

Region &forge::sim::addRegion(MachineState &state, Allocation &allocation, uintptr_t begin,
                              uintptr_t end, uint32_t elementBytes) {
  Region region;
  region.base = begin & ~uintptr_t(3);
  region.end = end;
  region.states = allocation.states.data() + (region.base - allocation.base);
  region.shift = elementBytes >= 4 ? 2 : elementBytes == 2 ? 1 : 0;
  region.epoch = state.launch->epoch;
  region.cells = takeCells(state, region);
  state.launch->regions.push_back(std::move(region));
  return state.launch->regions.back();
}

/// Cells are at multiples of their size from the start of the pages, in every launch: what an
/// earlier one has left is read as what it was.
Cell *forge::sim::takeCells(MachineState &state, const Region &region) {
  if (!state.options.races)
    return nullptr;
  Launch &launch = *state.launch;
  uint64_t count = ((region.end - region.base) >> region.shift) + 1;
  if (count <= state.cells.size() / sizeof(Cell) - launch.usedCells) {
    launch.usedCells += count;
    return reinterpret_cast<Cell *>(state.cells.data()) + launch.usedCells - count;
  }
  launch.moreCells.push_back(Pages::map(count * sizeof(Cell)));
  return reinterpret_cast<Cell *>(launch.moreCells.back().data());
}

//===--- races --------------------------------------------------------------------------------===//

/// The granules of `region` become as small as an access that does not fill one. What was recorded
/// of a granule holds for its parts.
void forge::sim::refine(MachineState &state, Region &region, unsigned shift) {
  Cell *coarse = region.cells;
  uint64_t count = ((region.end - region.base) >> region.shift) + 1;
  unsigned times = 1u << (region.shift - shift);
  region.shift = shift;
  region.cells = region.shared ? coarse : takeCells(state, region);
  // From the end: shared memory is refined in place.
  for (uint64_t i = count; i-- > 0;) {
    const Cell &cell = coarse[i];
    if (!cell.write.clock && !cell.reads[0].clock && !region.shared)
      continue;
    Cell copy = cell;
    for (unsigned k = 0; k < times; ++k)
      region.cells[i * times + k] = copy;
  }
}

void forge::sim::reportRace(const Region &region, const Cell *cell, const Record &other,
                            uint32_t site) {
  uint64_t offset = uint64_t(cell - region.cells) << region.shift;
  Launch &launch = *machine->launch;
  std::string where = region.shared ? "shared memory" : "global memory";
  if (!region.shared) {
    uintptr_t address = region.base + offset;
    for (size_t i = 0; i < launch.extents.size(); ++i) {
      const Extent &extent = launch.extents[i];
      if (!launch.kernel->arguments[i].isPointer || address < extent.base || !extent.base)
        continue;
      if (extent.end ? address < extent.end
                     : machine->memory.find(extent.base) == machine->memory.find(address)) {
        where = "argument " + std::to_string(i);
        offset = address - extent.base;
        break;
      }
    }
  }
  fail(FindingKind::DataRace,
       "no synchronisation between two accesses at offset " + std::to_string(offset) + " of " +
           where,
       site, {partyOf(other)});
}

//===--- initialised memory
//---------------------------------------------------------------------===//

void forge::sim::reportState(const Region &region, uintptr_t address, uint64_t bytes,
                             uint32_t site) {
  const uint8_t *states = region.states + (address - region.base);
  for (uint64_t i = 0; i < bytes; ++i)
    if (states[i] & kPending)
      reportPendingCopy(region, address + i, site);
  if (!machine->options.uninitialised)
    return;
  uint64_t first = 0;
  while (states[first] == kInitialised)
    ++first;
  uint64_t offset = address + first - region.base;
  std::string where = region.shared ? "shared memory" : "global memory";
  const Launch &launch = *machine->launch;
  if (!region.shared)
    for (size_t i = 0; i < launch.extents.size(); ++i)
      if (launch.extents[i].end && address >= launch.extents[i].base &&
          address < launch.extents[i].end) {
        where = "argument " + std::to_string(i);
        offset = address + first - launch.extents[i].base;
      }
  fail(FindingKind::Uninitialised,
       "nothing was written to offset " + std::to_string(offset) + " of " + where, site);
}

//===--- one access
//-----------------------------------------------------------------------------===//

/// Accesses that need more than what their site remembers: the first of a site, those that reach
/// from one region into the next, and those that lie nowhere. False for private memory.
static bool resolve(Site &site, uintptr_t address, uint32_t id) {
  Thread &thread = *machine->current;
  if (thread.stack.contains(address)) {
    if (thread.stack.contains(address + site.bytes - 1))
      return false;
    fail(FindingKind::OutOfBounds, "beyond private memory", id);
  }
  const SiteInfo &info = (*machine->launch->kernel->sites)[id];
  Extent bounds;
  Region &region = regionAt(address, site.bytes, id, info.root, bounds);
  site.region = &region;
  site.low = bounds.base;
  uint64_t room = bounds.end - bounds.base;
  site.span = room >= site.bytes ? room - site.bytes + 1 : 0;
  return true;
}

template <Access kind> static inline void checkSite(uintptr_t address, uint32_t id) {
  MachineState &state = *machine;
  Launch &launch = *state.launch;
  Site &site = launch.sites[id];
  ++state.statistics.accesses;
  if (address - site.low >= site.span) [[unlikely]] {
    if (!resolve(site, address, id))
      return;
    if (address - site.low >= site.span) // Into the next region.
      return checkAccess(kind, address, site.bytes, id);
  }
  if (address & site.alignMask) [[unlikely]]
    reportMisaligned(address, id);
  touch<kind>(state, *site.region, address, site.bytes, id);
}

void forge::sim::reportMisaligned(uintptr_t address, uint32_t site) {
  const SiteInfo &info = (*machine->launch->kernel->sites)[site];
  fail(FindingKind::Misaligned,
       "expected an address that is a multiple of " + std::to_string(info.alignment) + " for " +
           std::to_string(info.bytes) + " bytes, but got one with remainder " +
           std::to_string(address % info.alignment),
       site);
}

void forge::sim::checkAccess(Access access, uintptr_t address, uint64_t bytes, uint32_t site) {
  MachineState &state = *machine;
  if (state.current->stack.contains(address))
    return;
  int32_t root = (*state.launch->kernel->sites)[site].root;
  while (bytes) {
    Extent bounds;
    Region &region = regionAt(address, bytes, site, root, bounds);
    uint64_t part = std::min<uint64_t>(bytes, region.end - address);
    switch (access) {
    case Access::Load:
      touch<Access::Load>(state, region, address, part, site);
      break;
    case Access::Store:
      touch<Access::Store>(state, region, address, part, site);
      break;
    case Access::Atomic:
      touch<Access::Atomic>(state, region, address, part, site);
      break;
    case Access::AtomicLoad:
      touch<Access::AtomicLoad>(state, region, address, part, site);
      break;
    }
    address += part;
    bytes -= part;
  }
}

//===--- what compiled code calls
//---------------------------------------------------------------===//

extern "C" {
void forge_sim_load(uintptr_t address, uint32_t site) { checkSite<Access::Load>(address, site); }
void forge_sim_store(uintptr_t address, uint32_t site) { checkSite<Access::Store>(address, site); }
void forge_sim_atomic_load(uintptr_t address, uint32_t site) {
  checkSite<Access::AtomicLoad>(address, site);
}
void forge_sim_load_range(uintptr_t address, uint64_t bytes, uint32_t site) {
  checkAccess(Access::Load, address, bytes, site);
}
void forge_sim_store_range(uintptr_t address, uint64_t bytes, uint32_t site) {
  checkAccess(Access::Store, address, bytes, site);
}

/// A masked vector access: bit i of `mask` says whether element i, of `elementBytes` bytes, takes
/// part.
void forge_sim_masked(uintptr_t address, uint64_t mask, uint32_t elementBytes, uint32_t isStore,
                      uint32_t site) {
  while (mask) {
    // One check for a run of elements.
    unsigned first = __builtin_ctzll(mask);
    uint64_t rest = mask >> first;
    unsigned length = ~rest ? __builtin_ctzll(~rest) : 64;
    checkAccess(isStore ? Access::Store : Access::Load, address + uint64_t(first) * elementBytes,
                uint64_t(length) * elementBytes, site);
    if (first + length >= 64)
      return;
    mask &= ~uint64_t(0) << (first + length);
  }
}

/// An access to a private array of `size` bytes at `base`.
void forge_sim_private(uintptr_t address, uintptr_t base, uint64_t size, uint32_t site) {
  const Site &place = machine->launch->sites[site];
  if (address - base > size || size - (address - base) < place.bytes)
    fail(FindingKind::OutOfBounds,
         bytesAt(place.bytes, int64_t(address - base), "private memory") + ", an array of " +
             std::to_string(size) + " bytes",
         site);
}

/// The view of argument `argument` that the kernel makes has `bytes` bytes; this says where the
/// argument ends that nothing said it of so far.
void forge_sim_extent(uint32_t argument, uint64_t bytes, uint32_t site) {
  Extent &extent = machine->launch->extents[argument];
  if (extent.end || !extent.base)
    return;
  Result<Allocation *> allocation =
      machine->memory.findRange(reinterpret_cast<void *>(extent.base), bytes);
  if (!allocation) {
    std::string what = "argument " + std::to_string(argument) + ": " + allocation.error().message;
    fail(FindingKind::OutOfBounds, std::move(what), site);
  }
  extent.end = extent.base + bytes;
}
}
