#include "forge/Codegen/Target.h"

#include "llvm/ADT/STLExtras.h"

using namespace forge;

// Sources: CUDA C++ Programming Guide, "Compute Capabilities"; LLVM "User Guide for AMDGPU
// Backend"; AMD Instinct MI200 and MI300 and RDNA 3 ISA guides. PTX versions: the lowest that has
// what the chip offers. Ceilings: of sm_90a's memory and matrix units those of an H200
// (docs/gpu-h200.md), others 0.8 of the data sheets of T4, A100 80 GB, H200, MI210, MI300X and
// RX 7900 XTX.
static constexpr GPUChip chipTable[] = {
    {"sm_75", DeviceDialect::NVVM, "nvptx64-nvidia-cuda", "+ptx75", 32, 1024, 48 << 10, 64 << 10,
     40, true, /*maxCluster=*/1, /*warpgroupProducts=*/false, /*dependentLaunches=*/false, 0.256e12,
     0.256e12, 52e12, 6.5e12},
    {"sm_80", DeviceDialect::NVVM, "nvptx64-nvidia-cuda", "+ptx75", 32, 1024, 48 << 10, 163 << 10,
     108, true, /*maxCluster=*/1, /*warpgroupProducts=*/false, /*dependentLaunches=*/false, 1.6e12,
     1.6e12, 250e12, 15.6e12},
    {"sm_90a", DeviceDialect::NVVM, "nvptx64-nvidia-cuda", "+ptx83", 32, 1024, 48 << 10, 227 << 10,
     132, true, /*maxCluster=*/8, /*warpgroupProducts=*/true, /*dependentLaunches=*/true, 4.25e12,
     4.5e12, 744e12, 53.5e12, /*hasMeasuredCeilings=*/true},
    {"gfx90a", DeviceDialect::ROCDL, "amdgcn-amd-amdhsa", "", 64, 1024, 64 << 10, 64 << 10, 104,
     false, /*maxCluster=*/1, /*warpgroupProducts=*/false, /*dependentLaunches=*/false, 1.3e12,
     1.3e12, 145e12, 18e12},
    {"gfx942", DeviceDialect::ROCDL, "amdgcn-amd-amdhsa", "", 64, 1024, 64 << 10, 64 << 10, 304,
     false, /*maxCluster=*/1, /*warpgroupProducts=*/false, /*dependentLaunches=*/false, 4.24e12,
     4.24e12, 1046e12, 131e12},
    {"gfx1100", DeviceDialect::ROCDL, "amdgcn-amd-amdhsa", "+wavefrontsize32", 32, 1024, 64 << 10,
     64 << 10, 48, false, /*maxCluster=*/1, /*warpgroupProducts=*/false,
     /*dependentLaunches=*/false, 0.77e12, 0.77e12, 98e12, 49e12},
};

namespace {
/// What runs code, the chip where none is named, and the dialects of its chips.
struct Driver {
  llvm::StringLiteral name, defaultChip;
  bool nvvm, rocdl;
};
} // namespace

static constexpr Driver driverTable[] = {
    {"cuda", "sm_90a", true, false},
    {"hip", "gfx942", false, true},
    {"sim", "sm_90a", true, true},
};

llvm::ArrayRef<GPUChip> forge::gpuChips() { return chipTable; }

const GPUChip *forge::findChip(llvm::StringRef name) {
  const GPUChip *chip = llvm::find_if(chipTable, [&](const GPUChip &c) { return c.name == name; });
  return chip == std::end(chipTable) ? nullptr : chip;
}

std::string Target::text() const { return isGPU() ? driver + ":" + chip->name.str() : driver; }

static bool runs(const Driver &driver, const GPUChip &chip) {
  return chip.dialect == DeviceDialect::NVVM ? driver.nvvm : driver.rocdl;
}

/// For a chip where a driver was expected: the target that the chip is of.
static std::string suggestion(llvm::StringRef text) {
  const GPUChip *chip = findChip(text);
  if (!chip)
    return "";
  const Driver *driver =
      llvm::find_if(driverTable, [&](const Driver &d) { return runs(d, *chip); });
  return " (did you mean '" + driver->name.str() + ":" + text.str() + "'?)";
}

Result<Target> Target::parse(llvm::StringRef text) {
  if (text == "cpu")
    return Target();
  auto [name, chipName] = text.split(':');
  const Driver *driver =
      llvm::find_if(driverTable, [&](const Driver &d) { return d.name == name; });
  if (driver == std::end(driverTable))
    return Error{"unknown target '" + text.str() + "', expected cpu, cuda, hip or sim" +
                 suggestion(text)};
  if (chipName.empty() && !text.contains(':'))
    chipName = driver->defaultChip;
  std::string known;
  for (const GPUChip &chip : chipTable) {
    if (!runs(*driver, chip))
      continue;
    if (chip.name == chipName)
      return Target{driver->name.str(), &chip};
    known += (known.empty() ? "" : ", ") + chip.name.str();
  }
  return Error{"unknown chip '" + chipName.str() + "' of target " + driver->name.str() +
               ", expected one of " + known};
}
