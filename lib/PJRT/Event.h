// Events: when something is done, and whether it failed.
#ifndef FORGE_LIB_PJRT_EVENT_H
#define FORGE_LIB_PJRT_EVENT_H

#include "Error.h"

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace forge::pjrt {

/// Something that will be done once. Any thread may use it.
class Completion {
public:
  /// Wakes who waits, and calls what was left by `whenDone`.
  void finish(std::optional<Failure> failure = std::nullopt);
  bool isDone();
  /// Waits.
  std::optional<Failure> wait();
  /// Calls `next`: now if it is done, otherwise in the thread that finishes it.
  void whenDone(std::function<void(const std::optional<Failure> &)> next);

private:
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false;
  std::optional<Failure> failed;
  std::vector<std::function<void(const std::optional<Failure> &)>> waiting;
};

/// What callers hold; several may be of one completion.
struct Event {
  std::shared_ptr<Completion> completion;
};

Event *makeDoneEvent();

Error *Event_Destroy(Event_Destroy_Args *args);
Error *Event_IsReady(Event_IsReady_Args *args);
Error *Event_Error(Event_Error_Args *args);
Error *Event_Await(Event_Await_Args *args);
Error *Event_OnReady(Event_OnReady_Args *args);

} // namespace forge::pjrt

#endif // FORGE_LIB_PJRT_EVENT_H
