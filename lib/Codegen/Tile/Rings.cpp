// Rings: slots in shared memory, and two mbarriers for each that tensor copies fill.
#include "ThreadEmitter.h"

#include "../Hopper/Hopper.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace forge;

Value ThreadEmitter::barrierOf(const TileRing &ring, Value slot, bool full) {
  int64_t first = ring.barriers + (full ? 0 : 8 * ring.slots);
  return sharedAt(b, sharedBase, b.add(b.mul(slot, b.i32(8)), b.i32(first)));
}

/// Full: the copying thread arrives, and all bytes have come. Empty: every reading warp arrives.
void ThreadEmitter::initRings() {
  bool hasBarriers = program.work.has_value();
  for (auto &[op, ring] : program.rings)
    hasBarriers |= ring.engine == tile::CopyEngine::Tma;
  if (!hasBarriers)
    return;
  auto branch = scf::IfOp::create(b, b.equals(thread, 0), /*withElseRegion=*/false);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(branch.thenBlock()->getTerminator());
    for (auto &[op, ring] : program.rings)
      for (int64_t slot = 0; ring.engine == tile::CopyEngine::Tma && slot < ring.slots; ++slot) {
        initBarrier(b, barrierOf(ring, b.i32(slot), true), 1);
        initBarrier(b, barrierOf(ring, b.i32(slot), false), std::max<int64_t>(ring.readerWarps, 1));
      }
    for (int64_t slot = 0; program.work && slot < TileWork::kSlots; ++slot) {
      RingState state{b.i32(slot), Value()};
      initBarrier(b, workBarrier(state, true), 1);
      initBarrier(b, workBarrier(state, false), std::max<int64_t>(program.work->readerWarps, 1));
    }
    fenceBarriers(b);
  }
  gpu::BarrierOp::create(b);
}

/// The next slot; behind the last one the first, in the other phase of its barriers.
void ThreadEmitter::advance(RingState &state, int64_t slots) {
  Value next = b.add(state.slot, b.i32(1));
  Value wraps = b.equals(next, slots);
  state.slot = arith::SelectOp::create(b, wraps, b.i32(0), next);
  state.parity =
      arith::XOrIOp::create(b, state.parity, arith::ExtUIOp::create(b, b.getI32Type(), wraps));
}

/// 1. One thread waits until the slot is empty: a new barrier is in its phase 0, and waiting for
/// the
///    one before passes at once.
/// 2. It says how many bytes come, and issues the copies.
LogicalResult ThreadEmitter::emitPut(tile::PutOp op) {
  Operation *ringOp = op.getRing().getDefiningOp();
  const TileRing &ring = program.rings.find(ringOp)->second;
  auto [entry, isNew] = puts.try_emplace(ringOp);
  if (isNew)
    entry->second = {b.i32(0), b.i32(1)};
  RingState state = entry->second;
  if (ring.engine == tile::CopyEngine::CpAsync) {
    if (failed(emitAsyncPut(op, ring, state)))
      return failure();
  } else {
    OpBuilder::InsertionGuard guard(b);
    if (!role->onlyCopies) {
      auto branch = scf::IfOp::create(b, b.equals(thread, role->firstWarp * program.chip->warpSize),
                                      /*withElseRegion=*/false);
      b.setInsertionPoint(branch.thenBlock()->getTerminator());
    }
    waitBarrier(b, barrierOf(ring, state.slot, false), state.parity);
    marks.begin("copy");
    Value full = barrierOf(ring, state.slot, true);
    expectBytes(b, full, ring.slotBytes);
    mapBuffers(op.getBody().getArguments(), ring, state);
    for (Operation &inner : op.getBody().front().without_terminator()) {
      b.setLoc(inner.getLoc());
      auto copy = dyn_cast<tile::CopyOp>(inner);
      // One thread runs this.
      if (!copy && !isMemoryEffectFree(&inner))
        return inner.emitOpError("expected copies and index arithmetic in a tile.put");
      if (failed(copy ? emitCopy(copy, full) : emitOp(&inner)))
        return failure();
    }
  }
  advance(state, ring.slots);
  puts[ringOp] = state;
  return success();
}

/// The most elements of a box along one dimension.
static constexpr int64_t kMostInBox = 256;

