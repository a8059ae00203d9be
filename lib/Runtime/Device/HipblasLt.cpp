#include "HipblasLt.h"

using namespace forge;
using namespace forge::rt;

Result<std::unique_ptr<VendorBlas>> forge::rt::createHipblasLt(std::shared_ptr<Device> device) {
  Result<Library> library =
      Library::open("hipBLASLt", {"libhipblaslt.so.1", "libhipblaslt.so.0", "libhipblaslt.so",
                                  "/opt/rocm/lib/libhipblaslt.so"});
  if (!library)
    return library.error();
  // hipBLASLt documentation 1.0, "hipBLASLt datatypes reference".
  LtNumbers numbers{};
  numbers.transA = 0;
  numbers.transB = 1;
  numbers.epilogue = 2;
  numbers.biasPointer = 3;
  numbers.biasType = 4;
  numbers.batchCount = 0;
  numbers.batchOffset = 1;
  numbers.maxWorkspaceBytes = 1;
  numbers.reductionSchemes = numbers.minAlignmentA = -1;
  numbers.noTranspose = 111;
  numbers.transpose = 112;
  numbers.compute32F = 2;
  numbers.compute64F = 7;
  // gfx942 computes with other 8-bit floats (FNUZ: no negative zero); gfx950 and gfx12 have OCP's.
  const std::string &chip = device->properties().chip;
  bool ocpFloat8 = !chip.starts_with("gfx90") && !chip.starts_with("gfx94");
  return createLtBlas(std::move(device), std::move(*library), "hipblasLt", numbers,
                      ocpFloat8 ? LtFloat8::Any : LtFloat8::None);
}
