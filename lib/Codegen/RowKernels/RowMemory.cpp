#include "RowMemory.h"

#include "RowLinks.h"

#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace forge {

static Type elementOf(Value memory) { return cast<ShapedType>(memory.getType()).getElementType(); }

Value RowMemory::sizeOf(const RowProgram::Extent &extent) {
  return extent.sizeValue(b, b.getLoc());
}

Value RowMemory::columnSize() {
  if (!size)
    size = sizeOf(program.column);
  return size;
}

Value RowMemory::begin() {
  if (!first)
    first = plan.isCluster()
                ? arith::MulIOp::create(
                      b, piece, arith::ConstantIndexOp::create(b, plan.span(program.column.size)))
                      .getResult()
                : arith::ConstantIndexOp::create(b, 0).getResult();
  return first;
}

Value RowMemory::end() {
  if (!last) {
    last = columnSize();
    if (plan.isCluster())
      last = arith::MinUIOp::create(
          b, last,
          arith::AddIOp::create(b, begin(),
                                arith::ConstantIndexOp::create(b, plan.span(program.column.size))));
  }
  return last;
}

void RowMemory::keep(ArrayRef<RowRead> reads) {
  auto space =
      gpu::AddressSpaceAttr::get(b.getContext(), gpu::GPUDialect::getWorkgroupAddressSpace());
  for (const RowRead &read : reads) {
    if (isWritten(read.memref))
      continue;
    auto type = MemRefType::get({plan.span(program.column.size)}, elementOf(read.memref),
                                MemRefLayoutAttrInterface(), space);
    keeps.push_back({read.memref, read.map,
                     memref::AllocOp::create(b, type, b.getI64IntegerAttr(kAccessBytes))});
  }
}

void RowMemory::storeKept(RowSlot &slot) {
  if (slot.keeps.empty())
    return;
  guarded(slot.valid, /*needed=*/true, {}, [&]() -> SmallVector<Value> {
    for (const RowKeep &keep : slot.keeps) {
      auto vector = dyn_cast<VectorType>(keep.loaded.getType());
      if (vector)
        vector::StoreOp::create(
            b, keep.loaded, keep.buffer, keep.place, /*nontemporal=*/false,
            llvm::MaybeAlign(vector.getNumElements() * vector.getElementTypeBitWidth() / 8));
      else
        memref::StoreOp::create(b, keep.loaded, keep.buffer, keep.place);
    }
    return {};
  });
  slot.keeps.clear();
}

void RowMemory::endPass() {
  for (Kept &kept : keeps)
    kept.full |= kept.begun;
}

RowMemory::Kept *RowMemory::keptOf(const RowRead &read) {
  auto found = llvm::find_if(
      keeps, [&](const Kept &kept) { return kept.memref == read.memref && kept.map == read.map; });
  return found == keeps.end() ? nullptr : found;
}

void RowMemory::locateRow(Value row, int64_t rowsPerBlock, Value ownPiece) {
  piece = ownPiece;
  columnSize();
  begin();
  end();
  int64_t known = 1;
  for (const RowProgram::Extent &extent : program.rows)
    known = ShapedType::isDynamic(extent.size) || known < 0 ? -1 : known * extent.size;
  if (rowsPerBlock > 1 && (known < 0 || known % rowsPerBlock != 0)) {
    Value total = arith::ConstantIndexOp::create(b, 1);
    for (const RowProgram::Extent &extent : program.rows)
      total = arith::MulIOp::create(b, total, sizeOf(extent));
    rowValid = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, row, total);
    Value last = arith::SubIOp::create(b, total, arith::ConstantIndexOp::create(b, 1));
    row = arith::MinUIOp::create(b, row, last);
  }
  rowIndices.resize(program.rows.size());
  for (size_t i = program.rows.size(); i-- > 1;) {
    Value extent = sizeOf(program.rows[i]);
    rowIndices[i] = arith::RemUIOp::create(b, row, extent);
    row = arith::DivUIOp::create(b, row, extent);
  }
  if (!program.rows.empty())
    rowIndices[0] = row;
}

RowSlot RowMemory::slotAt(Value column, bool guarded) {
  RowSlot slot;
  slot.valid = rowValid;
  if (guarded) {
    Value inside = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, column, end());
    slot.valid = rowValid ? arith::AndIOp::create(b, inside, rowValid).getResult() : inside;
    Value width = arith::ConstantIndexOp::create(b, plan.vector);
    column = arith::MinUIOp::create(b, column, arith::SubIOp::create(b, end(), width));
  }
  slot.column = column;
  return slot;
}

Value RowMemory::coordinate(RowSlot *slot, unsigned axis, int64_t at) {
  if (axis < program.columnAxis())
    return rowIndices[axis];
  if (!slot)
    return arith::ConstantIndexOp::create(b, 0);
  return at == 0 ? slot->column
                 : arith::AddIOp::create(b, slot->column, arith::ConstantIndexOp::create(b, at))
                       .getResult();
}

