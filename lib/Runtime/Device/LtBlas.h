// cuBLASLt and hipBLASLt: one interface under two names, with different numbers for its attributes.
// Private to ForgeRuntime.
#ifndef FORGE_LIB_RUNTIME_DEVICE_LTBLAS_H
#define FORGE_LIB_RUNTIME_DEVICE_LTBLAS_H

#include "Library.h"

#include "forge/Runtime/VendorBlas.h"

namespace forge::rt {

/// Numbers of one library's interface.
struct LtNumbers {
  // Attributes of the product, a layout, and a preference.
  int transA, transB, epilogue, biasPointer, biasType;
  int batchCount, batchOffset;
  int maxWorkspaceBytes;
  /// -1 where the library has no such preference.
  int reductionSchemes, minAlignmentA;
  // Values.
  int noTranspose, transpose;
  int compute32F, compute64F;
};

/// Which 8-bit floats of OCP's the library multiplies on a chip.
enum class LtFloat8 {
  None,
  /// Both factors with k innermost, in whole 16-byte words, and not f8e5m2 twice.
  KInnermost,
  Any,
};

/// The functions. Descriptors are opaque pointers, statuses ints (0: success).
struct LtFunctions {
  int (*create)(void **handle);
  int (*destroy)(void *handle);
  int (*descCreate)(void **desc, int computeType, int scaleType);
  int (*descDestroy)(void *desc);
  int (*descSet)(void *desc, int attribute, const void *value, size_t bytes);
  int (*layoutCreate)(void **layout, int type, uint64_t rows, uint64_t columns, int64_t stride);
  int (*layoutDestroy)(void *layout);
  int (*layoutSet)(void *layout, int attribute, const void *value, size_t bytes);
  int (*preferenceCreate)(void **preference);
  int (*preferenceDestroy)(void *preference);
  int (*preferenceSet)(void *preference, int attribute, const void *value, size_t bytes);
  int (*heuristic)(void *handle, void *desc, void *a, void *b, void *c, void *d, void *preference,
                   int wanted, void *results, int *found);
  int (*matmul)(void *handle, void *desc, const void *alpha, const void *a, void *layoutA,
                const void *b, void *layoutB, const void *beta, const void *c, void *layoutC,
                void *d, void *layoutD, const void *algorithm, void *workspace,
                size_t workspaceBytes, void *stream);
};

/// A library found, whose functions begin with `prefix`: "cublasLt".
Result<std::unique_ptr<VendorBlas>> createLtBlas(std::shared_ptr<Device> device, Library library,
                                                 const std::string &prefix,
                                                 const LtNumbers &numbers, LtFloat8 float8);

} // namespace forge::rt

#endif // FORGE_LIB_RUNTIME_DEVICE_LTBLAS_H
