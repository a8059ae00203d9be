// Memory, rings and roles in the naive form.
#include "NaiveEmitter.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace forge;

SmallVector<Value> NaiveEmitter::placeOf(ValueRange indices, ArrayRef<int64_t> dims,
                                         ValueRange coordinates) {
  SmallVector<Value> place;
  for (Value index : indices)
    place.push_back(scalars.lookup(index));
  for (auto [dim, coordinate] : llvm::zip_equal(dims, coordinates))
    place[dim] = add(place[dim], coordinate);
  return place;
}

Value NaiveEmitter::below(ValueRange values, ValueRange limits) {
  Value all;
  for (auto [value, limit] : llvm::zip_equal(values, limits)) {
    Value inside = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, value, limit);
    all = all ? arith::AndIOp::create(b, loc, all, inside).getResult() : inside;
  }
  return all;
}

/// What an access has along its dimensions.
static SmallVector<Value> along(ArrayRef<int64_t> dims, ArrayRef<Value> place) {
  return llvm::map_to_vector(dims, [&](int64_t dim) { return place[dim]; });
}

void NaiveEmitter::emitLoad(tile::LoadOp op) {
  Value array = define(op.getResult());
  Value memory = arrayOf(op.getSource()) ? arrayOf(op.getSource()) : scalars.lookup(op.getSource());
  Type element = getElementTypeOrSelf(array);
  SmallVector<int64_t> dims = op.getMemoryDims();
  SmallVector<Value> limits;
  for (Value limit : op.getLimits())
    limits.push_back(scalars.lookup(limit));
  Value fill;
  if (!limits.empty())
    fill = op.getFill() ? scalars.lookup(op.getFill())
                        : arith::ConstantOp::create(b, loc, b.getZeroAttr(element)).getResult();
  forEach(op.getType().getShape(), [&](ValueRange at) {
    SmallVector<Value> place = placeOf(op.getIndices(), dims, at);
    if (limits.empty())
      return store(load(memory, place), array, at);
    auto branch = scf::IfOp::create(
        b, loc, below(along(dims, place), limits),
        [&](OpBuilder &inside, Location) {
          scf::YieldOp::create(inside, loc,
                               memref::LoadOp::create(inside, loc, memory, place).getResult());
        },
        [&](OpBuilder &inside, Location) { scf::YieldOp::create(inside, loc, fill); });
    store(branch.getResult(0), array, at);
  });
}

void NaiveEmitter::emitStore(tile::StoreOp op) {
  Value array = arrayOf(op.getValue());
  Value memory = arrayOf(op.getTarget()) ? arrayOf(op.getTarget()) : scalars.lookup(op.getTarget());
  SmallVector<int64_t> dims = op.getMemoryDims();
  SmallVector<Value> limits;
  for (Value limit : op.getLimits())
    limits.push_back(scalars.lookup(limit));
  forEach(op.getValue().getType().getShape(), [&](ValueRange at) {
    SmallVector<Value> place = placeOf(op.getIndices(), dims, at);
    OpBuilder::InsertionGuard guard(b);
    if (!limits.empty())
      b.setInsertionPointToStart(
          scf::IfOp::create(b, loc, below(along(dims, place), limits), /*withElseRegion=*/false)
              .thenBlock());
    store(load(array, at), memory, place);
  });
}

SmallVector<Value> NaiveEmitter::placeIn(ValueRange indices, ValueRange at) {
  return llvm::map_to_vector(indices, [&](Value index) -> Value {
    return isTile(index.getType()) ? load(arrayOf(index), at) : scalars.lookup(index);
  });
}

void NaiveEmitter::emitGather(tile::GatherOp op) {
  Value array = define(op.getResult()), memory = scalars.lookup(op.getSource());
  forEach(op.getType().getShape(),
          [&](ValueRange at) { store(load(memory, placeIn(op.getIndices(), at)), array, at); });
}

