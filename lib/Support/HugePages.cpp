#include "forge/Support/HugePages.h"

#include <cstdint>
#include <sys/mman.h>

void forge::preferHugePages(void *memory, size_t bytes) {
#ifdef MADV_HUGEPAGE
  // Only what whole huge pages cover: the rest of a page may be another's.
  auto begin = reinterpret_cast<uintptr_t>(memory), end = begin + bytes;
  begin = (begin + kHugePage - 1) / kHugePage * kHugePage;
  end = end / kHugePage * kHugePage;
  if (begin < end)
    madvise(reinterpret_cast<void *>(begin), end - begin, MADV_HUGEPAGE);
#else
  (void)memory, (void)bytes;
#endif
}
