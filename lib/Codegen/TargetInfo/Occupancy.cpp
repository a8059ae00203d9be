#include "forge/Codegen/Occupancy.h"

#include "llvm/Support/MathExtras.h"

using namespace forge;

namespace {
/// Of a multiprocessor. Registers are those of one lane's file of a scheduler, which `schedulers`
/// have each, and are handed out to a warp in multiples of `registerUnit`.
struct Limits {
  llvm::StringLiteral chip;
  int64_t schedulers, warpsOfScheduler, registers, registerUnit;
  int64_t blocks;
  int64_t sharedBytes, sharedUnit;
  /// Bytes of each block that the system takes.
  int64_t reservedBytes;
};
} // namespace

// Sources: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability" (65,536
// registers of four schedulers with 32 lanes, 256 for a warp at once), and Occupancy Calculator;
// LLVM, AMDGPUBaseInfo.cpp (getTotalNumVGPRs, getVGPRAllocGranule, getMaxWavesPerEU,
// getMaxWorkGroupsPerCU: groups of several waves need one of 16 barriers, of a workgroup processor
// one of 32).
static constexpr Limits kLimits[] = {
    {"sm_75", 4, 8, 512, 8, 16, 64 << 10, 256, 0},
    {"sm_80", 4, 16, 512, 8, 32, 164 << 10, 128, 1024},
    {"sm_90a", 4, 16, 512, 8, 32, 228 << 10, 128, 1024},
    {"gfx90a", 4, 8, 512, 8, 16, 64 << 10, 512, 0},
    {"gfx942", 4, 8, 512, 8, 16, 64 << 10, 512, 0},
    {"gfx1100", 4, 16, 1536, 24, 32, 128 << 10, 1024, 0},
};

Occupancy forge::occupancyOf(const BlockResources &block, const GPUChip &chip) {
  const Limits &limits =
      *llvm::find_if(kLimits, [&](const Limits &of) { return of.chip == chip.name; });
  int64_t warps = std::max<int64_t>(llvm::divideCeil(block.threads, chip.warpSize), 1);
  int64_t registers = llvm::alignTo(std::max<int64_t>(block.registers, 1), limits.registerUnit);
  int64_t shared = llvm::alignTo(block.sharedBytes + limits.reservedBytes, limits.sharedUnit);
  int64_t mostWarps = limits.schedulers * limits.warpsOfScheduler;
  int64_t warpsOfRegisters = limits.schedulers * (limits.registers / registers);
  // AMD: a block of one wave needs no barrier.
  bool needsNone = chip.dialect == DeviceDialect::ROCDL && warps == 1;
  std::pair<int64_t, llvm::StringLiteral> ways[] = {
      {mostWarps / warps, "warps"},
      {needsNone ? mostWarps : limits.blocks, "blocks"},
      {warpsOfRegisters / warps, "registers"},
      {shared == 0 ? mostWarps : limits.sharedBytes / shared, "shared memory"}};
  auto least =
      *llvm::min_element(ways, [](const auto &a, const auto &b) { return a.first < b.first; });
  return {least.first, least.first * warps, mostWarps, least.second};
}
