// Matrix products with an epilogue. No MLIR.
#ifndef FORGE_REFERENCE_MATMUL_H
#define FORGE_REFERENCE_MATMUL_H

#include "forge/Reference/Activation.h"

#include <optional>

namespace forge::reference {

/// What follows the sums of a product: activation(sum + bias) + residual. Absent parts are null.
struct Epilogue {
  const HostTensor *bias = nullptr;     ///< [N]
  const HostTensor *residual = nullptr; ///< the shape of the result
  std::optional<Activation> activation = std::nullopt;
};

struct MatmulOptions {
  bool transposeLhs = false; ///< lhs is [batch..., K, M]
  bool transposeRhs = false; ///< rhs is [batch..., N, K] or [N, K]
  Epilogue epilogue = {};
};

/// activation(lhs . rhs + bias) + residual for lhs [batch..., M, K] and rhs [batch..., K, N] or
/// [K, N]: the result is [batch..., M, N] of type `result`. Floats are computed in double and
/// rounded once; with a `result` of I32 the factors are integers and sums wrap modulo 2^32.
Result<HostTensor> matmul(const HostTensor &lhs, const HostTensor &rhs,
                          const MatmulOptions &options, DType result);

} // namespace forge::reference

#endif // FORGE_REFERENCE_MATMUL_H
