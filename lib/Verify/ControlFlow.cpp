// Calls, branches and loops.
#include "InterpreterImpl.h"

#include "forge/Dialect/StableHLO/IR/Chlo.h"
#include "forge/Dialect/StableHLO/Transforms/Passes.h"
#include "forge/Kernels/Kernel.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace forge;
using namespace forge::interpreter;

Result<Interpreter::Impl::Values> Interpreter::Impl::call(Operation *op, StringRef callee,
                                                          const Values &operands, bool inDouble) {
  auto function = module.lookupSymbol<func::FuncOp>(callee);
  if (!function)
    return report(op, Error{"module has no function '" + callee.str() + "'"});
  return runFunction(function, operands, inDouble);
}

Result<Interpreter::Impl::Values> Interpreter::Impl::runWhile(Operation *op, const Values &operands,
                                                              Frame &frame, bool inDouble) {
  auto loop = cast<stablehlo::WhileOp>(op);
  Values state = operands;
  while (true) {
    if (++steps > options.maxSteps)
      return report(op, Error{"gave up after " + std::to_string(options.maxSteps) + " operations"});
    Result<Values> condition = runBlock(loop.getCond().front(), state, frame, inDouble);
    if (!condition)
      return condition;
    if (!condition->front()->getBits(0))
      return state;
    Result<Values> next = runBlock(loop.getBody().front(), state, frame, inDouble);
    if (!next)
      return next;
    state = std::move(*next);
  }
}

Result<Interpreter::Impl::Values> Interpreter::Impl::runFor(Operation *op, const Values &operands,
                                                            Frame &frame, bool inDouble) {
  auto loop = cast<scf::ForOp>(op);
  int64_t index = reference::getInteger(*operands[0], 0),
          end = reference::getInteger(*operands[1], 0),
          step = reference::getInteger(*operands[2], 0);
  if (step <= 0)
    return report(op, Error{"expected a step above 0, but got " + std::to_string(step)});
  Values state(operands.begin() + 3, operands.end());
  for (; index < end; index += step) {
    if (++steps > options.maxSteps)
      return report(op, Error{"gave up after " + std::to_string(options.maxSteps) + " operations"});
    Result<TensorRef> number = numberOf(operands[0]->type(), index);
    if (!number)
      return report(op, number.error());
    state.insert(state.begin(), *number);
    Result<Values> next = runBlock(*loop.getBody(), state, frame, inDouble);
    if (!next)
      return next;
    state = std::move(*next);
  }
  return state;
}

Result<TensorRef> interpreter::numberOf(DType type, int64_t value) {
  Result<HostTensor> number = HostTensor::create(type, {});
  if (!number)
    return number.error();
  reference::setInteger(*number, 0, static_cast<uint64_t>(value));
  return TensorRef(std::make_shared<const HostTensor>(std::move(*number)));
}

Result<Interpreter::Impl::Values>
Interpreter::Impl::runWhileScf(Operation *op, const Values &operands, Frame &frame, bool inDouble) {
  auto loop = cast<scf::WhileOp>(op);
  Values state = operands;
  while (true) {
    if (++steps > options.maxSteps)
      return report(op, Error{"gave up after " + std::to_string(options.maxSteps) + " operations"});
    Result<Values> condition = runBlock(*loop.getBeforeBody(), state, frame, inDouble);
    if (!condition)
      return condition;
    Values passed(condition->begin() + 1, condition->end());
    if (!condition->front()->getBits(0))
      return passed;
    Result<Values> next = runBlock(*loop.getAfterBody(), passed, frame, inDouble);
    if (!next)
      return next;
    state = std::move(*next);
  }
}

