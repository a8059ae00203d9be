#include "Lowerings.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace forge;

Lowered forge::lowerAsyncOp(Operation *op, OpBuilder &builder) {
  CallBuilder calls(builder, op->getLoc());
  if (auto copy = dyn_cast<NVVM::CpAsyncOp>(op)) {
    Value bytes = calls.word(copy.getSize());
    calls.callSite(
        "forge_sim_cp_async", "nvvm.cp.async",
        {copy.getDst(), copy.getSrc(), bytes, copy.getCpSize() ? copy.getCpSize() : bytes});
  } else if (isa<NVVM::CpAsyncCommitGroupOp>(op)) {
    calls.call("forge_sim_cp_async_commit", {});
  } else if (auto wait = dyn_cast<NVVM::CpAsyncWaitGroupOp>(op)) {
    calls.call("forge_sim_cp_async_wait", {calls.word(wait.getN())});
  } else {
    return false;
  }
  op->erase();
  return true;
}
