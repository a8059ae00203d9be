#include "forge/Kernels/Kernel.h"
#include "forge/Target/CPU/Passes.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#define DEBUG_TYPE "forge-carry-in-place"

namespace forge {
#define GEN_PASS_DEF_CARRYINPLACEPASS
#include "forge/Target/CPU/Passes.h.inc"
} // namespace forge

using namespace mlir;

/// The place among what is handed on to the loop's body of argument `number` of the region that
/// computes the condition; none if it is not handed on.
static std::optional<unsigned> placeInBody(scf::WhileOp loop, unsigned number) {
  auto handedOn = loop.getConditionOp().getArgs();
  auto found = llvm::find(handedOn, loop.getBeforeArguments()[number]);
  if (found == handedOn.end())
    return std::nullopt;
  return found - handedOn.begin();
}

static BlockArgument argumentBehind(Value value);

/// The body of what `call` calls, or null where it is not known.
static Block *bodyOfCallee(func::CallOp call) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr());
  return callee && callee.getBody().hasOneBlock() ? &callee.front() : nullptr;
}

/// The operand whose buffer `value` continues to be in if nothing forces a copy, or null: the
/// destination of an operation in destination style, of a kernel, of an inner loop, of a cast.
static Value destinationOf(OpResult value) {
  Operation *op = value.getOwner();
  unsigned index = value.getResultNumber();
  if (auto call = dyn_cast<func::CallOp>(op)) {
    Block *body = bodyOfCallee(call);
    BlockArgument argument =
        body ? argumentBehind(body->getTerminator()->getOperand(index)) : BlockArgument();
    return argument ? call.getOperand(argument.getArgNumber()) : Value();
  }
  if (auto destinationStyle = dyn_cast<DestinationStyleOpInterface>(op))
    return destinationStyle.getTiedOpOperand(value)->get();
  if (auto insert = dyn_cast<tensor::InsertOp>(op))
    return insert.getDest();
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return loop.getInitArgs()[index];
  if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    // What the body gets in another order than the loop changes buffers.
    bool corresponds = index < loop.getInits().size() && placeInBody(loop, index) == index;
    return corresponds ? loop.getInits()[index] : Value();
  }
  if (isa<tensor::CastOp>(op))
    return op->getOperand(0);
  return Value();
}

/// True if `value` is `argument` updated, in every branch, and so is in its buffer.
static bool continues(Value value, Value argument) {
  while (value && value != argument) {
    auto result = dyn_cast<OpResult>(value);
    if (!result)
      return false;
    if (auto branches = dyn_cast<scf::IfOp>(result.getOwner()))
      return llvm::all_of(ArrayRef{branches.thenYield(), branches.elseYield()},
                          [&](scf::YieldOp yield) {
                            return continues(yield.getOperand(result.getResultNumber()), argument);
                          });
    value = destinationOf(result);
  }
  return value == argument;
}

using Values = llvm::SmallPtrSet<Value, 8>;

static Values buffersOf(Value value, Region *region);

/// The operands whose buffers a result of `call` may be in: of a body that is not known, all.
static SmallVector<Value> aliasesOfCall(func::CallOp call, unsigned result) {
  Block *body = bodyOfCallee(call);
  if (!body)
    return llvm::to_vector(call.getOperands());
  Values returned = buffersOf(body->getTerminator()->getOperand(result), body->getParent());
  SmallVector<Value> aliases;
  for (auto [argument, operand] : llvm::zip_equal(body->getArguments(), call.getOperands()))
    if (returned.contains(argument))
      aliases.push_back(operand);
  return aliases;
}

/// The values whose buffers `value` may be in, one step back.
static SmallVector<Value> aliasesOf(OpResult value) {
  Operation *op = value.getOwner();
  SmallVector<Value> aliases;
  if (auto call = dyn_cast<func::CallOp>(op))
    return aliasesOfCall(call, value.getResultNumber());
  if (auto loop = dyn_cast<LoopLikeOpInterface>(op)) {
    // Either each result keeps the buffer of its start, or buffers may have changed places.
    if (Value start = destinationOf(value))
      aliases.push_back(start);
    else
      llvm::append_range(aliases, loop.getInits());
    for (Region *region : loop.getLoopRegions())
      llvm::append_range(aliases, region->front().getTerminator()->getOperands());
    return aliases;
  }
  bufferization::AnalysisState state{bufferization::BufferizationOptions()};
  for (bufferization::AliasingOpOperand alias : state.getAliasingOpOperands(value))
    aliases.push_back(alias.opOperand->get());
  return aliases;
}

