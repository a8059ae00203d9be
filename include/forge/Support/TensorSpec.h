// The element type and shape of a tensor argument or result, without its elements. No MLIR.
#ifndef FORGE_SUPPORT_TENSORSPEC_H
#define FORGE_SUPPORT_TENSORSPEC_H

#include "forge/Support/HostTensor.h"

#include <string>
#include <vector>

namespace forge {

/// One argument or result of a compiled function.
struct TensorSpec {
  /// A dimension whose size is known only at run time, as it is in `dims`.
  static constexpr int64_t dynamic = -1;

  DType type = DType::F32;
  /// Sizes, outermost first; `dynamic` where not known. Empty for a scalar.
  std::vector<int64_t> dims;
  /// Complex numbers: the last dimension, of size 2, holds the parts, which are of `type`.
  bool isComplex = false;

  bool hasStaticShape() const {
    for (int64_t size : dims)
      if (size == dynamic)
        return false;
    return true;
  }
};

/// What a function takes and returns, with the signedness StableHLO gives it (lowering loses it).
struct FunctionSignature {
  std::string name;
  std::vector<TensorSpec> arguments;
  std::vector<TensorSpec> results;
  /// Per argument: the caller gives the buffer away, compiled code may overwrite it
  /// (`tf.aliasing_output` or `jax.buffer_donor` on the argument).
  std::vector<bool> donated;
};

/// The type as text, dynamic dimensions as "?": "tensor<?x33xf32>", "tensor<4xcomplex<f32>>".
std::string typeString(const TensorSpec &spec);

/// Fails unless `inputs` fit `signature`: their count, and per argument dtype, rank and each
/// dimension. The message names argument, dimension, expected and actual ("argument 1, dimension 0:
/// expected size 4, but got 5").
Result<void> checkInputs(const FunctionSignature &signature, const std::vector<HostTensor> &inputs);

} // namespace forge

#endif // FORGE_SUPPORT_TENSORSPEC_H
