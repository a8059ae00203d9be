// Rings that all threads of a role fill by cp.async and read themselves.
#include "ThreadEmitter.h"

#include "../Hopper/Hopper.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace forge;

/// The threads' copies of a slot are one group. Whoever read the slot before may still be reading
/// it, unless all threads have met since it was dropped.
LogicalResult ThreadEmitter::emitAsyncPut(tile::PutOp op, const TileRing &ring, RingState &state) {
  Operation *ringOp = op.getRing().getDefiningOp();
  if (dropped.contains(ringOp))
    meet();
  marks.begin("copy");
  mapBuffers(op.getBody().getArguments(), ring, state);
  for (Operation &inner : op.getBody().front().without_terminator()) {
    b.setLoc(inner.getLoc());
    auto copy = dyn_cast<tile::CopyOp>(inner);
    if (!copy && !isMemoryEffectFree(&inner))
      return inner.emitOpError("expected copies and index arithmetic in a tile.put");
    if (failed(copy ? emitAsyncCopy(copy) : emitOp(&inner)))
      return failure();
  }
  NVVM::CpAsyncCommitGroupOp::create(b);
  pending.push_back(ringOp);
  return success();
}

/// Groups end in the order they were begun: those behind the slot's own may still be under way.
LogicalResult ThreadEmitter::emitAsyncGet(tile::GetOp op) {
  auto *group = llvm::find(pending, op.getRing().getDefiningOp());
  if (group == pending.end())
    return op.emitOpError("expected a tile.put of the slot before it");
  NVVM::CpAsyncWaitGroupOp::create(b, pending.end() - group - 1);
  pending.erase(group);
  meet();
  return success();
}

void ThreadEmitter::meet() {
  barrier();
  dropped.clear();
}

void ThreadEmitter::endAsyncCopies() {
  if (!pending.empty())
    NVVM::CpAsyncWaitGroupOp::create(b, 0);
  pending.clear();
  dropped.clear();
}

