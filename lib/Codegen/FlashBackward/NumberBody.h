// Numbers of several operations as the body of one.
#ifndef FORGE_LIB_CODEGEN_FLASHBACKWARD_NUMBERBODY_H
#define FORGE_LIB_CODEGEN_FLASHBACKWARD_NUMBERBODY_H

#include "ScoreProgram.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace forge {

/// A tensor, and the axis of each of its dimensions; or one number.
struct AxisTensor {
  mlir::Value value;
  llvm::SmallVector<unsigned> axes;
};

/// The axes of what operand `operand` of a stage is indexed by; nothing where it is not one axis
/// for each dimension.
std::optional<AxisTensor> operandTensor(const ScoreProgram &program, int stage, unsigned operand);
/// The same of a result of it, on tensors.
AxisTensor resultTensor(const ScoreProgram &program, int stage, unsigned result);

/// The body of an elementwise operation with a loop for each of some axes: clones what its numbers
/// follow from, through the stages that hand them on. Nothing is inserted before `create`.
class NumberBody {
public:
  /// Tells what a number is read from instead, or nothing.
  using Replace = llvm::function_ref<std::optional<AxisTensor>(AttentionGraph::Place)>;

  NumberBody(mlir::ImplicitLocOpBuilder &b, const ScoreProgram &program,
             llvm::ArrayRef<unsigned> axes, Replace replace)
      : b(b), program(program), graph(program.graph), axes(axes.begin(), axes.end()),
        replace(replace), block(std::make_unique<mlir::Block>()) {}

  /// The number; null where it follows from what is not an element of a tensor along the axes.
  mlir::Value numberOf(AttentionGraph::Place place);
  mlir::Value elementOf(const AxisTensor &tensor);
  /// A builder at the end of the body.
  mlir::ImplicitLocOpBuilder end();
  /// The operation, at the builder's place, with one result, of `yielded`'s type.
  mlir::linalg::GenericOp create(mlir::Value yielded);

private:
  mlir::Value compute(AttentionGraph::Place place);
  std::optional<mlir::AffineMap> mapOf(llvm::ArrayRef<unsigned> of) const;

  mlir::ImplicitLocOpBuilder &b;
  const ScoreProgram &program;
  AttentionGraph graph;
  llvm::SmallVector<unsigned> axes;
  Replace replace;
  std::unique_ptr<mlir::Block> block;
  llvm::SmallVector<mlir::Value> inputs;
  llvm::SmallVector<mlir::AffineMap> maps;
  llvm::DenseMap<mlir::Value, mlir::Value> computed;
};

} // namespace forge

#endif // FORGE_LIB_CODEGEN_FLASHBACKWARD_NUMBERBODY_H
