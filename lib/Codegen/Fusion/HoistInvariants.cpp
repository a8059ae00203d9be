// What does not change from one step of a loop to the next.
#include "forge/Codegen/Fusion.h"
#include "forge/Codegen/Passes.h"
#include "forge/Kernels/Kernel.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Transforms/RegionUtils.h"

namespace forge {
#define GEN_PASS_DEF_HOISTINVARIANTSPASS
#include "forge/Codegen/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-hoist-invariants"

using namespace mlir;

/// What is made again rather than kept: a place, a view, a scalar.
static bool isFree(Operation *op) {
  return isa<tensor::EmptyOp, tensor::ExtractSliceOp, tensor::CollapseShapeOp,
             tensor::ExpandShapeOp, tensor::CastOp, tensor::DimOp, linalg::FillOp>(op) ||
         op->hasTrait<OpTrait::ConstantLike>() ||
         (isa<arith::ArithDialect>(op->getDialect()) &&
          llvm::none_of(op->getResultTypes(), llvm::IsaPred<ShapedType>));
}

static int64_t bytesOf(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.hasStaticShape() || !type.getElementType().isIntOrFloat())
    return 0;
  return llvm::SaturatingMultiply<uint64_t>(type.getNumElements(),
                                            llvm::divideCeil(type.getElementTypeBitWidth(), 8));
}

/// False for what takes no longer to compute again than to read from memory: it may still become
/// part of what reads it.
static bool pays(linalg::LinalgOp op) {
  if (!forge::isCheapToRepeat(op))
    return true;
  int64_t read = 0;
  for (Value input : op.getDpsInputs())
    read += bytesOf(input);
  constexpr int64_t kLeastShare = 4;
  return read >= bytesOf(op->getResult(0)) / kLeastShare;
}

/// True if `result` is overwritten in the loop, or carried: each step then needs one of its own.
static bool isConsumed(Value result) {
  return llvm::any_of(result.getUses(), [](OpOperand &use) {
    Operation *user = use.getOwner();
    if (auto destination = dyn_cast<DestinationStyleOpInterface>(user))
      return destination.isDpsInit(&use);
    if (auto insert = dyn_cast<tensor::InsertSliceOp>(user))
      return &use == &insert.getDestMutable();
    return isa<tensor::InsertOp, LoopLikeOpInterface>(user) ||
           user->hasTrait<OpTrait::IsTerminator>();
  });
}

namespace {
/// 1. Inner loops first, and operations of a loop in order, so that what depends on something
///    invariant follows it, through as many loops as it can.
/// 2. A linalg operation directly in the loop's body goes before the loop if it has no effect and
///    may run when the loop does not, all it reads is defined outside or free to be made there, and
///    it pays.
struct HoistInvariantsPass : public forge::impl::HoistInvariantsPassBase<HoistInvariantsPass> {
  void runOnOperation() override {
    if (auto function = dyn_cast<func::FuncOp>(getOperation()); function && forge::isKernel(function))
      return;
    getOperation()->walk([](LoopLikeOpInterface loop) {
      for (Region *region : loop.getLoopRegions())
        for (Operation &op : llvm::make_early_inc_range(region->getOps()))
          if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
            hoist(linalgOp, loop);
    });
  }

private:
  /// Adds to `made`, operands first, what has to be made outside for `value` to be there.
  static bool canMake(Value value, LoopLikeOpInterface loop, llvm::SetVector<Operation *> &made) {
    if (loop.isDefinedOutsideOfLoop(value))
      return true;
    Operation *op = value.getDefiningOp();
    if (!op || op->getParentRegion()->getParentOp() != loop || op->getNumRegions() > 1 ||
        !isFree(op) || !isMemoryEffectFree(op) || !isSpeculatable(op))
      return false;
    if (made.contains(op))
      return true;
    if (!llvm::all_of(op->getOperands(),
                      [&](Value operand) { return canMake(operand, loop, made); }))
      return false;
    made.insert(op);
    return true;
  }

  static void hoist(linalg::LinalgOp op, LoopLikeOpInterface loop) {
    if (isa<linalg::FillOp>(op.getOperation()) || !op.hasPureTensorSemantics() ||
        !isMemoryEffectFree(op) || !isSpeculatable(op) || !pays(op) ||
        llvm::any_of(op->getResults(), isConsumed))
      return;
    llvm::SetVector<Value> used(op->operand_begin(), op->operand_end());
    getUsedValuesDefinedAbove(op->getRegions(), used);
    llvm::SetVector<Operation *> made;
    if (!llvm::all_of(used, [&](Value value) { return canMake(value, loop, made); }))
      return;
    OpBuilder builder(loop);
    IRMapping mapping;
    for (Operation *maker : made)
      builder.clone(*maker, mapping);
    loop.moveOutOfLoop(op);
    op->walk([&](Operation *inner) {
      for (OpOperand &operand : inner->getOpOperands())
        operand.set(mapping.lookupOrDefault(operand.get()));
    });
  }
};
} // namespace
