#include "forge/Dialect/Tile/IR/Tile.h"

using namespace mlir;
using namespace forge::tile;

static int64_t rankOf(Type memory) {
  if (auto shared = dyn_cast<SharedType>(memory))
    return shared.getRank();
  return cast<MemRefType>(memory).getRank();
}

static Type elementTypeOf(Type type) {
  if (auto shared = dyn_cast<SharedType>(type))
    return shared.getElementType();
  return cast<ShapedType>(type).getElementType();
}

/// `dims`, or the last `rank` dimensions of `memory`.
static SmallVector<int64_t> memoryDims(std::optional<ArrayRef<int64_t>> dims, Type memory,
                                       int64_t rank) {
  if (dims)
    return llvm::to_vector(*dims);
  int64_t first = std::max<int64_t>(rankOf(memory) - rank, 0);
  return llvm::to_vector(llvm::seq(first, first + rank));
}

Value forge::tile::wholeBuffer(Value buffer) {
  while (Operation *op = buffer.getDefiningOp()) {
    if (auto reshape = dyn_cast<ReshapeOp>(op))
      buffer = reshape.getOperand();
    else if (auto slice = dyn_cast<SliceOp>(op))
      buffer = slice.getOperand();
    else
      break;
  }
  return buffer;
}

SmallVector<int64_t> LoadOp::getMemoryDims() {
  return memoryDims(getDims(), getSource().getType(), getType().getRank());
}
SmallVector<int64_t> StoreOp::getMemoryDims() {
  return memoryDims(getDims(), getTarget().getType(), getValue().getType().getRank());
}
SmallVector<int64_t> CopyOp::getMemoryDims() {
  return memoryDims(getDims(), getSource().getType(), getTarget().getType().getRank());
}

/// What accesses of memory have in common: a value of `rank` dimensions, of `elementType`.
static LogicalResult verifyAccess(Operation *op, Type memory, size_t numIndices,
                                  ArrayRef<int64_t> dims, int64_t rank, Type elementType) {
  int64_t memoryRank = rankOf(memory);
  // load_c1, store_c1, copy_c1
  if (static_cast<int64_t>(numIndices) != memoryRank)
    return op->emitOpError("expected ")
           << memoryRank << " indices of " << memory << ", but got " << numIndices;
  // load_c2, store_c2, copy_c2
  if (static_cast<int64_t>(dims.size()) != rank)
    return op->emitOpError("expected ") << rank << " dims, but got " << dims.size();
  for (auto [number, dim] : llvm::enumerate(dims)) {
    if (dim < 0 || dim >= memoryRank)
      return op->emitOpError("expected dims below ") << memoryRank << ", but got " << dim;
    if (llvm::is_contained(dims.take_front(number), dim))
      return op->emitOpError("expected different dims, but got ") << dim << " twice";
  }
  // load_c3, store_c3, copy_c3
  if (elementTypeOf(memory) != elementType)
    return op->emitOpError("expected elements of type ")
           << elementTypeOf(memory) << ", but got " << elementType;
  return success();
}

/// What `tile.load` and `tile.store` have in common.
static LogicalResult verifyTileAccess(Operation *op, RankedTensorType tile, size_t numLimits,
                                      std::optional<int64_t> align) {
  // load_c4, store_c4
  if (numLimits != 0 && static_cast<int64_t>(numLimits) != tile.getRank())
    return op->emitOpError("expected ")
           << tile.getRank() << " limits of " << tile << ", but got " << numLimits;
  // load_c5, store_c5
  if (align) {
    int64_t bits = tile.getElementType().isIndex() ? 64 : tile.getElementTypeBitWidth();
    if (*align < 1 || *align > 4096 || !llvm::isPowerOf2_64(*align) || *align * 8 < bits)
      return op->emitOpError("expected align to be a power of two of an element or more, but got ")
             << *align;
  }
  // load_c6, store_c6
  if (!tile.getEncoding())
    return op->emitOpError("expected a tile with a layout, but got ") << tile;
  return success();
}

