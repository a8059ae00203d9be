// What limits launches that are one (`forge-fuse-launches`), for the pass that predicts them, too.
#ifndef FORGE_CODEGEN_JOINLIMITS_H
#define FORGE_CODEGEN_JOINLIMITS_H

#include <cstddef>
#include <cstdint>

namespace forge {

/// Kernels of one launch at most: all their arguments are arguments of it.
inline constexpr size_t kMostJoined = 8;
/// Operations of the host that a launch is moved across at most.
inline constexpr int64_t kMostCrossed = 64;
/// Threads of a launch that a multiprocessor has room for (CUDA programming guide, compute
/// capability 9.0): launches of different kernels are one while each has room on the chip, because
/// all blocks get registers for the greediest part.
inline constexpr int64_t kResidentThreads = 2048;

} // namespace forge

#endif // FORGE_CODEGEN_JOINLIMITS_H
