// A GPU on the CPU: device memory with shadow, and launches of kernels that were compiled for one
// thread. Knows nothing of MLIR; Simulator/Module.h makes the code that runs here.
#ifndef FORGE_SIMULATOR_MACHINE_H
#define FORGE_SIMULATOR_MACHINE_H

#include "forge/Simulator/Finding.h"
#include "forge/Support/Result.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace forge::sim {

struct Dim3 {
  uint32_t x = 1, y = 1, z = 1;
  uint64_t count() const { return uint64_t(x) * y * z; }
};

/// What the machine imitates.
struct Chip {
  std::string name;
  uint32_t warpSize = 32;
  /// Bytes of shared memory a block may have, static and dynamic together.
  uint32_t sharedBytes = 48 << 10;
  uint32_t maxBlockThreads = 1024;
  /// A shuffle of fewer lanes than a warp has works in each segment of so many lanes; else only in
  /// the first.
  bool shuffleSegments = false;
};

/// One argument of a kernel: a pointer to device memory, or a scalar of `bytes` bytes.
struct KernelArgument {
  bool isPointer = false;
  uint32_t bytes = 8;
  /// Of a pointer: the bytes behind it that the kernel may access; none if only the allocation
  /// says.
  std::optional<uint64_t> extent;
  /// Of a pointer: bytes of an element, 0 if unknown.
  uint32_t elementBytes = 0;
};

/// A place in the kernels' code that the runtime is called from.
struct SiteInfo {
  /// The operation ("llvm.load", "gpu.barrier") and where it stands ("k.mlir:12:5").
  std::string operation, location;
  /// Of an access: bytes, and what the address is a multiple of.
  uint32_t bytes = 0, alignment = 1;
  /// Of an access: the argument of the kernel that the address is computed from, or -1.
  int32_t root = -1;
};

/// Compiled code of one kernel, for one thread.
struct Kernel {
  std::string name;
  /// Reads the arguments from where `args` points, one pointer per argument, as cuLaunchKernel
  /// takes them.
  void (*entry)(void **args) = nullptr;
  std::vector<KernelArgument> arguments;
  /// Bytes of shared memory it declares itself.
  uint32_t staticShared = 0;
  /// Bytes of its private arrays.
  uint32_t privateBytes = 0;
  /// The only block size it may be launched with.
  std::optional<Dim3> blockSize;
  /// The only cluster size it may be launched with; a launch that names none has it.
  std::optional<Dim3> clusterSize;
  const std::vector<SiteInfo> *sites = nullptr;
};

struct LaunchConfig {
  Dim3 grid, block, cluster;
  uint32_t dynamicShared = 0;
};

/// Which order threads run in, and what is looked for. Bounds and alignment are always checked.
struct Options {
  /// 0: threads, warps and blocks in ascending order. Otherwise a permutation that depends on the
  /// seed alone.
  uint64_t seed = 0;
  bool races = true;
  bool uninitialised = true;
  /// Steps of loops that one thread may take before it counts as endless.
  uint64_t stepLimit = uint64_t(1) << 30;
};

/// What launches have done so far.
struct Statistics {
  uint64_t launches = 0, threads = 0, accesses = 0, switches = 0;
};

class Machine {
public:
  explicit Machine(Chip chip);
  ~Machine();
  Machine(const Machine &) = delete;
  Machine &operator=(const Machine &) = delete;

  const Chip &chip() const;
  Options &options();
  const Statistics &statistics() const;

  /// Device memory, a multiple of 256 in address, with content that counts as uninitialised.
  Result<void *> allocate(uint64_t bytes);
  Result<void> free(void *pointer);
  /// Copies to and from device memory, which must lie within one allocation. Reading does not ask
  /// whether the bytes were ever written.
  Result<void> write(void *device, const void *host, uint64_t bytes);
  Result<void> read(void *host, const void *device, uint64_t bytes);
  Result<void> copy(void *to, const void *from, uint64_t bytes);
  Result<void> fill(void *device, uint8_t value, uint64_t bytes);
  /// The content counts as uninitialised from now on: the buffer behind these bytes begins to live.
  Result<void> forget(void *device, uint64_t bytes);
  uint64_t bytesInUse() const;

  /// Runs a kernel to its end, or to the first finding.
  std::optional<Finding> launch(const Kernel &kernel, const LaunchConfig &config, void **args);

private:
  std::unique_ptr<struct MachineState> state;
};

} // namespace forge::sim

#endif // FORGE_SIMULATOR_MACHINE_H
