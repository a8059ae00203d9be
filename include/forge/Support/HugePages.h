// Memory in huge pages where the system gives them on request. No MLIR.
#ifndef FORGE_SUPPORT_HUGEPAGES_H
#define FORGE_SUPPORT_HUGEPAGES_H

#include <cstddef>

namespace forge {

/// What huge pages are aligned to.
inline constexpr size_t kHugePage = size_t(2) << 20;

/// Asks for huge pages in [memory, memory + bytes), of which nothing has been touched. Matrices in
/// them are read without misses of the address caches, and 512 times fewer pages are cleared one by
/// one on first use. Nothing changes where the system has none.
void preferHugePages(void *memory, size_t bytes);

} // namespace forge

#endif // FORGE_SUPPORT_HUGEPAGES_H
