#include "forge/Support/Interrupt.h"

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include <unistd.h>

// 1. Paths are in a table without locks: a handler may do nothing that waits or allocates.
// 2. Whoever takes a path out of the table owns it; the handler keeps what it takes.
// 3. The handler removes files, then folders, the last made first.
static constexpr int numSlots = 256;
static std::atomic<char *> slots[numSlots];

void forge::removeTemporaries() {
  char *paths[numSlots];
  for (int i = 0; i < numSlots; ++i) {
    paths[i] = slots[i].exchange(nullptr);
    if (paths[i] && unlink(paths[i]) == 0)
      paths[i] = nullptr;
  }
  // A folder may be in a later slot than one inside it.
  for (int round = 0; round < 2; ++round)
    for (int i = numSlots; i-- > 0;)
      if (paths[i] && rmdir(paths[i]) == 0)
        paths[i] = nullptr;
}

extern "C" {
static void removeAndEnd(int signal) {
  forge::removeTemporaries();
  struct sigaction byDefault = {};
  byDefault.sa_handler = SIG_DFL;
  sigaction(signal, &byDefault, nullptr);
  raise(signal);
}
}

void forge::installInterruptHandler() {
  auto replaceDefault = [](int signal, void (*handler)(int)) {
    struct sigaction action = {};
    if (sigaction(signal, nullptr, &action) != 0 || action.sa_handler != SIG_DFL)
      return;
    action.sa_handler = handler;
    sigaction(signal, &action, nullptr);
  };
  for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXCPU})
    replaceDefault(signal, removeAndEnd);
  // A write beyond the limit on file sizes then fails as one to a full disk does.
  replaceDefault(SIGXFSZ, SIG_IGN);
}

void forge::removeOnInterrupt(const std::string &path) {
  char *copy = strdup(path.c_str());
  for (std::atomic<char *> &slot : slots) {
    char *none = nullptr;
    if (copy && slot.compare_exchange_strong(none, copy))
      return;
  }
  std::free(copy);
}

void forge::forgetOnInterrupt(const std::string &path) {
  for (std::atomic<char *> &slot : slots) {
    char *held = slot.load();
    if (!held || path != held || !slot.compare_exchange_strong(held, nullptr))
      continue;
    std::free(held);
    return;
  }
}
