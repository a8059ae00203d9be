// What a process does over time: spans in rows, for `--instrument`.
//
// Nothing is recorded, and no time is read, where no trace is active.
#ifndef FORGE_SUPPORT_TRACE_H
#define FORGE_SUPPORT_TRACE_H

#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

namespace forge {

/// Something that took time. Times are nanoseconds since the trace began.
struct TraceSpan {
  using Value = std::variant<int64_t, double, std::string>;
  std::string name;
  /// "compile", "pass", "run", "copy", "launch", "kernel" ...
  std::string category;
  int64_t begin = 0, end = 0;
  /// What else is known of it, by name.
  std::vector<std::pair<std::string, Value>> details = {};
};

/// Any thread may add to it.
class Trace {
public:
  using Clock = std::chrono::steady_clock;

  /// The thread that makes a trace is the "main thread" of it.
  Trace();

  int64_t at(Clock::time_point time) const {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(time - start).count();
  }
  int64_t now() const { return at(Clock::now()); }

  /// Adds to the row of a thread, in the group "host".
  void add(std::thread::id thread, TraceSpan span);
  void add(TraceSpan span) { add(std::this_thread::get_id(), std::move(span)); }
  /// Adds to the row `row` of `group`: a stream of a device.
  void add(const std::string &group, const std::string &row, TraceSpan span);

  struct Row {
    std::string group, name;
    std::vector<TraceSpan> spans;
  };
  /// All rows, those of a group one after the other, in the order of their first spans.
  std::vector<Row> rows() const;

  /// The trace that is recorded, or null.
  static Trace *active();
  /// Makes `trace` the active one while alive.
  class Activation {
  public:
    explicit Activation(Trace &trace);
    Activation(const Activation &) = delete;
    ~Activation();
  };

private:
  Row &rowOf(const std::string &group, const std::string &name);

  Clock::time_point start = Clock::now();
  mutable std::mutex mutex;
  std::vector<Row> all;
  std::map<std::thread::id, std::string> threads;
};

/// A span's begin or its end.
struct TraceEvent {
  bool begins;
  int64_t time;
  const TraceSpan *span;
};
/// Begins and ends of a row, ordered so that spans nest: what begins inside another span is inside
/// of it, and ends with it at the latest.
std::vector<TraceEvent> nestedEvents(const std::vector<TraceSpan> &spans);

/// Records what happens while it is alive, in the row of its thread.
class TraceScope {
public:
  TraceScope(std::string_view category, std::string_view name);
  TraceScope(const TraceScope &) = delete;
  ~TraceScope();
  void detail(std::string_view name, TraceSpan::Value value);

private:
  Trace *trace;
  TraceSpan span;
};

} // namespace forge

#endif // FORGE_SUPPORT_TRACE_H
