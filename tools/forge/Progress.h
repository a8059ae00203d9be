// A line on a terminal that says what is being done, for what takes over two seconds.
#ifndef FORGE_TOOLS_FORGE_PROGRESS_H
#define FORGE_TOOLS_FORGE_PROGRESS_H

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace forge::tool {

/// While alive, and only when stderr is a terminal: after two seconds shows "STEP, 3 s" and keeps
/// it current. The line is wiped at the end.
class Progress {
public:
  explicit Progress(std::string step);
  ~Progress();
  Progress(const Progress &) = delete;

  /// From now on this is being done.
  void step(std::string name);
  /// Ends the display early; nothing is shown afterwards.
  void finish();

private:
  void watch();
  void wipe();

  std::mutex mutex;
  std::condition_variable changed;
  std::string current;
  bool finished = false;
  bool shown = false;
  std::thread watcher;
};

} // namespace forge::tool

#endif // FORGE_TOOLS_FORGE_PROGRESS_H
