#include "Stats.h"

#include "forge/Support/AtomicFile.h"

#include <nlohmann/json.hpp>

using namespace forge;
using namespace forge::tool;
using json = nlohmann::ordered_json;

static json phasesOf(const RunStats &stats) {
  json list = json::array();
  for (const PhaseTime &phase : stats.phases)
    list.push_back({{"name", phase.name}, {"ms", phase.ms}});
  return list;
}

static json kernelsOf(const RunStats &stats) {
  json list = json::array();
  for (const KernelInfo &kernel : stats.kernels) {
    json entry = {{"name", kernel.name},         {"strategy", kernel.strategy},
                  {"schedule", kernel.schedule}, {"flops", kernel.flops},
                  {"bytes", kernel.bytes},       {"launches", kernel.launches}};
    auto addKnown = [&](const char *name, int64_t value) {
      if (value >= 0)
        entry[name] = value;
    };
    addKnown("registers", kernel.registers);
    addKnown("scalar_registers", kernel.scalarRegisters);
    addKnown("shared_bytes", kernel.sharedBytes);
    addKnown("stack_bytes", kernel.stackBytes);
    addKnown("spill_bytes", kernel.spillBytes);
    list.push_back(std::move(entry));
  }
  return list;
}

static int64_t launchesOf(const RunStats &stats) {
  int64_t launches = 0;
  for (const KernelInfo &kernel : stats.kernels)
    launches += kernel.launches;
  return launches;
}

/// What a result may be off by: relative to its largest value, absolutely, in units in the last
/// place, and per element where that was measured.
static json toleranceOf(const Tolerance &tolerance) {
  json entry = {{"basis", tolerance.basis},
                {"absolute", tolerance.absolute},
                {"of_scale", tolerance.ofScale},
                {"ulp", tolerance.ulp}};
  if (std::optional<AllowedRange> range = allowedRange(tolerance)) {
    entry["least"] = range->least;
    entry["median"] = range->median;
    entry["most"] = range->most;
  }
  return entry;
}

/// Every result with its type; the differences are null where nothing was expected of it.
static json resultsOf(const RunStats &stats) {
  json list = json::array();
  for (size_t i = 0; i < stats.resultTypes.size(); ++i) {
    json result = {{"type", stats.resultTypes[i]}};
    bool compared = i < stats.comparisons.size() && stats.comparisons[i].mismatch.empty();
    result["max_abs"] = compared ? json(stats.comparisons[i].maxAbs) : json();
    result["max_rel"] = compared ? json(stats.comparisons[i].maxRel) : json();
    result["max_ulp"] = compared ? json(stats.comparisons[i].maxUlp) : json();
    result["of_allowed"] = compared ? json(stats.comparisons[i].maxOfAllowed) : json();
    result["differing"] = compared ? json(stats.comparisons[i].differing) : json();
    result["agree"] = i < stats.comparisons.size() ? json(stats.comparisons[i].agree) : json();
    result["tolerance"] = compared ? toleranceOf(stats.tolerances[i]) : json();
    list.push_back(std::move(result));
  }
  return list;
}

Result<void> tool::writeStats(const std::string &path, const RunStats &stats) {
  double compileMs = 0;
  for (const PhaseTime &phase : stats.phases)
    compileMs += phase.ms;
  json document = {{"module", stats.module},
                   {"function", stats.function},
                   {"target", stats.target},
                   {"tier", stats.tier},
                   {"phases", phasesOf(stats)},
                   {"compile_ms", compileMs},
                   {"kernels", kernelsOf(stats)},
                   {"launches", launchesOf(stats)},
                   {"run_ms", stats.runMs},
                   {"peak_temporary_bytes", stats.peakTemporaryBytes},
                   {"launches_issued", stats.launchesIssued},
                   {"graph_captures", stats.graphCaptures},
                   {"graph_replays", stats.graphReplays},
                   {"results", resultsOf(stats)}};
  if (stats.threadsSimulated > 0 && stats.runMs > 0)
    document["simulator"] = {{"threads", stats.threadsSimulated},
                             {"threads_per_second", 1e3 * stats.threadsSimulated / stats.runMs}};
  auto handler = json::error_handler_t::replace; // names may hold any bytes
  return writeFileAtomically(path, document.dump(2, ' ', false, handler) + "\n");
}
