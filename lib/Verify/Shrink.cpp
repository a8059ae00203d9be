#include "Shrink.h"

#include "forge/Kernels/Kernel.h"
#include "forge/Verify/ErrorModel.h"
#include "forge/Verify/Interpreter.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace forge;

/// The reference's results, its diagnostics swallowed: a part that cannot run alone is no
/// reproducer.
static std::optional<std::vector<HostTensor>>
quietReference(ModuleOp module, func::FuncOp function, const std::vector<HostTensor> &inputs) {
  ScopedDiagnosticHandler quiet(module.getContext(), [](Diagnostic &) { return success(); });
  return Interpreter(module).run(function, inputs);
}

std::optional<std::vector<HostTensor>> forge::differs(ModuleOp module, StringRef phase,
                                                      const Executor &executor, StringRef target,
                                                      const std::vector<HostTensor> &inputs) {
  auto entry = module.lookupSymbol<func::FuncOp>("main");
  std::optional<std::vector<HostTensor>> expected = quietReference(module, entry, inputs);
  if (!expected || expected->empty())
    return std::nullopt;
  OwningOpRef<ModuleOp> clone = module.clone();
  ScopedDiagnosticHandler quiet(module.getContext(), [](Diagnostic &) { return success(); });
  Result<std::vector<HostTensor>> actual = executor(*clone, "main", phase, inputs);
  if (!actual)
    return expected;
  if (actual->size() != expected->size())
    return expected;
  // What is the same bit for bit is within any tolerance.
  bool same = true;
  for (size_t i = 0; i < expected->size(); ++i)
    same &= compare((*actual)[i], (*expected)[i], Tolerance::exact()).agree;
  if (same)
    return std::nullopt;
  std::vector<Tolerance> tolerances = measureTolerances(entry, inputs, errorModelOf(target));
  for (size_t i = 0; i < expected->size(); ++i)
    if (!compare((*actual)[i], (*expected)[i], tolerances[i]).agree)
      return expected;
  return std::nullopt;
}

namespace {
class Shrinker {
public:
  Shrinker(StringRef phase, const Executor &executor, StringRef target,
           const std::function<void(StringRef)> &progress)
      : phase(phase), executor(executor), target(target), progress(progress) {}

  /// The smallest failing part of `function`, if a part of it fails.
  std::optional<Failure> run(func::FuncOp function, const std::vector<HostTensor> &inputs) {
    ModuleOp module = function->getParentOfType<ModuleOp>();
    InterpreterOptions options;
    options.keepValues = true;
    Interpreter interpreter(module, options);
    if (failed(interpreter.run(function, inputs)))
      return std::nullopt;
    SmallVector<Operation *> ops;
    for (Operation &op : function.getBody().front().without_terminator())
      if (op.getNumResults() > 0 && !op.hasTrait<OpTrait::ConstantLike>())
        ops.push_back(&op);
    if (std::optional<Failure> alone = singleOp(ops, interpreter))
      return alone;
    return slice(ops, interpreter);
  }

private:
  std::optional<Failure> attempt(ArrayRef<Operation *> ops, const Interpreter &interpreter) {
    CutOut part = cutOut(ops);
    std::vector<HostTensor> inputs;
    for (Value input : part.inputs) {
      TensorRef value = interpreter.valueOf(input);
      if (!value)
        return std::nullopt;
      inputs.push_back(*value);
    }
    std::optional<std::vector<HostTensor>> expected =
        differs(*part.module, phase, executor, target, inputs);
    if (!expected)
      return std::nullopt;
    return Failure{std::move(part.module), std::move(inputs), std::move(*expected)};
  }

  /// Ops that look the same are tried once: their values differ, but not what the compiler makes of
  /// them.
  static std::string keyOf(Operation *op) {
    std::string key;
    llvm::raw_string_ostream os(key);
    OwningOpRef<ModuleOp> module = std::move(cutOut(op).module);
    module->print(os);
    return key;
  }

  std::optional<Failure> singleOp(ArrayRef<Operation *> ops, const Interpreter &interpreter) {
    llvm::StringSet<> seen;
    for (auto [i, op] : llvm::enumerate(ops)) {
      if (!seen.insert(keyOf(op)).second)
        continue;
      if (progress)
        progress("op " + std::to_string(i + 1) + " of " + std::to_string(ops.size()));
      std::optional<Failure> failure = attempt(op, interpreter);
      if (!failure)
        continue;
      auto call = dyn_cast<func::CallOp>(op);
      auto callee =
          call ? failure->module->lookupSymbol<func::FuncOp>(call.getCallee()) : func::FuncOp();
      // A kernel's parts are no host code.
      if (callee && !isKernel(callee))
        if (std::optional<Failure> inner = run(callee, failure->inputs))
          return inner;
      return failure;
    }
    return std::nullopt;
  }

  /// The first value that differs when everything before it is compiled together, found by
  /// bisection; then as few steps back from it as still differ.
  std::optional<Failure> slice(ArrayRef<Operation *> ops, const Interpreter &interpreter) {
    int64_t everything = static_cast<int64_t>(ops.size());
    auto whole = [&](size_t i) { return attempt(backwardSlice(ops[i], everything), interpreter); };
    size_t good = 0, bad = ops.size();
    std::optional<Failure> best;
    // 1. Any value that differs, looking from the end.
    while (bad > 0 && !best)
      best = whole(--bad);
    if (!best)
      return std::nullopt;
    // 2. Once a value differs, those after it mostly do too.
    while (good < bad) {
      if (progress)
        progress("slices " + std::to_string(good) + " to " + std::to_string(bad));
      size_t middle = good + (bad - good) / 2;
      if (std::optional<Failure> failure = whole(middle)) {
        best = std::move(failure);
        bad = middle;
      } else {
        good = middle + 1;
      }
    }
    // 3. Fewer steps back.
    for (int64_t levels = 1; levels < everything; ++levels) {
      SmallVector<Operation *> part = backwardSlice(ops[bad], levels);
      if (std::optional<Failure> failure = attempt(part, interpreter))
        return failure;
      if (part.size() == backwardSlice(ops[bad], levels + 1).size())
        break;
    }
    return best;
  }

  StringRef phase;
  const Executor &executor;
  StringRef target;
  const std::function<void(StringRef)> &progress;
};
} // namespace

/// The whole function as @main, with the functions it calls.
static Failure wholeFunction(func::FuncOp function, const std::vector<HostTensor> &inputs) {
  ModuleOp module = function->getParentOfType<ModuleOp>();
  Failure failure;
  failure.module = module.clone();
  auto entry = failure.module->lookupSymbol<func::FuncOp>(function.getName());
  for (auto other : failure.module->getOps<func::FuncOp>())
    if (other != entry)
      other.setPrivate();
  entry.setPublic();
  failure.inputs = inputs;
  if (std::optional<std::vector<HostTensor>> expected =
          quietReference(*failure.module, entry, inputs))
    failure.expected = std::move(*expected);
  return failure;
}

Failure forge::shrink(func::FuncOp function, const std::vector<HostTensor> &inputs, StringRef phase,
                      const Executor &executor, StringRef target,
                      const std::function<void(StringRef)> &progress) {
  // What a part of a function on memrefs computes, is not among its results.
  if (llvm::any_of(function.getArgumentTypes(), llvm::IsaPred<BaseMemRefType>))
    return wholeFunction(function, inputs);
  if (std::optional<Failure> smallest =
          Shrinker(phase, executor, target, progress).run(function, inputs))
    return std::move(*smallest);
  return wholeFunction(function, inputs);
}
