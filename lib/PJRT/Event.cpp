#include "Event.h"

using namespace forge;
using namespace forge::pjrt;

void Completion::finish(std::optional<Failure> failure) {
  std::vector<std::function<void(const std::optional<Failure> &)>> next;
  {
    std::lock_guard<std::mutex> lock(mutex);
    failed = std::move(failure);
    done = true;
    next.swap(waiting);
  }
  changed.notify_all();
  for (auto &call : next)
    call(failed);
}

bool Completion::isDone() {
  std::lock_guard<std::mutex> lock(mutex);
  return done;
}

std::optional<Failure> Completion::wait() {
  std::unique_lock<std::mutex> lock(mutex);
  changed.wait(lock, [&] { return done; });
  return failed;
}

void Completion::whenDone(std::function<void(const std::optional<Failure> &)> next) {
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (!done) {
      waiting.push_back(std::move(next));
      return;
    }
  }
  next(failed);
}

Event *pjrt::makeDoneEvent() {
  auto done = std::make_shared<Completion>();
  done->finish();
  return new Event{std::move(done)};
}

Error *pjrt::Event_Destroy(Event_Destroy_Args *args) {
  delete args->event;
  return nullptr;
}

Error *pjrt::Event_IsReady(Event_IsReady_Args *args) {
  args->is_ready = args->event->completion->isDone();
  return nullptr;
}

Error *pjrt::Event_Error(Event_Error_Args *args) {
  Completion &completion = *args->event->completion;
  return completion.isDone() ? fail(completion.wait()) : nullptr;
}

Error *pjrt::Event_Await(Event_Await_Args *args) { return fail(args->event->completion->wait()); }

Error *pjrt::Event_OnReady(Event_OnReady_Args *args) {
  auto *callback = args->callback;
  void *user = args->user_arg;
  args->event->completion->whenDone(
      [=](const std::optional<Failure> &failure) { callback(fail(failure), user); });
  return nullptr;
}
