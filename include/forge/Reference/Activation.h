// Activation functions, and what is computed element by element with them. No MLIR.
#ifndef FORGE_REFERENCE_ACTIVATION_H
#define FORGE_REFERENCE_ACTIVATION_H

#include "forge/Reference/Elements.h"

namespace forge::reference {

enum class Activation { Relu, ReluSquared, Gelu, GeluTanh, Silu, Sigmoid, Tanh };

/// The function at one point, in double. Relu: max(x, 0); ReluSquared: max(x, 0)^2 (So et al.,
/// Primer, 2021); Gelu: x/2 (1 + erf(x / sqrt 2)) and GeluTanh: its approximation by tanh
/// (Hendrycks and Gimpel, 2016); Silu: x sigmoid(x) (Elfwing et al., 2017). NaN gives NaN.
double activation(Activation kind, double x);

/// What GeluTanh takes the tanh of: sqrt(2 / pi) (x + 0.044715 x^3).
double geluTanhInner(double x);

/// The function on every element of a float tensor of any shape, rounded to its type.
Result<HostTensor> activation(Activation kind, const HostTensor &x);

/// result[i..., :] = table[clamp(ids[i...], 0, V - 1), :] for `table` [V, D] and integers `ids` of
/// any shape. Fails when the table has no row and a row is asked for.
Result<HostTensor> embedding(const HostTensor &table, const HostTensor &ids);

} // namespace forge::reference

#endif // FORGE_REFERENCE_ACTIVATION_H
