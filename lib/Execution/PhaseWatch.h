// Between the files of lib/Execution: how long phases take.
#ifndef FORGE_LIB_EXECUTION_PHASEWATCH_H
#define FORGE_LIB_EXECUTION_PHASEWATCH_H

#include "forge/Execution/Executable.h"
#include "forge/Support/Trace.h"

namespace forge {

/// Tells the time since its last lap: to `times`, and to the trace that is recorded.
class PhaseWatch {
public:
  explicit PhaseWatch(std::vector<PhaseTime> &times) : times(times) {}

  void lap(const std::string &name) {
    Trace::Clock::time_point now = Trace::Clock::now();
    times.push_back({name, std::chrono::duration<double, std::milli>(now - start).count()});
    if (Trace *trace = Trace::active())
      trace->add({name, "compile", trace->at(start), trace->at(now)});
    start = now;
  }

private:
  std::vector<PhaseTime> &times;
  Trace::Clock::time_point start = Trace::Clock::now();
};

} // namespace forge

#endif // FORGE_LIB_EXECUTION_PHASEWATCH_H
