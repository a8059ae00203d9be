#include "WgmmaCopies.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace forge;

WgmmaCopies::WgmmaCopies(ThreadBuilder &b, const WgmmaProduct &product, const WgmmaTile &tile,
                         ArrayRef<Value> sizes)
    : b(b), product(product), tile(tile), sizes(sizes) {
  const ProductAxes &axes = product.axes();
  const TiledAxes &tiled = product.tiled;
  SmallVector<SpannedAxis, 3> rows = tiled.rows;
  if (tile.fewRows && !rows.empty())
    rows.front().extent = *tile.fewRows;
  lefts.push_back(makeFactor(axes.left, rows, tile.fewRows.value_or(tile.rows)));
  for (const ProductOperand &piece : product.parts.front().leftRest)
    lefts.push_back(makeFactor(piece, tiled.rows, tile.rows));
  // What is of one part and of one group.
  int64_t width = std::min(tile.partColumns(), tile.groupColumns());
  SmallVector<SpannedAxis, 1> columns;
  if (tiled.column)
    columns.push_back({*tiled.column, width});
  for (int64_t first = 0; first < tile.columns; first += width) {
    int64_t number = first / tile.partColumns();
    const WgmmaPart &part = product.parts[tile.apart ? 0 : number];
    rights.push_back({makeFactor(part.axes.right, columns, width, part.lookup ? &part : nullptr),
                      first % tile.partColumns() + number * tile.apart.value_or(0),
                      first / tile.groupColumns(), first % tile.groupColumns()});
  }
  for (auto [number, piece] : llvm::enumerate(product.parts.front().rightRest))
    rights.push_back({makeFactor(piece, columns, width), 0, static_cast<int64_t>(number) + 1, 0});
}

/// A copy is as wide as the pattern in shared memory, along what is side by side in memory.
WgmmaCopies::Factor WgmmaCopies::makeFactor(const ProductOperand &operand,
                                            ArrayRef<SpannedAxis> spanned, int64_t extent,
                                            const WgmmaPart *lookedUp) {
  Factor factor;
  factor.operand = &operand;
  factor.lookedUp = lookedUp;
  factor.dims = mapDims(product.axes(), operand);
  factor.alongTerms = operand.innermost() == product.tiled.term;
  // Without rows: behind all others, one element.
  if (spanned.empty())
    factor.dims.emplace_back();
  std::reverse(factor.dims.begin(), factor.dims.end());
  SmallVector<int64_t> box;
  for (auto [dim, map] : llvm::enumerate(factor.dims)) {
    int64_t size = map.isOfOne() ? extent : 1;
    bool isTiled = map.isOfOne();
    for (const MapIndex &index : map.indices)
      for (MapStep step : index.steps) {
        const auto *found =
            llvm::find_if(spanned, [&](SpannedAxis of) { return of.axis == step.axis; });
        bool isTerm = step.axis == product.tiled.term;
        isTiled |= isTerm || found != spanned.end();
        size = std::max(size, isTerm                   ? tile.chunkTerms()
                              : found != spanned.end() ? found->extent
                                                       : 1);
      }
    if (!isTiled)
      continue;
    factor.tiled.push_back(static_cast<int64_t>(dim));
    box.push_back(size);
  }
  Type element = getElementTypeOrSelf(operand.value);
  SmallVector<int64_t> shape{extent, tile.chunkTerms()};
  if (!factor.alongTerms)
    std::swap(shape[0], shape[1]);
  factor.shared = tile::SharedType::get(b.getContext(), shape, element, kSwizzleBytes, 0);
  factor.box = tile::SharedType::get(b.getContext(), box, element, kSwizzleBytes, 0);
  factor.memory = byMap(b, product.axes(), operand, factor.dims,
                        lookedUp ? std::optional(lookedUp->looked) : std::nullopt);
  return factor;
}

Value WgmmaCopies::makeRing(bool hasLeft, bool hasRight) {
  const Factor &right = rights.front().factor;
  SmallVector<int64_t> shape{tile.groupColumns(), tile.chunkTerms()};
  if (!right.alongTerms)
    std::swap(shape[0], shape[1]);
  Type ofRight =
      tile::SharedType::get(b.getContext(), shape, right.shared.getElementType(), kSwizzleBytes, 0);
  SmallVector<Type> types;
  for (int64_t chunk = 0; chunk < tile.chunks(); ++chunk) {
    if (hasLeft)
      llvm::append_range(types,
                         llvm::map_range(lefts, [](const Factor &left) { return left.shared; }));
    if (hasRight)
      types.append(numRightBuffers(), ofRight);
  }
  return tile::RingOp::create(b, tile::RingType::get(b.getContext(), tile.stages, types));
}

