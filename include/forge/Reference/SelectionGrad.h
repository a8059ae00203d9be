// Gradients of choices among scores, and of the loss; of grouped products. No MLIR. In double,
// rounded once.
#ifndef FORGE_REFERENCE_SELECTIONGRAD_H
#define FORGE_REFERENCE_SELECTIONGRAD_H

#include "forge/Reference/Selection.h"

namespace forge::reference {

/// The gradient of the logits of crossEntropy: g * (softmax(x)[j] - (1 - e) [j = class] - e / C),
/// where g is the row's cotangent, or the one cotangent (divided by the rows that count for a
/// mean). Ignored rows are 0, those of a class outside of [0, C - 1] NaN.
Result<HostTensor> crossEntropyGrad(const HostTensor &cotangent, const HostTensor &logits,
                                    const HostTensor &targets, const CrossEntropyOptions &options);

/// The gradient of the logits [N, E] of moeRoute, from the cotangent [N, k] of the weights and the
/// chosen experts, which are held inside [0, E - 1]. Of the options, score, normalize and scale
/// count.
Result<HostTensor> moeRouteGrad(const HostTensor &cotangent, const HostTensor &logits,
                                const HostTensor &experts, const RouteOptions &options);

/// Rows of length `length`, in which element indices[j] collects cotangent[j]; indices outside are
/// ignored.
Result<HostTensor> topKGrad(const HostTensor &cotangent, const HostTensor &indices, int64_t length);

} // namespace forge::reference

#endif // FORGE_REFERENCE_SELECTIONGRAD_H
