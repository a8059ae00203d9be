#include "RowBody.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace forge {

Value RowBody::index(int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); }

SmallVector<Value> RowBody::position(OpOperand *operand, Value at) {
  SmallVector<Value> indices;
  for (AffineExpr expr : op.getMatchingIndexingMap(operand).getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    indices.push_back(!dim                             ? index(0)
                      : dim.getPosition() == plan.loop ? at
                                                       : ivs[dim.getPosition()]);
  }
  return indices;
}

Value RowBody::broadcast(Value value) {
  if (isa<VectorType>(value.getType()))
    return value;
  return vector::BroadcastOp::create(b, loc, vectorOf(value.getType()), value);
}

/// Lanes loaded one by one; those past the end load the last element, which the mask discards.
Value RowBody::gather(OpOperand *operand, Value at, Value last) {
  SmallVector<Value> lanes;
  for (int64_t lane = 0; lane < plan.lanes; ++lane) {
    Value here = arith::AddIOp::create(b, loc, at, index(lane));
    if (last)
      here = arith::MinUIOp::create(b, loc, here, last);
    lanes.push_back(memref::LoadOp::create(b, loc, operand->get(), position(operand, here)));
  }
  Type element = lanes.front().getType();
  return vector::FromElementsOp::create(b, loc, vectorOf(element), lanes);
}

Value RowBody::load(OpOperand *operand, Value at, Value mask, Value last) {
  auto type = dyn_cast<MemRefType>(operand->get().getType());
  if (!type)
    return operand->get();
  switch (plan.access[operand->getOperandNumber()]) {
  case LaneAccess::Invariant:
    return invariant.lookup(operand);
  case LaneAccess::Gathered:
    return gather(operand, at, last);
  case LaneAccess::Contiguous:
    break;
  }
  VectorType vectorType = vectorOf(type.getElementType());
  SmallVector<Value> indices = position(operand, at);
  if (!mask)
    return vector::LoadOp::create(b, loc, vectorType, operand->get(), indices);
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(vectorType));
  return vector::MaskedLoadOp::create(b, loc, vectorType, operand->get(), indices, mask, zero);
}

SmallVector<Value> RowBody::emitBody(Value at, Value mask, Value last) {
  IRMapping mapping;
  for (OpOperand &operand : op->getOpOperands()) {
    bool isInit = op.isDpsInit(&operand);
    if (op.payloadUsesValueFromOperand(&operand) && !(isInit && plan.reduces()))
      mapping.map(op.getMatchingBlockArgument(&operand), load(&operand, at, mask, last));
  }
  for (Operation &inner : op.getBody()->without_terminator())
    if (!llvm::is_contained(plan.combiners, &inner))
      emitScalarOrVector(inner, mapping, at);
  SmallVector<Value> values;
  for (unsigned i = 0; i < op.getNumDpsInits(); ++i) {
    Value value = op.getBody()->getTerminator()->getOperand(i);
    if (plan.reduces()) {
      Operation *combiner = plan.combiners[i];
      value = combiner->getOperand(0) == op.getRegionOutputArgs()[i] ? combiner->getOperand(1)
                                                                     : combiner->getOperand(0);
    }
    values.push_back(broadcast(mapping.lookupOrDefault(value)));
  }
  return values;
}

/// An operation whose operands are the same in all lanes stays scalar.
void RowBody::emitScalarOrVector(Operation &inner, IRMapping &mapping, Value at) {
  if (auto indexOp = dyn_cast<linalg::IndexOp>(inner)) {
    Value value = ivs[indexOp.getDim()];
    if (indexOp.getDim() == plan.loop) {
      value = arith::AddIOp::create(b, loc, broadcast(at), laneNumbers(b.getIndexType()));
    }
    mapping.map(indexOp.getResult(), value);
    return;
  }
  bool isVector = llvm::any_of(inner.getOperands(), [&](Value operand) {
    return isa<VectorType>(mapping.lookupOrDefault(operand).getType());
  });
  if (isVector)
    for (Value operand : inner.getOperands())
      mapping.map(operand, broadcast(mapping.lookupOrDefault(operand)));
  Operation *clone = b.clone(inner, mapping);
  if (isVector)
    clone->getResult(0).setType(vectorOf(clone->getResult(0).getType()));
}

void RowBody::loadInvariants() {
  for (OpOperand &operand : op->getOpOperands())
    if (isa<MemRefType>(operand.get().getType()) &&
        plan.access[operand.getOperandNumber()] == LaneAccess::Invariant &&
        op.isDpsInput(&operand) && op.payloadUsesValueFromOperand(&operand))
      invariant[&operand] =
          memref::LoadOp::create(b, loc, operand.get(), position(&operand, Value()));
}

/// The numbers of the lanes, as `type`.
Value RowBody::laneNumbers(Type type) {
  SmallVector<Attribute> lanes;
  for (int64_t lane = 0; lane < plan.lanes; ++lane)
    lanes.push_back(b.getIntegerAttr(type, lane));
  return arith::ConstantOp::create(b, loc, DenseElementsAttr::get(vectorOf(type), lanes));
}

Value RowBody::maskFrom(Value at, Value size, std::optional<int64_t> known) {
  if (known) {
    SmallVector<bool> valid;
    for (int64_t lane = 0; lane < plan.lanes; ++lane)
      valid.push_back(lane < *known % plan.lanes);
    return arith::ConstantOp::create(b, loc,
                                     DenseElementsAttr::get(vectorOf(b.getI1Type()), valid));
  }
  Value count = arith::SubIOp::create(b, loc, size, at);
  count = arith::IndexCastOp::create(b, loc, b.getI32Type(), count);
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, laneNumbers(b.getI32Type()),
                               broadcast(count));
}

Value RowBody::lastIndex(Value size) { return b.createOrFold<arith::SubIOp>(loc, size, index(1)); }

} // namespace forge
