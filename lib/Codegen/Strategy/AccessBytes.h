// The widest memory access of a thread.
#ifndef FORGE_LIB_CODEGEN_STRATEGY_ACCESSBYTES_H
#define FORGE_LIB_CODEGEN_STRATEGY_ACCESSBYTES_H

#include <cstdint>

namespace forge {

/// Bytes of one memory access at most.
inline constexpr int64_t kAccessBytes = 16;

} // namespace forge

#endif // FORGE_LIB_CODEGEN_STRATEGY_ACCESSBYTES_H
