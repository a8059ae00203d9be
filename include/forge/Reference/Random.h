// rng_bit_generator and rng: Threefry and Philox (Salmon et al., "Parallel random numbers: as easy
// as 1, 2, 3", SC 2011). No MLIR.
#ifndef FORGE_REFERENCE_RANDOM_H
#define FORGE_REFERENCE_RANDOM_H

#include "forge/Reference/Elements.h"

#include <array>

namespace forge::reference {

enum class RandomAlgorithm { Default, Threefry, Philox };

/// Threefry-2x32 with 20 rounds: the block of `counter` under `key`.
std::array<uint32_t, 2> threefry2x32(std::array<uint32_t, 2> key, std::array<uint32_t, 2> counter);
/// Philox-4x32 with 10 rounds.
std::array<uint32_t, 4> philox4x32(std::array<uint32_t, 2> key, std::array<uint32_t, 4> counter);

struct RandomBits {
  HostTensor state;
  HostTensor output;
};

/// Fills a tensor of `type` (integer, or float by bit pattern) with random bits,
/// in XLA's variants (the specification leaves them to the implementation). `state` is ui64: [key,
/// counter] for Threefry, [key, counter low(, counter high)] for Philox, where the high half of a
/// state of two words is the key and stays as it is. Default is Philox, as on XLA's CPU and GPU.
/// - Threefry, 64 bits: block i is threefry(key, counter + i) on the counter's (low, high) words;
///   element i is its (low, high) words. 32 bits and less: the first even dimension (else the
///   largest) is split in half, rounded up; block j belongs to the j-th position of the halved
///   shape, and its two words go to places 2s and 2s+1 of the split dimension. The counter grows by
///   the number of blocks.
/// - Philox: block j is philox(key, counter + j); its four words go to elements 4j … 4j+3 (two
///   64-bit elements of (low, high) words each).
/// Elements narrower than 32 bits take the low bits of a word.
Result<RandomBits> rngBitGenerator(RandomAlgorithm algorithm, const HostTensor &state, DType type,
                                   const Dims &dims);

enum class RandomDistribution { Uniform, Normal };

/// Draw `number` of a run, counted from 0: a tensor of these sizes. Element i is made of 64 bits r,
/// which are words 2 (i mod 2) (low) and 2 (i mod 2) + 1 of philox4x32 with key 0x9E3779B97F4A7C15
/// and counter 2^64 number + i / 2:
/// - Uniform, of floats: a + (b - a) u, u = floor(r / 2^11) / 2^53, below b; of integers and
///   booleans: a + r mod (b - a). It is a unless a < b.
/// - Normal, of floats: mean a, standard deviation b: a + b sqrt(2) erfInv(x) for
///   x = (2 floor(r / 2^11) + 1) / 2^53 - 1.
/// `a` and `b` are of rank 0 and of the type of the result, which is rounded to `type`.
Result<HostTensor> rng(RandomDistribution distribution, const HostTensor &a, const HostTensor &b,
                       DType type, const Dims &dims, uint64_t number);

} // namespace forge::reference

#endif // FORGE_REFERENCE_RANDOM_H
