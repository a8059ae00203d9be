// Who a thread is: numbers and sizes.
#include "State.h"

#include <chrono>

using namespace forge::sim;

extern "C" {
/// `kind`: see lib/Simulator/Lowering/Identity.cpp, which writes the calls.
int64_t forge_sim_index(uint32_t kind, uint32_t dimension) {
  const MachineState &state = *machine;
  const Thread &thread = *state.current;
  const Block &block = *thread.block;
  const LaunchConfig &config = state.launch->config;
  auto at = [&](const Dim3 &dims) {
    return dimension == 0 ? dims.x : dimension == 1 ? dims.y : dims.z;
  };
  switch (kind) {
  case 0:
    return thread.id[dimension];
  case 1:
    return block.id[dimension];
  case 2:
    return at(config.block);
  case 3:
    return at(config.grid);
  case 4:
    return thread.lane;
  case 5:
    return thread.linear / state.chip.warpSize;
  case 6:
    return block.warps.size();
  case 7:
    return state.chip.warpSize;
  case 8: // Number of the cluster.
    return block.id[dimension] / at(config.cluster);
  case 9: // Clusters of the grid.
    return at(config.grid) / at(config.cluster);
  case 10: // Number of the block in its cluster.
    return block.id[dimension] % at(config.cluster);
  case 11: // Blocks of a cluster.
    return at(config.cluster);
  case 12: // Rank of the block in its cluster.
    return block.rankInCluster;
  case 13:
    return config.cluster.count();
  default:
    return 0;
  }
}

/// Address of a byte of the block's shared memory.
uintptr_t forge_sim_shared(uint32_t offset) {
  return machine->current->block->shared.base + offset;
}

/// Bytes of dynamic shared memory.
int64_t forge_sim_dynamic_shared() { return machine->launch->config.dynamicShared; }

/// The same offset in the shared memory of block `rank` of the cluster (mapa).
uintptr_t forge_sim_map_shared(uintptr_t address, uint32_t rank, uint32_t site) {
  const Launch &launch = *machine->launch;
  if (rank >= launch.cluster.size())
    fail(FindingKind::InvalidOperation,
         "expected a block of a cluster of " + std::to_string(launch.cluster.size()) +
             ", but got " + std::to_string(rank),
         site);
  return launch.cluster[rank]->shared.base + (address & 0x3ffff);
}

/// Nanoseconds of the host's clock.
int64_t forge_sim_time() {
  auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

/// Lets other threads run.
void forge_sim_yield(uint32_t site) { poll(site); }
}
