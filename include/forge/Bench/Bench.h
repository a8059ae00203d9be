// Times a function by each tier, one run of each in turn.
#ifndef FORGE_BENCH_BENCH_H
#define FORGE_BENCH_BENCH_H

#include "forge/Bench/Peers.h"
#include "forge/Execution/Executable.h"
#include "forge/Execution/TargetDevice.h"

#include <functional>

namespace forge {

struct BenchOptions {
  /// Function, target and phase of the module.
  CompileOptions compile;
  /// By their names.
  std::vector<std::string> tiers = {"hybrid"};
  std::vector<HostTensor> inputs;
  /// Timed runs of each, after two that warm up.
  size_t runs = 21;
  /// Also a copy in memory and a product, as ceilings of the machine.
  bool ceilings = true;
  /// On a GPU, also what the vendor's libraries take for the kernels of the first tier.
  bool peers = true;
  /// Told what is going on, for progress on a terminal.
  std::function<void(llvm::StringRef)> progress;
};

/// What was timed: a tier, a library called directly, or a ceiling.
struct BenchRow {
  std::string name;
  /// Of each run, in order: wall time inside compiled code, up to the end of the device's work.
  std::vector<double> ms;
  /// Of a ceiling, per run: bytes read and written, or floating-point operations.
  double bytes = 0, flops = 0;
  /// Of a library: what it computes, and whether its calls were captured in a graph, as those of
  /// tiers are.
  std::string work = {};
  bool isCalledEachTime = false;
};

/// What a tier's kernels take one by one, all launches together.
struct KernelTimes {
  /// At the least at the chip's ceilings, and as the cost model predicts it, with the launches.
  double floorMs = 0, predictedMs = 0;
};

/// What the kernels of a tier do in a run, from static sizes; 0 where they are not known.
struct TierWork {
  double bytes = 0, flops = 0;
};

struct BenchReport {
  /// The tiers, then the libraries, then the ceilings.
  std::vector<BenchRow> rows;
  /// Rows of libraries.
  size_t numPeers = 0;
  /// Kernels of the first tier that no library computes, or not here, and why.
  std::vector<KernelWithoutPeer> withoutPeer;
  /// Of each tier.
  std::vector<TierWork> work;
  /// On a GPU, of each tier; nothing where a size is not known.
  std::vector<std::optional<KernelTimes>> kernels;
};

/// Opens `target`, as openTarget does. Fails for a simulated device, too, which has no clock.
Result<TargetDevice> openTimedTarget(const std::string &target);

/// Leaves `module` as it is. Fails where one does not compile or run, and for a simulated device,
/// which has no clock.
Result<BenchReport> bench(mlir::ModuleOp module, const BenchOptions &options);

} // namespace forge

#endif // FORGE_BENCH_BENCH_H
