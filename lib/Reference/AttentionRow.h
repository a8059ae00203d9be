// One row of scores: what attention and its gradients share. No MLIR.
#ifndef FORGE_LIB_REFERENCE_ATTENTIONROW_H
#define FORGE_LIB_REFERENCE_ATTENTIONROW_H

#include "forge/Reference/Attention.h"

#include <limits>

namespace forge::reference {

/// The score of a key that is not seen.
constexpr double kHidden = -std::numeric_limits<double>::infinity();

/// Sizes by the names that the documentation uses.
struct AttentionSizes {
  int64_t batch, queryHeads, keyHeads, queries, keys, depth, width;
};

/// Fails unless the operands and options fit together.
Result<AttentionSizes> checkAttention(const HostTensor &query, const HostTensor &key,
                                      const HostTensor &value, const AttentionOptions &options);

/// Keys of a sequence, and the position of its first query.
struct SequencePlace {
  int64_t length, offset;
};
SequencePlace placeOf(const AttentionSizes &sizes, const AttentionOptions &options, int64_t batch);

/// The element of the mask for a score; a dimension of size 1 stands for all.
int64_t maskPlace(const HostTensor &mask, const Dims &index);

/// Whether the query at position p sees key t, of `length` keys.
bool sees(const AttentionOptions &options, int64_t p, int64_t t, int64_t length);

/// The sum of x[i] * y[i], of `count` numbers each, as Sum::ofProducts rounds it.
double dotProduct(const double *x, const double *y, int64_t count);

/// The score of one query and key once scaled and capped.
double cappedScore(double product, const AttentionOptions &options, double scale);

/// The score of one query and key once scaled, capped, changed and masked.
Result<double> finalScore(double product, const AttentionOptions &options, double scale,
                          const Dims &index);

/// exp(scores - the largest), their sum (with the sink's), and the base that was subtracted. NaN
/// among the scores makes all of them NaN.
double exponentials(std::vector<double> &scores, const double *sink, double &base);

} // namespace forge::reference

#endif // FORGE_LIB_REFERENCE_ATTENTIONROW_H
