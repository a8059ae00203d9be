// cuBLASLt called directly, as its documentation shows: the peer that compiled products are timed
// beside. It shares no code with Forge's runtime.
#ifndef FORGE_BENCHMARKS_LIBRARY_DIRECTPRODUCT_H
#define FORGE_BENCHMARKS_LIBRARY_DIRECTPRODUCT_H

#include "forge/Support/Result.h"

#include <cstdint>
#include <memory>
#include <string>

namespace forge::bench {

/// out = activation(lhs * rhs + residual + bias), row-major; [m, k] x [k, n], or rhs as [n, k].
struct ProductSpec {
  int64_t m = 0, n = 0, k = 0;
  /// "bf16", "f16", "f32", of the factors and of the result.
  std::string in, out;
  bool rhsTransposed = false, bias = false, residual = false;
  /// "", "relu" or "gelu_tanh".
  std::string activation;

  /// From what Forge's runtime calls it: "64x32x16 product, bf16 x bf16^T -> bf16, bias, relu".
  static Result<ProductSpec> parse(const std::string &description);
};

class DirectProduct {
public:
  virtual ~DirectProduct() = default;
  /// The product once, on operands drawn uniformly from [-1, 1]; milliseconds on the device between
  /// events before and after.
  virtual Result<double> run() = 0;
};

/// On CUDA's device 0: 32 MiB of workspace, the first algorithm of the heuristic.
Result<std::unique_ptr<DirectProduct>> createDirectProduct(const ProductSpec &spec);

} // namespace forge::bench

#endif // FORGE_BENCHMARKS_LIBRARY_DIRECTPRODUCT_H
