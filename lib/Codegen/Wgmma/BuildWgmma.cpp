#include "BuildWgmma.h"

#include "WgmmaCopies.h"
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
/// 1. A block is two warpgroups that multiply and one that copies; of few rows one that multiplies,
///    and two warps for each factor that copy it. It takes one tile of the result after the other,
///    as many blocks as there are multiprocessors, or of few rows twice as many where they fit.
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
  void count();
  /// Each tile of the block, where there are terms or where there are none.
  void forTiles(bool haveTerms, function_ref<void(const TilePlace &)> body);
  TilePlace placeOf(Value number);
  Value columnOf(Value number);
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
  Value index(int64_t value) { return arith::ConstantIndexOp::create(b, value); }

  func::FuncOp kernel;
  const WgmmaProduct &product;
  const WgmmaTile &tile;
  const GPUChip &chip;
  ThreadBuilder b;
  Value ring;
  /// Of few rows: the left factor has a ring of its own.
  Value leftRing;
  /// i32: of each axis; tiles, of each matrix and of all.
  SmallVector<Value> sizes, tilesOfAxes;
  Value tileRows, tileColumns, numTiles;
  WgmmaSteps steps;
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
  tileColumns = tiled.column ? b.ceilDiv(sizes[*tiled.column], tile.matrixColumns()) : b.i32(1);
  numTiles = b.mul(tileRows, tileColumns);
  for (unsigned axis : tiled.outer)
    numTiles = b.mul(numTiles, sizes[axis]);
  steps.ofAxis = b.ceilDiv(sizes[tiled.term], tile.terms);
  steps.all = steps.ofAxis;
  for (unsigned axis : tiled.outerTerms)
    steps.all = b.mul(steps.all, sizes[axis]);
}

void WgmmaBuilder::forTiles(bool haveTerms, function_ref<void(const TilePlace &)> body) {
  std::optional<int64_t> known = getConstantIntValue(steps.all);
  if (known && (*known > 0) != haveTerms)
    return;
  Value end = numTiles;
  if (!known) {
    Value isEmpty = b.equals(steps.all, 0), none = b.i32(0);
    end = arith::SelectOp::create(b, isEmpty, haveTerms ? none : end, haveTerms ? end : none);
  }
  Value first = b.toI32(gpu::BlockIdOp::create(b, gpu::Dimension::x));
  Value step = b.toI32(gpu::GridDimOp::create(b, gpu::Dimension::x));
  auto loop = scf::ForOp::create(b, first, end, step);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(loop.getBody()->getTerminator());
  body(placeOf(loop.getInductionVar()));
}

/// The first column of tile number `number` along them. Of a placement, the tiles of a group of
/// columns are next to each other.
Value WgmmaBuilder::columnOf(Value number) {
  if (!tile.apart)
    return b.mul(number, b.i32(tile.partColumns()));
  Value perGroup = b.i32(*tile.apart / tile.partColumns());
  return b.add(b.mul(b.div(number, perGroup), b.i32(*tile.apart * tile.parts)),
               b.mul(b.rem(number, perGroup), b.i32(tile.partColumns())));
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
    place[*tiled.column] = columnOf(b.div(within, height));
  for (auto [spanned, at] : llvm::zip_equal(tiled.rows, b.split(rowTile, tilesOfAxes)))
    place[spanned.axis] = b.mul(at, b.i32(spanned.extent));
  SmallVector<Value> extents =
      llvm::map_to_vector(tiled.outer, [&](unsigned axis) { return sizes[axis]; });
  for (auto [axis, at] : llvm::zip_equal(tiled.outer, b.split(matrix, extents)))
    place[axis] = at;
  return place;
}

