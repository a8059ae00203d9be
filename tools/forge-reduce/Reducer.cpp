#include "Reducer.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Iterators.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace forge;
using namespace forge::reduce;

/// Operations that a step may drop, in order; what is inside another comes after it.
static SmallVector<Operation *> droppable(ModuleOp module) {
  SmallVector<Operation *> ops;
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op != module && !op->hasTrait<OpTrait::IsTerminator>() && !isa<SymbolOpInterface>(op))
      ops.push_back(op);
  });
  return ops;
}

size_t reduce::countOperations(ModuleOp module) {
  size_t count = 0;
  module->walk([&](Operation *) { ++count; });
  return count - 1;
}

/// What users of `result` get in its place, or null.
static Value substituteFor(OpResult result) {
  Operation *op = result.getOwner();
  for (Value operand : op->getOperands())
    if (operand.getType() == result.getType())
      return operand;
  Type type = result.getType();
  auto shaped = dyn_cast<RankedTensorType>(type);
  Type element = shaped ? shaped.getElementType() : type;
  if (!(element.isSignlessIntOrIndex() || isa<FloatType>(element)) ||
      (shaped && !shaped.hasStaticShape()))
    return {};
  OpBuilder builder(op);
  TypedAttr zero = builder.getZeroAttr(type);
  return zero ? Value(arith::ConstantOp::create(builder, op->getLoc(), zero)) : Value();
}

/// Erases `op`; false if its results have users that nothing can be given to.
static bool drop(Operation *op) {
  for (OpResult result : op->getResults()) {
    if (result.use_empty())
      continue;
    Value substitute = substituteFor(result);
    if (!substitute)
      return false;
    result.replaceAllUsesWith(substitute);
  }
  op->erase();
  return true;
}

static void eraseDead(ModuleOp module) {
  module->walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
    if (isOpTriviallyDead(op))
      op->erase();
  });
}

/// Functions whose type may change: nothing refers to them.
static SmallVector<func::FuncOp> freeFunctions(ModuleOp module) {
  SmallVector<func::FuncOp> functions;
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isExternal() && SymbolTable::symbolKnownUseEmpty(function, module))
      functions.push_back(function);
  return functions;
}

static void dropResult(func::FuncOp function, unsigned number) {
  function.walk([&](func::ReturnOp op) { op->eraseOperand(number); });
  (void)function.eraseResult(number);
}

/// Returns operand `operand` of what computes result `number` in its place.
static bool returnOperand(func::FuncOp function, unsigned number, unsigned operand) {
  auto op = dyn_cast<func::ReturnOp>(function.getBody().back().getTerminator());
  Operation *source = op ? op->getOperand(number).getDefiningOp() : nullptr;
  if (!source || operand >= source->getNumOperands() || !function.getBody().hasOneBlock())
    return false;
  op->setOperand(number, source->getOperand(operand));
  SmallVector<Type> results = llvm::to_vector(op->getOperandTypes());
  function.setType(FunctionType::get(function.getContext(), function.getArgumentTypes(), results));
  return true;
}

namespace {

class Reduction {
public:
  Reduction(OwningOpRef<ModuleOp> &module, const Test &test, const Progress &progress)
      : module(module), test(test), progress(progress) {}

  Result<void> run() {
    for (size_t before = SIZE_MAX; size() < before;) {
      before = size();
      for (auto step : {&Reduction::dropSymbols, &Reduction::dropResults, &Reduction::dropRuns,
                        &Reduction::dropArguments})
        if (Result<void> done = (this->*step)(); !done)
          return done;
    }
    return {};
  }

private:
  /// The operands of an operation that are tried as results in its place.
  static constexpr unsigned kMaxOperands = 4;

  /// What a round must make smaller: operations, and what functions take and give.
  size_t size() {
    size_t types = 0;
    for (auto function : module->getOps<func::FuncOp>())
      types += function.getNumArguments() + function.getNumResults();
    return countOperations(*module) + types;
  }

  /// Changes a copy; keeps it if it verifies and is interesting. `change` returns false where it
  /// does not apply.
  Result<bool> attempt(const std::string &what, llvm::function_ref<bool(ModuleOp)> change) {
    OwningOpRef<ModuleOp> smaller = module->clone();
    {
      // Most of what does not verify is no more than a drop too many.
      ScopedDiagnosticHandler quiet(smaller->getContext(), [](Diagnostic &) { return success(); });
      if (!change(*smaller))
        return false;
      eraseDead(*smaller);
      if (failed(verify(*smaller)))
        return false;
    }
    Result<bool> interesting = test(*smaller);
    if (!interesting || !*interesting)
      return interesting;
    module = std::move(smaller);
    if (progress)
      progress("dropped " + what + ", " + std::to_string(countOperations(*module)) +
               " operations are left");
    return true;
  }