/// The values of `region` whose buffers `value` may be read from at the region's end, itself among
/// them. What is from outside may be so only where loops begin, and is copied there.
static Values buffersOf(Value value, Region *region) {
  SmallVector<Value> open = {value};
  Values seen;
  while (!open.empty()) {
    Value next = open.pop_back_val();
    if (!isa<TensorType>(next.getType()) || !region->isAncestor(next.getParentRegion()) ||
        !seen.insert(next).second)
      continue;
    if (auto result = dyn_cast<OpResult>(next))
      llvm::append_range(open, aliasesOf(result));
  }
  return seen;
}

static Value copyOf(OpBuilder &builder, Location loc, Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  return bufferization::AllocTensorOp::create(builder, loc, type, /*dynamicSizes=*/ValueRange(),
                                              tensor);
}

static bool meet(const Values &some, const Values &others) {
  return llvm::any_of(some, [&](Value value) { return others.contains(value); });
}

static void copyOperand(OpOperand &operand) {
  OpBuilder builder(operand.getOwner());
  operand.set(copyOf(builder, operand.getOwner()->getLoc(), operand.get()));
}

/// The results of branches in `body` that are tensors, those of inner branches first.
static SmallVector<OpResult> branchResults(Block *body) {
  SmallVector<OpResult> results;
  body->walk([&](scf::IfOp branches) {
    for (OpResult result : branches.getResults())
      if (isa<RankedTensorType>(result.getType()))
        results.push_back(result);
  });
  return results;
}

/// What the two branches hand on as `result`.
static std::array<OpOperand *, 2> handedOnAs(OpResult result) {
  auto branches = cast<scf::IfOp>(result.getOwner());
  unsigned index = result.getResultNumber();
  return {&branches.thenYield()->getOpOperand(index), &branches.elseYield()->getOpOperand(index)};
}

/// Copies what a branch in `body` hands on from the buffer of an argument, unless the result is one
/// argument updated in both branches. To bufferization a result and all that it may be are one
/// buffer: arguments that meet in a result would be, too, and could not both be written.
static void separateArguments(Block *body) {
  Region *region = body->getParent();
  Values arguments(body->args_begin(), body->args_end());
  for (OpResult result : branchResults(body)) {
    if (llvm::any_of(body->getArguments(),
                     [&](BlockArgument argument) { return continues(result, argument); }))
      continue;
    for (OpOperand *operand : handedOnAs(result))
      if (meet(buffersOf(operand->get(), region), arguments))
        copyOperand(*operand);
  }
}

/// Copies what a branch in `body` hands on from outside of the loop where its result may also be
/// read from a buffer of `written`: a value from outside is there in every iteration.
static void copyFromOutside(Block *body, const Values &written) {
  Region *region = body->getParent();
  for (OpResult result : branchResults(body)) {
    if (!meet(buffersOf(result, region), written))
      continue;
    for (OpOperand *operand : handedOnAs(result))
      if (!region->isAncestor(operand->get().getParentRegion()))
        copyOperand(*operand);
  }
}

/// Allocates what the loops among `buffers` start from where that is an empty tensor. It would give
/// way to the destination of what they compute, and One-Shot Bufferize, which looks for conflicts
/// before it knows what stands in the buffer a loop starts with, would see two writers of that.
static void allocateStarts(const Values &buffers) {
  for (Value value : buffers) {
    auto result = dyn_cast<OpResult>(value);
    if (!result || !isa<LoopLikeOpInterface>(result.getOwner()))
      continue;
    for (OpOperand &operand : result.getOwner()->getOpOperands()) {
      auto empty = operand.get().getDefiningOp<tensor::EmptyOp>();
      if (!empty)
        continue;
      OpBuilder builder(result.getOwner());
      operand.set(bufferization::AllocTensorOp::create(builder, empty.getLoc(), empty.getType(),
                                                       empty.getDynamicSizes()));
    }
  }
}

/// A value of a loop's next iteration, and the argument whose buffer it goes to.
using Carried = std::pair<OpOperand *, BlockArgument>;

