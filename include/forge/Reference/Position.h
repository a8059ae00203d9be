// Rotary positions, and the cache of keys and values. No MLIR.
#ifndef FORGE_REFERENCE_POSITION_H
#define FORGE_REFERENCE_POSITION_H

#include "forge/Reference/Elements.h"

#include <optional>

namespace forge::reference {

/// A rule that stretches the frequencies of rotary positions to contexts `factor` times longer.
/// Sources: linear: Chen et al., "Extending context window of large language models via positional
/// interpolation", 2023; dynamic NTK, yarn and llama3 as in transformers' modeling_rope_utils.py,
/// yarn: Peng et al., "YaRN", 2023.
struct RopeScaling {
  enum class Kind { None, Linear, Dynamic, Yarn, Llama3 };
  Kind kind = Kind::None;
  double factor = 1;
  /// The context that the model was trained for, in tokens.
  double originalLength = 0;
  /// yarn: turns within that context above which a frequency stays, and below which it is divided.
  double betaFast = 32, betaSlow = 1;
  /// yarn: what rotated elements are multiplied with; 0.1 * log(factor) + 1 unless given.
  std::optional<double> attentionFactor = {};
  /// llama3: turns below which a frequency is divided, and above which it stays.
  double lowFrequencyFactor = 1, highFrequencyFactor = 4;
};

/// Radians per position of the pairs 0 … rotaryDims / 2 - 1. `length` is 1 + the largest position
/// in use, which only the dynamic rule looks at.
std::vector<double> ropeFrequencies(int64_t rotaryDims, double base, const RopeScaling &scaling,
                                    double length);

struct RopeOptions {
  /// Elements of each head that are rotated: even, at most D.
  int64_t rotaryDims = 0;
  /// Pairs are (2i, 2i + 1) instead of (i, i + rotaryDims / 2).
  bool interleaved = false;
  /// Angles are negated.
  bool inverse = false;
  double base = 10000;
  RopeScaling scaling;
  /// Radians per position of each pair, [rotaryDims / 2], instead of those of base and scaling.
  const HostTensor *frequencies = nullptr;
  /// What frequencies and angles are rounded to: f32, or f64.
  DType angleType = DType::F32;
};

/// Rotates pairs of elements of `input`, [B, H, S, D], by frequency * position; `positions` is [S]
/// or [B, S]. Source: Su et al., "RoFormer", 2021.
Result<HostTensor> rope(const HostTensor &input, const HostTensor &positions,
                        const RopeOptions &options);

/// `cache` with rows[b, h, s, :] at row positions[b] + s: of sequence b in [B, H, T, D]; with
/// `table`, [B, M], of the sequence's pages in [P, H, R, D]. Other rows are dropped.
Result<HostTensor> kvAppend(const HostTensor &rows, const HostTensor &cache,
                            const HostTensor &positions, const HostTensor *table);

/// The gradient of kvAppend's rows, of their shape: the rows of `cotangent`, which has the shape of
/// the cache, that they were written to; zero for those that were dropped. (The gradient of the
/// cache is kvAppend of zeros into the cotangent.)
Result<HostTensor> kvAppendGrad(const HostTensor &cotangent, const HostTensor &rows,
                                const HostTensor &positions, const HostTensor *table);

} // namespace forge::reference

#endif // FORGE_REFERENCE_POSITION_H
