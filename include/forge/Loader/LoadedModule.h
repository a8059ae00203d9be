// A shared object made by `forge compile`, opened. No MLIR.
#ifndef FORGE_LOADER_LOADEDMODULE_H
#define FORGE_LOADER_LOADEDMODULE_H

#include "forge/Runtime/ModuleABI.h"
#include "forge/Support/ModuleSignature.h"

#include <span>
#include <vector>

namespace forge {

/// Stays open to the end of the process. The runtime is the one inside the shared object.
class LoadedModule {
public:
  /// Loads the file and reads its signature; opens no device.
  static Result<LoadedModule> load(const std::string &path);

  const ModuleSignature &signature() const { return facts; }
  /// Opens the device of this number, -1 for the default; once, before anything is run.
  Result<void> openDevice(int64_t device);
  /// Gives back the device and what is kept of runs. The code stays mapped.
  void close();
  /// Runs once; the results stay until the next run.
  Result<void> run(const std::vector<HostTensor> &inputs);
  Result<void> run(std::span<const forge_tensor> inputs);
  Result<std::vector<HostTensor>> results() const;
  /// Copies the inputs to where the code reads them, for runs that drop their results.
  Result<void> loadInputs(const std::vector<HostTensor> &inputs);
  Result<void> runLoaded();
  /// Runs once; inputs without elements are drawn at random. All stay loaded.
  Result<void> runRandom(const std::vector<HostTensor> &inputs, uint64_t seed);
  double runMs() const { return api.runMs(instance); }
  void setTiming(bool on) { api.setTiming(instance, on); }
  std::string timingReport() const { return api.timingReport(instance); }

private:
  struct {
    decltype(&forge_module_open) open;
    decltype(&forge_module_close) close;
    decltype(&forge_module_run) run;
    decltype(&forge_module_load) load;
    decltype(&forge_module_run_loaded) runLoaded;
    decltype(&forge_module_run_random) runRandom;
    decltype(&forge_module_num_results) numResults;
    decltype(&forge_module_result) result;
    decltype(&forge_module_run_ms) runMs;
    decltype(&forge_module_set_timing) setTiming;
    decltype(&forge_module_timing_report) timingReport;
    decltype(&forge_module_error) error;
  } api{};
  const forge_module_info *info = nullptr;
  ModuleSignature facts;
  forge_module *instance = nullptr;
};

} // namespace forge

#endif // FORGE_LOADER_LOADEDMODULE_H
