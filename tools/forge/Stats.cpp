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
  for (const KernelInfo &kernel : stats.kernels)
    list.push_back({{"name", kernel.name},
                    {"strategy", kernel.strategy},
                    {"schedule", kernel.schedule},
                    {"flops", kernel.flops},
                    {"bytes", kernel.bytes}});
  return list;
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
    result["agree"] = i < stats.comparisons.size() ? json(stats.comparisons[i].agree) : json();
    list.push_back(std::move(result));
  }
  return list;
}

Result<void> tool::writeStats(const std::string &path, const RunStats &stats) {
  double compileMs = 0;
  for (const PhaseTime &phase : stats.phases)
    compileMs += phase.ms;
  json document = {
      {"module", stats.module},      {"function", stats.function},
      {"target", stats.target},      {"tier", stats.tier},
      {"phases", phasesOf(stats)},   {"compile_ms", compileMs},
      {"kernels", kernelsOf(stats)}, {"launches", stats.kernels.size()},
      {"run_ms", stats.runMs},       {"peak_temporary_bytes", stats.peakTemporaryBytes},
      {"results", resultsOf(stats)}};
  auto handler = json::error_handler_t::replace; // names may hold any bytes
  return writeFileAtomically(path, document.dump(2, ' ', false, handler) + "\n");
}
