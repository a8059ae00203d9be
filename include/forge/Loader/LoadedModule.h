// A shared object made by `forge compile`, opened. No MLIR.
#ifndef FORGE_LOADER_LOADEDMODULE_H
#define FORGE_LOADER_LOADEDMODULE_H

#include "forge/Runtime/ModuleABI.h"
#include "forge/Support/ModuleSignature.h"
#include "forge/Support/TensorSource.h"

#include <memory>
#include <span>
#include <vector>

namespace forge {

/// The functions of a file that was made from a checkpoint's decoder: "prefill", perhaps others
/// whose names begin with "prefill_", and "decode". None of other files. They live to the end of
/// the process, as the file does.
std::vector<const char *> functionsOfDecoder(const std::string &path);

/// The files inside such a one: name and bytes.
Result<std::vector<std::pair<std::string, std::string_view>>>
filesOfDecoder(const std::string &path);

/// Stays open to the end of the process. The runtime is the one inside the shared object.
class LoadedModule {
public:
  /// Loads the file and reads the signature of its only function, or of one of a decoder's by its
  /// name; opens no device.
  static Result<LoadedModule> load(const std::string &path, const std::string &function = "");

  const ModuleSignature &signature() const { return facts; }
  /// Opens the device of this number, -1 for the default; once, before anything is run.
  Result<void> openDevice(int64_t device);
  /// Takes the device of another one of the same file, which is closed later.
  Result<void> openBeside(const LoadedModule &first);
  /// Gives back the device and what is kept of runs. The code stays mapped.
  void close();
  /// Runs once; the results stay until the next run.
  Result<void> run(std::span<const forge_tensor> inputs);
  Result<std::vector<HostTensor>> results() const;
  /// Copies the inputs to where the code reads them, for runs that drop their results.
  Result<void> loadInputs(std::span<const forge_tensor> inputs);
  Result<void> runLoaded();
  /// Runs once; inputs without elements are drawn at random. All stay loaded.
  Result<void> runRandom(std::span<const forge_tensor> inputs, uint64_t seed);

  /// A tensor that stays where the functions of the file read it; closed modules have none left.
  struct Release {
    decltype(&forge_module_release) release;
    void operator()(forge_module_tensor *tensor) const { release(tensor); }
  };
  using Kept = std::unique_ptr<forge_module_tensor, Release>;
  Result<Kept> keep(const TensorSource &source);
  Result<void> write(const Kept &tensor, const HostTensor &elements);
  /// Runs on such tensors, as forge_module_run_kept does; `results` has those that are not kept.
  Result<void> runKept(std::span<forge_module_tensor *const> arguments,
                       std::span<const int64_t> kept);
  /// Begins such a run, and waits for the one that was begun first; `results` has its results then.
  /// Where canBegin says so.
  Result<void> beginKept(std::span<forge_module_tensor *const> arguments,
                         std::span<const int64_t> kept);
  Result<void> finish();
  /// False of files of before.
  bool canBegin() const { return api.beginKept && api.finish; }
  double runMs() const { return api.runMs(instance); }
  /// As forge_module_memory_rate; 0 of files of before, which do not have it.
  double memoryRate(uint64_t bytes) const {
    return api.memoryRate ? api.memoryRate(instance, static_cast<int64_t>(bytes)) : 0;
  }
  void setTiming(bool on) { api.setTiming(instance, on); }
  std::string timingReport() const { return api.timingReport(instance); }

private:
  /// What a call of the module with this status says.
  Result<void> told(int status) const;

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
    decltype(&forge_module_open_beside) openBeside;
    decltype(&forge_module_keep) keep;
    decltype(&forge_module_write) write;
    decltype(&forge_module_release) release;
    decltype(&forge_module_run_kept) runKept;
    decltype(&forge_module_begin_kept) beginKept;
    decltype(&forge_module_finish) finish;
    decltype(&forge_module_memory_rate) memoryRate; ///< null where the file has none
  } api{};
  const forge_module_info *info = nullptr;
  ModuleSignature facts;
  forge_module *instance = nullptr;
};

} // namespace forge

#endif // FORGE_LOADER_LOADEDMODULE_H
