// Fourier transforms of tensors in host memory: by FFTW where it is found, otherwise by plain
// loops. No MLIR.
#ifndef FORGE_RUNTIME_FOURIER_H
#define FORGE_RUNTIME_FOURIER_H

#include "forge/Runtime/MemRef.h"
#include "forge/Support/Result.h"

#include <cstdint>
#include <string>

namespace forge::rt {

/// Backward transforms have the factor 1 / product of the lengths, and start with e^(+2 pi i ...).
enum class FourierKind : int64_t { Forward, Backward, FromReal, ToReal };

/// Transforms the last dimensions, 1 to 3 of them, of float (double) numbers. A tensor of complex
/// numbers has a last dimension of 2 besides, real and imaginary part; of a real tensor's transform
/// only the first half of the last transformed dimension is there. ToReal does not look at
/// imaginary parts that a real tensor's transform does not have. The input stays as it is. Fails
/// where sizes do not fit each other, and when out of memory.
Result<void> transformF32(FourierKind kind, int64_t dims, MemRef input, MemRef output);
Result<void> transformF64(FourierKind kind, int64_t dims, MemRef input, MemRef output);

/// "FFTW (fftw-3.3.10-sse2-avx)" where both precisions are found; the error says what was looked
/// for. FORGE_FFTW=off turns the search off.
Result<std::string> fourierLibrary();

} // namespace forge::rt

#endif // FORGE_RUNTIME_FOURIER_H
