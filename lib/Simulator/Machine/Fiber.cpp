#include "Fiber.h"

#include <sys/mman.h>

using namespace forge::sim;

static constexpr size_t kPage = 4096;

void StackPool::releaseAll() {
  for (const Stack &stack : all)
    munmap(stack.memory - kPage, stack.bytes + kPage);
  all.clear();
  idle.clear();
}

StackPool::~StackPool() { releaseAll(); }

void StackPool::reserve(size_t bytes) {
  bytes = (bytes + kPage - 1) / kPage * kPage;
  if (bytes <= stackBytes)
    return;
  releaseAll();
  stackBytes = bytes;
}

Stack StackPool::take() {
  if (!idle.empty()) {
    Stack stack = idle.back();
    idle.pop_back();
    return stack;
  }
  void *memory = mmap(nullptr, stackBytes + kPage, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    return Stack();
  mprotect(memory, kPage, PROT_NONE);
  Stack stack{static_cast<char *>(memory) + kPage, stackBytes};
  all.push_back(stack);
  return stack;
}
