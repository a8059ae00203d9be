// Made-up weights: for measuring a model of which there is only the configuration. No MLIR.
#ifndef FORGE_CHECKPOINT_RANDOMWEIGHTS_H
#define FORGE_CHECKPOINT_RANDOMWEIGHTS_H

#include "forge/Support/TensorSource.h"

namespace forge {

/// A weight whose elements are made up: uniform, with mean 0 and a standard deviation of 0.02, as
/// most models are initialised. Those of one dimension are 1, as scales of norms are, or 0 where
/// the name ends in "bias". The same for the same seed and name, whichever part is asked for.
class RandomWeight {
public:
  /// Fails unless elements are floating-point numbers of 8 bits or more and sizes are static.
  static Result<RandomWeight> create(const std::string &name, const TensorSpec &spec,
                                     uint64_t seed);

  /// Elements from `begin` on, a multiple of 4, as they are stored.
  void fill(int64_t begin, std::span<char> bytes) const;
  static TensorSource source(RandomWeight weight);

private:
  RandomWeight(TensorSpec spec, HostTensor values, uint64_t key)
      : spec(std::move(spec)), values(std::move(values)), key(key) {}

  TensorSpec spec;
  HostTensor values; ///< what elements may be; one, or a power of two
  uint64_t key;
};

} // namespace forge

#endif // FORGE_CHECKPOINT_RANDOMWEIGHTS_H
