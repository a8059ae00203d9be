#include "WgmmaEpilogue.h"

#include "../Strategy/ProductFollow.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace forge;

/// Registers of a thread for its sums and what is loaded early: of 232, what addresses and results
/// leave.
static constexpr int64_t kEpilogueRegisters = 176;

/// A chunk's layout for stores of `element`, of which results by `sums` have two neighbouring
/// columns in a thread and eight in four threads:
/// 1. Of 16 bits, eight columns of a thread are one access, or four of a chunk of eight.
/// 2. Rows that are multiples of 32 bytes, what caches take as one, need nothing else.
/// 3. Of others, an access is of all 32 columns, so that only its ends are parts of 32 bytes
///    (8192 x 50257 of f32: 4.4 ms on an H100 as they are).
tile::LayoutAttr WgmmaEpilogue::storeLayoutOf(Type element, tile::LayoutAttr sums) const {
  unsigned bits = element.getIntOrFloatBitWidth();
  if (!product.hasColumns() || bits < 8)
    return sums;
  auto with = [&](ArrayRef<tile::LayoutEntry> reg, ArrayRef<tile::LayoutEntry> lane) {
    return tile::LayoutAttr::get(sums.getContext(), 2, reg, lane, sums.getWarp());
  };
  if (chunkColumns() < 16)
    return bits == 16 && product.hasColumnsBy(8)
               ? with({{1, 0}, {1, 1}}, {{1, 2}, {0, 0}, {0, 1}, {0, 2}, {0, 3}})
               : sums;
  if (chunkColumns() < 32)
    return bits == 16 && product.hasColumnsBy(8)
               ? with({{1, 0}, {1, 1}, {1, 2}}, {{1, 3}, {0, 0}, {0, 1}, {0, 2}, {0, 3}})
               : sums;
  if (product.hasColumnsBy(8))
    return bits == 16
               ? with({{1, 0}, {1, 1}, {1, 2}, {0, 3}}, {{1, 3}, {1, 4}, {0, 0}, {0, 1}, {0, 2}})
               : sums;
  if (product.hasColumnsBy(2))
    return with({{1, 0}, {0, 0}, {0, 1}, {0, 3}}, {{1, 1}, {1, 2}, {1, 3}, {1, 4}, {0, 2}});
  return with({{0, 0}, {0, 1}, {0, 2}, {0, 3}}, {{1, 1}, {1, 2}, {1, 0}, {1, 3}, {1, 4}});
}

WgmmaEpilogue::WgmmaEpilogue(ThreadBuilder &b, const WgmmaProduct &product, const WgmmaTile &tile,
                             ArrayRef<Value> sizes, tile::LayoutAttr sums)
    : b(b), product(product), tile(tile), sizes(sizes), sumsLayout(sums),
      approximate(product.approximate()) {
  for (SpannedAxis spanned : product.tiled.rows) {
    extents.push_back(spanned.extent);
    dimAxes.emplace_back(spanned.axis);
  }
  if (extents.empty()) {
    extents.push_back(tile.rows);
    dimAxes.emplace_back(std::nullopt);
  }
  ArrayRef<int64_t> rows = extents;
  layout = sums.splitDimension(0, rows);
  extents.push_back(chunkColumns());
  dimAxes.push_back(product.tiled.column);
  linalg::LinalgOp contraction = product.parts.front().op;
  loops = *loopsOf(contraction.getIndexingMapsArray().back());
  for (Value result : product.placement ? SmallVector<Value>() : product.results())
    results.push_back(addUnits(b, *byAxes(b, product.axes(), result, loops),
                               /*hasFirst=*/!dimAxes.front(), /*hasLast=*/!dimAxes.back()));
  linalg::GenericOp follow = product.follow;
  if (!follow)
    return;
  for (OpOperand *input : follow.getDpsInputOperands())
    if (!product.partOf(input->get()) && isa<MemRefType>(input->get().getType()) &&
        !follow.getMatchingBlockArgument(input).use_empty())
      addOperand(*input);
  decideWhen();
}

