#include "forge/Import/Async.h"

#include "forge/Dialect/StableHLO/IR/Collectives.h"

using namespace mlir;
using namespace forge;
using namespace forge::stablehlo;

static LogicalResult inlineStart(AsyncStartOp start) {
  Block &body = start.getBody().front();
  SmallVector<Value> values(body.getTerminator()->getOperands());
  for (Operation *user : llvm::make_early_inc_range(start->getUsers())) {
    auto done = dyn_cast<AsyncDoneOp>(user);
    if (!done)
      return user->emitError() << "expected a future only in async_done";
    // An argument of the body that it returns is an operand of the start.
    for (auto [result, value] : llvm::zip_equal(done.getResults(), values)) {
      auto argument = dyn_cast<BlockArgument>(value);
      bool isOwn = argument && argument.getOwner() == &body;
      result.replaceAllUsesWith(isOwn ? start.getOperand(argument.getArgNumber()) : value);
    }
    done.erase();
  }
  for (auto [argument, operand] : llvm::zip_equal(body.getArguments(), start.getOperands()))
    argument.replaceAllUsesWith(operand);
  body.getTerminator()->erase();
  start->getBlock()->getOperations().splice(start->getIterator(), body.getOperations());
  start.erase();
  return success();
}

LogicalResult forge::inlineAsync(ModuleOp module) {
  SmallVector<AsyncStartOp> started;
  module->walk([&](AsyncStartOp start) { started.push_back(start); });
  for (AsyncStartOp start : started)
    if (failed(inlineStart(start)))
      return failure();
  return success();
}