LogicalResult LoadOp::verify() {
  RankedTensorType tile = getType();
  if (failed(verifyAccess(*this, getSource().getType(), getIndices().size(), getMemoryDims(),
                          tile.getRank(), tile.getElementType())))
    return failure();
  if (getFill() && getFill().getType() != tile.getElementType())
    return emitOpError("expected fill of type ")
           << tile.getElementType() << ", but got " << getFill().getType();
  return verifyTileAccess(*this, tile, getLimits().size(), getAlign());
}

void LoadOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getSourceMutable());
}

LogicalResult StoreOp::verify() {
  RankedTensorType tile = getValue().getType();
  if (failed(verifyAccess(*this, getTarget().getType(), getIndices().size(), getMemoryDims(),
                          tile.getRank(), tile.getElementType())))
    return failure();
  return verifyTileAccess(*this, tile, getLimits().size(), getAlign());
}

void StoreOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  effects.emplace_back(MemoryEffects::Write::get(), &getTargetMutable());
}

LogicalResult CopyOp::verify() {
  SharedType target = getTarget().getType();
  if (failed(verifyAccess(*this, getSource().getType(), getIndices().size(), getMemoryDims(),
                          target.getRank(), target.getElementType())))
    return failure();
  // copy_c2
  SmallVector<int64_t> dims = getMemoryDims();
  for (size_t i = 1; i < dims.size(); ++i)
    if (dims[i] <= dims[i - 1])
      return emitOpError("expected ascending dims, but got ")
             << dims[i] << " after " << dims[i - 1];
  // copy_c4
  auto put = dyn_cast<PutOp>((*this)->getParentOp());
  auto buffer = dyn_cast<BlockArgument>(wholeBuffer(getTarget()));
  if (!put || !buffer || buffer.getOwner() != &put.getBody().front())
    return emitOpError("expected to fill a buffer of the tile.put around it");
  // copy_c5
  int64_t align = getAlign().value_or(0), bytes = target.getElementBytes();
  if (getEngine() == CopyEngine::CpAsync &&
      ((align != 4 && align != 8 && align != 16) || align % bytes != 0))
    return emitOpError("expected an align of 4, 8 or 16, a multiple of ")
           << bytes << ", but got " << align;
  return success();
}

void CopyOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getSourceMutable());
  effects.emplace_back(MemoryEffects::Write::get(), &getTargetMutable());
}

/// What a gather and a scatter have in common, of their tile of elements.
static LogicalResult verifyPlaces(Operation *op, Type memoryType, ValueRange indices,
                                  Type tileType) {
  auto memory = cast<MemRefType>(memoryType);
  auto type = cast<RankedTensorType>(tileType);
  // gather_c1, scatter_c1
  if (static_cast<int64_t>(indices.size()) != memory.getRank())
    return op->emitOpError("expected ")
           << memory.getRank() << " indices of " << memory << ", but got " << indices.size();
  // gather_c2, scatter_c2
  StringRef whose = isa<GatherOp>(op) ? "result" : "value";
  for (Value index : indices) {
    auto tile = dyn_cast<RankedTensorType>(index.getType());
    if (tile && tile != type.clone(IndexType::get(op->getContext())))
      return op->emitOpError("expected tiles of indices of the ")
             << whose << "'s shape and layout, but got " << tile << " for " << type;
  }
  // gather_c3, scatter_c3
  if (memory.getElementType() != type.getElementType())
    return op->emitOpError("expected elements of type ")
           << memory.getElementType() << ", but got " << type.getElementType();
  // gather_c4, scatter_c4
  if (!type.getEncoding())
    return op->emitOpError("expected a tile with a layout, but got ") << type;
  return success();
}

LogicalResult GatherOp::verify() {
  return verifyPlaces(*this, getSource().getType(), getIndices(), getType());
}

void GatherOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getSourceMutable());
}

LogicalResult ScatterOp::verify() {
  RankedTensorType type = getValue().getType();
  if (failed(verifyPlaces(*this, getTarget().getType(), getIndices(), type)))
    return failure();
  // scatter_c5
  if (Value mask = getMask();
      mask && mask.getType() != type.clone(IntegerType::get(getContext(), 1)))
    return emitOpError("expected a mask of i1 of the value's shape and layout, but got ")
           << mask.getType() << " for " << type;
  return success();
}

void ScatterOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  effects.emplace_back(MemoryEffects::Write::get(), &getTargetMutable());
}
