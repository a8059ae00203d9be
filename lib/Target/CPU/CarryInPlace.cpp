#include "forge/Target/CPU/Passes.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#define DEBUG_TYPE "forge-carry-in-place"

namespace forge {
#define GEN_PASS_DEF_CARRYINPLACEPASS
#include "forge/Target/CPU/Passes.h.inc"
} // namespace forge

using namespace mlir;

/// The operand whose buffer `value` continues to stand in if nothing forces a copy, or null: the
/// destination of an operation in destination style, of an inner loop, of a cast.
static Value destinationOf(OpResult value) {
  Operation *op = value.getOwner();
  if (auto destinationStyle = dyn_cast<DestinationStyleOpInterface>(op))
    return destinationStyle.getTiedOpOperand(value)->get();
  if (auto insert = dyn_cast<tensor::InsertOp>(op))
    return insert.getDest();
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return loop.getInitArgs()[value.getResultNumber()];
  if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    unsigned index = value.getResultNumber();
    bool corresponds =
        index < loop.getInits().size() && loop.getInits()[index].getType() == value.getType();
    return corresponds ? loop.getInits()[index] : Value();
  }
  if (isa<tensor::CastOp>(op))
    return op->getOperand(0);
  return Value();
}

/// True if `value` is `argument` updated, and so stands in its buffer.
static bool continues(Value value, Value argument) {
  while (value && value != argument) {
    auto result = dyn_cast<OpResult>(value);
    value = result ? destinationOf(result) : Value();
  }
  return value == argument;
}

/// True if `value` may be read from the buffer of one of `arguments` at the time of the yield.
static bool mayAlias(Value value, Block::BlockArgListType arguments) {
  while (value) {
    if (auto argument = dyn_cast<BlockArgument>(value))
      return llvm::is_contained(arguments, argument);
    Operation *op = value.getDefiningOp();
    // Views continue what they look at; anything else of unknown kind counts as a view of an
    // argument only if it reads one directly.
    if (isa<tensor::ExtractSliceOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op))
      value = op->getOperand(0);
    else
      value = destinationOf(cast<OpResult>(value));
  }
  return false;
}

static Value copyOf(OpBuilder &builder, Location loc, Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  return bufferization::AllocTensorOp::create(builder, loc, type, /*dynamicSizes=*/ValueRange(),
                                              tensor);
}

/// Rewrites the operands of `terminator` (a yield) that do not stand in the buffers of `arguments`.
static void carry(Operation *terminator, Block::BlockArgListType arguments) {
  OpBuilder builder(terminator);
  Location loc = terminator->getLoc();
  SmallVector<OpOperand *> moved;
  for (OpOperand &operand : terminator->getOpOperands()) {
    BlockArgument argument = arguments[operand.getOperandNumber()];
    if (isa<RankedTensorType>(operand.get().getType()) &&
        operand.get().getType() == argument.getType() && !continues(operand.get(), argument))
      moved.push_back(&operand);
  }
  // Before any argument's buffer is written, what still has to be read from one is copied out.
  for (OpOperand *operand : moved)
    if (mayAlias(operand->get(), arguments))
      operand->set(copyOf(builder, loc, operand->get()));
  for (OpOperand *operand : moved) {
    BlockArgument argument = arguments[operand->getOperandNumber()];
    auto materialized = bufferization::MaterializeInDestinationOp::create(
        builder, loc, argument.getType(), operand->get(), argument);
    operand->set(materialized.getResult());
  }
}

namespace {
struct CarryInPlacePass : public forge::impl::CarryInPlacePassBase<CarryInPlacePass> {
  void runOnOperation() override {
    getOperation()->walk([](Operation *op) {
      if (auto loop = dyn_cast<scf::ForOp>(op))
        carry(loop.getBody()->getTerminator(), loop.getRegionIterArgs());
      else if (auto loop = dyn_cast<scf::WhileOp>(op))
        if (loop.getYieldOp()->getNumOperands() <= loop.getAfterBody()->getNumArguments())
          carry(loop.getYieldOp(), loop.getAfterArguments());
    });
  }
};
} // namespace
