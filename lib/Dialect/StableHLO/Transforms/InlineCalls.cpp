#include "forge/Dialect/StableHLO/Transforms/Passes.h"

#include "forge/Diagnostics/ErrorKind.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

namespace forge {
#define GEN_PASS_DEF_INLINECALLSPASS
#include "forge/Dialect/StableHLO/Transforms/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-inline-calls"

using namespace mlir;
using namespace forge;

/// Calls double what they are made of at every level: a small file could ask for any amount of
/// code.
static constexpr int64_t maxOps = 1'000'000;

/// The function that `op` calls, if it is a call or a composite.
static FlatSymbolRefAttr getCallee(Operation *op) {
  if (auto call = dyn_cast<func::CallOp>(op))
    return call.getCalleeAttr();
  if (auto composite = dyn_cast<stablehlo::CompositeOp>(op))
    return composite.getDecompositionAttr();
  return nullptr;
}

static int64_t countOps(Operation *root) {
  int64_t count = 0;
  root->walk([&](Operation *) { ++count; });
  return count;
}

namespace {

/// 1. Visit functions callees first; coming back to one that is still being visited is recursion.
///    Functions to keep are not looked into.
/// 2. In each, replace every call by a copy of the callee's body, in which nothing is left to
///    inline, except calls of functions to keep.
/// 3. Drop private functions without uses, callers first, so that chains of them go.
struct InlineCallsPass : forge::impl::InlineCallsPassBase<InlineCallsPass> {
  using InlineCallsPassBase::InlineCallsPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    SymbolTable symbols(module);
    states.clear();
    total = countOps(module);
    for (func::FuncOp function : module.getOps<func::FuncOp>())
      if (!isKept(function) && failed(visit(function, symbols)))
        return signalPassFailure();
    dropUnused(module);
  }

private:
  enum class State { Open, Done };

  bool isKept(func::FuncOp function) const { return !keep.empty() && function->hasAttr(keep); }

  LogicalResult visit(func::FuncOp function, SymbolTable &symbols) {
    states[function] = State::Open;
    SmallVector<Operation *> calls;
    function.walk([&](Operation *op) {
      if (getCallee(op))
        calls.push_back(op);
    });
    for (Operation *call : calls) {
      auto callee = symbols.lookup<func::FuncOp>(getCallee(call).getValue());
      if (!callee)
        return emitUserError(call) << "expected a function named '@" << getCallee(call).getValue()
                                   << "', but there is none";
      if (isKept(callee))
        continue;
      auto state = states.find(callee);
      if (state != states.end() && state->second == State::Open)
        return emitUserError(call) << "unsupported recursive call of '@" << callee.getName() << "'";
      if (state == states.end() && failed(visit(callee, symbols)))
        return failure();
      if (failed(inlineCall(call, callee)))
        return failure();
    }
    states[function] = State::Done;
    return success();
  }

  LogicalResult inlineCall(Operation *call, func::FuncOp callee) {
    if (callee.isExternal())
      return isa<func::CallOp>(call)
                 ? emitUserError(call)
                       << "unsupported call of '@" << callee.getName() << "', which has no body"
                 : emitUserError(call) << "expected a decomposition with a body";
    if (!callee.getBody().hasOneBlock())
      return emitUserError(call) << "expected '@" << callee.getName() << "' to have one block";
    if (callee.getFunctionType().getInputs() != call->getOperandTypes() ||
        callee.getFunctionType().getResults() != call->getResultTypes())
      return emitUserError(call) << "expected the type of '@" << callee.getName() << "', "
                                 << callee.getFunctionType();
    total += countOps(callee);
    if (total > maxOps)
      return emitUserError(call) << "expected at most " << maxOps
                                 << " ops after inlining, but got more";
    OpBuilder builder(call);
    IRMapping mapping;
    Block &body = callee.getBody().front();
    mapping.map(body.getArguments(), call->getOperands());
    for (Operation &op : body.without_terminator())
      builder.clone(op, mapping);
    for (auto [result, returned] :
         llvm::zip_equal(call->getResults(), body.getTerminator()->getOperands()))
      result.replaceAllUsesWith(mapping.lookupOrDefault(returned));
    call->erase();
    return success();
  }

  static void dropUnused(ModuleOp module) {
    bool changed = true;
    while (changed) {
      changed = false;
      for (auto function : llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
        if (!function.isPrivate() || !SymbolTable::symbolKnownUseEmpty(function, module))
          continue;
        function.erase();
        changed = true;
      }
    }
  }

  llvm::DenseMap<func::FuncOp, State> states;
  int64_t total = 0; // ops in the module
};

} // namespace