/// The iterations in order. Each sees the outputs as they were before the loop, and inserts its
/// part.
Result<Interpreter::Impl::Values>
Interpreter::Impl::runForall(Operation *op, const Values &operands, Frame &frame, bool inDouble) {
  auto loop = cast<scf::ForallOp>(op);
  auto numbersOf = [&](ArrayRef<OpFoldResult> values) {
    return llvm::map_to_vector(values, [&](OpFoldResult value) {
      std::optional<int64_t> number = getConstantIntValue(value);
      return number ? *number : reference::getInteger(*frame.lookup(cast<Value>(value)), 0);
    });
  };
  SmallVector<int64_t> lower = numbersOf(loop.getMixedLowerBound()),
                       upper = numbersOf(loop.getMixedUpperBound()),
                       step = numbersOf(loop.getMixedStep());
  Values initial(operands.end() - loop.getOutputs().size(), operands.end()), outputs = initial;
  if (llvm::any_of(step, [](int64_t size) { return size <= 0; }))
    return report(op, Error{"expected steps above 0"});
  SmallVector<int64_t> at = lower;
  bool done = llvm::any_of(llvm::zip_equal(lower, upper),
                           [](auto bounds) { return std::get<0>(bounds) >= std::get<1>(bounds); });
  while (!done) {
    if (++steps > options.maxSteps)
      return report(op, Error{"gave up after " + std::to_string(options.maxSteps) + " operations"});
    Values arguments;
    for (int64_t index : at) {
      Result<TensorRef> number = numberOf(DType::I64, index);
      if (!number)
        return report(op, number.error());
      arguments.push_back(*number);
    }
    arguments.insert(arguments.end(), initial.begin(), initial.end());
    Result<Values> ran = runBlock(*loop.getBody(), arguments, frame, inDouble);
    if (!ran)
      return ran;
    for (Operation &insert : loop.getTerminator().getYieldingOps()) {
      auto slice = cast<tensor::ParallelInsertSliceOp>(insert);
      unsigned output =
          cast<BlockArgument>(slice.getDest()).getArgNumber() - static_cast<unsigned>(at.size());
      Values taken;
      for (Value operand : slice->getOperands())
        taken.push_back(operand == slice.getDest() ? outputs[output] : frame.lookup(operand));
      Outcome inserted = evaluateTensor(OpCall(slice, taken, inDouble, {}));
      if (!*inserted)
        return report(slice, inserted->error());
      outputs[output] = std::make_shared<const HostTensor>(std::move((**inserted).front()));
    }
    done = true;
    for (size_t d = at.size(); done && d-- > 0;) {
      at[d] += step[d];
      done = at[d] >= upper[d];
      if (done)
        at[d] = lower[d];
    }
  }
  return outputs;
}

std::optional<Result<Interpreter::Impl::Values>>
Interpreter::Impl::runControlFlow(Operation *op, const Values &operands, Frame &frame,
                                  bool inDouble) {
  if (auto callOp = dyn_cast<func::CallOp>(op)) {
    // What the runtime computes is an operation like others.
    auto callee = module.lookupSymbol<func::FuncOp>(callOp.getCallee());
    if (callee && callee.isExternal() && callee.isPrivate())
      return std::nullopt;
    // A tile program is what the function that it names says.
    if (callee && callee->hasAttr(kReferenceAttr)) {
      FailureOr<func::FuncOp> reference = referenceOf(callee);
      if (failed(reference))
        return report(op, Error{"no linalg form of '" + callOp.getCallee().str() + "'"});
      return call(op, reference->getName(), operands, inDouble);
    }
    return call(op, callOp.getCallee(), operands, inDouble);
  }
  if (auto composite = dyn_cast<stablehlo::CompositeOp>(op)) {
    Result<Values> results = call(op, composite.getDecomposition(), operands, inDouble);
    // A library may round in other places than the decomposition does.
    if (results && options.hook && bodies == 0 && composite.getName() == kFftComposite)
      options.hook->after(op, operands, *results);
    return results;
  }
  if (isa<stablehlo::OptimizationBarrierOp>(op))
    return operands;
  if (isa<stablehlo::CreateTokenOp, stablehlo::AfterAllOp>(op))
    return Values{nullptr};
  if (isa<stablehlo::WhileOp>(op))
    return runWhile(op, operands, frame, inDouble);
  if (isa<chlo::ScanOp>(op))
    return runScan(op, operands, frame, inDouble);
  if (isa<linalg::IndexOp>(op))
    return runIndex(op);
  if (points.count > 0 && isa<tensor::ExtractOp>(op))
    return runExtract(op, operands);
  // Of tensors, these are the reference's own.
  bool isMoved = isa<linalg::FillOp, linalg::TransposeOp, linalg::BroadcastOp>(op);
  if (auto structured = dyn_cast<linalg::LinalgOp>(op);
      structured && !(isMoved && structured.hasPureTensorSemantics()))
    return runStructured(op, operands, frame, inDouble);
  if (isa<scf::WhileOp>(op))
    return runWhileScf(op, operands, frame, inDouble);
  if (isa<scf::ForallOp>(op))
    return runForall(op, operands, frame, inDouble);
  if (isa<scf::ForOp>(op))
    return runFor(op, operands, frame, inDouble);
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    Region &taken = operands[0]->getBits(0) ? branch.getThenRegion() : branch.getElseRegion();
    return taken.empty() ? Values() : runBlock(taken.front(), {}, frame, inDouble);
  }
  if (auto branch = dyn_cast<stablehlo::IfOp>(op)) {
    Region &taken = operands[0]->getBits(0) ? branch.getTrueBranch() : branch.getFalseBranch();
    return runBlock(taken.front(), {}, frame, inDouble);
  }
  if (auto select = dyn_cast<stablehlo::CaseOp>(op)) {
    // An index without a branch takes the last one.
    int64_t index = reference::getInteger(*operands[0], 0),
            last = static_cast<int64_t>(op->getNumRegions()) - 1;
    if (index < 0 || index > last)
      index = last;
    return runBlock(select.getBranches()[static_cast<unsigned>(index)].front(), {}, frame,
                    inDouble);
  }
  return std::nullopt;
}
