// Device memory for the host, and launches: sets up regions, blocks and threads, one cluster after
// the other.
#include "Access.h"
#include "Async.h"

#include <cstring>
#include <numeric>
#include <random>
#include <tuple>

using namespace forge;
using namespace forge::sim;

/// Address space for shadow cells, touched as launches need them, and how much of it stays touched.
static constexpr uint64_t kCellSpace = uint64_t(16) << 30, kCellsKept = uint64_t(512) << 20;

Machine::Machine(Chip chip) : state(std::make_unique<MachineState>()) {
  state->chip = std::move(chip);
}
Machine::~Machine() = default;

const Chip &Machine::chip() const { return state->chip; }
Options &Machine::options() { return state->options; }
const Statistics &Machine::statistics() const { return state->statistics; }
uint64_t Machine::bytesInUse() const { return state->memory.bytesInUse(); }

Result<void *> Machine::allocate(uint64_t bytes) { return state->memory.allocate(bytes); }
Result<void> Machine::free(void *pointer) { return state->memory.free(pointer); }

static uint8_t *statesOf(Allocation &allocation, const void *pointer) {
  return allocation.states.data() + (reinterpret_cast<uintptr_t>(pointer) - allocation.base);
}

Result<void> Machine::write(void *device, const void *host, uint64_t bytes) {
  Result<Allocation *> allocation = state->memory.findRange(device, bytes);
  if (!allocation)
    return allocation.error();
  if (bytes == 0)
    return {};
  std::memcpy(device, host, bytes);
  std::memset(statesOf(**allocation, device), kInitialised, bytes);
  return {};
}

Result<void> Machine::read(void *host, const void *device, uint64_t bytes) {
  Result<Allocation *> allocation = state->memory.findRange(device, bytes);
  if (!allocation)
    return allocation.error();
  if (bytes)
    std::memcpy(host, device, bytes);
  return {};
}

Result<void> Machine::copy(void *to, const void *from, uint64_t bytes) {
  Result<Allocation *> source = state->memory.findRange(from, bytes);
  Result<Allocation *> target = state->memory.findRange(to, bytes);
  if (!source || !target)
    return source ? target.error() : source.error();
  if (bytes == 0)
    return {};
  std::memmove(to, from, bytes);
  std::memmove(statesOf(**target, to), statesOf(**source, from), bytes);
  return {};
}

Result<void> Machine::fill(void *device, uint8_t value, uint64_t bytes) {
  Result<Allocation *> allocation = state->memory.findRange(device, bytes);
  if (!allocation)
    return allocation.error();
  if (bytes == 0)
    return {};
  std::memset(device, value, bytes);
  std::memset(statesOf(**allocation, device), kInitialised, bytes);
  return {};
}

Result<void> Machine::forget(void *device, uint64_t bytes) {
  Result<Allocation *> allocation = state->memory.findRange(device, bytes);
  if (!allocation)
    return allocation.error();
  if (bytes)
    std::memset(statesOf(**allocation, device), kUninitialised, bytes);
  return {};
}

//===--- before a launch
//------------------------------------------------------------------------===//

static std::string text(const Dim3 &dims) {
  return std::to_string(dims.x) + "x" + std::to_string(dims.y) + "x" + std::to_string(dims.z);
}

