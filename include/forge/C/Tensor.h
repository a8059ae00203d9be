/* A tensor in host memory, as Forge's C functions take and give it. */
#ifndef FORGE_C_TENSOR_H
#define FORGE_C_TENSOR_H

#include <stdint.h>

/** Row-major and dense. Types smaller than a byte take one byte an element; of i1, every byte that
 * is not 0 is true, and is given back as 1. */
struct forge_tensor {
  /** "f32", "bf16", "i64", "ui8", "i1", "complex<f32>": as StableHLO spells it. Results of a run
   * and tensors of buffers that are complex are given as their parts: f32 or f64, with a last
   * dimension of 2. */
  const char *type;
  int64_t rank;
  /** `rank` sizes, outermost first; may be null for a scalar. */
  const int64_t *sizes;
  /** May be null if there are no elements. */
  void *data;
};

#endif /* FORGE_C_TENSOR_H */