/// Divisions are of numbers of at least 0: a multiple of the period is added before.
Value WgmmaCopies::indexAt(const MapIndex &index, const TilePlace &at) {
  Value sum;
  for (MapStep step : index.steps) {
    Value moved = b.mul(at[step.axis], b.i32(step.factor));
    sum = sum ? b.add(sum, moved) : moved;
  }
  if (!sum)
    sum = b.i32(0);
  int64_t periods = llvm::divideCeil(index.low, index.period);
  switch (index.part) {
  case MapIndex::Part::Whole:
    if (index.low)
      sum = b.sub(sum, b.i32(index.low));
    break;
  case MapIndex::Part::Quotient:
    sum = b.add(sum, b.i32(periods * index.period - index.low));
    sum = b.sub(b.div(sum, b.i32(index.period)), b.i32(periods));
    break;
  case MapIndex::Part::Remainder:
    sum = b.rem(b.add(sum, b.i32(periods * index.period - index.low)), b.i32(index.period));
    break;
  }
  return index.scale == 1 ? sum : b.mul(sum, b.i32(index.scale));
}

void WgmmaCopies::copyFactor(const Factor &factor, const TilePlace &at, Value buffer) {
  SmallVector<Value> indices;
  for (const MapDim &dim : factor.dims) {
    Value sum;
    for (const MapIndex &index : dim.indices) {
      Value moved = indexAt(index, at);
      sum = sum ? b.add(sum, moved) : moved;
    }
    indices.push_back(b.toIndex(sum ? sum : b.i32(0)));
  }
  if (factor.box != factor.shared)
    buffer = tile::ReshapeOp::create(b, factor.box, buffer);
  tile::CopyOp::create(b, factor.memory, indices, b.getDenseI64ArrayAttr(factor.tiled), buffer,
                       tile::CopyEngineAttr::get(b.getContext(), tile::CopyEngine::Tma),
                       /*align=*/IntegerAttr());
}

void WgmmaCopies::copyTile(const TilePlace &place, const WgmmaSteps &steps, Value ring,
                           bool hasLeft, bool hasRight) {
  ArrayRef<unsigned> outer = product.tiled.outerTerms;
  SmallVector<Value> numbers;
  for (const RightFactor &right : rights) {
    const WgmmaPart *lookedUp = hasRight ? right.factor.lookedUp : nullptr;
    numbers.push_back(
        lookedUp ? b.toI32(lookedUp->lookup->emitNumber(b, b.toIndex(place[lookedUp->looked])))
                 : Value());
  }
  auto loop = scf::ForOp::create(b, b.i32(0), steps.all, b.i32(1));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(loop.getBody()->getTerminator());
  Value step = loop.getInductionVar();
  TilePlace at = place;
  SmallVector<Value> extents =
      llvm::map_to_vector(outer, [&](unsigned axis) { return sizes[axis]; });
  if (!outer.empty()) {
    for (auto [axis, number] : llvm::zip_equal(outer, b.split(b.div(step, steps.ofAxis), extents)))
      at[axis] = number;
    step = b.rem(step, steps.ofAxis);
  }
  Value first = b.mul(step, b.i32(tile.terms));
  auto type = cast<tile::RingType>(ring.getType());
  auto put = tile::PutOp::create(b, ring);
  Block *body = b.createBlock(&put.getBody(), {}, type.getBuffers(),
                              SmallVector<Location>(type.getBuffers().size(), b.getLoc()));
  ValueRange buffers = body->getArguments();
  for (int64_t chunk = 0; chunk < tile.chunks(); ++chunk) {
    at[product.tiled.term] = chunk ? b.add(first, b.i32(chunk * tile.chunkTerms())) : first;
    if (hasLeft) {
      for (auto [factor, buffer] : llvm::zip(lefts, buffers))
        copyFactor(factor, at, buffer);
      buffers = buffers.drop_front(lefts.size());
    }
    if (hasRight) {
      copyRights(at, numbers, buffers);
      buffers = buffers.drop_front(numRightBuffers());
    }
  }
  tile::YieldOp::create(b);
}

void WgmmaCopies::copyRights(const TilePlace &at, ArrayRef<Value> numbers, ValueRange buffers) {
  for (auto [right, number] : llvm::zip_equal(rights, numbers)) {
    const Factor &factor = right.factor;
    Value buffer = buffers[right.buffer];
    if (factor.shared != buffer.getType()) {
      SmallVector<Value> offsets{arith::ConstantIndexOp::create(b, right.offset),
                                 arith::ConstantIndexOp::create(b, 0)};
      if (!factor.alongTerms)
        std::swap(offsets[0], offsets[1]);
      buffer = tile::SliceOp::create(b, factor.shared, buffer, offsets);
    }
    TilePlace from = at;
    if (factor.lookedUp)
      from[factor.lookedUp->looked] = number;
    if (right.column && product.tiled.column)
      from[*product.tiled.column] = b.add(from[*product.tiled.column], b.i32(right.column));
    copyFactor(factor, from, buffer);
  }
}