/// What is wrong with the launch itself, or nothing.
static std::string checkLaunch(const Chip &chip, const Kernel &kernel, const LaunchConfig &config) {
  const Dim3 &block = config.block, &grid = config.grid, &cluster = config.cluster;
  if (block.count() == 0 || block.count() > chip.maxBlockThreads)
    return "expected 1 to " + std::to_string(chip.maxBlockThreads) +
           " threads in a block, but got " + text(block);
  if (grid.count() == 0)
    return "expected at least one block, but got a grid of " + text(grid);
  if (grid.y > 65535 || grid.z > 65535 || grid.x > 0x7fffffff)
    return "expected a grid of at most 2147483647x65535x65535 blocks, but got " + text(grid);
  if (grid.count() > (uint64_t(1) << 32) / block.count())
    return "expected at most 2^32 threads, but got " + text(grid) + " blocks of " + text(block);
  if (kernel.blockSize && (kernel.blockSize->x != block.x || kernel.blockSize->y != block.y ||
                           kernel.blockSize->z != block.z))
    return "expected blocks of " + text(*kernel.blockSize) + " threads, but got " + text(block);
  uint64_t shared = uint64_t(kernel.staticShared) + config.dynamicShared;
  if (shared > chip.sharedBytes)
    return "expected at most " + std::to_string(chip.sharedBytes) +
           " bytes of shared memory, but got " + std::to_string(shared);
  if (kernel.clusterSize &&
      (kernel.clusterSize->x != cluster.x || kernel.clusterSize->y != cluster.y ||
       kernel.clusterSize->z != cluster.z))
    return "expected clusters of " + text(*kernel.clusterSize) + ", but got " + text(cluster);
  if (cluster.count() == 0 || grid.x % cluster.x || grid.y % cluster.y || grid.z % cluster.z)
    return "expected a grid that is a multiple of clusters of " + text(cluster) + ", but got " +
           text(grid);
  if (cluster.count() > 16)
    return "expected clusters of at most 16 blocks, but got " + text(cluster);
  return "";
}

/// Arguments that overlap share a region.
static std::string bindArguments(MachineState &state, Launch &launch) {
  struct Range {
    uintptr_t begin, end;
    uint32_t elementBytes;
    Allocation *allocation;
  };
  std::vector<Range> ranges;
  const std::vector<KernelArgument> &arguments = launch.kernel->arguments;
  launch.extents.assign(arguments.size(), Extent());
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!arguments[i].isPointer)
      continue;
    uintptr_t base = *static_cast<uintptr_t *>(launch.args[i]);
    launch.extents[i].base = base;
    if (!arguments[i].extent)
      continue;
    launch.extents[i].end = base + *arguments[i].extent;
    if (*arguments[i].extent == 0)
      continue;
    Result<Allocation *> allocation =
        state.memory.findRange(reinterpret_cast<void *>(base), *arguments[i].extent);
    if (!allocation)
      return "argument " + std::to_string(i) + ": " + allocation.error().message;
    ranges.push_back({base, launch.extents[i].end, arguments[i].elementBytes, *allocation});
  }
  std::sort(ranges.begin(), ranges.end(),
            [](const Range &a, const Range &b) { return a.begin < b.begin; });
  for (size_t i = 0; i < ranges.size();) {
    Range merged = ranges[i++];
    while (i < ranges.size() && ranges[i].begin < merged.end) {
      merged.end = std::max(merged.end, ranges[i].end);
      merged.elementBytes = std::min(merged.elementBytes, ranges[i].elementBytes);
      ++i;
    }
    addRegion(state, *merged.allocation, merged.begin, merged.end, merged.elementBytes);
  }
  return "";
}

/// Clocks start where the last launch ended, so what the cells remember of it is over without being
/// erased. After very many launches they start again.
static void prepareClocks(MachineState &state) {
  if (state.clock > (1u << 30)) {
    state.cells.clear();
    for (std::unique_ptr<Block> &block : state.blocks)
      block->sharedCells.clear();
    state.clock = 0;
  }
  if (!state.cells.data() && state.options.races)
    state.cells = Pages::map(kCellSpace);
  state.launch->epoch = state.tick();
}

//===--- blocks
//---------------------------------------------------------------------------------===//

static void mapShared(Block &block) {
  if (block.sharedContent.data())
    return;
  block.sharedContent = Pages::map(2 * kSharedWindow);
  block.sharedStates = Pages::map(kSharedWindow);
  block.sharedCells = Pages::map((kSharedWindow + 1) * sizeof(Cell));
  uintptr_t content = reinterpret_cast<uintptr_t>(block.sharedContent.data());
  block.shared.base = (content + kSharedWindow - 1) / kSharedWindow * kSharedWindow;
  block.shared.states = block.sharedStates.data();
  block.shared.cells = reinterpret_cast<Cell *>(block.sharedCells.data());
  block.shared.shared = true;
}

