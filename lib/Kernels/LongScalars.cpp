// Numbers that take long to compute from elements of tensors, as a sum of the sums of all
// parameters does, are a kernel's: every thread of each kernel that reads one would compute it
// again.
#include "forge/Kernels/Kernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace forge;

/// Operations that a thread does for itself sooner than it waits for another kernel's launch,
/// about: loads of one element among them.
static constexpr size_t kMostRepeated = 32;

/// The operations that `value` is computed with, those that it needs first; false where there is
/// none that reads an element of a tensor.
static bool collectMakers(Value value, llvm::SetVector<Operation *> &makers) {
  bool readsElements = false;
  SmallVector<std::pair<Operation *, unsigned>> path; // an operation, and its next operand
  llvm::SmallPtrSet<Operation *, 32> seen;
  auto visit = [&](Value operand) {
    Operation *op = operand.getDefiningOp();
    bool isMaker = op && op->getNumRegions() == 0 &&
                   (isa<tensor::ExtractOp>(op) ||
                    isa_and_nonnull<arith::ArithDialect, math::MathDialect>(op->getDialect()));
    if (isMaker && !isa<TensorType>(operand.getType()) && seen.insert(op).second)
      path.push_back({op, 0});
  };
  visit(value);
  while (!path.empty()) {
    auto &[op, next] = path.back();
    if (next < op->getNumOperands()) {
      visit(op->getOperand(next++));
      continue;
    }
    readsElements |= isa<tensor::ExtractOp>(op);
    makers.insert(op);
    path.pop_back();
  }
  return readsElements;
}

/// The scalars that kernels read, each with its readers.
static llvm::MapVector<Value, SmallVector<OpOperand *>> scalarsOfKernels(func::FuncOp host) {
  llvm::MapVector<Value, SmallVector<OpOperand *>> scalars;
  host.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isKernelRoot(op))
      return WalkResult::advance();
    auto add = [&](OpOperand &operand) {
      Type type = operand.get().getType();
      if (type.isIntOrFloat() && operand.get().getDefiningOp() &&
          !op->isAncestor(operand.get().getDefiningOp()))
        scalars[operand.get()].push_back(&operand);
    };
    for (OpOperand &operand : op->getOpOperands())
      add(operand);
    visitUsedValuesDefinedAbove(op->getRegions(), [&](OpOperand *operand) { add(*operand); });
    return WalkResult::skip();
  });
  return scalars;
}

/// A tensor of rank 0 that holds `value`, computed by `makers`.
static Value createKernel(Value value, ArrayRef<Operation *> makers) {
  Operation *last = value.getDefiningOp();
  OpBuilder builder(last->getContext());
  builder.setInsertionPointAfter(last);
  Location loc = last->getLoc();
  Value empty = tensor::EmptyOp::create(builder, loc, ArrayRef<int64_t>(), value.getType());
  auto kernel = linalg::GenericOp::create(
      builder, loc, empty.getType(), ValueRange(), empty,
      AffineMap::get(0, 0, builder.getContext()), ArrayRef<utils::IteratorType>(),
      [&](OpBuilder &body, Location at, ValueRange) {
        IRMapping mapping;
        for (Operation *maker : makers)
          body.clone(*maker, mapping);
        linalg::YieldOp::create(body, at, mapping.lookup(value));
      });
  return tensor::ExtractOp::create(builder, loc, kernel->getResult(0), ValueRange());
}

void forge::computeLongScalars(func::FuncOp host) {
  for (auto &[value, readers] : scalarsOfKernels(host)) {
    llvm::SetVector<Operation *> makers;
    if (!collectMakers(value, makers) || makers.size() <= kMostRepeated)
      continue;
    Value computed = createKernel(value, makers.getArrayRef());
    for (OpOperand *reader : readers)
      reader->set(computed);
  }
}
