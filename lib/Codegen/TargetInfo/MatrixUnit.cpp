#include "forge/Codegen/MatrixUnit.h"

#include "forge/Codegen/Target.h"

#include "llvm/ADT/StringSwitch.h"

using namespace forge;

// Sources: PTX ISA, "mma"; AMD Instinct MI200 and MI300 and RDNA 3 ISA guides.
MatrixUnit forge::matrixUnitOf(const GPUChip &chip) {
  return llvm::StringSwitch<MatrixUnit>(chip.name)
      .Cases({"sm_80", "sm_90a"}, MatrixUnit::Mma)
      .Cases({"gfx90a", "gfx942"}, MatrixUnit::Mfma)
      .Case("gfx1100", MatrixUnit::Wmma)
      .Default(MatrixUnit::None);
}