static void initThread(Thread &thread, Block &block, uint32_t linear, const Dim3 &dims,
                       uint32_t warpSize, uint32_t clock) {
  thread.block = &block;
  thread.linear = linear;
  thread.global = block.firstThread + linear;
  thread.warp = &block.warps[linear / warpSize];
  thread.lane = linear % warpSize;
  thread.id[0] = linear % dims.x;
  thread.id[1] = linear / dims.x % dims.y;
  thread.id[2] = linear / dims.x / dims.y;
  thread.clock = clock;
  thread.base[0] = thread.base[1] = thread.warpBase = 0;
  if (thread.knows) {
    thread.known.clear();
    thread.knows = false;
  }
  if (!thread.fetched.empty())
    thread.fetched.clear();
  thread.fenced = thread.started = thread.exited = thread.hasArrived = false;
  thread.wait = Wait::None;
  thread.steps = 0;
  beginTurn(thread);
  thread.async.reset();
}

static void initBlock(MachineState &state, Block &block, uint64_t linear) {
  const Launch &launch = *state.launch;
  const LaunchConfig &config = launch.config;
  uint32_t count = config.block.count(), warpSize = state.chip.warpSize;
  mapShared(block);
  block.linear = linear;
  block.id[0] = linear % config.grid.x;
  block.id[1] = linear / config.grid.x % config.grid.y;
  block.id[2] = linear / config.grid.x / config.grid.y;
  block.firstThread = linear * count;
  block.live = count;
  block.atBarrier = 0;
  block.named.clear();
  block.mbarriers.clear();
  block.fenced.clear();
  for (unsigned group = 0; group < 8; ++group) {
    block.warpGroups[group].reset();
    block.groupAgents[group] = 0;
  }
  uint32_t shared = launch.kernel->staticShared + config.dynamicShared;
  block.shared.end = block.shared.base + shared;
  block.shared.epoch = state.clock;
  std::memset(block.shared.states, kUninitialised, shared);
  if (block.threads.size() != count)
    block.threads = std::vector<Thread>(count);
  block.warps.resize((count + warpSize - 1) / warpSize);
  for (uint32_t w = 0; w < block.warps.size(); ++w) {
    Warp &warp = block.warps[w];
    warp.block = &block;
    warp.first = w * warpSize;
    warp.lanes = std::min(warpSize, count - warp.first);
    warp.live = warp.lanes == 64 ? ~uint64_t(0) : (uint64_t(1) << warp.lanes) - 1;
    warp.pending.clear();
  }
  for (uint32_t i = 0; i < count; ++i)
    initThread(block.threads[i], block, i, config.block, warpSize, state.clock);
}

/// Warps in a permuted order, and the lanes in each.
static void orderThreads(Launch &launch, uint32_t warpSize, uint64_t seed) {
  launch.unstarted.clear();
  launch.nextUnstarted = 0;
  launch.ready.clear();
  launch.polling.clear();
  launch.idlePolls = launch.clusterArrived = launch.clusterPhase = 0;
  launch.clusterExited = launch.clusterExitedHere = 0;
  launch.clusterClocks.clear();
  launch.clusterDone.clear();
  for (Block *block : launch.cluster)
    for (Thread &thread : block->threads)
      launch.unstarted.push_back(&thread);
  if (seed == 0)
    return;
  std::mt19937_64 random(seed * 0x9e3779b97f4a7c15ull + launch.cluster[0]->linear);
  std::vector<uint64_t> warpKeys(launch.unstarted.size() / warpSize + launch.cluster.size() + 1);
  for (uint64_t &key : warpKeys)
    key = random();
  struct Place {
    uint64_t warp, lane;
    Thread *thread;
  };
  std::vector<Place> places;
  for (Thread *thread : launch.unstarted) {
    const Block &block = *thread->block;
    uint64_t number = block.rankInCluster * block.warps.size() + thread->linear / warpSize;
    places.push_back({warpKeys[number], random(), thread});
  }
  std::sort(places.begin(), places.end(), [](const Place &a, const Place &b) {
    return std::tie(a.warp, a.lane) < std::tie(b.warp, b.lane);
  });
  for (size_t i = 0; i < places.size(); ++i)
    launch.unstarted[i] = places[i].thread;
}

