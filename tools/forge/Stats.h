// The JSON of --stats; docs/cli.md describes its fields.
#ifndef FORGE_TOOLS_FORGE_STATS_H
#define FORGE_TOOLS_FORGE_STATS_H

#include "forge/Execution/Executable.h"
#include "forge/Verify/Compare.h"

#include <optional>
#include <string>
#include <vector>

namespace forge::tool {

/// What a run was, for its statistics.
struct RunStats {
  std::string module;
  std::string function;
  std::string target;
  std::string tier;
  std::vector<PhaseTime> phases;
  std::vector<KernelInfo> kernels;
  double runMs = 0;
  int64_t peakTemporaryBytes = 0;
  /// On a device: launches issued one by one, graphs captured and replayed, threads of a simulated
  /// one.
  int64_t launchesIssued = 0, graphCaptures = 0, graphReplays = 0, threadsSimulated = 0;
  std::vector<std::string> resultTypes;
  /// Per result that was compared.
  std::vector<Comparison> comparisons;
  /// Per result, where any was compared.
  std::vector<Tolerance> tolerances;
};

/// Writes the statistics to `path`, all or nothing.
Result<void> writeStats(const std::string &path, const RunStats &stats);

} // namespace forge::tool

#endif // FORGE_TOOLS_FORGE_STATS_H