//===----------------------------------------------------------------------===//
// Operands

void WgmmaEpilogue::addOperand(OpOperand &input) {
  linalg::GenericOp follow = product.follow;
  AffineMap map = follow.getMatchingIndexingMap(&input);
  Operand operand;
  operand.input = &input;
  auto uses = [&](std::optional<unsigned> axis) {
    return axis && llvm::any_of(llvm::seq(map.getNumDims()), [&](unsigned loop) {
             return map.isFunctionOfDim(loop) &&
                    llvm::is_contained(product.axes().axes[*axis].loops, loops[loop]);
           });
  };
  operand.usesRow = llvm::any_of(ArrayRef(dimAxes).drop_back(), uses);
  operand.usesColumn = uses(product.tiled.column);
  operand.chunks.resize(numChunks());
  std::optional<SmallVector<unsigned>> dims = loopsOf(map);
  Value memory = input.get();
  if (dims && isPlainArgument(memory))
    operand.flat = byAxes(b, product.axes(), memory,
                          llvm::map_to_vector(*dims, [&](unsigned loop) { return loops[loop]; }));
  if (operand.flat) {
    unsigned bits = getElementTypeOrSelf(memory).getIntOrFloatBitWidth();
    operand.isPaired = operand.usesColumn && operand.flat->axes.back() == product.tiled.column &&
                       !ShapedType::isDynamic(sizeOf(*product.tiled.column)) &&
                       sizeOf(*product.tiled.column) % 2 == 0 && bits >= 8;
  }
  operands.push_back(operand);
}

/// Of a thread, for so many columns.
int64_t WgmmaEpilogue::registersOf(const Operand &operand, int64_t columns) const {
  int64_t bits = getElementTypeOrSelf(operand.input->get()).getIntOrFloatBitWidth();
  int64_t perPair =
      operand.isPaired ? llvm::divideCeil(2 * bits, 32) : 2 * llvm::divideCeil(bits, 32);
  return perPair * columns / 8 * (operand.usesRow ? 2 : 1);
}

void WgmmaEpilogue::decideWhen() {
  int64_t left = kEpilogueRegisters - tile.sums();
  auto take = [&](Operand &operand, int64_t columns, int64_t times, When when) {
    int64_t registers = times * registersOf(operand, columns);
    if (operand.when != When::WithChunk || registers > left)
      return;
    operand.when = when;
    left -= registers;
  };
  for (Operand &operand : operands) {
    if (operand.flat && !operand.usesColumn)
      continue;
    operand.when = When::WithChunk;
    if (operand.flat && !operand.usesRow && !tile.apart)
      take(operand, tile.partColumns(), 1, When::First);
  }
  for (Operand &operand : operands)
    take(operand, chunkColumns(), 2, When::Ahead);
}

SmallVector<int64_t> WgmmaEpilogue::dimsOf(const AxisMemory &memory, bool present) const {
  SmallVector<int64_t> dims;
  for (auto [dim, axis] : llvm::enumerate(dimAxes))
    if ((axis ? llvm::is_contained(memory.axes, *axis) : memory.hasUnits) == present)
      dims.push_back(static_cast<int64_t>(dim));
  return dims;
}

/// Whether tiles have no part outside along this dimension of a chunk.
bool WgmmaEpilogue::isDivided(unsigned dim) const {
  int64_t extent = dim + 1 == extents.size() ? tile.partColumns() : extents[dim];
  return dimAxes[dim] && !ShapedType::isDynamic(sizeOf(*dimAxes[dim])) &&
         sizeOf(*dimAxes[dim]) % extent == 0;
}

