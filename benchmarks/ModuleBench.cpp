// Whole modules that frameworks wrote: the time of a run, and of each phase of compilation.
#include "Compiled.h"

#include <filesystem>

using namespace forge::bench;

static double largest(const forge::HostTensor &tensor) {
  double most = 0;
  for (int64_t i = 0; i < tensor.numElements(); ++i)
    most = std::max(most, std::abs(tensor.getDouble(i)));
  return most;
}

/// Whether results are equal but for rounding: to 1e-4 of the result's largest element, and 1e-6 of
/// the largest of all results, where sums cancel (the gradient of a bias of keys is 0).
static bool agree(const std::vector<forge::HostTensor> &ours,
                  const std::vector<std::vector<float>> &theirs) {
  double ofAll = 0;
  for (const forge::HostTensor &tensor : ours)
    ofAll = std::max(ofAll, largest(tensor));
  for (size_t r = 0; r < theirs.size(); ++r) {
    double allowed = 1e-4 * largest(ours[r]) + 1e-6 * ofAll;
    if (ours[r].numElements() != static_cast<int64_t>(theirs[r].size()))
      return false;
    for (size_t i = 0; i < theirs[r].size(); ++i)
      if (!(std::abs(ours[r].getDouble(static_cast<int64_t>(i)) - theirs[r][i]) <= allowed))
        return false;
  }
  return ours.size() == theirs.size();
}

/// The module's function by hand from oneDNN's primitives, on the same inputs; its results must
/// be ours.
static void peer(benchmark::State &state, std::string name, std::shared_ptr<CompiledOnce> ours) {
  std::string error;
  Compiled *compiled = ours->get(error);
  if (!compiled)
    return state.SkipWithError(error.c_str());
  try {
    Peer peer = oneDnnPeer(name, compiled->arguments());
    peer.run();
    std::optional<std::vector<forge::HostTensor>> results = compiled->runOnce(error);
    if (!results || !agree(*results, peer.results()))
      return state.SkipWithError(results ? "oneDNN's results are not ours" : error.c_str());
    for (auto iteration : state)
      peer.run();
  } catch (const std::exception &failure) { // oneDNN's way of saying that it cannot
    state.SkipWithError(failure.what());
  }
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
