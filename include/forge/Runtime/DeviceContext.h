// What one compiled function holds on a device: a stream, an arena, loaded modules, uploaded
// constants, captured graphs. The C functions (DeviceABI.h) work on it. No MLIR.
#ifndef FORGE_RUNTIME_DEVICECONTEXT_H
#define FORGE_RUNTIME_DEVICECONTEXT_H

#include "forge/Runtime/DevicePool.h"
#include "forge/Runtime/Landing.h"
#include "forge/Runtime/VendorBlas.h"

#include <array>
#include <chrono>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace forge {
struct TensorSource;
}

namespace forge::rt {

class DeviceTimer;
class Upload;

enum class DeviceWork { Kernel, Product, Copy };

/// When a device did a piece of work, and for how long by its own clock.
struct DeviceTime {
  DeviceWork kind = DeviceWork::Kernel;
  /// Of a kernel its name.
  std::string name;
  std::string description;
  /// Of a copy or a fill.
  size_t bytes = 0;
  /// On the host's clock; as exact as the device's first event of those timed is placed on it.
  std::chrono::steady_clock::time_point begin;
  double ms = 0;
  /// Of a kernel that takes time stamps the words that it wrote (forge/Codegen/Stamps.h).
  std::vector<int64_t> stamps = {};
};

/// Used by one thread at a time. After an error it can be used again: what a lost device took along
/// is made anew at the next beginRun.
class DeviceContext {
public:
  static Result<std::unique_ptr<DeviceContext>> create(std::shared_ptr<Device> device);
  ~DeviceContext();

  Device &device() { return *owner; }
  const std::shared_ptr<Device> &sharedDevice() const { return owner; }
  /// For tensors that outlive a run.
  const std::shared_ptr<DevicePool> &pool() { return kept; }
  Stream &stream() { return *work; }
  /// For results of runs that are under way.
  Landings &landings() { return freeLandings; }

  /// Before each run: all memory of the last run is free again; a lost device is reset.
  Result<void> beginRun();
  /// After each run, also a failed one: ends a capture left open, waits for the device, and tells
  /// what failed there, naming the launches since the last wait.
  Result<void> endRun();

  /// Between runs: gives memory of temporaries back to the device, and captured graphs, which know
  /// addresses in it; true if there was any.
  bool giveBack();

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
  /// The memory of the next launch's time stamps, cleared.
  Result<void> beginStamps(void *words, size_t bytes);
  /// Takes them with the time of the last launch, where launches are timed.
  Result<void> endStamps(const void *words, size_t bytes);
  /// A product by the vendor's library, opened at first use.
  Result<void> multiply(const forge_rt_matmul &product, const MatmulOperands &operands);
  /// The same, and true, if the vendor's library is there and offers the product; false, with
  /// nothing done, if not.
  Result<bool> multiplyIfOffered(const forge_rt_matmul &product, const MatmulOperands &operands);
  /// Waits; tells what failed, as endRun does.
  Result<void> synchronize();

  /// Starts a sequence that does the same each time `words` are the same; true if it must be issued
  /// by the caller, false if a captured graph did it. It is captured the second time. Sequences
  /// nest: while one is captured, those inside are part of its graph.
  Result<bool> beginSequence(const void *key, const int64_t *words, size_t count);
  Result<void> endSequence(const void *key);
  bool inSequence() const { return !open.empty(); }
  /// Off: beginSequence always says true. FORGE_GRAPHS=0 turns graphs off from the start.
  void setGraphs(bool on) { graphsOn = on; }
  /// Off: every launch waits for the one before it to end. FORGE_DEPENDENT_LAUNCHES=0 turns them
  /// off from the start.
  void setDependentLaunches(bool on) { dependentOn = on; }
  size_t numGraphCaptures() const { return captures; }
  size_t numGraphReplays() const { return replays; }

  /// Times every launch from here on with events; no graphs meanwhile. On from the start where a
  /// trace is recorded.
  void setTiming(bool on) { timing = on; }
  bool isTimed() const { return timing; }
  /// The times since the last call, in order of launch; those of copies and fills where a trace is
  /// recorded. Waits for the device.
  Result<std::vector<DeviceTime>> takeTimes();

  /// Launches asked for, replayed ones not counted.
  size_t numLaunches() const { return launches; }

private:
  struct Sequence;
  struct OpenSequence {
    const void *key = nullptr;
    /// Whose graph and arena it uses: its own, or those of the one around that is captured.
    Sequence *sequence = nullptr;
    bool isCaptured = false;
  };
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
  template <typename Issue>
  Result<void> issue(DeviceWork kind, const char *name, const char *description, Issue doIt);

  std::shared_ptr<Device> owner;
  std::shared_ptr<DevicePool> kept;
  uint64_t generation = 0;
  std::unique_ptr<DeviceTimer> timer;
  /// Goes before the timer, which it may use.
  std::unique_ptr<Stream> work;
  /// Of `work`, without what is recorded of it.
  Stream *plain = nullptr;
  std::unique_ptr<DeviceArena> arena, constantArena;
  std::unique_ptr<Upload> uploads;
  std::unique_ptr<VendorBlas> blas;
  /// Why there is no `blas`, once it was asked for.
  std::string blasMissing;
  std::unordered_map<const void *, std::unique_ptr<Module>> modules;
  std::unordered_map<const void *, Kernel *> kernels;
  std::unordered_map<const void *, void *> constants;
  std::unordered_map<const void *, std::unique_ptr<Sequence>> sequences;
  /// The sequences begun and not ended, the innermost last.
  std::vector<OpenSequence> open;
  std::array<RecentLaunch, 4> recent;
  size_t sinceWait = 0;
  size_t launches = 0, captures = 0, replays = 0;
  Landings freeLandings;
  bool graphsOn = true, dependentOn = true, timing = false, waitEachLaunch = false;
};

} // namespace forge::rt

#endif // FORGE_RUNTIME_DEVICECONTEXT_H
