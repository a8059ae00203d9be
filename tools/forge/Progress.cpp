#include "Progress.h"

#include <chrono>
#include <cstdio>

#include <unistd.h>

using namespace forge::tool;

static constexpr std::chrono::seconds kSilence(2);
static constexpr std::chrono::milliseconds kRefresh(250);

Progress::Progress(std::string step) : current(std::move(step)) {
  if (isatty(STDERR_FILENO))
    watcher = std::thread([this] { watch(); });
}

Progress::~Progress() { finish(); }

void Progress::step(std::string name) {
  std::lock_guard lock(mutex);
  current = std::move(name);
}

void Progress::finish() {
  {
    std::lock_guard lock(mutex);
    finished = true;
  }
  changed.notify_all();
  if (watcher.joinable())
    watcher.join();
}

void Progress::wipe() {
  if (shown)
    std::fputs("\r\033[K", stderr);
  shown = false;
}

void Progress::watch() {
  auto start = std::chrono::steady_clock::now();
  std::unique_lock lock(mutex);
  auto isFinished = [this] { return finished; };
  if (changed.wait_for(lock, kSilence, isFinished))
    return;
  do {
    auto seconds =
        std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - start);
    wipe();
    std::fprintf(stderr, "%s, %lld s", current.c_str(), static_cast<long long>(seconds.count()));
    std::fflush(stderr);
    shown = true;
  } while (!changed.wait_for(lock, kRefresh, isFinished));
  wipe();
}
