#include "CublasLt.h"

using namespace forge;
using namespace forge::rt;

Result<std::unique_ptr<VendorBlas>> forge::rt::createCublasLt(std::shared_ptr<Device> device) {
  Result<Library> library =
      Library::open("cuBLASLt", {"libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so.11",
                                 "/usr/local/cuda/lib64/libcublasLt.so"});
  if (!library)
    return library.error();
  // cuBLAS documentation 13.0, "cuBLASLt Datatypes Reference"; a test compares with cublasLt.h.
  LtNumbers numbers{};
  numbers.transA = 3;
  numbers.transB = 4;
  numbers.epilogue = 7;
  numbers.biasPointer = 8;
  numbers.biasType = 26;
  numbers.batchCount = 5;
  numbers.batchOffset = 6;
  numbers.maxWorkspaceBytes = 1;
  numbers.reductionSchemes = 3;
  numbers.minAlignmentA = 5;
  numbers.noTranspose = 0;
  numbers.transpose = 1;
  numbers.compute32F = 68;
  numbers.compute64F = 70;
  return createLtBlas(std::move(device), std::move(*library), "cublasLt", numbers,
                      LtFloat8::KInnermost);
}