static void runAllBlocks(MachineState &state) {
  Launch &launch = *state.launch;
  const Dim3 &grid = launch.config.grid, &cluster = launch.config.cluster;
  Dim3 clusters{grid.x / cluster.x, grid.y / cluster.y, grid.z / cluster.z};
  uint64_t count = clusters.count(), perCluster = cluster.count();
  while (state.blocks.size() < perCluster)
    state.blocks.push_back(std::make_unique<Block>());
  for (uint64_t i = 0; i < perCluster; ++i) {
    state.blocks[i]->rankInCluster = i;
    launch.cluster.push_back(state.blocks[i].get());
  }
  std::vector<uint64_t> order;
  if (state.options.seed) {
    order.resize(count);
    std::iota(order.begin(), order.end(), 0);
    std::mt19937_64 random(state.options.seed);
    std::shuffle(order.begin(), order.end(), random);
  }
  for (uint64_t n = 0; n < count && !state.finding; ++n) {
    uint64_t c = order.empty() ? n : order[n];
    uint64_t cx = c % clusters.x, cy = c / clusters.x % clusters.y,
             cz = c / clusters.x / clusters.y;
    state.tick();
    for (uint64_t i = 0; i < perCluster; ++i) {
      uint64_t x = cx * cluster.x + i % cluster.x, y = cy * cluster.y + i / cluster.x % cluster.y,
               z = cz * cluster.z + i / cluster.x / cluster.y;
      initBlock(state, *state.blocks[i], (z * grid.y + y) * grid.x + x);
    }
    orderThreads(launch, state.chip.warpSize, state.options.seed);
    runCluster(state);
  }
}

//===--- a launch
//-------------------------------------------------------------------------------===//

static void prepareSites(Launch &launch) {
  const std::vector<SiteInfo> &sites = *launch.kernel->sites;
  launch.sites.resize(sites.size());
  for (size_t i = 0; i < sites.size(); ++i) {
    launch.sites[i].bytes = sites[i].bytes;
    launch.sites[i].alignMask = sites[i].alignment - 1;
  }
}

std::optional<Finding> Machine::launch(const Kernel &kernel, const LaunchConfig &asked,
                                       void **args) {
  LaunchConfig config = asked;
  if (kernel.clusterSize && config.cluster.count() == 1)
    config.cluster = *kernel.clusterSize;
  auto invalid = [&](FindingKind kind, std::string what) {
    return Finding{kind, kernel.name, std::move(what), {}};
  };
  if (std::string what = checkLaunch(state->chip, kernel, config); !what.empty())
    return invalid(FindingKind::LaunchBounds, what);
  MachineState *outer = std::exchange(machine, state.get());
  state->finding.reset();
  state->launch = std::make_unique<Launch>();
  Launch &launch = *state->launch;
  launch.kernel = &kernel;
  launch.config = config;
  launch.args = args;
  prepareClocks(*state);
  prepareSites(launch);
  if (std::string what = bindArguments(*state, launch); !what.empty()) {
    state->finding = invalid(FindingKind::OutOfBounds, what);
  } else {
    state->stacks.reserve((64 << 10) + 2 * uint64_t(kernel.privateBytes));
    runAllBlocks(*state);
  }
  state->stacks.reset();
  ++state->statistics.launches;
  state->statistics.threads += config.grid.count() * config.block.count();
  bool large = launch.usedCells * sizeof(Cell) > kCellsKept;
  state->launch.reset();
  if (large)
    state->cells.clear();
  machine = outer;
  return std::exchange(state->finding, std::nullopt);
}