WgmmaEpilogue::Access WgmmaEpilogue::accessOf(const AxisMemory &memory, int64_t column) {
  Access access;
  bool hasFirst = memory.hasUnits && !dimAxes.front();
  if (hasFirst)
    access.indices.push_back(index(0));
  for (unsigned axis : memory.axes) {
    Value at = b.toIndex(place[axis]);
    if (axis == product.tiled.column)
      at = b.createOrFold<arith::AddIOp>(at, index(column));
    access.indices.push_back(at);
  }
  if (memory.hasUnits && !dimAxes.back())
    access.indices.push_back(index(0));
  SmallVector<int64_t> dims;
  SmallVector<Value> limits;
  bool isWhole = true;
  for (int64_t dim : dimsOf(memory, /*present=*/true)) {
    std::optional<unsigned> axis = dimAxes[dim];
    int64_t last = static_cast<int64_t>(access.indices.size()) - 1;
    int64_t number = llvm::find(memory.axes, axis.value_or(0)) - memory.axes.begin();
    dims.push_back(axis ? number + (hasFirst ? 1 : 0) : dim == 0 ? 0 : last);
    limits.push_back(axis ? b.toIndex(sizes[*axis]) : index(1));
    isWhole &= isDivided(dim);
  }
  access.dims = b.getDenseI64ArrayAttr(dims);
  if (!isWhole)
    access.limits = limits;
  return access;
}

/// A tile of the dimensions that the memory has.
Value WgmmaEpilogue::load(const Operand &operand, int64_t column, int64_t columns) {
  Access access = accessOf(*operand.flat, column);
  Value memory = operand.flat->memory;
  Type element = getElementTypeOrSelf(memory);
  if (access.dims.empty())
    return memref::LoadOp::create(b, memory, access.indices);
  SmallVector<int64_t> shape;
  for (int64_t dim : dimsOf(*operand.flat, /*present=*/true))
    shape.push_back(dim + 1 == static_cast<int64_t>(extents.size()) ? columns : extents[dim]);
  auto type = RankedTensorType::get(
      shape, element, layout.dropDimensions(dimsOf(*operand.flat, /*present=*/false)));
  IntegerAttr align;
  if (operand.isPaired)
    align = b.getI64IntegerAttr(2 * llvm::divideCeil(element.getIntOrFloatBitWidth(), 8));
  return tile::LoadOp::create(b, type, memory, access.indices, access.dims, access.limits,
                              /*fill=*/Value(), align);
}

/// What is outside of the results is computed from their last elements, and not stored.
Value WgmmaEpilogue::gather(const Operand &operand, int64_t column) {
  linalg::GenericOp follow = product.follow;
  Value memory = operand.input->get();
  SmallVector<Value> indices;
  auto type = chunkType(b.getIndexType());
  for (AffineExpr expr : follow.getMatchingIndexingMap(operand.input).getResults())
    indices.push_back(arith::IndexCastOp::create(b, type, evaluate(expr, column)));
  return tile::GatherOp::create(b, chunkType(getElementTypeOrSelf(memory)), memory, indices);
}

void WgmmaEpilogue::loadChunk(When when, int64_t chunk) {
  if (chunk >= numChunks())
    return;
  int64_t column = columnOf(chunk);
  for (Operand &operand : operands)
    if (operand.when == when)
      operand.chunks[chunk] =
          operand.flat ? load(operand, column, chunkColumns()) : gather(operand, column);
}

void WgmmaEpilogue::begin(const TilePlace &at) {
  place = at;
  for (Operand &operand : operands)
    if (operand.when == When::First)
      operand.whole = load(operand, 0, tile.partColumns());
  loadChunk(When::Ahead, 0);
  placements.clear();
  for (int64_t chunk = 0; product.placement && chunk < numChunks(); ++chunk)
    placements.push_back(beginPlacement(chunk));
}

Value WgmmaEpilogue::chunkOf(Operand &operand, int64_t chunk) {
  Value value = operand.when == When::First ? operand.whole : operand.chunks[chunk];
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return splat(value);
  if (operand.when == When::First && operand.usesColumn) {
    // It has the column alone.
    auto part = RankedTensorType::get(chunkColumns(), type.getElementType(), type.getEncoding());
    value = tile::SliceOp::create(b, part, value, index(chunk * chunkColumns()));
  }
  if (!operand.flat)
    return value;
  SmallVector<int64_t> missing = dimsOf(*operand.flat, /*present=*/false);
  if (missing.empty())
    return value;
  return tile::BroadcastOp::create(b, chunkType(type.getElementType()), value, missing);
}