/// Of units of `align` bytes each thread copies every n-th: so neighbours copy side by side. What
/// is outside of the memory is not read, and zero.
LogicalResult ThreadEmitter::emitAsyncCopy(tile::CopyOp op) {
  tile::SharedType buffer = op.getTarget().getType();
  ArrayRef<int64_t> shape = buffer.getShape();
  auto memory = cast<MemRefType>(op.getSource().getType());
  SmallVector<int64_t> dims = op.getMemoryDims();
  SmallVector<OpFoldResult> strides, sizes;
  FailureOr<Value> flat = flatMemory(op, op.getSource(), strides);
  if (failed(flat))
    return failure();
  int64_t align = static_cast<int64_t>(*op.getAlign()), bytes = buffer.getElementBytes();
  int64_t width = align / bytes, unitsInRow = shape.back() / width;
  if (shape.back() % width != 0 || getConstantIntValue(strides[dims.back()]) != 1)
    return op.emitOpError("expected rows of a multiple of ")
           << align << " bytes, contiguous in memory, for cp_async, but got " << memory << " to "
           << buffer;
  int64_t offset = 0;
  SmallVector<int64_t> known;
  (void)memory.getStridesAndOffset(known, offset);
  sizes = memref::getMixedSizes(b, b.getLoc(), mapped(op.getSource()));
  auto valueOf = [&](OpFoldResult of) {
    return getValueOrCreateConstantIndexOp(b, b.getLoc(), of);
  };
  auto bytesOf = [&](OpFoldResult count) -> Value {
    if (std::optional<int64_t> constant = getConstantIntValue(count))
      return index(*constant * bytes);
    return arith::MulIOp::create(b, cast<Value>(count), index(bytes));
  };
  // Where the memory begins, in bytes.
  Value base = arith::AddIOp::create(b, memref::ExtractAlignedPointerAsIndexOp::create(b, *flat),
                                     index(offset * bytes));
  auto global = LLVM::LLVMPointerType::get(b.getContext(),
                                           static_cast<unsigned>(NVVM::NVVMMemorySpace::Global));

  int64_t threads = role->warps * program.chip->warpSize;
  int64_t units = ShapedType::getNumElements(shape) / width;
  Value inRole = arith::AddIOp::create(
      b, arith::MulIOp::create(b, b.toIndex(warp), index(program.chip->warpSize)), b.toIndex(lane));
  SmallVector<Value> indices =
      llvm::map_to_vector(op.getIndices(), [&](Value at) { return mapped(at); });
  auto copyUnit = [&](int64_t first) {
    // The unit's coordinates: within a row what the thread has of it, where rows divide threads.
    Value unit = addIndex(inRole, first), row, column;
    if (threads % unitsInRow == 0) {
      column = arith::RemUIOp::create(b, inRole, index(unitsInRow));
      row = addIndex(arith::DivUIOp::create(b, inRole, index(unitsInRow)), first / unitsInRow);
    } else {
      column = arith::RemUIOp::create(b, unit, index(unitsInRow));
      row = arith::DivUIOp::create(b, unit, index(unitsInRow));
    }
    SmallVector<Value> at(shape.size());
    at.back() = arith::MulIOp::create(b, column, index(width));
    for (size_t dim = shape.size() - 1; dim-- > 0;) {
      at[dim] = dim == 0 ? row : arith::RemUIOp::create(b, row, index(shape[dim])).getResult();
      if (dim != 0)
        row = arith::DivUIOp::create(b, row, index(shape[dim]));
    }
    SmallVector<Value> place = indices;
    for (auto [dim, coordinate] : llvm::zip_equal(dims, at))
      place[dim] = arith::AddIOp::create(b, place[dim], coordinate);
    Value from = base, readBytes = index(align);
    for (auto [dim, coordinate] : llvm::enumerate(place)) {
      from = arith::AddIOp::create(b, from,
                                   arith::MulIOp::create(b, coordinate, bytesOf(strides[dim])));
      Value size = valueOf(sizes[dim]);
      if (static_cast<int64_t>(dim) == dims.back()) {
        Value rest = arith::SubIOp::create(b, size, coordinate);
        rest = arith::MaxSIOp::create(b, rest, index(0));
        readBytes =
            arith::MinSIOp::create(b, arith::MulIOp::create(b, rest, index(bytes)), readBytes);
      }
    }
    for (auto [dim, coordinate] : llvm::enumerate(place)) {
      if (static_cast<int64_t>(dim) == dims.back())
        continue;
      Value isInside =
          arith::CmpIOp::create(b, arith::CmpIPredicate::ult, coordinate, valueOf(sizes[dim]));
      readBytes = arith::SelectOp::create(b, isInside, readBytes, index(0));
    }
    // Nothing is read from an address outside.
    from = arith::SelectOp::create(
        b, arith::CmpIOp::create(b, arith::CmpIPredicate::eq, readBytes, index(0)), base, from);
    Value to = arith::MulIOp::create(b, sharedElement(buffer, at), index(bytes));
    Value target = sharedAt(b, sharedBase, b.add(mapped(op.getTarget()), b.toI32(to)));
    Value address = arith::IndexCastOp::create(b, b.getI64Type(), from);
    Value source = LLVM::IntToPtrOp::create(b, global, address);
    NVVM::CpAsyncOp::create(b, target, source, static_cast<uint32_t>(align),
                            align == 16 ? NVVM::LoadCacheModifierKind::CG
                                        : NVVM::LoadCacheModifierKind::CA,
                            b.toI32(readBytes));
  };
  for (int64_t first = 0; first < units; first += threads) {
    if (first + threads <= units) {
      copyUnit(first);
      continue;
    }
    Value has = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, inRole, index(units - first));
    auto branch = scf::IfOp::create(b, has, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(branch.thenBlock()->getTerminator());
    copyUnit(first);
  }
  return success();
}
