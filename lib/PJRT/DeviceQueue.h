// The work of a device: done one after the other, in the order it was given.
#ifndef FORGE_LIB_PJRT_DEVICEQUEUE_H
#define FORGE_LIB_PJRT_DEVICEQUEUE_H

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace forge::pjrt {

class DeviceQueue {
public:
  DeviceQueue() : worker([this] { work(); }) {}
  /// Does what is left first.
  ~DeviceQueue();

  /// Whether `submit` may do the task in the caller's thread: worth it for what takes no longer
  /// than waking the worker.
  enum class Cost { Small, Large };
  /// Does `task` after all that was submitted before: later, in the queue's thread; or at once, if
  /// it is small and nothing is before it.
  void submit(std::function<void()> task, Cost cost);

private:
  void work();

  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::function<void()>> tasks;
  bool busy = false, stopping = false;
  std::thread worker;
};

} // namespace forge::pjrt

#endif // FORGE_LIB_PJRT_DEVICEQUEUE_H