//===----------------------------------------------------------------------===//
// The role that multiplies

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
  auto transposed = [&](bool alongTerms) { return alongTerms ? UnitAttr() : b.getUnitAttr(); };
  return tile::DotOp::create(
      b, sums, tile::DotKindAttr::get(b.getContext(), tile::DotKind::Wgmma),
      b.getDenseI64ArrayAttr({kInstructionRows, tile.groupColumns(), tile.instructionTerms()}),
      left, transposed(product.leftAlongTerms()), right, transposed(product.rightAlongTerms()),
      accumulator);
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
      ValueRange left = ValueRange(stage.getBuffers()).take_front(tile.leftPieces),
                 right = ValueRange(stage.getBuffers()).drop_front(tile.leftPieces);
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
  std::optional<int64_t> known = getConstantIntValue(steps.all);
  int64_t together = known ? std::min(tile.stagesPerSum, *known) : 1;
  Value passes = together > 1 ? b.i32(*known / together) : steps.all;
  auto loop = scf::ForOp::create(b, b.i32(0), passes, b.i32(1), zerosOfGroups());
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(loop.getBody());
    SmallVector<Value> added = addStages(together, loop.getRegionIterArgs());
    scf::YieldOp::create(b, added);
  }
  SmallVector<Value> all = loop.getResults();
  if (int64_t rest = together > 1 ? *known % together : 0)
    all = addStages(rest, all);
  epilogue.begin(place);
  epilogue.finish(all);
}

/// The left factor of a step is in registers before the right one is waited for. Its slot is
/// dropped behind the product, which has waited for these registers.
void WgmmaBuilder::multiplyFewRows(const TilePlace &place, WgmmaEpilogue &epilogue) {
  auto loop = scf::ForOp::create(b, b.i32(0), steps.all, b.i32(1), zeros());
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(loop.getBody());
    tile::GetOp left = get(leftRing);
    SmallVector<Value> chunks =
        llvm::map_to_vector(left.getBuffers(), [&](Value buffer) { return leftOf(buffer); });
    tile::GetOp right = get();
    Value sum = loop.getRegionIterArg(0);
    for (auto [leftChunk, rightChunk] : llvm::zip_equal(chunks, right.getBuffers()))
      sum = multiply(leftChunk, rightChunk, sum);
    tile::DropOp::create(b, right.getSlot());
    tile::DropOp::create(b, left.getSlot());
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
      scf::ForOp::create(b, b.i32(1), steps.all, b.i32(1), ValueRange{first.getSlot(), product});
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
  WgmmaCopies copies(b, product, tile, sizes);
  bool isFew = tile.fewRows.has_value();
  if (isFew)
    leftRing = copies.makeRing(/*hasLeft=*/true, /*hasRight=*/false);
  ring = copies.makeRing(/*hasLeft=*/!isFew, /*hasRight=*/true);
  tile::LayoutAttr layout = tile::wgmmaAccumulator(b.getContext(), tile.consumers());
  sums = RankedTensorType::get({tile.rows, tile.groupColumns()}, product.sumType(), layout);
  int64_t blocks = chip.processors * tile.residentBlocks(chip);
  if (std::optional<int64_t> tiles = getConstantIntValue(numTiles))
    blocks = std::min(blocks, *tiles);
  else
    tile::LimitGridOp::create(b, b.toIndex(numTiles));
  kernel->setAttr(tile::kGridAttr, b.getDenseI64ArrayAttr(blocks));
  WgmmaEpilogue epilogue(b, product, tile, sizes, layout);
  auto copyTo = [&](Value into, bool hasLeft, bool hasRight) {
    return [&, into, hasLeft, hasRight] {
      forTiles(/*haveTerms=*/true, [&](const TilePlace &place) {
        copies.copyTile(place, steps, into, hasLeft, hasRight);
      });
    };
  };
  // One warpgroup that multiplies has as many registers as it needs from the start.
  bool shares = tile.consumers() > 1;
  auto copyRegisters = shares ? std::optional(kCopyRegisters) : std::nullopt,
       mathRegisters = shares ? std::optional(kMathRegisters) : std::nullopt;
  if (isFew) {
    buildRole(b, "copy_left", 2, copyRegisters, copyTo(leftRing, true, false));
    buildRole(b, "copy_right", 2, copyRegisters, copyTo(ring, false, true));
  } else {
    buildRole(b, "copy", 4, copyRegisters, copyTo(ring, true, true));
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
