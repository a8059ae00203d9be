/* How a kernel of the cpu driver is called: a function of a shared object, once per block. */
#ifndef FORGE_RUNTIME_CPUKERNEL_H
#define FORGE_RUNTIME_CPUKERNEL_H

#include <stdint.h>

/* The threads of a block are the kernel's own loop. Blocks run in any order, on any thread. */
struct forge_cpu_block {
  uint32_t gridSize[3];
  uint32_t blockSize[3];
  uint32_t blockIndex[3];
  uint32_t dynamicSharedBytes;
  void *dynamicShared;
};

/* void NAME(const struct forge_cpu_block *block, void *const *arguments), and with it
   const uint32_t NAME_arguments[] = {COUNT, BYTES OF THE FIRST, ...} */
typedef void (*forge_cpu_kernel)(const struct forge_cpu_block *block, void *const *arguments);

#endif /* FORGE_RUNTIME_CPUKERNEL_H */