SmallVector<Value> RowMemory::indices(AffineMap map, RowSlot *slot, int64_t at) {
  SmallVector<Value> dims;
  for (unsigned axis = 0; axis <= program.columnAxis(); ++axis)
    dims.push_back(map.isFunctionOfDim(axis) ? coordinate(slot, axis, at) : Value());
  SmallVector<Value> results;
  for (AffineExpr expr : map.getResults())
    results.push_back(affine::expandAffineExpr(b, b.getLoc(), expr, dims, {}));
  return results;
}

/// Whether `memref` is part of an argument in which what begins at multiples of `width` elements of
/// the last dimension does so in the argument, too.
static bool isAlignedPart(Value memref, int64_t width) {
  auto type = cast<MemRefType>(memref.getType());
  SmallVector<int64_t> strides;
  int64_t offset = 0;
  while (Operation *view = memref.getDefiningOp()) {
    if (!isa<memref::ReinterpretCastOp, memref::SubViewOp>(view))
      return false;
    memref = view->getOperand(0);
  }
  auto isMultiple = [&](int64_t size) { return !ShapedType::isDynamic(size) && size % width == 0; };
  return cast<MemRefType>(memref.getType()).getLayout().isIdentity() &&
         succeeded(type.getStridesAndOffset(strides, offset)) && !strides.empty() &&
         strides.back() == 1 && isMultiple(offset) &&
         llvm::all_of(ArrayRef(strides).drop_back(), isMultiple);
}

bool RowMemory::alongColumn(Value memref, AffineMap map) const {
  AffineExpr column = getAffineDimExpr(program.columnAxis(), map.getContext());
  Type element = elementOf(memref);
  if (map.getNumResults() == 0 || map.getResults().back() != column || !element.isIntOrFloat() ||
      element.getIntOrFloatBitWidth() < 8)
    return false;
  int64_t width =
      std::min<int64_t>(plan.vector, kAccessBytes * 8 / int64_t(element.getIntOrFloatBitWidth()));
  bool isWhole = (isa<BlockArgument>(memref) || RowLinks::isShared(memref)) &&
                 cast<MemRefType>(memref.getType()).getLayout().isIdentity();
  if (!isWhole && !isAlignedPart(memref, width))
    return false;
  return llvm::none_of(map.getResults().drop_back(),
                       [&](AffineExpr expr) { return expr.isFunctionOfDim(program.columnAxis()); });
}

bool RowMemory::isWritten(Value memref) const {
  return llvm::any_of(program.writes,
                      [&](const RowWrite &write) { return write.memref == memref; });
}

SmallVector<Value> RowMemory::guarded(Value valid, bool needed, ArrayRef<Type> types,
                                      llvm::function_ref<SmallVector<Value>()> emit) {
  if (!valid || !needed)
    return emit();
  OpBuilder::InsertionGuard insertion(b);
  if (types.empty()) {
    auto guard = scf::IfOp::create(b, valid, /*withElseRegion=*/false);
    b.setInsertionPoint(guard.thenYield());
    return emit();
  }
  auto guard = scf::IfOp::create(b, types, valid, /*withElseRegion=*/true);
  b.setInsertionPointToStart(guard.thenBlock());
  scf::YieldOp::create(b, emit());
  b.setInsertionPointToStart(guard.elseBlock());
  SmallVector<Value> zeros;
  for (Type type : types)
    zeros.push_back(arith::ConstantOp::create(b, b.getZeroAttr(type)));
  scf::YieldOp::create(b, zeros);
  return SmallVector<Value>(guard.getResults());
}

/// As few accesses as hold the slot's columns, then the lanes one by one.
SmallVector<Value> RowMemory::loadVector(RowSlot &slot, const RowRead &read) {
  Type element = elementOf(read.memref);
  int64_t bytes = element.getIntOrFloatBitWidth() / 8;
  int64_t width = std::min<int64_t>(plan.vector, kAccessBytes / bytes);
  auto type = VectorType::get({width}, element);
  llvm::MaybeAlign alignment(width * bytes);
  SmallVector<Type> types(plan.vector / width, type);
  Kept *kept = keptOf(read);
  Value inBlock = kept ? arith::SubIOp::create(b, slot.column, begin()).getResult() : Value();
  auto placeInBlock = [&](int64_t at) -> Value {
    return arith::AddIOp::create(b, inBlock, arith::ConstantIndexOp::create(b, at));
  };
  SmallVector<Value> vectors = guarded(slot.valid, isWritten(read.memref), types, [&] {
    SmallVector<Value> loaded;
    for (int64_t at = 0; at < plan.vector; at += width)
      loaded.push_back(kept && kept->full
                           ? vector::LoadOp::create(b, type, kept->buffer, placeInBlock(at),
                                                    /*nontemporal=*/false, alignment)
                           : vector::LoadOp::create(b, type, read.memref,
                                                    indices(read.map, &slot, at),
                                                    /*nontemporal=*/false, alignment));
    return loaded;
  });
  if (kept && !kept->full) {
    kept->begun = true;
    for (auto [i, loaded] : llvm::enumerate(vectors))
      slot.keeps.push_back({kept->buffer, placeInBlock(i * width), loaded});
  }
  SmallVector<Value> lanes;
  for (Value loaded : vectors)
    for (int64_t at = 0; at < width; ++at)
      lanes.push_back(vector::ExtractOp::create(b, loaded, at));
  return lanes;
}