/// A box for each panel of the buffer. Its tensor map, which the host makes, is a new argument of
/// the kernel.
LogicalResult ThreadEmitter::emitCopy(tile::CopyOp op, Value barrier) {
  auto part = op.getSource().getDefiningOp<memref::ReinterpretCastOp>();
  auto argument = dyn_cast<BlockArgument>(part ? part.getSource() : op.getSource());
  auto memory = cast<MemRefType>(op.getSource().getType());
  tile::SharedType buffer = op.getTarget().getType();
  SmallVector<int64_t> strides, dims = op.getMemoryDims();
  int64_t offset = 0, rank = memory.getRank(), bytes = buffer.getElementBytes();
  if (!argument || argument.getOwner()->getParentOp() != kernel)
    return op.emitOpError("expected a copy by tma of an argument of the kernel");
  bool isStrided = succeeded(memory.getStridesAndOffset(strides, offset));
  // The host knows what is not known here: it computes it from the kernel's arguments.
  bool isKnown = memory.hasStaticShape() && !ShapedType::isDynamic(offset) &&
                 !llvm::is_contained(strides, ShapedType::kDynamic);
  if (!isStrided || strides.back() != 1 || (!isKnown && !part) ||
      (!ShapedType::isDynamic(offset) && offset * bytes % 16 != 0))
    return op.emitOpError("expected memory of known shape and strides, contiguous along its last "
                          "dimension, from a multiple of 16 bytes on, but got ")
           << memory;
  // Whose tensor maps the runtime makes.
  if (Type element = memory.getElementType(); !element.isBF16() && !element.isF16() &&
                                              !element.isF32() && !element.isInteger(8) &&
                                              !isa<Float8E4M3FNType, Float8E5M2Type>(element))
    return op.emitOpError(
               "expected elements of bf16, f16, f32, f8E4M3FN, f8E5M2 or i8 for tma, but "
               "got ")
           << element;
  if (rank > 5)
    return op.emitOpError("expected at most 5 dimensions for tma, but got ") << rank;
  if (dims.back() != rank - 1)
    return op.emitOpError("expected the last of dims to be the last dimension for tma, but got ")
           << dims.back();
  for (int64_t stride : ArrayRef(strides).drop_back())
    if (!ShapedType::isDynamic(stride) && stride * bytes % 16 != 0)
      return op.emitOpError("expected strides of a multiple of 16 bytes for tma, but got ")
             << stride * bytes << " in " << memory;
  int64_t panel = buffer.getSwizzle() ? buffer.getSwizzle() / bytes : buffer.getShape().back();
  if (buffer.getPad() || panel * bytes % 16 != 0)
    return op.emitOpError("expected a buffer without padding, with rows of a multiple of 16 bytes "
                          "for tma, but got ")
           << buffer;
  TensorMap map;
  map.argument.number = argument.getArgNumber();
  map.argument.offset = b.getIndexAttr(offset);
  map.argument.sizes = getAsIndexOpFoldResult(b.getContext(), memory.getShape());
  map.argument.strides = getAsIndexOpFoldResult(b.getContext(), strides);
  if (part) {
    auto mapAll = [&](ArrayRef<OpFoldResult> list, auto &to) {
      to.clear();
      for (OpFoldResult each : list) {
        auto value = dyn_cast<Value>(each);
        to.push_back(value ? OpFoldResult(getAsOpFoldResult(mapped(value))) : each);
      }
    };
    SmallVector<OpFoldResult> offsets;
    mapAll(part.getMixedOffsets(), offsets);
    map.argument.offset = offsets.front();
    mapAll(part.getMixedSizes(), map.argument.sizes);
    mapAll(part.getMixedStrides(), map.argument.strides);
  }
  map.swizzleBytes = buffer.getSwizzle();
  SmallVector<int64_t> box(rank, 1);
  for (auto [dim, size] : llvm::zip_equal(dims, buffer.getShape()))
    box[dim] = size;
  box.back() = panel;
  for (int64_t size : box)
    if (size > kMostInBox)
      return op.emitOpError("expected at most ")
             << kMostInBox << " elements along a dimension for tma, but got " << size;
  // A map has two dimensions or more.
  if (rank == 1) {
    int64_t behind = memory.isDynamicDim(0) ? 16 : llvm::alignTo(memory.getDimSize(0), 16);
    map.argument.sizes.insert(map.argument.sizes.begin(), b.getIndexAttr(1));
    map.argument.strides.insert(map.argument.strides.begin(), b.getIndexAttr(behind));
    box.insert(box.begin(), 1);
  }
  map.box = llvm::to_vector<5>(llvm::reverse(box));
  Value pointer = mapPointer(map);
  SmallVector<Value> coordinates;
  for (Value at : llvm::reverse(op.getIndices()))
    coordinates.push_back(b.toI32(mapped(at)));
  if (rank == 1)
    coordinates.push_back(b.i32(0));
  int64_t rows = ShapedType::getNumElements(buffer.getShape().drop_back());
  Value target = mapped(op.getTarget());
  for (int64_t column = 0; column < buffer.getShape().back(); column += panel) {
    SmallVector<Value> at = coordinates;
    if (column)
      at.front() = b.add(at.front(), b.i32(column));
    Value place = column ? b.add(target, b.i32(column * rows * bytes)) : target;
    copyBox(b, sharedAt(b, sharedBase, place), pointer, barrier, at);
  }
  return success();
}

