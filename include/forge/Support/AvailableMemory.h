// How much memory a process may take before the system ends it. No MLIR.
#ifndef FORGE_SUPPORT_AVAILABLEMEMORY_H
#define FORGE_SUPPORT_AVAILABLEMEMORY_H

#include <cstddef>
#include <cstdint>
#include <string>

namespace forge {

/// Bytes that can be taken without the system running out: what the kernel says is available, with
/// swap, or less where a control group (version 1 or 2) of this process, or one above it, has a
/// limit; the group's file cache, which gives way, counts as free. All of 64 bits where the system
/// does not say. The folders are parameters for tests.
uint64_t availableMemory(const std::string &proc = "/proc",
                         const std::string &cgroups = "/sys/fs/cgroup");

/// Whether taking `bytes` is sure to end the process: malloc promises memory that is not there.
/// Small amounts are not looked at.
bool exceedsMemory(size_t bytes);

} // namespace forge

#endif // FORGE_SUPPORT_AVAILABLEMEMORY_H
