// What becomes a kernel of its own, and what stays on the host.
#include "forge/Kernels/Kernel.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;

/// True for a call of a function of scalars, such as a math function of the runtime; assertions
/// stay on the host.
static bool isScalarCall(Operation *op) {
  auto call = dyn_cast<func::CallOp>(op);
  return call && call.getNumResults() > 0 && llvm::all_of(call->getOperandTypes(), [](Type type) {
           return type.isIntOrIndexOrFloat();
         });
}

/// True for a temporary of a step of an independent loop.
static bool isStepMemory(Operation *op) {
  auto empty = dyn_cast<tensor::EmptyOp>(op);
  auto loop = op->getParentOfType<scf::ForOp>();
  return empty && empty.getType().hasStaticShape() && loop && loop->hasAttr("forge.independent");
}

/// True for what one thread can do by itself.
static bool isThreadOp(Operation *op) {
  return isStepMemory(op) ||
         isa<arith::ArithDialect, math::MathDialect, scf::SCFDialect, ub::UBDialect>(
             op->getDialect()) ||
         isa<tensor::ExtractOp, tensor::InsertOp, tensor::DimOp, affine::AffineApplyOp>(op) ||
         isScalarCall(op);
}

/// True for a loop or branch that reads or writes elements one by one, and does nothing else.
static bool isThreadRegion(Operation *op) {
  bool touchesElements = false;
  WalkResult result = op->walk([&](Operation *inner) {
    if (!isThreadOp(inner))
      return WalkResult::interrupt();
    touchesElements |= isa<tensor::ExtractOp, tensor::InsertOp>(inner);
    return WalkResult::advance();
  });
  return !result.wasInterrupted() && touchesElements;
}

/// True for a loop or branch around several loops that are independent each: passes of a sort,
/// which are kernels that fill the device.
static bool holdsPasses(Operation *op) {
  int64_t passes = 0;
  op->walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
    if (loop == op || !loop->hasAttr("forge.independent"))
      return WalkResult::advance();
    ++passes;
    return WalkResult::skip();
  });
  return passes > 1;
}

/// A fill that every user takes along into its own kernel.
static bool isTakenAlong(linalg::FillOp fill) {
  return llvm::all_of(fill->getUses(), [](OpOperand &use) {
    auto user = dyn_cast<linalg::LinalgOp>(use.getOwner());
    return user && user.isDpsInit(&use);
  });
}

bool forge::isKernelRoot(Operation *op) {
  if (auto fill = dyn_cast<linalg::FillOp>(op))
    return fill.hasPureTensorSemantics() && !isTakenAlong(fill);
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return linalgOp.hasPureTensorSemantics();
  if (isa<tensor::InsertSliceOp, tensor::InsertOp, bufferization::MaterializeInDestinationOp>(op))
    return true;
  return isa<scf::ForOp, scf::WhileOp, scf::IfOp, scf::IndexSwitchOp>(op) && isThreadRegion(op) &&
         !holdsPasses(op);
}
