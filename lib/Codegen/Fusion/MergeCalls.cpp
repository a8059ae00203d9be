// Calls of scalar functions of the runtime (erf_inv, lgamma ...) in bodies: upstream takes every
// call for one with effects, so fusion leaves equal ones, and operations whose results nothing
// reads.
#include "forge/Codegen/Fusion.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace forge {

/// A function of scalars to a scalar has nothing to write to: assertions return nothing, and checks
/// take tensors.
static bool isScalarFunction(Operation *op) {
  auto call = dyn_cast<func::CallOp>(op);
  auto isScalar = [](Type type) { return type.isIntOrIndexOrFloat(); };
  return call && call.getCallee().starts_with("forge_rt_") && call->getNumResults() == 1 &&
         llvm::all_of(call->getOperandTypes(), isScalar) && isScalar(call->getResult(0).getType());
}

static void mergeCallsOf(Block &body) {
  llvm::SmallDenseMap<Attribute, SmallVector<func::CallOp>> calls;
  for (Operation &op : llvm::make_early_inc_range(body.without_terminator())) {
    if (!isScalarFunction(&op))
      continue;
    auto call = cast<func::CallOp>(op);
    SmallVector<func::CallOp> &earlier = calls[call.getCalleeAttr()];
    auto same = llvm::find_if(
        earlier, [&](func::CallOp other) { return other.getOperands() == call.getOperands(); });
    if (same == earlier.end()) {
      earlier.push_back(call);
      continue;
    }
    call.replaceAllUsesWith(same->getResults());
    call.erase();
  }
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
    if (!op.hasTrait<OpTrait::IsTerminator>() && op.use_empty() &&
        (isScalarFunction(&op) || isOpTriviallyDead(&op)))
      op.erase();
}

void mergeScalarCalls(Operation *root) {
  root->walk([](linalg::GenericOp op) {
    mergeCallsOf(*op.getBody());
    bool isPure = llvm::all_of(op.getBody()->without_terminator(), [](Operation &inner) {
      return isScalarFunction(&inner) || isMemoryEffectFree(&inner);
    });
    if (op.hasPureTensorSemantics() && op.use_empty() && isPure)
      op.erase();
  });
}

} // namespace forge
