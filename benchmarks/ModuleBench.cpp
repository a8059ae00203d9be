// Whole modules that frameworks wrote: the time of a run, and of each phase of compilation.
#include "Compiled.h"

#include <filesystem>

using namespace forge::bench;

/// Whether two results are equal but for rounding: to 1e-4 of the largest element.
static bool agree(const forge::HostTensor &ours, const std::vector<float> &theirs) {
  double largest = 0, difference = 0;
  for (size_t i = 0; i < theirs.size(); ++i) {
    largest = std::max(largest, std::abs(ours.getDouble(i)));
    difference = std::max(difference, std::abs(ours.getDouble(i) - theirs[i]));
  }
  return ours.numElements() == static_cast<int64_t>(theirs.size()) && difference <= 1e-4 * largest;
}

/// The module's function by hand from oneDNN's primitives, on the same inputs; its result must be
/// ours.
static void peer(benchmark::State &state, std::string name, std::shared_ptr<CompiledOnce> ours) {
  std::string error;
  Compiled *compiled = ours->get(error);
  if (!compiled)
    return state.SkipWithError(error.c_str());
  Peer peer = oneDnnPeer(name, compiled->arguments());
  peer.run();
  std::optional<forge::HostTensor> result = compiled->runOnce(error);
  if (!result || !agree(*result, peer.result()))
    return state.SkipWithError(result ? "oneDNN's result is not ours" : error.c_str());
  for (auto iteration : state)
    peer.run();
}

static void compile(benchmark::State &state, std::string path) {
  std::string error;
  std::map<std::string, double> phases;
  for (auto iteration : state) {
    auto compiled = Compiled::fromFile(path, error);
    if (!compiled)
      return state.SkipWithError(error.c_str());
    double total = 0;
    for (const forge::PhaseTime &phase : compiled->phaseTimes()) {
      phases[phase.name] += phase.ms;
      total += phase.ms;
    }
    state.SetIterationTime(total * 1e-3);
  }
  for (auto &[name, ms] : phases)
    state.counters[name + "_ms"] = benchmark::Counter(ms, benchmark::Counter::kAvgIterations);
}

void forge::bench::registerModules() {
  namespace fs = std::filesystem;
  const char *given = std::getenv("FORGE_REAL_MODULES");
  fs::path folder = given ? given : FORGE_SOURCE_DIR "/../shared/real/stablehlo";
  std::error_code failed;
  std::vector<fs::path> modules;
  for (const fs::directory_entry &entry : fs::directory_iterator(folder, failed))
    if (fs::exists(entry.path() / "module.mlir"))
      modules.push_back(entry.path() / "module.mlir");
  std::sort(modules.begin(), modules.end());
  for (const fs::path &module : modules) {
    std::string name = module.parent_path().filename();
    auto load = [module](std::string &error) { return Compiled::fromFile(module.string(), error); };
    auto compiled = std::make_shared<CompiledOnce>(load);
    registerCompiled("run/" + name, compiled, 0);
    if (hasPeer(name))
      benchmark::RegisterBenchmark(("run/" + name + "/onednn").c_str(), peer, name, compiled)
          ->UseRealTime()
          ->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark(("compile/" + name).c_str(), compile, module.string())
        ->UseManualTime()
        ->Iterations(3)
        ->Unit(benchmark::kMillisecond);
  }
}
