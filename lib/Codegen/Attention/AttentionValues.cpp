#include "AttentionValues.h"

#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace forge {

SmallVector<Value> AttentionValues::indicesOf(int stage, unsigned operand,
                                              const AttentionPlace &place) {
  const AttentionStage &of = program.stages[stage];
  SmallVector<Value> loops;
  for (unsigned axis : of.axes)
    loops.push_back(place.axes[axis]);
  // A loop that the map does not take may have no index here.
  Value zero = arith::ConstantIndexOp::create(b, 0);
  for (Value &loop : loops)
    if (!loop)
      loop = zero;
  return llvm::map_to_vector(of.op.getIndexingMapsArray()[operand].getResults(),
                             [&](AffineExpr expr) -> Value {
                               return affine::expandAffineExpr(b, b.getLoc(), expr, loops, {});
                             });
}

SmallVector<Value> AttentionValues::indicesOf(const AttentionRead &read, AttentionPlace &place) {
  if (!read.extract)
    return indicesOf(read.stage, read.operand, place);
  return llvm::map_to_vector(read.extract->getOperands().drop_front(),
                             [&](Value index) { return valueOf(read.stage, index, place); });
}

void AttentionValues::setElement(const AttentionRead &read, Value element, AttentionPlace &place) {
  if (read.extract)
    place.computed[read.extract->getResult(0)] = element;
  else
    place.loaded[{read.stage, read.operand}] = element;
}

Value AttentionValues::elementOf(int stage, unsigned operand, AttentionPlace &place) {
  if (Value known = place.loaded.lookup({stage, operand}))
    return known;
  Value source = program.stages[stage].op->getOperand(operand);
  if (!isa<MemRefType>(source.getType()))
    return source;
  return memref::LoadOp::create(b, source, indicesOf(stage, operand, place));
}

Value AttentionValues::valueOf(int stage, Value value, AttentionPlace &place) {
  if (Value known = place.computed.lookup(value))
    return known;
  const AttentionStage &of = program.stages[stage];
  Value result;
  if (auto argument = dyn_cast<BlockArgument>(value);
      argument && argument.getOwner() == of.op.getBody()) {
    const RowContent &content = of.operands[argument.getArgNumber()];
    if (content.kind == RowContent::Splat)
      result = content.splat;
    else if (content.kind == RowContent::Stage)
      result = resultOf(content.stage, content.result, place);
    else
      result = elementOf(stage, argument.getArgNumber(), place);
  } else if (Operation *op = value.getDefiningOp(); op && op->getBlock() == of.op.getBody()) {
    if (auto index = dyn_cast<linalg::IndexOp>(op)) {
      result = place.axes[of.axes[index.getDim()]];
    } else {
      IRMapping mapping;
      for (Value operand : op->getOperands())
        mapping.map(operand, valueOf(stage, operand, place));
      result = b.clone(*op, mapping)->getResult(cast<OpResult>(value).getResultNumber());
    }
  } else {
    return value;
  }
  place.computed[value] = result;
  return result;
}

Value AttentionValues::resultOf(int stage, unsigned result, AttentionPlace &place) {
  Value yielded = program.stages[stage].op.getBody()->getTerminator()->getOperand(result);
  // What is known is in f32.
  if (Value known = place.known.lookup(stage))
    return known.getType() == yielded.getType()
               ? known
               : arith::TruncFOp::create(b, yielded.getType(), known).getResult();
  return valueOf(stage, yielded, place);
}

Value AttentionValues::factorOf(int contraction, unsigned operand, AttentionPlace &place) {
  Value factor =
      valueOf(contraction, program.stages[contraction].op.getBody()->getArgument(operand), place);
  return factor.getType().isF32() ? factor
                                  : arith::ExtFOp::create(b, b.getF32Type(), factor).getResult();
}

} // namespace forge
