// Inputs drawn at random, in no time: on the host by all threads, on a device by its own copies.
// The values depend on seed, argument and place only, and are the same on every target. No MLIR.
#ifndef FORGE_RUNTIME_RANDOMINPUTS_H
#define FORGE_RUNTIME_RANDOMINPUTS_H

#include "forge/Support/TensorSpec.h"

#include <map>

namespace forge::rt {

class DeviceContext;

/// Floats are uniform in [-1, 1], integers 0 or 1. Each element type has a pattern of kPeriod
/// elements, each a function of the seed and its number; an argument repeats it from a place of its
/// own.
class RandomInputs {
public:
  /// A prime, so that rows of no usual length are equal.
  static constexpr int64_t kPeriod = 4194301;

  explicit RandomInputs(uint64_t seed) : seed(seed) {}
  ~RandomInputs();
  RandomInputs(const RandomInputs &) = delete;

  /// The argument in host memory. `spec` has a static shape.
  Result<HostTensor> draw(const TensorSpec &spec, size_t argument);
  /// The same `count` elements to `memory` of the device, in the order of its stream.
  Result<void> draw(DeviceContext &device, void *memory, DType type, int64_t count,
                    size_t argument);

private:
  struct Pattern {
    HostTensor host;
    /// Its copy on `device`, once there is one.
    void *copy = nullptr;
  };
  Result<Pattern *> patternOf(DType type);
  int64_t startOf(size_t argument) const;

  uint64_t seed;
  DeviceContext *device = nullptr;
  std::map<DType, Pattern> patterns;
};

} // namespace forge::rt

#endif // FORGE_RUNTIME_RANDOMINPUTS_H
