/* The conformance kernels for the cpu driver: a block's threads are loops. */
#include "forge/Runtime/CPUKernel.h"

#include <stdint.h>
#include <string.h>

#define KERNEL(NAME, ...)                                                                          \
  const uint32_t NAME##_arguments[] = {__VA_ARGS__};                                               \
  void NAME(const struct forge_cpu_block *block, void *const *arguments)
#define ARGUMENT(TYPE, INDEX) (*(TYPE *)arguments[INDEX])
/* The number of thread `t` of this block along x. */
#define GLOBAL_X(t) ((int64_t)block->blockIndex[0] * block->blockSize[0] + (t))

KERNEL(forge_test_iota, 2, 8, 4) {
  int32_t *out = ARGUMENT(int32_t *, 0), n = ARGUMENT(int32_t, 1);
  for (uint32_t t = 0; t < block->blockSize[0]; ++t)
    if (GLOBAL_X(t) < n)
      out[GLOBAL_X(t)] = (int32_t)GLOBAL_X(t);
}

KERNEL(forge_test_axpy, 4, 8, 8, 4, 8) {
  float *y = ARGUMENT(float *, 0), *x = ARGUMENT(float *, 1), a = ARGUMENT(float, 2);
  int64_t n = ARGUMENT(int64_t, 3);
  for (uint32_t t = 0; t < block->blockSize[0]; ++t)
    if (GLOBAL_X(t) < n)
      y[GLOBAL_X(t)] += a * x[GLOBAL_X(t)];
}

KERNEL(forge_test_arguments, 7, 8, 1, 2, 4, 8, 4, 8) {
  int64_t *out = ARGUMENT(int64_t *, 0);
  out[0] = ARGUMENT(int8_t, 1);
  out[1] = ARGUMENT(int16_t, 2);
  out[2] = ARGUMENT(int32_t, 3);
  out[3] = ARGUMENT(int64_t, 4);
  double e = ARGUMENT(float, 5), f = ARGUMENT(double, 6);
  memcpy(out + 4, &e, 8);
  memcpy(out + 5, &f, 8);
}

KERNEL(forge_test_grid, 1, 8) {
  int32_t *out = ARGUMENT(int32_t *, 0);
  const uint32_t *grid = block->gridSize, *size = block->blockSize, *b = block->blockIndex;
  uint32_t number = (b[2] * grid[1] + b[1]) * grid[0] + b[0], thread = 0;
  out += number * size[0] * size[1] * size[2];
  for (uint32_t z = 0; z < size[2]; ++z)
    for (uint32_t y = 0; y < size[1]; ++y)
      for (uint32_t x = 0; x < size[0]; ++x)
        out[thread++] = (int32_t)(b[0] | b[1] << 4 | b[2] << 8 | x << 12 | y << 16 | z << 20);
}

KERNEL(forge_test_reverse, 1, 8) {
  int32_t *data = ARGUMENT(int32_t *, 0) + GLOBAL_X(0), *shared = block->dynamicShared;
  uint32_t n = block->blockSize[0];
  for (uint32_t t = 0; t < n; ++t)
    shared[t] = data[t];
  for (uint32_t t = 0; t < n; ++t)
    data[t] = shared[n - 1 - t];
}

KERNEL(forge_test_spin, 2, 8, 8) {
  uint64_t x = 0;
  for (int64_t n = ARGUMENT(int64_t, 1); n > 0; --n)
    x = x * 6364136223846793005u + 1;
  *ARGUMENT(uint64_t *, 0) = x;
}

KERNEL(forge_test_store, 1, 8) { *ARGUMENT(int32_t *, 0) = 7; }
