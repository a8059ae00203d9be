// Calls, branches and loops.
#include "InterpreterImpl.h"

#include "forge/Dialect/StableHLO/IR/StableHLO.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace forge;

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
    Result<HostTensor> number = HostTensor::create(operands[0]->type(), {});
    if (!number)
      return report(op, number.error());
    reference::setInteger(*number, 0, static_cast<uint64_t>(index));
    state.insert(state.begin(), std::make_shared<const HostTensor>(std::move(*number)));
    Result<Values> next = runBlock(*loop.getBody(), state, frame, inDouble);
    if (!next)
      return next;
    state = std::move(*next);
  }
  return state;
}

std::optional<Result<Interpreter::Impl::Values>>
Interpreter::Impl::runControlFlow(Operation *op, const Values &operands, Frame &frame,
                                  bool inDouble) {
  if (auto callOp = dyn_cast<func::CallOp>(op))
    return call(op, callOp.getCallee(), operands, inDouble);
  if (auto composite = dyn_cast<stablehlo::CompositeOp>(op))
    return call(op, composite.getDecomposition(), operands, inDouble);
  if (isa<stablehlo::OptimizationBarrierOp>(op))
    return operands;
  if (isa<stablehlo::CreateTokenOp, stablehlo::AfterAllOp>(op))
    return Values{nullptr};
  if (isa<stablehlo::WhileOp>(op))
    return runWhile(op, operands, frame, inDouble);
  if (isa<linalg::IndexOp>(op))
    return runIndex(op);
  // These are the reference's own.
  bool isMoved = isa<linalg::FillOp, linalg::TransposeOp, linalg::BroadcastOp>(op);
  if (isa<linalg::LinalgOp>(op) && !isMoved)
    return runStructured(op, operands, frame, inDouble);
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
