// Processes that may die or never end.
#ifndef FORGE_LIB_MUTATE_CHILDREN_H
#define FORGE_LIB_MUTATE_CHILDREN_H

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace forge::mutate {

/// How a child ended.
struct Ending {
  size_t number;      // as given to start
  std::string output; // what it wrote
  bool timedOut = false;
  int signal = 0; // that ended it; 0 when it ended by itself
};

/// Copies of this process, each doing one thing. They write nothing to the terminal, leave no core
/// file, and have a limit of memory, of processor time and, ten times as long, of time.
class Children {
public:
  /// `timeLimit`: seconds of processor time.
  explicit Children(double timeLimit) : timeLimit(timeLimit) {}
  /// Ends those that still run.
  ~Children();

  /// Runs `work` in a child; what it passes to its argument comes back as output, also when the
  /// child dies afterwards. False when there can be no more processes.
  using Write = std::function<void(const std::string &)>;
  bool start(size_t number, const std::function<void(const Write &)> &work);
  size_t running() const { return children.size(); }
  /// Waits for one to end. There must be one.
  Ending wait();

private:
  struct Child {
    size_t number;
    pid_t process;
    int pipe;
    std::string output;
    std::chrono::steady_clock::time_point started;
  };
  Ending finish(size_t index, bool timedOut);

  double timeLimit;
  std::vector<Child> children;
};

} // namespace forge::mutate

#endif // FORGE_LIB_MUTATE_CHILDREN_H
