#include "BuildWgmma.h"

#include "MapMemory.h"
#include "WgmmaEpilogue.h"

#include "../Tile/BuildRole.h"

#include "forge/Dialect/Tile/IR/MatrixLayouts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace forge;

/// Tiles of this many rows are walked column by column, so that what neighbouring blocks read is in
/// the L2 cache: 132 blocks are then about 16 x 8 tiles.
static constexpr int64_t kGroupRows = 16;

/// Registers of a thread that copies, and of one that multiplies: 128 * 40 + 256 * 232 fit into
/// 64K.
static constexpr int64_t kCopyRegisters = 40, kMathRegisters = 232;

namespace {
/// 1. A block is two warpgroups that multiply, of few rows one, and one that copies; it takes one
/// tile of the result
///    after the other, as many blocks as there are multiprocessors.
/// 2. The role that copies walks over the terms of a tile in steps, and fills a slot of the ring
///    with a slice of each factor.
/// 3. The role that multiplies adds a step's product to its accumulators, 64 rows a warpgroup, and
///    gives the slot before back once its products have ended.
///    Of factors in pieces, and of 8-bit floats, it adds the products of one or two steps to sums
///    of their own, 128 columns at a time, and those to the accumulators, each addition rounded to
///    nearest: matrix units cut theirs.
/// 4. The epilogue is computed and stored while the next tile is being copied.
class WgmmaBuilder {
public:
  WgmmaBuilder(func::FuncOp kernel, const WgmmaProduct &product, const WgmmaTile &tile,
               const GPUChip &chip)
      : kernel(kernel), product(product), tile(tile), chip(chip),
        b(kernel.getLoc(), kernel.getContext()) {
    b.setInsertionPoint(kernel.getBody().front().getTerminator());
  }

  void build();

private:
  /// A factor as it is copied.
  struct Factor {
    const ProductOperand *operand = nullptr;
    /// Of the memory's dimensions, the outermost first; without steps: one element.
    SmallVector<SmallVector<MapStep, 2>, 5> dims;
    Value memory;
    /// Of the memory's dimensions, those that a buffer has, and the buffer: [rows, terms], or,
    /// where terms are not side by side in memory, [terms, rows].
    SmallVector<int64_t> tiled;
    tile::SharedType shared;
    /// The buffer as it is copied to, whose rows may be a box of several dimensions.
    tile::SharedType box;
    bool alongTerms = false;
    /// Of a factor that is looked up, the part whose it is.
    const WgmmaPart *lookedUp = nullptr;
  };

  void count();
  Factor makeFactor(const ProductOperand &operand, ArrayRef<SpannedAxis> spanned, int64_t extent,
                    const WgmmaPart *lookedUp = nullptr);
  /// Each tile of the block, where there are terms or where there are none.
  void forTiles(bool haveTerms, function_ref<void(const TilePlace &)> body);
  TilePlace placeOf(Value number);
  void copyTile(const TilePlace &place, Value into, bool isLeft, bool isRight);
  void copyRights(const TilePlace &at, ArrayRef<Value> numbers, ValueRange buffers);
  void copyFactor(const Factor &factor, const TilePlace &at, Value buffer);
  void multiplyTile(const TilePlace &place, WgmmaEpilogue &epilogue);
  void multiplyFewRows(const TilePlace &place, WgmmaEpilogue &epilogue);
  SmallVector<Value> addStages(int64_t stages, ValueRange before);
  void multiplyStages(const TilePlace &place, WgmmaEpilogue &epilogue);
  Value multiply(Value left, Value right, Value accumulator);
  Value zeros() { return arith::ConstantOp::create(b, cast<TypedAttr>(b.getZeroAttr(sums))); }
  SmallVector<Value> zerosOfGroups() {
    return llvm::map_to_vector(llvm::seq(tile.groups()), [&](int64_t) { return zeros(); });
  }
  tile::GetOp get(Value from);
  tile::GetOp get() { return get(ring); }
  /// Rows of the left factor in registers, zeros for those that are not there.
  Value leftOf(Value left);
  int64_t numRightBuffers() const { return std::max(tile.groups(), tile.rightPieces); }
  Value makeRing(bool hasLeft, bool hasRight);
  Value index(int64_t value) { return arith::ConstantIndexOp::create(b, value); }

