// What one compiled function holds on a device: a stream, an arena, loaded modules, uploaded
// constants, captured graphs. The C functions (DeviceABI.h) work on it. No MLIR.
#ifndef FORGE_RUNTIME_DEVICECONTEXT_H
#define FORGE_RUNTIME_DEVICECONTEXT_H

#include "forge/Runtime/DeviceArena.h"
#include "forge/Runtime/VendorBlas.h"

#include <array>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace forge {
struct TensorSource;
}

namespace forge::rt {

class Upload;

/// The device time of one launch, when timed.
struct KernelTime {
  std::string kernel;
  std::string description;
  double ms = 0;
};

/// Used by one thread at a time. After an error it can be used again: what a lost device took along
/// is made anew at the next beginRun.
class DeviceContext {
public:
  static Result<std::unique_ptr<DeviceContext>> create(std::shared_ptr<Device> device);
  ~DeviceContext();

  Device &device() { return *owner; }
  const std::shared_ptr<Device> &sharedDevice() const { return owner; }
  Stream &stream() { return *work; }

  /// Before each run: all memory of the last run is free again; a lost device is reset.
  Result<void> beginRun();
  /// After each run, also a failed one: ends a capture left open, waits for the device, and tells
  /// what failed there, naming the launches since the last wait.
  Result<void> endRun();

  /// Memory in stream order, until released, the run's end, or the end of an open sequence.
  Result<void *> allocate(size_t bytes);
  Result<void> release(void *pointer);
  /// The most bytes of temporaries alive at once in the last run.
  size_t peakBytes() const;

  /// The module made of `bytes` (at this address each time), loaded at first use.
  Result<Module *> module(std::string_view bytes, const std::string &name);
  /// The kernel `name` (at this address each time).
  Result<Kernel *> kernel(Module &module, const char *name);
  /// The device's copy of `bytes` (at this address each time), uploaded at first use.
  Result<void *> constant(const void *bytes, size_t size);

  /// Copies the elements of `source` to memory of the device, and waits until they are there. Large
  /// ones go through pinned host memory, 16 MiB for each thread that fills it, which is kept until
  /// the context ends.
  Result<void> upload(void *target, const TensorSource &source);

  Result<void> launch(Kernel &kernel, Launch launch);
  /// A product by the vendor's library, opened at first use.
  Result<void> multiply(const forge_rt_matmul &product, const MatmulOperands &operands);
  /// The same, and true, if the vendor's library is there and offers the product; false, with
  /// nothing done, if not.
  Result<bool> multiplyIfOffered(const forge_rt_matmul &product, const MatmulOperands &operands);
  /// Waits; tells what failed, as endRun does.
  Result<void> synchronize();

  /// Starts a sequence that does the same each time `words` are the same; true if it must be issued
  /// by the caller, false if a captured graph did it. It is captured the second time.
  Result<bool> beginSequence(const void *key, const int64_t *words, size_t count);
  Result<void> endSequence(const void *key);
  bool inSequence() const { return open != nullptr; }
  /// Off: beginSequence always says true. FORGE_GRAPHS=0 turns graphs off from the start.
  void setGraphs(bool on) { graphsOn = on; }
  /// Off: every launch waits for the one before it to end. FORGE_DEPENDENT_LAUNCHES=0 turns them
  /// off from the start.
  void setDependentLaunches(bool on) { dependentOn = on; }
  size_t numGraphCaptures() const { return captures; }
  size_t numGraphReplays() const { return replays; }

  /// Times every launch from here on with events; no graphs meanwhile.
  void setTiming(bool on) { timing = on; }
  /// The times since the last call, in order of launch. Waits for the device.
  Result<std::vector<KernelTime>> takeTimes();

  /// Launches asked for, replayed ones not counted.
  size_t numLaunches() const { return launches; }

private:
  struct Sequence;
  struct TimedLaunch;
  /// For messages; made into text only when something failed.
  struct RecentLaunch {
    const Kernel *kernel = nullptr;
    Launch launch;
  };
  explicit DeviceContext(std::shared_ptr<Device> device);
  Result<void> rebuild();
  void forget();
  Result<VendorBlas *> vendorBlas();
  Error withLaunches(const Error &error) const;
  Result<std::unique_ptr<TimedLaunch>> startTiming(std::string name, std::string description);

  std::shared_ptr<Device> owner;
  uint64_t generation = 0;
  std::unique_ptr<Stream> work;
  std::unique_ptr<DeviceArena> arena, constantArena;
  std::unique_ptr<Upload> uploads;
  std::unique_ptr<VendorBlas> blas;
  /// Why there is no `blas`, once it was asked for.
  std::string blasMissing;
  std::unordered_map<const void *, std::unique_ptr<Module>> modules;
  std::unordered_map<const void *, Kernel *> kernels;
  std::unordered_map<const void *, void *> constants;
  std::unordered_map<const void *, std::unique_ptr<Sequence>> sequences;
  Sequence *open = nullptr;
  std::array<RecentLaunch, 4> recent;
  size_t sinceWait = 0;
  std::vector<std::unique_ptr<TimedLaunch>> timed;
  size_t launches = 0, captures = 0, replays = 0;
  bool graphsOn = true, dependentOn = true, timing = false, waitEachLaunch = false;
};

} // namespace forge::rt

#endif // FORGE_RUNTIME_DEVICECONTEXT_H