void NaiveEmitter::emitScatter(tile::ScatterOp op) {
  Value array = arrayOf(op.getValue()), memory = scalars.lookup(op.getTarget());
  forEach(op.getValue().getType().getShape(), [&](ValueRange at) {
    OpBuilder::InsertionGuard guard(b);
    if (Value mask = op.getMask())
      b.setInsertionPointToStart(
          scf::IfOp::create(b, loc, load(arrayOf(mask), at), /*withElseRegion=*/false).thenBlock());
    store(load(array, at), memory, placeIn(op.getIndices(), at));
  });
}

/// What is outside of the memory is zero.
void NaiveEmitter::emitCopy(tile::CopyOp op) {
  Value array = arrayOf(op.getTarget()), memory = scalars.lookup(op.getSource());
  auto type = cast<MemRefType>(memory.getType());
  SmallVector<int64_t> dims = op.getMemoryDims();
  SmallVector<Value> sizes, zeros(type.getRank(), index(0));
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    sizes.push_back(b.createOrFold<memref::DimOp>(loc, memory, dim));
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(type.getElementType()));
  forEach(cast<MemRefType>(array.getType()).getShape(), [&](ValueRange at) {
    SmallVector<Value> place = placeOf(op.getIndices(), dims, at);
    Value inside = below(place, sizes);
    for (Value coordinate : place)
      inside = arith::AndIOp::create(
          b, loc, inside,
          arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, coordinate, zeros.front()));
    auto branch = scf::IfOp::create(
        b, loc, inside,
        [&](OpBuilder &inner, Location) {
          scf::YieldOp::create(inner, loc,
                               memref::LoadOp::create(inner, loc, memory, place).getResult());
        },
        [&](OpBuilder &inner, Location) { scf::YieldOp::create(inner, loc, zero); });
    store(branch.getResult(0), array, at);
  });
}

//===----------------------------------------------------------------------===//
// Rings and roles

/// Whether a role does nothing but fill rings.
static bool onlyPuts(tile::RoleOp role) {
  return !role.walk([](Operation *op) {
                bool isOther = isa_and_nonnull<tile::TileDialect>(op->getDialect()) &&
                               !isa<tile::RoleOp, tile::WorkOp, tile::PutOp, tile::CopyOp,
                                    tile::ReshapeOp, tile::SliceOp, tile::YieldOp>(op);
                return isOther || isa<memref::StoreOp>(op) ? WalkResult::interrupt()
                                                           : WalkResult::advance();
              })
              .wasInterrupted();
}

LogicalResult NaiveEmitter::findRings() {
  for (auto op : kernel.getBody().front().getOps<tile::RingOp>()) {
    Ring &ring = rings[op];
    tile::PutOp put;
    for (Operation *user : op->getUsers()) {
      auto filling = dyn_cast<tile::PutOp>(user);
      if (!filling)
        continue;
      auto in = filling->getParentOfType<tile::RoleOp>();
      if (put && in != put->getParentOfType<tile::RoleOp>())
        return filling.emitOpError("expected one role to fill a ring");
      put = filling;
      if (in && onlyPuts(in))
        ring.producer = in;
    }
    for (Operation *user : op->getUsers()) {
      auto get = dyn_cast<tile::GetOp>(user);
      if (put && get && !ring.producer &&
          get->getParentOfType<tile::RoleOp>() != put->getParentOfType<tile::RoleOp>())
        return put.emitOpError(
            "expected a ring of the naive form to be filled by the role that reads it, or by one "
            "of copies alone");
    }
  }
  return success();
}

LogicalResult NaiveEmitter::emitRole(tile::RoleOp op) {
  // It is run where its slots are read.
  if (onlyPuts(op))
    return success();
  role = op;
  LogicalResult emitted = emitBlock(op.getBody().front());
  role = nullptr;
  return emitted;
}