  func::FuncOp kernel;
  const WgmmaProduct &product;
  const WgmmaTile &tile;
  const GPUChip &chip;
  ThreadBuilder b;
  /// A factor's columns from `column` of the tile's place on, in right buffer `buffer` from
  /// `offset` on.
  struct RightFactor {
    Factor factor;
    int64_t column = 0, buffer = 0, offset = 0;
  };
  /// Pieces of the left one; pieces of the right one, or of each part what groups of columns have.
  SmallVector<Factor, 3> lefts;
  SmallVector<RightFactor, 3> rights;
  Value ring;
  /// Of few rows: the left factor has a ring of its own.
  Value leftRing;
  /// i32: of each axis; tiles, of each matrix and of all; steps of a tile, and of them, those along
  /// the axis that steps divide.
  SmallVector<Value> sizes, tilesOfAxes;
  Value tileRows, tileColumns, numTiles, numSteps, stepsOfAxis;
  RankedTensorType sums;
};
} // namespace

/// Sizes that are known stay constants.
void WgmmaBuilder::count() {
  const ProductAxes &axes = product.axes();
  const TiledAxes &tiled = product.tiled;
  for (unsigned axis = 0; axis < axes.axes.size(); ++axis) {
    OpFoldResult size = axes.sizeValue(b, b.getLoc(), axis);
    std::optional<int64_t> known = getConstantIntValue(size);
    sizes.push_back(known ? b.i32(*known) : b.toI32(cast<Value>(size)));
  }
  tileRows = b.i32(1);
  for (SpannedAxis spanned : tiled.rows) {
    tilesOfAxes.push_back(b.ceilDiv(sizes[spanned.axis], spanned.extent));
    tileRows = b.mul(tileRows, tilesOfAxes.back());
  }
  tileColumns = tiled.column ? b.ceilDiv(sizes[*tiled.column], tile.partColumns()) : b.i32(1);
  numTiles = b.mul(tileRows, tileColumns);
  for (unsigned axis : tiled.outer)
    numTiles = b.mul(numTiles, sizes[axis]);
  stepsOfAxis = b.ceilDiv(sizes[tiled.term], tile.terms);
  numSteps = stepsOfAxis;
  for (unsigned axis : tiled.outerTerms)
    numSteps = b.mul(numSteps, sizes[axis]);
}