//===----------------------------------------------------------------------===//
// Tiles of a chunk

Value WgmmaEpilogue::index(int64_t value) { return arith::ConstantIndexOp::create(b, value); }

RankedTensorType WgmmaEpilogue::chunkType(Type element) const {
  return RankedTensorType::get(extents, element, layout);
}

Value WgmmaEpilogue::splat(Value value) {
  return tensor::SplatOp::create(b, value, chunkType(value.getType()));
}

//===----------------------------------------------------------------------===//
// The epilogue's body, and stores

/// The results of a chunk.
SmallVector<Value> WgmmaEpilogue::compute(ArrayRef<Value> sums, int64_t chunk) {
  linalg::GenericOp follow = product.follow;
  if (!follow)
    return {sums.front()};
  auto elementOf = [&](OpOperand &input) -> Value {
    if (std::optional<unsigned> part = product.partOf(input.get()))
      return sums[*part];
    auto *operand =
        llvm::find_if(operands, [&](const Operand &operand) { return operand.input == &input; });
    return operand == operands.end() ? input.get() : chunkOf(*operand, chunk);
  };
  auto indexOf = [&](unsigned loop) -> Value {
    return arith::IndexCastOp::create(b, chunkType(b.getIndexType()),
                                      position(loop, columnOf(chunk)));
  };
  return emitFollowOnTiles(
      b, follow, [&](Type element) { return chunkType(element); }, elementOf, indexOf, approximate);
}

void WgmmaEpilogue::store(Value values, const AxisMemory &result, int64_t column) {
  auto type = cast<RankedTensorType>(values.getType());
  int64_t bytes = llvm::divideCeil(type.getElementTypeBitWidth(), 8), width = 1;
  if (product.hasEightsOfColumns() && bytes == 2)
    width = std::min<int64_t>(8, chunkColumns() / 2);
  else if (product.hasColumnsBy(2))
    width = 2;
  tile::LayoutAttr stored = storeLayoutOf(type.getElementType(), sumsLayout)
                                .splitDimension(0, ArrayRef(extents).drop_back());
  if (stored != type.getEncoding())
    values = tile::ConvertOp::create(b, type.cloneWithEncoding(stored), values);
  Access access = accessOf(result, column);
  tile::StoreOp::create(b, values, result.memory, access.indices, access.dims, access.limits,
                        width > 1 ? b.getI64IntegerAttr(width * bytes) : IntegerAttr());
}

void WgmmaEpilogue::finish(ValueRange sums) {
  Type element = product.sumType();
  tile::StageOp::create(b, "epilogue");
  SmallVector<Value> values;
  for (int64_t chunk = 0; chunk < numChunks(); ++chunk) {
    loadChunk(When::Ahead, chunk + 1);
    loadChunk(When::WithChunk, chunk);
    SmallVector<Value> parts;
    int64_t within = chunk / apartParts() * chunkColumns();
    for (int64_t number = 0; number < product.numParts(); ++number) {
      auto type = RankedTensorType::get({tile.rows, chunkColumns()}, element, sumsLayout);
      int64_t part = tile.apart ? chunk % apartParts() : number;
      int64_t first = part * tile.partColumns() + within, group = first / tile.groupColumns();
      Value sliced = tile::SliceOp::create(
          b, type, sums[group], ValueRange{index(0), index(first % tile.groupColumns())});
      if (extents.size() > 2)
        sliced = tile::ReshapeOp::create(b, chunkType(element), sliced);
      parts.push_back(sliced);
    }
    if (!product.placement) {
      for (auto [values, result] : llvm::zip_equal(compute(parts, chunk), results))
        store(values, result, columnOf(chunk));
      continue;
    }
    llvm::append_range(values, compute(parts, chunk));
    if (static_cast<int64_t>(values.size()) == apartParts())
      finishPlacements(std::exchange(values, {}), chunk);
  }
}
