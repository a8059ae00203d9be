// Global memory as one dimension, and loads of single elements of it.
#include "ThreadEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace forge;

/// Contiguous memory, of sizes that are known at run time only, as one dimension.
static Value collapse(ThreadBuilder &b, Value memory, SmallVectorImpl<OpFoldResult> &strides) {
  auto type = cast<MemRefType>(memory.getType());
  strides.assign(type.getRank(), b.getIndexAttr(1));
  for (int64_t dim = type.getRank() - 1; dim > 0; --dim) {
    OpFoldResult size = memref::getMixedSize(b, b.getLoc(), memory, dim), inner = strides[dim];
    std::optional<int64_t> known = getConstantIntValue(size), step = getConstantIntValue(inner);
    if (known && step) {
      strides[dim - 1] = b.getIndexAttr(*known * *step);
      continue;
    }
    auto valueOf = [&](OpFoldResult of) {
      return getValueOrCreateConstantIndexOp(b, b.getLoc(), of);
    };
    strides[dim - 1] = arith::MulIOp::create(b, valueOf(size), valueOf(inner)).getResult();
  }
  if (type.getRank() == 1)
    return memory;
  auto all = llvm::to_vector<2>(llvm::seq<int64_t>(type.getRank()));
  return memref::CollapseShapeOp::create(b, memory, ArrayRef<ReassociationIndices>(all));
}

FailureOr<Value> ThreadEmitter::flatMemory(Operation *op, Value source,
                                           SmallVectorImpl<OpFoldResult> &strides) {
  Value memory = mapped(source);
  auto type = cast<MemRefType>(memory.getType());
  if (!type.hasStaticShape() && type.getLayout().isIdentity())
    return collapse(b, memory, strides);
  int64_t offset = 0;
  SmallVector<int64_t> known;
  if (!type.hasStaticShape() || failed(type.getStridesAndOffset(known, offset)) ||
      llvm::is_contained(known, ShapedType::kDynamic) || ShapedType::isDynamic(offset))
    return op->emitOpError("expected memory that is contiguous, or of static shape and strides, "
                           "but got ")
               << type,
           failure();
  strides = getAsIndexOpFoldResult(b.getContext(), known);
  int64_t elements = 1;
  for (auto [size, stride] : llvm::zip_equal(type.getShape(), known))
    elements += (std::max<int64_t>(size, 1) - 1) * stride;
  auto flat = MemRefType::get(
      {elements}, type.getElementType(),
      offset ? MemRefLayoutAttrInterface(StridedLayoutAttr::get(b.getContext(), offset, {1}))
             : MemRefLayoutAttrInterface(),
      type.getMemorySpace());
  return memref::ReinterpretCastOp::create(b, flat, memory, b.getIndexAttr(offset),
                                           ArrayRef<OpFoldResult>{b.getIndexAttr(elements)},
                                           ArrayRef<OpFoldResult>{b.getIndexAttr(1)})
      .getResult();
}

SmallVector<SmallVector<Value>> ThreadEmitter::placesOf(ValueRange indices, int64_t count) {
  SmallVector<SmallVector<Value>> ofRegisters(count);
  for (Value index : indices) {
    bool isTile = isa<RankedTensorType>(index.getType());
    for (auto [reg, places] : llvm::enumerate(ofRegisters))
      places.push_back(isTile ? registers(index)[reg] : mapped(index));
  }
  return ofRegisters;
}

LogicalResult ThreadEmitter::emitGather(tile::GatherOp op) {
  Value memory = mapped(op.getSource());
  SmallVector<Value> loaded;
  for (ArrayRef<Value> at : placesOf(op.getIndices(), registersOf(op.getType())))
    loaded.push_back(memref::LoadOp::create(b, memory, at));
  tiles[op.getResult()].registers = std::move(loaded);
  return success();
}

LogicalResult ThreadEmitter::emitScatter(tile::ScatterOp op) {
  RankedTensorType type = op.getValue().getType();
  Value memory = mapped(op.getTarget());
  SmallVector<Value> values = registers(op.getValue());
  SmallVector<Value> masks;
  if (Value mask = op.getMask())
    masks = registers(mask);
  OpBuilder::InsertionGuard guard(b);
  auto storeIf = [&](Value condition) {
    auto branch = scf::IfOp::create(b, condition, /*withElseRegion=*/false);
    b.setInsertionPoint(branch.thenBlock()->getTerminator());
  };
  if (Value stores = representative(layoutOf(type)))
    storeIf(stores);
  for (auto [reg, at] : llvm::enumerate(placesOf(op.getIndices(), registersOf(type)))) {
    OpBuilder::InsertionGuard ofRegister(b);
    if (!masks.empty())
      storeIf(masks[reg]);
    memref::StoreOp::create(b, values[reg], memory, at);
  }
  return success();
}
