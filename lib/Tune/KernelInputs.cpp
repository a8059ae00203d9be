#include "KernelInputs.h"

#include "forge/Verify/Inputs.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace forge;

/// Whether the op's result grows with its operands, and is about as large.
static bool isMonotone(Operation *op) {
  return isa<arith::AddIOp, arith::SubIOp, arith::IndexCastOp, arith::ExtSIOp, arith::ExtUIOp,
             arith::TruncIOp, arith::MaxSIOp, arith::MinSIOp>(op);
}

/// The dimension of a loop whose number `value` is, or is computed from.
static std::optional<uint64_t> dimensionOf(Value value) {
  llvm::SetVector<Operation *> operations;
  auto follow = [&](Value operand) {
    if (Operation *op = operand.getDefiningOp())
      operations.insert(op);
  };
  follow(value);
  for (size_t i = 0; i < operations.size(); ++i) {
    if (auto index = dyn_cast<linalg::IndexOp>(operations[i]))
      return index.getDim();
    if (isMonotone(operations[i]))
      llvm::for_each(operations[i]->getOperands(), follow);
  }
  return std::nullopt;
}

/// The size of the dimension with whose numbers `element`, in the body of `generic`, is compared.
static std::optional<int64_t> comparedSize(linalg::GenericOp generic, Value element) {
  llvm::SetVector<Value> values;
  values.insert(element);
  for (size_t i = 0; i < values.size(); ++i)
    for (OpOperand &use : values[i].getUses()) {
      if (isMonotone(use.getOwner()))
        values.insert(use.getOwner()->getResult(0));
      auto compare = dyn_cast<arith::CmpIOp>(use.getOwner());
      if (!compare || compare.getPredicate() == arith::CmpIPredicate::eq ||
          compare.getPredicate() == arith::CmpIPredicate::ne)
        continue;
      std::optional<uint64_t> dimension =
          dimensionOf(compare.getOperand(1 - use.getOperandNumber()));
      if (!dimension)
        continue;
      int64_t size = generic.getStaticLoopRanges()[*dimension];
      if (!ShapedType::isDynamic(size))
        return size;
    }
  return std::nullopt;
}

/// The largest of such sizes over all uses of the argument.
static std::optional<int64_t> lengthOf(BlockArgument argument) {
  auto type = dyn_cast<RankedTensorType>(argument.getType());
  if (!type || !type.getElementType().isInteger() || type.getElementType().isInteger(1))
    return std::nullopt;
  std::optional<int64_t> length;
  llvm::SetVector<Value> values;
  values.insert(argument);
  for (size_t i = 0; i < values.size(); ++i)
    for (OpOperand &use : values[i].getUses()) {
      Operation *op = use.getOwner();
      if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp>(op))
        values.insert(op->getResult(0));
      if (auto generic = dyn_cast<linalg::GenericOp>(op))
        if (std::optional<int64_t> size =
                comparedSize(generic, generic.getMatchingBlockArgument(&use)))
          length = std::max(length.value_or(0), *size);
    }
  return length;
}

FailureOr<std::vector<HostTensor>> forge::makeKernelInputs(func::FuncOp kernel, uint64_t seed) {
  FailureOr<std::vector<HostTensor>> inputs = makeInputs(kernel, {.seed = seed});
  if (failed(inputs))
    return failure();
  for (auto [argument, tensor] : llvm::zip_equal(kernel.getArguments(), *inputs)) {
    std::optional<int64_t> length = lengthOf(argument);
    for (int64_t i = 0; length && i < tensor.numElements(); ++i) {
      constexpr int64_t kFewer = 8;
      int64_t fewer = (i + static_cast<int64_t>(seed % kFewer)) % kFewer;
      tensor.setBits(i, static_cast<uint64_t>(std::max<int64_t>(*length - 1 - fewer, 0)));
    }
  }
  return inputs;
}
