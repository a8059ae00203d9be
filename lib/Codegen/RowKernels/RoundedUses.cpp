#include "RoundedUses.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace forge {
namespace {

bool isNarrow(Type type) {
  auto element = dyn_cast<FloatType>(type);
  return element && element.getWidth() <= 16;
}

bool isPositiveConstant(Value value) {
  APFloat number(0.0);
  return matchPattern(value, m_ConstantFloat(&number)) && !number.isNegative() && !number.isNaN();
}

/// Judges a use that is no conversion, product, quotient, tanh, or sum with a constant.
/// `isPositive`: of an exponential.
using JudgeUse = function_ref<bool(OpOperand &use, bool isPositive, unsigned depth)>;

/// True if every use of `value` ends in a rounding.
bool areRounded(Value value, JudgeUse judge, unsigned depth) {
  // Chains are short; one that is not is computed exactly.
  if (depth > 32)
    return false;
  bool isPositive = value.getDefiningOp<math::ExpOp>() != nullptr;
  return llvm::all_of(value.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (isa<arith::TruncFOp>(user))
      return isNarrow(user->getResult(0).getType());
    if (isa<arith::MulFOp, arith::DivFOp, math::TanhOp>(user))
      return areRounded(user->getResult(0), judge, depth + 1);
    if (isa<arith::AddFOp>(user) && isPositive &&
        isPositiveConstant(user->getOperand(1 - use.getOperandNumber())))
      return areRounded(user->getResult(0), judge, depth + 1);
    return judge(use, isPositive, depth);
  });
}

bool mayBeRough(Operation &op) {
  return isa<math::ErfcOp, math::ExpOp, math::TanhOp, arith::DivFOp>(op) &&
         op.getResult(0).getType().isF32();
}

class Uses {
public:
  explicit Uses(const RowProgram &program) : program(program) {}

  /// True if every use of `value`, of the body of stage `index`, ends in a rounding.
  bool areRounded(unsigned index, Value value, unsigned depth = 0) const {
    return forge::areRounded(
        value,
        [&](OpOperand &use, bool isPositive, unsigned at) {
          Operation *user = use.getOwner();
          if (isa<arith::AddFOp>(user))
            return isPositive && isRowSum(index, user) && resultIsRounded(index, 0, at + 1);
          return isa<linalg::YieldOp>(user) &&
                 resultIsRounded(index, use.getOperandNumber(), at + 1);
        },
        depth);
  }

private:
  /// True for the only operation that joins elements of a row, which start from a neutral element.
  bool isRowSum(unsigned index, Operation *op) const {
    const RowStage &stage = program.stages[index];
    if (stage.kind != RowStage::Reduction || stage.reduction.combiner.size() != 1 ||
        stage.reduction.combiner.front() != op || !stage.reduction.neutral[0])
      return false;
    const RowRead &initial = stage.reads[stage.op.getNumDpsInputs()];
    return initial.splat && matchPattern(initial.splat, m_AnyZeroFloat());
  }

  bool resultIsRounded(unsigned index, unsigned result, unsigned depth) const {
    if (llvm::any_of(program.writes, [&](const RowWrite &write) {
          return write.value.stage == static_cast<int>(index) && write.value.result == result;
        }))
      return false;
    for (auto [reader, stage] : llvm::enumerate(program.stages))
      for (auto [i, read] : llvm::enumerate(stage.reads))
        if (read.stage == static_cast<int>(index) && read.result == result &&
            !areRounded(reader, stage.op.getBody()->getArgument(i), depth))
          return false;
    return true;
  }

  const RowProgram &program;
};

} // namespace

llvm::DenseSet<Operation *> roundedUses(const RowProgram &program) {
  Uses uses(program);
  llvm::DenseSet<Operation *> found;
  for (auto [index, stage] : llvm::enumerate(program.stages))
    for (Operation &op : stage.op.getBody()->without_terminator())
      if (mayBeRough(op) && uses.areRounded(index, op.getResult(0)))
        found.insert(&op);
  return found;
}

bool endsRounded(Value value) {
  return areRounded(value, [](OpOperand &, bool, unsigned) { return false; }, 0);
}

llvm::DenseSet<Operation *> roundedUses(linalg::GenericOp elementwise) {
  llvm::DenseSet<Operation *> found;
  for (Operation &op : elementwise.getBody()->without_terminator())
    if (mayBeRough(op) && endsRounded(op.getResult(0)))
      found.insert(&op);
  return found;
}

} // namespace forge
