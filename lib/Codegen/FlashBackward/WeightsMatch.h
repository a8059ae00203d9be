// The weights of attention in what its gradients are computed from.
#ifndef FORGE_LIB_CODEGEN_FLASHBACKWARD_WEIGHTSMATCH_H
#define FORGE_LIB_CODEGEN_FLASHBACKWARD_WEIGHTSMATCH_H

#include "NumberBody.h"

namespace forge {

/// What follows from `scores`, up to sums of it, and leads to these: in program order, with the
/// fills that operations start from. Empty where it is not all of one block, or follows from a
/// product before `scores`.
llvm::SmallVector<mlir::Operation *> operationsAround(mlir::linalg::LinalgOp scores);

/// weight = exp(logit - base) / divisor, where base and divisor are numbers of rows that reductions
/// over the keys give; perhaps 0 where the divisor is 0.
class WeightsMatch {
public:
  /// Nothing where `program` has no weights, or several.
  static std::optional<WeightsMatch> find(const ScoreProgram &program);

  AttentionGraph::Place exponential, logit, base, divisor;

  bool isWeight(AttentionGraph::Place place) const;
  /// Whether it is exp(logit - base).
  bool isExponential(AttentionGraph::Place place) const;
  bool isDivisor(AttentionGraph::Place place) const;
  /// Whether exponentials are handed on in 16 bits.
  bool roundsExponentials() const;
  /// Whether the body of `stage` computes logits or exponentials, perhaps to reduce them.
  bool leadsToExponential(const AttentionStage &stage) const;
  /// Whether `place` stays what it is where exponentials and divisor are multiplied by one number
  /// of the row, as where weights and 1 are in their places.
  bool isOfWeights(AttentionGraph::Place place) const;
  /// Whether weights are 0 where the divisor is, instead of NaN.
  bool isZeroWithoutKeys() const;
  /// What remains of a number of rows without the choice of 0 where the divisor is 0.
  AttentionGraph::Place withoutChoice(AttentionGraph::Place place) const;

  /// 1 or -1 where the reduction `stage` is that times the sum over keys of a weight times its
  /// gradient, the second product, perhaps divided or multiplied by the divisor; otherwise 0.
  int signOfWeightedGradient(int stage) const;
  /// The weighted values, as they are left in memory: the sum over keys of weights times the
  /// second product's factor of the keys; nothing if they are not computed.
  std::optional<AxisTensor> findResult() const;

private:
  WeightsMatch(const ScoreProgram &program) : program(program), graph(program.graph) {}

  struct Factors {
    int sign = 1, weights = 0, gradients = 0;
  };
  /// False where `place` is no product of weights, their gradients and the divisor.
  bool addFactors(AttentionGraph::Place place, int power, Factors &factors) const;
  /// The power of what exponentials and divisor are multiplied by that `place` is multiplied by;
  /// nothing where there is none.
  std::optional<int> degreeOf(AttentionGraph::Place place,
                              llvm::DenseMap<mlir::Value, std::optional<int>> &known) const;
  std::optional<int> computeDegree(AttentionGraph::Place place,
                                   llvm::DenseMap<mlir::Value, std::optional<int>> &known) const;

  const ScoreProgram &program;
  AttentionGraph graph;
  AttentionGraph::Place division;
};

} // namespace forge

#endif // FORGE_LIB_CODEGEN_FLASHBACKWARD_WEIGHTSMATCH_H