/// A copy is as wide as the pattern in shared memory, along what is side by side in memory.
WgmmaBuilder::Factor WgmmaBuilder::makeFactor(const ProductOperand &operand,
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
  for (auto [dim, steps] : llvm::enumerate(factor.dims)) {
    int64_t size = steps.empty() ? extent : 1;
    bool isTiled = steps.empty();
    for (MapStep step : steps) {
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

void WgmmaBuilder::forTiles(bool haveTerms, function_ref<void(const TilePlace &)> body) {
  std::optional<int64_t> steps = getConstantIntValue(numSteps);
  if (steps && (*steps > 0) != haveTerms)
    return;
  Value end = numTiles;
  if (!steps) {
    Value isEmpty = b.equals(numSteps, 0), none = b.i32(0);
    end = arith::SelectOp::create(b, isEmpty, haveTerms ? none : end, haveTerms ? end : none);
  }
  Value first = b.toI32(gpu::BlockIdOp::create(b, gpu::Dimension::x));
  Value step = b.toI32(gpu::GridDimOp::create(b, gpu::Dimension::x));
  auto loop = scf::ForOp::create(b, first, end, step);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(loop.getBody()->getTerminator());
  body(placeOf(loop.getInductionVar()));
}

TilePlace WgmmaBuilder::placeOf(Value tileNumber) {
  const TiledAxes &tiled = product.tiled;
  Value perMatrix = b.mul(tileRows, tileColumns);
  Value matrix = b.div(tileNumber, perMatrix), number = b.rem(tileNumber, perMatrix);
  Value group = b.mul(b.i32(kGroupRows), tileColumns);
  Value first = b.mul(b.div(number, group), b.i32(kGroupRows));
  Value height = b.createOrFold<arith::MinUIOp>(b.sub(tileRows, first), b.i32(kGroupRows));
  Value within = b.rem(number, group);
  Value rowTile = b.add(first, b.rem(within, height));
  TilePlace place(sizes.size());
  if (tiled.column)
    place[*tiled.column] = b.mul(b.div(within, height), b.i32(tile.partColumns()));
  for (auto [spanned, at] : llvm::zip_equal(tiled.rows, b.split(rowTile, tilesOfAxes)))
    place[spanned.axis] = b.mul(at, b.i32(spanned.extent));
  SmallVector<Value> extents =
      llvm::map_to_vector(tiled.outer, [&](unsigned axis) { return sizes[axis]; });
  for (auto [axis, at] : llvm::zip_equal(tiled.outer, b.split(matrix, extents)))
    place[axis] = at;
  return place;
}

//===----------------------------------------------------------------------===//
// The role that copies

void WgmmaBuilder::copyFactor(const Factor &factor, const TilePlace &at, Value buffer) {
  SmallVector<Value> indices;
  for (ArrayRef<MapStep> steps : factor.dims) {
    Value sum;
    for (MapStep step : steps) {
      Value moved = b.mul(at[step.axis], b.i32(step.factor));
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

/// Copies slices of the factors to slots of `into`, whose buffers are those of the left factors,
/// if it copies them, and then those of the right ones, chunk by chunk.
void WgmmaBuilder::copyTile(const TilePlace &place, Value into, bool isLeft, bool isRight) {
  ArrayRef<unsigned> outer = product.tiled.outerTerms;
  SmallVector<Value> numbers;
  for (const RightFactor &right : rights) {
    const WgmmaPart *lookedUp = isRight ? right.factor.lookedUp : nullptr;
    numbers.push_back(
        lookedUp ? b.toI32(lookedUp->lookup->emitNumber(b, b.toIndex(place[lookedUp->looked])))
                 : Value());
  }
  auto loop = scf::ForOp::create(b, b.i32(0), numSteps, b.i32(1));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(loop.getBody()->getTerminator());
  Value step = loop.getInductionVar();
  TilePlace at = place;
  SmallVector<Value> extents =
      llvm::map_to_vector(outer, [&](unsigned axis) { return sizes[axis]; });
  if (!outer.empty()) {
    for (auto [axis, number] : llvm::zip_equal(outer, b.split(b.div(step, stepsOfAxis), extents)))
      at[axis] = number;
    step = b.rem(step, stepsOfAxis);
  }
  Value first = b.mul(step, b.i32(tile.terms));
  auto type = cast<tile::RingType>(into.getType());
  auto put = tile::PutOp::create(b, into);
  Block *body = b.createBlock(&put.getBody(), {}, type.getBuffers(),
                              SmallVector<Location>(type.getBuffers().size(), b.getLoc()));
  ValueRange buffers = body->getArguments();
  for (int64_t chunk = 0; chunk < tile.chunks(); ++chunk) {
    at[product.tiled.term] = chunk ? b.add(first, b.i32(chunk * tile.chunkTerms())) : first;
    if (isLeft) {
      for (auto [factor, buffer] : llvm::zip(lefts, buffers))
        copyFactor(factor, at, buffer);
      buffers = buffers.drop_front(lefts.size());
    }
    if (isRight) {
      copyRights(at, numbers, buffers);
      buffers = buffers.drop_front(numRightBuffers());
    }
  }
  tile::YieldOp::create(b);
}

void WgmmaBuilder::copyRights(const TilePlace &at, ArrayRef<Value> numbers, ValueRange buffers) {
  for (auto [right, number] : llvm::zip_equal(rights, numbers)) {
    const Factor &factor = right.factor;
    Value buffer = buffers[right.buffer];
    if (factor.shared != buffer.getType()) {
      SmallVector<Value> offsets{index(right.offset), index(0)};
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

//===----------------------------------------------------------------------===//
// The role that multiplies

/// A ring whose slots have, for each chunk of a stage's terms, buffers of the left factors, of the
/// right ones, or of both. Right factors have one for each group of columns, of a pair those of
/// both, or for each piece.
Value WgmmaBuilder::makeRing(bool hasLeft, bool hasRight) {
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

tile::GetOp WgmmaBuilder::get(Value from) {
  auto type = cast<tile::RingType>(from.getType());
  return tile::GetOp::create(b, tile::SlotType::get(b.getContext()), type.getBuffers(), from);
}

Value WgmmaBuilder::leftOf(Value left) {
  auto type = RankedTensorType::get({tile.rows, tile.chunkTerms()}, product.factorType(),
                                    tile::wgmmaLeft(b.getContext(), 16, tile.consumers()));
  Value zero = index(0);
  return tile::LoadOp::create(b, type, left, ValueRange{zero, zero}, DenseI64ArrayAttr(),
                              ValueRange{index(*tile.fewRows), index(tile.chunkTerms())},
                              /*fill=*/Value(), b.getI64IntegerAttr(16));
}

/// The right factors of a pair are one, so that one instruction has all columns of a group.
Value WgmmaBuilder::multiply(Value left, Value right, Value accumulator) {
  auto transposed = [&](const Factor &factor) {
    return factor.alongTerms ? UnitAttr() : b.getUnitAttr();
  };
  return tile::DotOp::create(
      b, sums, tile::DotKindAttr::get(b.getContext(), tile::DotKind::Wgmma),
      b.getDenseI64ArrayAttr({kInstructionRows, tile.groupColumns(), tile.instructionTerms()}),
      left, transposed(lefts.front()), right, transposed(rights.front().factor), accumulator);
}

/// `before` plus the products of the next `stages` steps, of a group of columns after the other.
SmallVector<Value> WgmmaBuilder::addStages(int64_t stages, ValueRange before) {
  SmallVector<tile::GetOp> gets;
  for (int64_t stage = 0; stage < stages; ++stage)
    gets.push_back(get());
  SmallVector<Value> added;
  for (auto [group, sums] : llvm::enumerate(before)) {
    Value sum = zeros();
    for (tile::GetOp stage : gets) {
      ValueRange left = ValueRange(stage.getBuffers()).take_front(lefts.size()),
                 right = ValueRange(stage.getBuffers()).drop_front(lefts.size());
      for (auto [i, j] : product.pieces().products())
        sum = multiply(left[i], right[group + j], sum);
    }
    if (group + 1 == before.size())
      for (tile::GetOp stage : gets)
        tile::DropOp::create(b, stage.getSlot());
    added.push_back(arith::AddFOp::create(b, sums, sum));
  }
  return added;
}

void WgmmaBuilder::multiplyStages(const TilePlace &place, WgmmaEpilogue &epilogue) {
  std::optional<int64_t> steps = getConstantIntValue(numSteps);
  int64_t together = steps ? std::min(tile.stagesPerSum, *steps) : 1;
  Value passes = together > 1 ? b.i32(*steps / together) : numSteps;
  auto loop = scf::ForOp::create(b, b.i32(0), passes, b.i32(1), zerosOfGroups());
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(loop.getBody());
    SmallVector<Value> added = addStages(together, loop.getRegionIterArgs());
    scf::YieldOp::create(b, added);
  }
  SmallVector<Value> all = loop.getResults();
  if (int64_t rest = together > 1 ? *steps % together : 0)
    all = addStages(rest, all);
  epilogue.begin(place);
  epilogue.finish(all);
}

/// The left factor of a step is in registers before the right one is waited for.
void WgmmaBuilder::multiplyFewRows(const TilePlace &place, WgmmaEpilogue &epilogue) {
  auto loop = scf::ForOp::create(b, b.i32(0), numSteps, b.i32(1), zeros());
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(loop.getBody());
    tile::GetOp slot = get(leftRing);
    SmallVector<Value> chunks =
        llvm::map_to_vector(slot.getBuffers(), [&](Value left) { return leftOf(left); });
    tile::DropOp::create(b, slot.getSlot());
    slot = get();
    Value sum = loop.getRegionIterArg(0);
    for (auto [left, right] : llvm::zip_equal(chunks, slot.getBuffers()))
      sum = multiply(left, right, sum);
    tile::DropOp::create(b, slot.getSlot());
    scf::YieldOp::create(b, sum);
  }
  epilogue.begin(place);
  epilogue.finish(loop.getResult(0));
}

/// One step's products stay under way; the slot of the step before is free.
void WgmmaBuilder::multiplyTile(const TilePlace &place, WgmmaEpilogue &epilogue) {
  tile::GetOp first = get();
  Value product = multiply(first.getBuffers()[0], first.getBuffers()[1], zeros());
  auto loop =
      scf::ForOp::create(b, b.i32(1), numSteps, b.i32(1), ValueRange{first.getSlot(), product});
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(loop.getBody());
    tile::GetOp next = get();
    Value added = multiply(next.getBuffers()[0], next.getBuffers()[1], loop.getRegionIterArg(1));
    tile::DropOp::create(b, loop.getRegionIterArg(0));
    scf::YieldOp::create(b, ValueRange{next.getSlot(), added});
  }
  epilogue.begin(place);
  tile::DropOp::create(b, loop.getResult(0));
  epilogue.finish(loop.getResult(1));
}

void WgmmaBuilder::build() {
  count();
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
    const WgmmaPart &part = product.parts[first / tile.partColumns()];
    rights.push_back({makeFactor(part.axes.right, columns, width, part.lookup ? &part : nullptr),
                      first % tile.partColumns(), first / tile.groupColumns(),
                      first % tile.groupColumns()});
  }
  for (auto [number, piece] : llvm::enumerate(product.parts.front().rightRest))
    rights.push_back({makeFactor(piece, columns, width), 0, static_cast<int64_t>(number) + 1, 0});
  bool isFew = tile.fewRows.has_value();
  if (isFew)
    leftRing = makeRing(/*hasLeft=*/true, /*hasRight=*/false);
  ring = makeRing(/*hasLeft=*/!isFew, /*hasRight=*/true);
  tile::LayoutAttr layout = tile::wgmmaAccumulator(b.getContext(), tile.consumers());
  sums = RankedTensorType::get({tile.rows, tile.groupColumns()}, product.sumType(), layout);
  int64_t blocks = chip.processors;
  if (std::optional<int64_t> tiles = getConstantIntValue(numTiles))
    blocks = std::min(blocks, *tiles);
  else
    tile::LimitGridOp::create(b, b.toIndex(numTiles));
  kernel->setAttr(tile::kGridAttr, b.getDenseI64ArrayAttr(blocks));
  WgmmaEpilogue epilogue(b, product, tile, sizes, layout);
  auto copies = [&](Value into, bool isLeft, bool isRight) {
    return [=, this] {
      forTiles(/*haveTerms=*/true,
               [&](const TilePlace &place) { copyTile(place, into, isLeft, isRight); });
    };
  };
  // One warpgroup that multiplies has as many registers as it needs from the start.
  bool shares = tile.consumers() > 1;
  auto copyRegisters = shares ? std::optional(kCopyRegisters) : std::nullopt,
       mathRegisters = shares ? std::optional(kMathRegisters) : std::nullopt;
  if (isFew) {
    buildRole(b, "copy_left", 2, copyRegisters, copies(leftRing, true, false));
    buildRole(b, "copy_right", 2, copyRegisters, copies(ring, false, true));
  } else {
    buildRole(b, "copy", 4, copyRegisters, copies(ring, true, true));
  }
  buildRole(b, "math", 4 * tile.consumers(), mathRegisters, [&] {
    forTiles(/*haveTerms=*/true, [&](const TilePlace &place) {
      if (tile.stagesPerSum)
        multiplyStages(place, epilogue);
      else if (isFew)
        multiplyFewRows(place, epilogue);
      else
        multiplyTile(place, epilogue);
    });
    forTiles(/*haveTerms=*/false, [&](const TilePlace &place) {
      epilogue.begin(place);
      epilogue.finish(zerosOfGroups());
    });
  });
}

void forge::buildWgmma(func::FuncOp kernel, const WgmmaProduct &product, const WgmmaTile &tile,
                       const GPUChip &chip) {
  WgmmaBuilder(kernel, product, tile, chip).build();
}