  /// Tries `change` on the elements 0, 1 ... of a list that `count` counts, until none is left.
  Result<void> forEach(llvm::function_ref<size_t()> count,
                       llvm::function_ref<Result<bool>(size_t)> change) {
    for (size_t i = 0; i < count();) {
      Result<bool> kept = change(i);
      if (!kept)
        return kept.error();
      if (!*kept)
        ++i;
    }
    return {};
  }

  static SmallVector<Operation *> unusedSymbols(ModuleOp module) {
    SmallVector<Operation *> symbols;
    for (Operation &op : module.getOps())
      if (isa<SymbolOpInterface>(op) && SymbolTable::symbolKnownUseEmpty(&op, module))
        symbols.push_back(&op);
    return symbols;
  }

  Result<void> dropSymbols() {
    return forEach([&] { return unusedSymbols(*module).size(); },
                   [&](size_t i) {
                     Operation *symbol = unusedSymbols(*module)[i];
                     return attempt(
                         ("@" + SymbolTable::getSymbolName(symbol).getValue()).str(),
                         [&](ModuleOp copy) { return unusedSymbols(copy)[i]->erase(), true; });
                   });
  }

  /// The function and number of the `i`-th of what `count` counts in every free function.
  static std::pair<func::FuncOp, unsigned> find(ModuleOp module, size_t i,
                                                llvm::function_ref<size_t(func::FuncOp)> count) {
    for (func::FuncOp function : freeFunctions(module)) {
      if (i < count(function))
        return {function, i};
      i -= count(function);
    }
    return {};
  }

  Result<void> dropOfFunctions(const std::string &what,
                               llvm::function_ref<size_t(func::FuncOp)> count,
                               llvm::function_ref<bool(func::FuncOp, unsigned)> change) {
    auto all = [&] {
      size_t sum = 0;
      for (func::FuncOp function : freeFunctions(*module))
        sum += count(function);
      return sum;
    };
    return forEach(all, [&](size_t i) {
      auto [function, number] = find(*module, i, count);
      return attempt(what + " " + std::to_string(number) + " of @" + function.getName().str(),
                     [&, i = i](ModuleOp copy) {
                       auto [function, number] = find(copy, i, count);
                       return change(function, number);
                     });
    });
  }

  Result<void> dropResults() {
    auto results = [](func::FuncOp function) -> size_t { return function.getNumResults(); };
    Result<void> dropped =
        dropOfFunctions("result", results, [](func::FuncOp function, unsigned n) {
          return dropResult(function, n), true;
        });
    for (unsigned operand = 0; dropped && operand < kMaxOperands; ++operand)
      dropped = dropOfFunctions("what is behind result", results,
                                [operand](func::FuncOp function, unsigned n) {
                                  return returnOperand(function, n, operand);
                                });
    return dropped;
  }

  Result<void> dropArguments() {
    return dropOfFunctions(
        "argument", [](func::FuncOp function) { return function.getNumArguments(); },
        [](func::FuncOp function, unsigned number) {
          return function.getArgument(number).use_empty() &&
                 succeeded(function.eraseArgument(number));
        });
  }

  Result<void> dropRuns() {
    for (size_t length = droppable(*module).size(); length > 0; length /= 2) {
      // From the end: users go before what they use.
      for (size_t end = droppable(*module).size(); end > 0;) {
        size_t begin = end > length ? end - length : 0;
        Result<bool> kept =
            attempt(std::to_string(end - begin) + (end - begin == 1 ? " operation" : " operations"),
                    [&](ModuleOp copy) {
                      SmallVector<Operation *> ops = droppable(copy);
                      bool any = false;
                      for (size_t i = end; i-- > begin;)
                        any |= drop(ops[i]);
                      return any;
                    });
        if (!kept)
          return kept.error();
        end = std::min(begin, droppable(*module).size());
      }
    }
    return {};
  }

  OwningOpRef<ModuleOp> &module;
  const Test &test;
  const Progress &progress;
};

} // namespace

Result<void> reduce::reduce(OwningOpRef<ModuleOp> &module, const Test &test,
                            const Progress &progress) {
  return Reduction(module, test, progress).run();
}