/// Equal maps are one argument.
Value ThreadEmitter::mapPointer(const TensorMap &map) {
  auto isSame = [&](const TensorMap &other) {
    return other.argument.number == map.argument.number &&
           other.argument.offset == map.argument.offset &&
           other.argument.sizes == map.argument.sizes &&
           other.argument.strides == map.argument.strides && other.box == map.box &&
           other.swizzleBytes == map.swizzleBytes;
  };
  auto *known = llvm::find_if(shape.maps, isSame);
  size_t number = known - shape.maps.begin();
  if (known == shape.maps.end()) {
    auto type = MemRefType::get(TensorMap::kBytes, b.getI8Type());
    (void)kernel.insertArgument(kernel.getNumArguments(), type, {}, kernel.getLoc());
    shape.maps.push_back(map);
  }
  return tensorMapPointer(b, kernel.getArgument(numArguments + number));
}

void ThreadEmitter::mapBuffers(ValueRange buffers, const TileRing &ring, const RingState &state) {
  for (auto [number, buffer] : llvm::enumerate(buffers))
    scalars.map(buffer,
                b.add(b.mul(state.slot, b.i32(ring.strides[number])), b.i32(ring.offsets[number])));
}

LogicalResult ThreadEmitter::emitGet(tile::GetOp op) {
  Operation *ringOp = op.getRing().getDefiningOp();
  const TileRing &ring = program.rings.find(ringOp)->second;
  auto [entry, isNew] = gets.try_emplace(ringOp);
  if (isNew)
    entry->second = {b.i32(0), b.i32(0)};
  RingState state = entry->second;
  if (ring.engine == tile::CopyEngine::Tma)
    waitBarrier(b, barrierOf(ring, state.slot, true), state.parity);
  else if (failed(emitAsyncGet(op)))
    return failure();
  scalars.map(op.getSlot(), state.slot);
  mapBuffers(op.getBuffers(), ring, state);
  advance(state, ring.slots);
  gets[ringOp] = state;
  return success();
}

/// Whether lanes read slots of `ring` by themselves: products of warpgroups are waited for by all
/// lanes of a warp.
static bool isReadByLanes(tile::RingOp ring) {
  for (Operation *user : ring->getUsers())
    if (auto get = dyn_cast<tile::GetOp>(user))
      for (Value buffer : get.getBuffers())
        for (Operation *reader : buffer.getUsers()) {
          auto dot = dyn_cast<tile::DotOp>(reader);
          if (!dot || dot.getKind() != tile::DotKind::Wgmma)
            return true;
        }
  return false;
}

/// Each warp arrives for itself, once all of its lanes have read. An arrival alone does not keep
/// the next tensor copy behind these reads, because copies are another proxy (PTX ISA, "Async
/// proxy"); on an H200 they were seen to overtake ldmatrix.
LogicalResult ThreadEmitter::emitDrop(tile::DropOp op) {
  tile::RingOp ringOp = ringOf(op.getSlot());
  if (!ringOp)
    return op.emitOpError("expected a slot of one ring");
  const TileRing &ring = program.rings.find(ringOp)->second;
  if (ring.engine == tile::CopyEngine::CpAsync) {
    dropped.insert(ringOp);
    return success();
  }
  if (isReadByLanes(ringOp)) {
    fenceSharedForCopies(b);
    NVVM::SyncWarpOp::create(b, b.i32(-1));
  }
  auto branch = scf::IfOp::create(b, b.equals(lane, 0), /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(branch.thenBlock()->getTerminator());
  arriveAtBarrier(b, barrierOf(ring, mapped(op.getSlot()), false));
  return success();
}
