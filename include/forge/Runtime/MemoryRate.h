// How fast a machine's memory is, measured. No MLIR.
#ifndef FORGE_RUNTIME_MEMORYRATE_H
#define FORGE_RUNTIME_MEMORYRATE_H

#include <cstdint>

namespace forge::rt {

class Device;

/// Bytes a second, measured in some milliseconds. Of a GPU, what its copies from memory to memory
/// read and write. Of the CPU (null), what the threads of the pool read of as many bytes again and
/// again, of 128 MiB at most: what fits its caches comes from there. 0 where that cannot be
/// measured, and of simulated devices, whose time means nothing.
double memoryRate(Device *device, uint64_t bytes);

} // namespace forge::rt

#endif // FORGE_RUNTIME_MEMORYRATE_H
