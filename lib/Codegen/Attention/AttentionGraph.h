// What a number in the body of a stage follows from, through the stages it is handed on by.
#ifndef FORGE_LIB_CODEGEN_ATTENTION_ATTENTIONGRAPH_H
#define FORGE_LIB_CODEGEN_ATTENTION_ATTENTIONGRAPH_H

#include "AttentionProgram.h"

namespace forge {

class AttentionGraph {
public:
  /// A value in the body of a stage, or of outside.
  struct Place {
    int stage;
    mlir::Value value;
  };

  explicit AttentionGraph(const AttentionProgram &program) : program(program) {}

  /// The place where the number is computed: through the stages that hand it on, up to a reduction.
  Place resolve(Place place) const;
  /// The same without what rounds it to a narrower float, or extends it, on the way.
  Place unrounded(Place place) const;
  /// Whether the number is the result of the reduction `stage`.
  bool isResultOf(Place place, int stage) const;
  /// Whether both are the same number at every place of the axes: the same operations on the same
  /// elements.
  bool isSame(Place a, Place b) const;
  /// Whether the number follows from a result of one of `stages`.
  bool dependsOn(Place place, llvm::ArrayRef<int> stages) const;
  /// Whether it differs along the axis: by an index, or by memory that is read there. Results of
  /// reductions over the axis do not.
  bool dependsOnAxis(Place place, unsigned axis) const;

private:
  bool dependsOn(Place place, llvm::ArrayRef<int> stages, llvm::DenseSet<mlir::Value> &seen) const;
  bool isSame(Place a, Place b, llvm::DenseSet<std::pair<mlir::Value, mlir::Value>> &same) const;
  bool dependsOnAxis(Place place, unsigned axis, llvm::DenseSet<mlir::Value> &seen) const;
  /// What hands the number to the body: the yielded value of the stage that computes it, where it
  /// is an argument for one; nothing otherwise.
  std::optional<Place> sourceOf(Place place) const;

  const AttentionProgram &program;
};

} // namespace forge

#endif // FORGE_LIB_CODEGEN_ATTENTION_ATTENTIONGRAPH_H