void NaiveEmitter::emitRing(tile::RingOp op) {
  Ring &ring = rings[op];
  auto counter = [&] {
    Value made = allocate({}, b.getIndexType());
    store(index(0), made, {});
    return made;
  };
  for (Type type : op.getType().getBuffers()) {
    auto buffer = cast<tile::SharedType>(type);
    SmallVector<int64_t> shape{op.getType().getSlots()};
    llvm::append_range(shape, buffer.getShape());
    ring.buffers.push_back(allocate(shape, buffer.getElementType()));
  }
  ring.put = counter();
  for (Operation *user : op->getUsers())
    if (isa<tile::GetOp>(user)) {
      Operation *reader = user->getParentOfType<tile::RoleOp>();
      if (!ring.got.count(reader))
        ring.got[reader] = counter();
    }
}

Value NaiveEmitter::count(Value counter) {
  Value number = load(counter, {});
  store(add(number, index(1)), counter, {});
  return number;
}

SmallVector<Value> NaiveEmitter::slotOf(const Ring &ring, Value number) {
  SmallVector<Value> views;
  for (Value buffer : ring.buffers) {
    auto type = cast<MemRefType>(buffer.getType());
    Value slot = arith::RemUIOp::create(b, loc, number, index(type.getDimSize(0)));
    SmallVector<OpFoldResult> offsets(type.getRank(), b.getIndexAttr(0)),
        sizes = getAsIndexOpFoldResult(b.getContext(), type.getShape()),
        strides(type.getRank(), b.getIndexAttr(1));
    offsets[0] = slot;
    sizes[0] = b.getIndexAttr(1);
    auto view = memref::SubViewOp::inferRankReducedResultType(type.getShape().drop_front(), type,
                                                              offsets, sizes, strides);
    views.push_back(memref::SubViewOp::create(b, loc, view, buffer, offsets, sizes, strides));
  }
  return views;
}

LogicalResult NaiveEmitter::emitGet(tile::GetOp op) {
  auto ringOp = op.getRing().getDefiningOp<tile::RingOp>();
  if (!ringOp)
    return op.emitOpError("expected a ring of the function");
  Ring &ring = rings[ringOp];
  Value number = count(ring.got.lookup(role));
  SmallVector<Value> buffers = slotOf(ring, number);
  for (auto [result, buffer] : llvm::zip_equal(op.getBuffers(), buffers))
    arrays[result] = buffer;
  if (!ring.producer)
    return success();
  store(index(0), ring.put, {});
  wanted = Wanted{ringOp, number, ring.put, buffers};
  LogicalResult emitted = emitBlock(ring.producer.getBody().front());
  wanted.reset();
  loc = op.getLoc();
  return emitted;
}

LogicalResult NaiveEmitter::emitPut(tile::PutOp op) {
  auto ringOp = op.getRing().getDefiningOp<tile::RingOp>();
  if (!ringOp)
    return op.emitOpError("expected a ring of the function");
  // While a role is run again, other rings are left alone.
  if (wanted && wanted->ring != ringOp)
    return success();
  OpBuilder::InsertionGuard guard(b);
  SmallVector<Value> buffers;
  if (wanted) {
    Value found = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, count(wanted->counter),
                                        wanted->number);
    buffers = wanted->buffers;
    b.setInsertionPointToStart(
        scf::IfOp::create(b, loc, found, /*withElseRegion=*/false).thenBlock());
  } else {
    Ring &ring = rings[ringOp];
    buffers = slotOf(ring, count(ring.put));
  }
  Block &body = op.getBody().front();
  for (auto [argument, buffer] : llvm::zip_equal(body.getArguments(), buffers))
    arrays[argument] = buffer;
  return emitBlock(body);
}

/// Blocks take turns at the numbers; the counter stays as it is.
LogicalResult NaiveEmitter::emitWork(tile::WorkOp op) {
  auto toI32 = [&](Value number) {
    return arith::IndexCastOp::create(b, loc, b.getI32Type(), number).getResult();
  };
  int64_t blocksOfGrid = kernel->getAttrOfType<DenseI64ArrayAttr>(tile::kGridAttr)[0];
  auto loop = scf::ForOp::create(b, loc, toI32(blockIds[0]), scalars.lookup(op.getCount()),
                                 toI32(index(blocksOfGrid)));
  scalars.map(op.getNumber(), loop.getInductionVar());
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(loop.getBody()->getTerminator());
  return emitBlock(op.getBody().front());
}
