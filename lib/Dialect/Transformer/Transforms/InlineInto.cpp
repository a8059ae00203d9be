// Calls are replaced by what they call, before differentiation.
#include "GradientBuilders.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace forge::transformer {

/// Copies the body of `callee` in place of `call`; calls in the copy join `calls`, one level
/// deeper.
static void inlineCall(func::CallOp call, func::FuncOp callee,
                       SmallVectorImpl<func::CallOp> &calls) {
  IRMapping mapping;
  mapping.map(callee.getArguments(), call.getOperands());
  OpBuilder builder(call);
  for (Operation &op : callee.getBody().front().without_terminator()) {
    Operation *copy = builder.clone(op, mapping);
    copy->walk([&](func::CallOp inner) { calls.push_back(inner); });
  }
  SmallVector<Value> results;
  for (Value value : callee.getBody().front().getTerminator()->getOperands())
    results.push_back(mapping.lookupOrDefault(value));
  call->replaceAllUsesWith(results);
  call->erase();
}

/// Whether `from` calls `target`, directly or not; `seen` keeps the search finite.
static bool reaches(func::FuncOp from, func::FuncOp target, ModuleOp module,
                    DenseSet<Operation *> &seen) {
  if (!seen.insert(from).second)
    return false;
  return from
      .walk([&](func::CallOp call) {
        auto callee = module.lookupSymbol<func::FuncOp>(call.getCallee());
        bool found = callee && (callee == target || reaches(callee, target, module, seen));
        return found ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

LogicalResult inlineCallsInto(func::FuncOp function) {
  /// Calls double what they are made of at every level: a small file could ask for any amount of
  /// code.
  constexpr size_t maxCalls = 100'000;
  auto module = function->getParentOfType<ModuleOp>();
  SmallVector<func::CallOp> calls;
  function.walk([&](func::CallOp call) { calls.push_back(call); });
  size_t inlined = 0;
  while (!calls.empty()) {
    func::CallOp call = calls.pop_back_val();
    auto callee = module.lookupSymbol<func::FuncOp>(call.getCallee());
    if (!callee || callee.isExternal())
      return call.emitError("expected a function '@") << call.getCallee() << "' with a body";
    if (!callee.getBody().hasOneBlock())
      return call.emitError("expected '@") << call.getCallee() << "' to have one block";
    DenseSet<Operation *> seen;
    if (reaches(callee, callee, module, seen))
      return call.emitError("unsupported recursive call of '@") << call.getCallee() << "'";
    if (++inlined > maxCalls)
      return call.emitError("more than ") << maxCalls << " calls to inline";
    inlineCall(call, callee, calls);
  }
  return success();
}

} // namespace forge::transformer
