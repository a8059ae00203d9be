#include "SeenSizes.h"

#include "forge/Dialect/StableHLO/IR/StableHLO.h"

#include <algorithm>

using namespace mlir;
using namespace forge;
using reference::Dims;

double forge::workOf(Operation *op, OperandShape operandShape, OperandShape resultShape) {
  double elements = 0;
  for (unsigned i = 0; i < op->getNumResults(); ++i) {
    double product = 1;
    for (int64_t size : resultShape(i))
      product *= static_cast<double>(size);
    elements += product;
  }
  RoundingProfile profile = profileOf(op, operandShape);
  return elements * (profile.exact ? 1 : std::max(profile.terms, 1.0));
}

static bool isOpen(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped && (!shaped.hasRank() || !shaped.hasStaticShape());
}

bool forge::hasOpenSizes(func::FuncOp function) {
  return function->getParentOfType<ModuleOp>()
      .walk([](Operation *op) {
        return llvm::any_of(op->getOperandTypes(), isOpen) ||
                       llvm::any_of(op->getResultTypes(), isOpen)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

static void enlarge(std::vector<Dims> &known, ArrayRef<TensorRef> tensors) {
  known.resize(std::max(known.size(), tensors.size()));
  for (auto [dims, tensor] : llvm::zip(known, tensors)) {
    dims.resize(tensor->dims().size());
    for (auto [size, now] : llvm::zip(dims, tensor->dims()))
      size = std::max(size, now);
  }
}

/// How large a result may become, of which only the operands are known: an open size is the largest
/// among operands of the result's rank in this dimension, or among all operands.
static Dims foreseenDims(Type type, ArrayRef<TensorRef> operands) {
  Dims dims;
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped || !shaped.hasRank())
    return dims;
  for (auto [d, size] : llvm::enumerate(shaped.getShape())) {
    int64_t sameRank = 0, any = 1;
    for (const TensorRef &operand : operands) {
      for (int64_t other : operand->dims())
        any = std::max(any, other);
      if (operand->rank() == shaped.getRank())
        sameRank = std::max(sameRank, operand->dims()[d]);
    }
    dims.push_back(!ShapedType::isDynamic(size) ? size : sameRank > 0 ? sameRank : any);
  }
  return dims;
}

/// What no execution should begin with unasked: sums of many terms whose results may be large.
/// Anything else reads or writes each of its elements once, and a reduction its operand's.
double SeenSizes::foreseenWork(Operation *op, ArrayRef<TensorRef> operands) {
  auto operandDims = [&](unsigned i) { return operands[i]->dims(); };
  if (isa<stablehlo::ReduceOp>(op) || profileOf(op, operandDims).terms <= 1)
    return 0;
  return workOf(op, operandDims,
                [&](unsigned i) { return foreseenDims(op->getResult(i).getType(), operands); });
}

void SeenSizes::before(Operation *op, std::vector<TensorRef> &operands) {
  enlarge(seen[op].operands, operands);
  foreseen = foreseenWork(op, operands);
}

void SeenSizes::after(Operation *op, ArrayRef<TensorRef> operands,
                      std::vector<TensorRef> &results) {
  enlarge(seen[op].results, results);
  foreseen = 0;
  totalWork += workOf(
      op, [&](unsigned i) { return operands[i]->dims(); },
      [&](unsigned i) { return results[i]->dims(); });
}

static Dims sizesOf(const std::vector<Dims> *known, unsigned i, Type type, int64_t dynamicSize) {
  Dims dims;
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped || !shaped.hasRank())
    return dims;
  if (known && i < known->size() && (*known)[i].size() == static_cast<size_t>(shaped.getRank()))
    return (*known)[i];
  for (int64_t size : shaped.getShape())
    dims.push_back(ShapedType::isDynamic(size) ? dynamicSize : size);
  return dims;
}

Dims SeenSizes::operand(Operation *op, unsigned i, int64_t dynamicSize) const {
  auto found = seen.find(op);
  return sizesOf(found == seen.end() ? nullptr : &found->second.operands, i,
                 op->getOperand(i).getType(), dynamicSize);
}

Dims SeenSizes::result(Operation *op, unsigned i, int64_t dynamicSize) const {
  auto found = seen.find(op);
  return sizesOf(found == seen.end() ? nullptr : &found->second.results, i,
                 op->getResult(i).getType(), dynamicSize);
}
