// Elements of tensors with zeros around them, which are not in memory.
#include "ElementEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace forge;

bool forge::readsInside(linalg::GenericOp op) {
  std::optional<FactorPadding> padding = paddingOf(op);
  if (!padding)
    return false;
  Value made = op.hasPureTensorSemantics() ? Value(op.getResult(0)) : op.getDpsInits()[0];
  bool isRead = false;
  for (OpOperand &use : made.getUses()) {
    Operation *user = use.getOwner();
    if (user == op || isa<memref::DeallocOp>(user))
      continue;
    auto sums = dyn_cast<linalg::LinalgOp>(user);
    if (!sums || sums.getNumReductionLoops() == 0 || !sums.isDpsInput(&use))
      return false;
    AffineMap map = sums.getMatchingIndexingMap(&use);
    for (unsigned dim = 0; dim < padding->shape.size(); ++dim)
      if (padding->isAround(dim) && isa<AffineDimExpr>(map.getResult(dim)))
        return false;
    isRead = true;
  }
  return isRead && paddingOf(made);
}

/// Loads without branches: an element outside of the source is zero, and some element of the source
/// is loaded in its place.
Value ElementEmitter::loadInside(OpOperand &operand, const FactorPadding &padding, int64_t count) {
  Type narrow = builder.getI32Type();
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(builder, loc, narrow, value);
  };
  SmallVector<Value> at = place(operand);
  Value isInside;
  for (auto [dim, index] : llvm::enumerate(at)) {
    if (!padding.isAround(dim))
      continue;
    Value place = arith::IndexCastOp::create(builder, loc, narrow, index);
    place = arith::SubIOp::create(builder, loc, place, number(padding.low[dim]));
    // In front of the source, it is a large number.
    Value holds = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, place,
                                        number(padding.inside[dim]));
    place = arith::SelectOp::create(builder, loc, holds, place, number(0));
    index = arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(), place);
    isInside = isInside ? arith::AndIOp::create(builder, loc, isInside, holds).getResult() : holds;
  }
  Type element = getElementTypeOrSelf(operand.get());
  if (count == 1) {
    Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(element));
    Value inside = memref::LoadOp::create(builder, loc, padding.source, at);
    return arith::SelectOp::create(builder, loc, isInside, inside, zero);
  }
  auto type = VectorType::get(count, element);
  Value zeros = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  Value inside = vector::LoadOp::create(builder, loc, type, padding.source, at,
                                        /*nontemporal=*/false, alignmentOf(type));
  return arith::SelectOp::create(builder, loc, isInside, inside, zeros);
}
