#include "DeviceQueue.h"

using namespace forge::pjrt;

DeviceQueue::~DeviceQueue() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    stopping = true;
  }
  changed.notify_all();
  worker.join();
}

void DeviceQueue::submit(std::function<void()> task, Cost cost) {
  std::unique_lock<std::mutex> lock(mutex);
  if (cost == Cost::Large || busy || !tasks.empty()) {
    tasks.push_back(std::move(task));
    lock.unlock();
    changed.notify_all();
    return;
  }
  busy = true;
  lock.unlock();
  task();
  lock.lock();
  busy = false;
  bool more = !tasks.empty() || stopping;
  lock.unlock();
  if (more)
    changed.notify_all();
}

void DeviceQueue::work() {
  std::unique_lock<std::mutex> lock(mutex);
  while (true) {
    changed.wait(lock, [&] { return !busy && (stopping || !tasks.empty()); });
    if (tasks.empty())
      return;
    std::function<void()> task = std::move(tasks.front());
    tasks.pop_front();
    busy = true;
    lock.unlock();
    task();
    task = nullptr; // what it holds goes outside of the lock
    lock.lock();
    busy = false;
  }
}
