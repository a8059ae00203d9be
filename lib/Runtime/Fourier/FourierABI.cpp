// The C functions by which compiled code transforms tensors.
#include "forge/Runtime/CABI.h"
#include "forge/Runtime/Context.h"
#include "forge/Runtime/Fourier.h"

using namespace forge;
using namespace forge::rt;

using Function = Result<void>(FourierKind, int64_t, MemRef, MemRef);

/// False after an error, which is recorded.
static bool run(Function *function, int64_t kind, int64_t dims, MemRef input, MemRef output) {
  Result<void> done = function(static_cast<FourierKind>(kind), dims, input, output);
  if (!done)
    Context::current()->recordError(done.error().message);
  return static_cast<bool>(done);
}

void forge_rt_fft_f32(int64_t kind, int64_t dims, int64_t inputRank, void *input,
                      int64_t outputRank, void *output) {
  if (!run(transformF32, kind, dims, MemRef(inputRank, input), MemRef(outputRank, output)))
    Context::leave();
}

void forge_rt_fft_f64(int64_t kind, int64_t dims, int64_t inputRank, void *input,
                      int64_t outputRank, void *output) {
  if (!run(transformF64, kind, dims, MemRef(inputRank, input), MemRef(outputRank, output)))
    Context::leave();
}
