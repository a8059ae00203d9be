// NumPy's .npy files: the format of inputs, expected results and saved results. No MLIR.
// Format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#ifndef FORGE_SUPPORT_NPY_H
#define FORGE_SUPPORT_NPY_H

#include "forge/Support/HostTensor.h"
#include "forge/Support/Result.h"
#include "forge/Support/TensorSpec.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace forge {

class StagedFolder;

/// Reads format 1.0, 2.0 and 3.0; C order, and Fortran order (turned into C order); either byte
/// order; the dtypes b1 i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8, and c8 and c16, of which the parts come
/// as f32 or f64 along a last dimension of 2. The void dtypes V1 and V2, as NumPy writes the types
/// of ml_dtypes, come as U8 and U16: convertNpy gives the bits their meaning. Bytes after the array
/// are ignored, as NumPy does. No memory is taken before the header's sizes are known to agree with
/// the size of the file, or with what came through a pipe. Errors name the file: "a.npy: truncated:
/// expected 96 bytes of data, but got 40".
Result<HostTensor> readNpy(const std::string &path);

/// The same from memory; errors do not name a file.
Result<HostTensor> parseNpy(std::string_view bytes);

/// Writes format 1.0 (2.0 for a header beyond 64 KiB), C order, little-endian, all or nothing.
/// Types NumPy lacks are widened without loss: bf16 and floats of 8 and 4 bits to f4, integers of 2
/// and 4 bits to i1 and u1. convertNpy leads back. With `isComplex` the last dimension, of 2, holds
/// the parts of complex numbers, which are written as c8 or c16.
Result<void> writeNpy(const std::string &path, const HostTensor &tensor, bool isComplex = false);

/// Writes `tensors` as STEM0.npy, STEM1.npy, ... of a stage, as writeNpy does. `specs`, one for
/// each or none, say which are complex.
Result<void> writeNpyFiles(StagedFolder &stage, const std::string &stem,
                           const std::vector<HostTensor> &tensors,
                           const std::vector<TensorSpec> &specs = {});

/// The same to a folder, which is made when it is not there: all of them or none.
Result<void> writeNpyFiles(const std::string &folder, const std::string &stem,
                           const std::vector<HostTensor> &tensors,
                           const std::vector<TensorSpec> &specs = {});

/// The element type writeNpy stores `type` as: itself where NumPy has it.
DType npyStorageType(DType type);

/// What was read from a file as a tensor of the module's element type `type`:
///  - the same type: unchanged;
///  - bf16, f16, f8, f4 from f32: rounded (encodeFloat);
///  - bf16 from u16, f8 and f4 from u8: the bits as they are, which must fit;
///  - integers of 2 and 4 bits from i8 or u8: the value, which must fit; those with a sign also
///  from u8 (V1), by their low bits.
/// Everything else is an error: "expected bf16 (as f32, or its bits as ui16), but got i32".
Result<HostTensor> convertNpy(HostTensor tensor, DType type);

/// `tensor` with elements of `type`, each converted by value (setDouble after getDouble).
Result<HostTensor> castElements(const HostTensor &tensor, DType type);

} // namespace forge

#endif // FORGE_SUPPORT_NPY_H
