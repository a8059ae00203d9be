// Linear layers, products of groups of rows, feed-forward blocks. No MLIR.
#ifndef FORGE_REFERENCE_LINEAR_H
#define FORGE_REFERENCE_LINEAR_H

#include "forge/Reference/Matmul.h"
#include "forge/Reference/Quantization.h"

namespace forge::reference {

/// activation(input . weights^T + bias) + residual for input [..., K] and weights [N, K]; weights
/// stand for (w - zeroPoint) * scale where `quantization` has a scale, and the input then for
/// input * inputScale, [...], where there is one. Computed in double, rounded once to `result`.
Result<HostTensor> linear(const HostTensor &input, const HostTensor &weights,
                          const Quantization &quantization, const Epilogue &epilogue, DType result,
                          const HostTensor *inputScale = nullptr);

struct GroupedOptions {
  bool offsets = false;             ///< groups holds E + 1 positions, not E sizes
  bool transposeRhs = false;        ///< rhs is [E, N, K]
  const HostTensor *bias = nullptr; ///< [E, N]
  std::optional<Activation> activation = std::nullopt;
};

/// Rows [T, K] in groups, one after the other, each times its matrix of [E, K, N]. Positions are
/// held inside [0, T], negative sizes count as zero, of overlapping groups the last counts, rows in
/// no group are zero (as `jax.lax.ragged_dot` has it for sizes).
Result<HostTensor> groupedMatmul(const HostTensor &lhs, const HostTensor &rhs,
                                 const HostTensor &groups, const GroupedOptions &options,
                                 DType result);

/// A weight, [in, out] or, transposed, [out, in], and its bias [out] or null.
struct Layer {
  const HostTensor *weight;
  const HostTensor *bias;
};

struct MlpOptions {
  Activation activation = Activation::Relu;
  bool transposeWeights = false;
  const HostTensor *residual = nullptr;
};

/// activation(input . up) . down + residual, with biases; hidden activations are rounded to the
/// type of `input`, as the result is.
Result<HostTensor> mlp(const HostTensor &input, Layer up, Layer down, const MlpOptions &options);

/// (activation(input . gate) * (input . up)) . down + residual, with biases (Shazeer, GLU Variants
/// Improve Transformer, 2020). Gate, branch, product and result are rounded to the type of `input`.
Result<HostTensor> gatedMlp(const HostTensor &input, Layer gate, Layer up, Layer down,
                            const MlpOptions &options);

} // namespace forge::reference

#endif // FORGE_REFERENCE_LINEAR_H