/// Rewrites those of `carried` that are not in the buffers of their arguments.
static void carry(ArrayRef<Carried> carried, Block *body) {
  SmallVector<Carried> moved;
  for (auto [operand, argument] : carried)
    if (isa<RankedTensorType>(argument.getType()) &&
        operand->get().getType() == argument.getType() && !continues(operand->get(), argument))
      moved.emplace_back(operand, argument);
  if (moved.empty())
    return;
  separateArguments(body);
  // Before any argument's buffer is written, what still has to be read from one is copied out: what
  // may be an argument, and what may share a buffer with another of `moved`, which may be computed
  // in its argument's buffer.
  Values written(body->args_begin(), body->args_end());
  for (auto [operand, argument] : moved) {
    Values buffers = buffersOf(operand->get(), body->getParent());
    allocateStarts(buffers);
    if (meet(buffers, written))
      copyOperand(*operand);
    else
      written.insert(buffers.begin(), buffers.end());
  }
  copyFromOutside(body, written);
  OpBuilder builder(body->getTerminator());
  Location loc = body->getTerminator()->getLoc();
  for (auto [operand, argument] : moved) {
    auto materialized = bufferization::MaterializeInDestinationOp::create(
        builder, loc, argument.getType(), operand->get(), argument);
    operand->set(materialized.getResult());
  }
}

static void carry(scf::ForOp loop) {
  Operation *yield = loop.getBody()->getTerminator();
  SmallVector<Carried> carried;
  for (auto [operand, argument] : llvm::zip_equal(yield->getOpOperands(), loop.getRegionIterArgs()))
    carried.emplace_back(&operand, argument);
  carry(carried, loop.getBody());
}

static void carry(scf::WhileOp loop) {
  SmallVector<Carried> carried;
  for (OpOperand &operand : loop.getYieldOp()->getOpOperands())
    if (std::optional<unsigned> place = placeInBody(loop, operand.getOperandNumber()))
      carried.emplace_back(&operand, loop.getAfterArguments()[*place]);
  carry(carried, loop.getAfterBody());
}

/// The argument of a function whose buffer `value` continues to be in, or null.
static BlockArgument argumentBehind(Value value) {
  while (auto result = dyn_cast_if_present<OpResult>(value))
    value = destinationOf(result);
  auto argument = dyn_cast_if_present<BlockArgument>(value);
  return argument && isa<func::FuncOp>(argument.getOwner()->getParentOp()) ? argument
                                                                           : BlockArgument();
}

/// The operands that branches hand on as result `number` of `branches`: of branches within
/// branches, those of the inner ones.
static void collectHandedOn(scf::IfOp branches, unsigned number,
                            SmallVectorImpl<OpOperand *> &handedOn) {
  for (scf::YieldOp yield : {branches.thenYield(), branches.elseYield()}) {
    OpOperand &operand = yield->getOpOperand(number);
    auto result = dyn_cast<OpResult>(operand.get());
    auto inner = result ? dyn_cast<scf::IfOp>(result.getOwner()) : scf::IfOp();
    if (inner && branches->isProperAncestor(inner))
      collectHandedOn(inner, result.getResultNumber(), handedOn);
    else
      handedOn.push_back(&operand);
  }
}

/// In a kernel, lets all branches write the destination that one of them writes. Else the result
/// may be in that or in the buffer that another branch hands on, and the kernel would copy the
/// destination, in which nothing was written yet, before it writes.
static void carry(scf::IfOp branches) {
  auto function = branches->getParentOfType<func::FuncOp>();
  if (!function || !forge::isKernel(function))
    return;
  for (OpResult result : branches.getResults()) {
    if (!isa<RankedTensorType>(result.getType()))
      continue;
    SmallVector<OpOperand *> handedOn;
    collectHandedOn(branches, result.getResultNumber(), handedOn);
    BlockArgument destination;
    for (OpOperand *operand : handedOn)
      if (operand->get().getDefiningOp() && !destination)
        destination = argumentBehind(operand->get());
    if (!destination || destination.getType() != result.getType())
      continue;
    for (OpOperand *operand : handedOn) {
      if (continues(operand->get(), destination))
        continue;
      OpBuilder builder(operand->getOwner());
      auto materialized = bufferization::MaterializeInDestinationOp::create(
          builder, operand->getOwner()->getLoc(), destination.getType(), operand->get(),
          destination);
      operand->set(materialized.getResult());
    }
  }
}

namespace {
struct CarryInPlacePass : public forge::impl::CarryInPlacePassBase<CarryInPlacePass> {
  void runOnOperation() override {
    getOperation()->walk([](Operation *op) {
      if (auto loop = dyn_cast<scf::ForOp>(op))
        carry(loop);
      else if (auto loop = dyn_cast<scf::WhileOp>(op))
        carry(loop);
      else if (auto branches = dyn_cast<scf::IfOp>(op))
        carry(branches);
    });
  }
};
} // namespace
