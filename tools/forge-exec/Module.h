// A compiled shared object, opened.
#ifndef FORGE_TOOLS_FORGE_EXEC_MODULE_H
#define FORGE_TOOLS_FORGE_EXEC_MODULE_H

#include "forge/Runtime/ModuleABI.h"
#include "forge/Support/ModuleSignature.h"

#include <vector>

namespace forge::exec {

/// Stays open to the end of the process. The runtime is the one inside the shared object.
class Module {
public:
  /// Loads the file and reads its signature; opens no device.
  static Result<Module> load(const std::string &path);

  const ModuleSignature &signature() const { return facts; }
  Result<void> openDevice(int64_t device);
  /// Runs once; the results stay until the next run.
  Result<void> run(const std::vector<HostTensor> &inputs);
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

} // namespace forge::exec

#endif // FORGE_TOOLS_FORGE_EXEC_MODULE_H
