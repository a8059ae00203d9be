// Choices among scores: the largest, the k largest, a random one, experts; the loss of a given
// class. No MLIR.
#ifndef FORGE_REFERENCE_SELECTION_H
#define FORGE_REFERENCE_SELECTION_H

#include "forge/Reference/Elements.h"

#include <optional>

namespace forge::reference {

/// The places of `values` in falling order: larger numbers first, NaN of either sign before all of
/// them, equals (0 and -0 are) by rising index.
std::vector<int64_t> fallingOrder(const std::vector<double> &values);

/// The place of the first element in falling order, along the last dimension; 0 for an empty row.
Result<HostTensor> argmax(const HostTensor &input, DType indexType);

struct Selected {
  HostTensor values;
  HostTensor indices;
};

/// The first k elements in falling order along the last dimension, and their places.
Result<Selected> largest(const HostTensor &input, int64_t k, DType indexType);

/// Parameters of sample, one per row; pointers may be null.
struct SampleOptions {
  const HostTensor *temperature = nullptr; // f32: 1 unless given
  const HostTensor *topK = nullptr;        // integers: all tokens unless given
  const HostTensor *topP = nullptr;        // f32: all tokens unless given
};

/// A random token of each row of `logits`, [B, V]:
/// 1. argmax where the temperature is not above 0 or the largest logit is not finite;
/// 2. weights exp((x - max) / temperature), rounded to `weightType`, of the first topK tokens in
///    falling order;
/// 3. of these the shortest beginning whose weights sum up to topP of all of theirs;
/// 4. the first token by index at which their running sum exceeds u times their sum, where u is
///    the top 24 bits of the first word of Philox-4x32-10 (key: seed, counter: step), as a
///    fraction.
/// `seeds` and `steps` are [B], i64.
Result<HostTensor> sample(const HostTensor &logits, const HostTensor &seeds,
                          const HostTensor &steps, const SampleOptions &options, DType weightType,
                          DType indexType);

enum class LossReduction { None, Mean, Sum };

struct CrossEntropyOptions {
  LossReduction reduction = LossReduction::Mean;
  /// Rows of this class count for nothing.
  std::optional<int64_t> ignoreIndex = {};
  /// Share of the loss that is spread over all classes evenly.
  double labelSmoothing = 0;
};

/// log(sum(exp(logits))) - logits[target], by row of [..., C], reduced; of type `resultType`. NaN
/// for a target outside of [0, C - 1].
Result<HostTensor> crossEntropy(const HostTensor &logits, const HostTensor &targets,
                                const CrossEntropyOptions &options, DType resultType);

enum class RouterScore { Softmax, Sigmoid };
enum class GroupScore { Max, Top2 };

struct RouteOptions {
  RouterScore score = RouterScore::Softmax;
  int64_t k = 1;
  /// Chosen experts' weights are divided by their sum (+ 1e-20).
  bool normalize = false;
  /// Experts are in `groups` groups, of which only the best `topGroups` can be chosen from.
  int64_t groups = 1, topGroups = 1;
  GroupScore groupScore = GroupScore::Max;
  double scale = 1;
  /// Added to scores for the choice alone, [E]; may be null.
  const HostTensor *bias = nullptr;
  /// What scores are rounded to before they are ordered.
  DType scoreType = DType::F32;
};

/// The k experts of every row of `logits`, [N, E], and their weights. Source: DeepSeek-V2,
/// arXiv:2405.04434, and DeepSeek-V3, arXiv:2412.19437 (groups, bias); Mixtral, arXiv:2401.04088.
Result<Selected> moeRoute(const HostTensor &logits, const RouteOptions &options, DType indexType);

} // namespace forge::reference

#endif // FORGE_REFERENCE_SELECTION_H
