#include "NewOperations.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace forge;

SmallVector<unsigned> forge::rowAxes(const ScoreProgram &program) {
  return llvm::to_vector(llvm::seq<unsigned>(0, program.graph.keyAxis()));
}

SmallVector<unsigned> forge::matrixAxes(const ScoreProgram &program) {
  return llvm::to_vector(llvm::seq<unsigned>(0, program.graph.keyAxis() + 1));
}

AffineMap forge::projection(Builder &b, unsigned numLoops, ArrayRef<unsigned> loops) {
  auto dims = llvm::map_to_vector(
      loops, [&](unsigned loop) -> AffineExpr { return b.getAffineDimExpr(loop); });
  return AffineMap::get(numLoops, 0, dims, b.getContext());
}

void forge::collectSources(const ScoreProgram &program, AttentionGraph::Place place,
                           SetVector<Value> &values, bool withReductions) {
  place = AttentionGraph(program.graph).resolve(place);
  const AttentionStage &stage = program.graph.stages[place.stage];
  auto argument = dyn_cast<BlockArgument>(place.value);
  if (argument && argument.getOwner() == stage.op.getBody()) {
    const RowContent &content = stage.operands[argument.getArgNumber()];
    if (content.kind == RowContent::Splat)
      values.insert(content.splat);
    else if (content.kind == RowContent::Memory ||
             (withReductions && llvm::is_contained(program.reductions, content.stage)))
      values.insert(stage.op->getOperand(argument.getArgNumber()));
    return;
  }
  Operation *op = place.value.getDefiningOp();
  if (!op || op->getBlock() != stage.op.getBody()) {
    values.insert(place.value);
    return;
  }
  for (Value operand : op->getOperands())
    collectSources(program, {place.stage, operand}, values, withReductions);
}

void NewOperations::insertBehind(ArrayRef<Value> values) {
  Block *block = b.getInsertionBlock();
  Operation *last = nullptr;
  for (Value value : values)
    if (Operation *def = value.getDefiningOp())
      if (Operation *ancestor = block->findAncestorOpInBlock(*def))
        if (!last || last->isBeforeInBlock(ancestor))
          last = ancestor;
  if (last)
    b.setInsertionPointAfter(last);
  else
    b.setInsertionPointToStart(block);
}

Operation *NewOperations::next() const {
  return b.getInsertionPoint() == b.getInsertionBlock()->end() ? nullptr : &*b.getInsertionPoint();
}

Value NewOperations::zeros(ArrayRef<int64_t> sizes) {
  Value empty = created(tensor::EmptyOp::create(b, sizes, b.getF32Type()));
  Value zero = created(arith::ConstantOp::create(b, b.getF32FloatAttr(0)));
  return created(linalg::FillOp::create(b, zero, empty)).getResult(0);
}

linalg::GenericOp NewOperations::cloneOn(linalg::GenericOp op, ValueRange inputs,
                                         ArrayRef<AffineMap> maps,
                                         SmallVectorImpl<Operation *> &members) {
  SmallVector<Value> inits;
  for (Value init : op.getDpsInits()) {
    auto type = cast<RankedTensorType>(init.getType());
    Value start = created(tensor::EmptyOp::create(b, type.getShape(), type.getElementType()));
    if (auto fill = init.getDefiningOp<linalg::FillOp>()) {
      Value value = fill.getInputs()[0];
      // A sum starts from zero.
      if (matchPattern(value, m_AnyZeroFloat()))
        value = created(arith::ConstantOp::create(b, b.getFloatAttr(type.getElementType(), 0)));
      auto filled = created(linalg::FillOp::create(b, value, start));
      members.push_back(filled);
      start = filled.getResult(0);
    }
    inits.push_back(start);
  }
  auto clone = created(linalg::GenericOp::create(b, op->getResultTypes(), inputs, inits, maps,
                                                 op.getIteratorTypesArray()));
  clone.getRegion().getBlocks().clear();
  IRMapping mapping;
  op.getRegion().cloneInto(&clone.getRegion(), mapping);
  members.push_back(clone);
  return clone;
}

void NewOperations::erase(size_t first) {
  for (Operation *op : llvm::reverse(ArrayRef(operations).drop_front(first)))
    op->erase();
  operations.truncate(first);
}
