#include "forge/Target/CPU/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#define DEBUG_TYPE "forge-inline-parts"

namespace forge {
#define GEN_PASS_DEF_INLINEPARTSPASS
#include "forge/Target/CPU/Passes.h.inc"
} // namespace forge

using namespace mlir;

namespace {
/// 1. Find the functions marked forge.part, and their calls.
/// 2. Each call: the operations of the function move before it, its operands and results take the
///    place of arguments and of what is returned. Calls among what moves are calls still.
struct InlinePartsPass : public forge::impl::InlinePartsPassBase<InlinePartsPass> {
  void runOnOperation() override {
    llvm::StringMap<func::FuncOp> parts;
    for (func::FuncOp function : getOperation().getOps<func::FuncOp>())
      if (function->hasAttr(forge::kPartAttr))
        parts[function.getName()] = function;
    if (parts.empty())
      return;
    SmallVector<func::CallOp> calls;
    getOperation()->walk([&](func::CallOp call) {
      if (parts.contains(call.getCallee()))
        calls.push_back(call);
    });
    for (func::CallOp call : calls)
      if (func::FuncOp part = std::exchange(parts[call.getCallee()], func::FuncOp()))
        inlineAt(call, part);
      else
        return fail(call, "expected one call of a part, but got another");
  }

private:
  void fail(Operation *op, StringRef message) {
    op->emitError(message);
    signalPassFailure();
  }

  static void inlineAt(func::CallOp call, func::FuncOp part) {
    Block &body = part.getBody().front();
    for (auto [argument, operand] : llvm::zip_equal(body.getArguments(), call.getOperands()))
      argument.replaceAllUsesWith(operand);
    for (auto [result, returned] :
         llvm::zip_equal(call.getResults(), body.getTerminator()->getOperands()))
      result.replaceAllUsesWith(returned);
    Block *block = call->getBlock();
    block->getOperations().splice(call->getIterator(), body.getOperations(), body.begin(),
                                  body.getTerminator()->getIterator());
    call->erase();
    part->erase();
  }
};
} // namespace