/// One element, where accesses are no vectors.
Value RowMemory::loadElement(RowSlot &slot, const RowRead &read, int64_t at) {
  Kept *kept = keptOf(read);
  Value inBlock =
      kept ? arith::SubIOp::create(b, coordinate(&slot, program.columnAxis(), at), begin())
                 .getResult()
           : Value();
  if (kept && kept->full)
    return memref::LoadOp::create(b, kept->buffer, inBlock);
  Value value = guarded(
      slot.valid, isWritten(read.memref), elementOf(read.memref), [&]() -> SmallVector<Value> {
        return {memref::LoadOp::create(b, read.memref, indices(read.map, &slot, at))};
      })[0];
  if (kept) {
    kept->begun = true;
    slot.keeps.push_back({kept->buffer, inBlock, value});
  }
  return value;
}

Value RowMemory::load(RowSlot &slot, const RowRead &read, int64_t at) {
  if (!read.map.isFunctionOfDim(program.columnAxis()))
    at = 0;
  auto key = std::make_pair(read.memref, read.map);
  auto found = llvm::find_if(slot.loaded, [&](const auto &entry) { return entry.first == key; });
  if (found == slot.loaded.end()) {
    slot.loaded.push_back({key, SmallVector<Value>(plan.vector)});
    found = &slot.loaded.back();
    if (plan.vector > 1 && alongColumn(read.memref, read.map))
      found->second = loadVector(slot, read);
  }
  Value &value = found->second[at];
  if (!value)
    value = loadElement(slot, read, at);
  return value;
}

Value RowMemory::loadOfRow(const RowRead &read) {
  return guarded(rowValid, isWritten(read.memref), elementOf(read.memref),
                 [&]() -> SmallVector<Value> { return {loadPlainly(read)}; })[0];
}

void RowMemory::store(RowSlot &slot, const RowWrite &write, ArrayRef<Value> values) {
  guarded(slot.valid, /*needed=*/true, {}, [&]() -> SmallVector<Value> {
    Type element = elementOf(write.memref);
    if (plan.vector == 1 || !alongColumn(write.memref, write.map)) {
      for (auto [at, value] : llvm::enumerate(values))
        memref::StoreOp::create(b, value, write.memref, indices(write.map, &slot, at));
      return {};
    }
    int64_t bytes = element.getIntOrFloatBitWidth() / 8;
    int64_t width = std::min<int64_t>(plan.vector, kAccessBytes / bytes);
    for (int64_t at = 0; at < plan.vector; at += width) {
      Value joined = vector::FromElementsOp::create(b, VectorType::get({width}, element),
                                                    values.slice(at, width));
      vector::StoreOp::create(b, joined, write.memref, indices(write.map, &slot, at),
                              /*nontemporal=*/false, llvm::MaybeAlign(width * bytes));
    }
    return {};
  });
}

Value RowMemory::isFirstOfRow(Value lane) {
  Value first = rowValid;
  auto onlyFirst = [&](Value number) {
    Value zero = arith::ConstantIndexOp::create(b, 0);
    Value isFirst = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, number, zero);
    first = first ? arith::AndIOp::create(b, isFirst, first).getResult() : isFirst;
  };
  if (plan.threads > 1)
    onlyFirst(lane);
  if (piece)
    onlyFirst(piece);
  return first;
}

void RowMemory::storeOfRow(const RowWrite &write, Value value, Value lane) {
  guarded(isFirstOfRow(lane), /*needed=*/true, {}, [&]() -> SmallVector<Value> {
    memref::StoreOp::create(b, value, write.memref, indices(write.map, nullptr, 0));
    return {};
  });
}

Value RowMemory::byFirst(Value lane, TypedAttr otherwise, llvm::function_ref<Value()> emit) {
  Value isFirst = isFirstOfRow(lane);
  if (!isFirst)
    return emit();
  auto guard = scf::IfOp::create(b, otherwise.getType(), isFirst, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard insertion(b);
  b.setInsertionPointToStart(guard.thenBlock());
  scf::YieldOp::create(b, emit());
  b.setInsertionPointToStart(guard.elseBlock());
  scf::YieldOp::create(b, arith::ConstantOp::create(b, otherwise).getResult());
  return guard.getResult(0);
}

Value RowMemory::loadPlainly(const RowRead &read) {
  return memref::LoadOp::create(b, read.memref, indices(read.map, nullptr, 0));
}

} // namespace forge
