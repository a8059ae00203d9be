// The numbers of rows that kernels of gradients read.
#ifndef FORGE_LIB_CODEGEN_FLASHBACKWARD_GRADIENTROWS_H
#define FORGE_LIB_CODEGEN_FLASHBACKWARD_GRADIENTROWS_H

#include "NewOperations.h"
#include "WeightsMatch.h"

namespace forge {

class GradientRows {
public:
  GradientRows(NewOperations &made, const ScoreProgram &program, const WeightsMatch &weights)
      : made(made), program(program), graph(program.graph), weights(weights) {}

  /// Creates those that `gradients` need. False if there is one that is not known to be equal to
  /// one of these.
  bool create(llvm::ArrayRef<const ScoreProgram::Sum *> gradients);

  /// Weights are 2^((logit - base) log2(e) - logSum), where logSum is log2(divisor): infinite where
  /// the divisor is 0 and weights are 0 then. They are not added up: beside a base of -1e9, as of a
  /// row whose keys are all masked, f32 does not hold the logarithm.
  AxisTensor base, logSum;
  /// By stage: sums over keys of weights times their gradients.
  llvm::DenseMap<int, AxisTensor> ofRows;
  /// Where `ofRows` is computed of results that are rounded to 16 bits.
  llvm::SmallVector<mlir::OpOperand *, 2> roundedResults;

private:
  bool createStatistics();
  /// The weighted values, where nothing computes them: of exponentials rounded to the type of the
  /// values, divided afterwards.
  std::optional<AxisTensor> createResult();
  /// The sum over columns of the result times its cotangent, or its opposite.
  std::optional<AxisTensor> createWeightedGradients(bool isNegative);
  /// The result of a reduction, or of the scores.
  std::optional<AxisTensor> keptTensor(AttentionGraph::Place place) const;

  NewOperations &made;
  const ScoreProgram &program;
  AttentionGraph graph;
  const WeightsMatch &weights;
};

} // namespace forge

#endif // FORGE_LIB_CODEGEN_FLASHBACKWARD_GRADIENTROWS_H
