#include "WgmmaStrategy.h"

#include "WgmmaKernel.h"
#include "WgmmaPlan.h"

#include "../Strategy/ProductFollow.h"

#include "forge/Codegen/ContiguousView.h"
#include "forge/Codegen/KernelWork.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace forge;

static constexpr StringLiteral kFields[] = {"m", "n", "k", "stages"};
/// An instruction adds 16 terms, in the order of the sum; the last step adds zeros up to k.
static constexpr StringLiteral kOrderFields[] = {"k"};

WgmmaTile forge::tileOf(ScheduleAttr schedule, int64_t parts) {
  WgmmaTile tile;
  tile.parts = parts;
  tile.rows = schedule.size("m");
  tile.columns = schedule.size("n");
  tile.terms = schedule.size("k");
  tile.stages = schedule.size("stages");
  return tile;
}

static FailureOr<ScheduleAttr> plan(func::FuncOp kernel, const GPUChip &chip, ScheduleAttr given,
                                    WhyNot whyNot) {
  std::optional<WgmmaProduct> product = matchWgmmaKernel(kernel);
  if (!product) {
    whyNot("it is not a product of two matrices, or two with one left factor, perhaps with an "
           "elementwise operation behind");
    return failure();
  }
  if (const char *expected = whyNotWgmma(*product, chip)) {
    whyNot(Twine("it needs ") + expected);
    return failure();
  }
  // Who asks for it gets it, worth it or not.
  if (given.strategy() != wgmmaStrategy.name && failed(isWorthWgmma(*product, chip, whyNot)))
    return failure();
  WgmmaTile tile = planWgmma(*product, chip, given);
  return given.orSize("m", tile.rows)
      .orSize("n", tile.columns)
      .orSize("k", tile.terms)
      .orSize("stages", tile.stages);
}

static std::optional<double> predict(func::FuncOp kernel, const GPUChip &chip) {
  std::optional<WgmmaProduct> product = matchWgmmaKernel(kernel);
  std::optional<double> floor = predictFloor(kernel, chip);
  std::optional<double> lost = product ? secondsLost(*product, chip) : std::nullopt;
  return floor && lost ? std::optional(*floor + *lost) : std::nullopt;
}

static LogicalResult verify(func::FuncOp kernel, ScheduleAttr schedule, const GPUChip &chip) {
  WgmmaTile tile = tileOf(schedule, 1);
  if (tile.rows != kConsumers * kInstructionRows || tile.terms != kChunk)
    return emitScheduleError(kernel, "expected tiles of ")
           << kConsumers * kInstructionRows << " rows and stages of " << kChunk
           << " terms, but got " << tile.rows << " and " << tile.terms;
  if (tile.columns < kChunk || tile.columns > 256 || tile.columns % kChunk != 0)
    return emitScheduleError(kernel, "expected tiles of 64, 128, 192 or 256 columns, but got ")
           << tile.columns;
  if (tile.stages < 2 || tile.sharedBytes() > chip.maxSharedBytes)
    return emitScheduleError(kernel, "expected 2 stages or more in ")
           << chip.maxSharedBytes << " bytes of shared memory, but got " << tile.stages << " in "
           << tile.sharedBytes();
  std::optional<WgmmaProduct> product = matchWgmmaKernel(kernel);
  if (!product)
    return emitScheduleError(kernel,
                             "expected a product of two matrices, or two with one left factor, "
                             "perhaps with an elementwise operation behind, and nothing else for "
                             "strategy 'wgmma'");
  if (const char *why = whyNotWgmma(*product, chip))
    return emitScheduleError(kernel, "expected ") << why << " for strategy 'wgmma'";
  if (tile.columns % (product->numParts() * kChunk) != 0)
    return emitScheduleError(
               kernel, "expected tiles of 128 or 256 columns for a pair of products, but got ")
           << tile.columns;
  return success();
}

static FactorMap factorMap(const WgmmaProduct &product, const ProductOperand &factor,
                           const WgmmaTile &tile, ArrayRef<SpannedAxis> spanned, int64_t extent) {
  FactorMap map{
      &factor, mapDims(product.axes(), factor), {}, factor.innermost() == product.tiled.term};
  auto extentOf = [&](unsigned axis) {
    if (axis == product.tiled.term)
      return tile.terms;
    const auto *found = llvm::find_if(spanned, [&](SpannedAxis of) { return of.axis == axis; });
    return found == spanned.end() ? 1 : found->extent;
  };
  for (ArrayRef<MapStep> steps : map.dims) {
    int64_t size = map.box.empty() ? kChunk : 1;
    for (MapStep step : steps)
      if (!map.box.empty())
        size = std::max(size, extentOf(step.axis));
    map.box.push_back(size);
  }
  if (spanned.empty()) {
    map.dims.emplace_back();
    map.box.push_back(extent);
  }
  return map;
}

int64_t FactorMap::bytes() const {
  int64_t bytes = getElementTypeOrSelf(factor->value).getIntOrFloatBitWidth() / 8;
  for (int64_t size : box)
    bytes *= size;
  return bytes;
}

SmallVector<FactorMap, 3> forge::factorMaps(const WgmmaProduct &product, const WgmmaTile &tile) {
  SmallVector<FactorMap, 3> maps;
  maps.push_back(factorMap(product, product.axes().left, tile, product.tiled.rows, tile.rows));
  SmallVector<SpannedAxis, 1> columns;
  if (product.tiled.column)
    columns.push_back({*product.tiled.column, tile.partColumns()});
  for (const WgmmaPart &part : product.parts)
    maps.push_back(factorMap(product, part.axes.right, tile, columns, tile.partColumns()));
  return maps;
}

/// What is a multiple of so many elements is one of 16 bytes.
static constexpr int64_t kMapElements = 8;

/// The tensor map that `map` is, with values of the kernel function, as an argument of `kernel`
/// that it adds.
static TensorMap addMap(ImplicitLocOpBuilder &b, func::FuncOp kernel, const ProductAxes &axes,
                        const FactorMap &map) {
  auto type = MemRefType::get(TensorMap::kBytes, b.getI8Type());
  const ProductOperand &factor = *map.factor;
  Value root = factor.view.root;
  (void)kernel.insertArgument(kernel.getNumArguments(), type, {}, root.getLoc());
  TensorMap made;
  StridedArgument &argument = made.argument;
  argument.number = cast<BlockArgument>(root).getArgNumber();
  argument.offset = factor.view.offsetValue(b, b.getLoc());
  made.box = map.box;
  made.swizzleBytes = kSwizzleBytes;
  auto times = [&](OpFoldResult x, OpFoldResult y) { return multiplySizes(b, b.getLoc(), x, y); };
  for (ArrayRef<MapStep> steps : map.dims) {
    if (!steps.empty()) {
      unsigned unit = steps.front().axis;
      argument.strides.push_back(
          factor.view.countValue(b, b.getLoc(), factor.placeOf(unit)->stride));
      // Up to the last element that any of them reaches.
      int64_t last = 0;
      for (MapStep step : steps)
        last += step.factor * (axes.axes[step.axis].size - 1);
      argument.sizes.push_back(steps.size() > 1 ? OpFoldResult(b.getIndexAttr(last + 1))
                                                : axes.sizeValue(b, b.getLoc(), unit));
      continue;
    }
    // Behind all others, at a multiple of 16 bytes.
    argument.strides.push_back(
        times(times(argument.sizes.back(), argument.strides.back()), b.getIndexAttr(kMapElements)));
    argument.sizes.push_back(b.getIndexAttr(1));
  }
  std::reverse(argument.sizes.begin(), argument.sizes.end());
  std::reverse(argument.strides.begin(), argument.strides.end());
  return made;
}

/// 1. A block is two warpgroups that multiply and one that copies; it takes one tile of the result
///    after the other, as many blocks as there are multiprocessors.
/// 2. The copying thread walks over the terms of a tile in stages: it waits until a stage is empty,
///    and has the tensor memory accelerator fill it with a slice of both operands.
/// 3. A multiplying warpgroup waits until a stage is full, adds its 64 rows times all columns to
///    its sums, which stay in registers, and gives the stage before back once its products have
///    ended.
/// 4. What follows is computed of the sums, lanes exchange results of 16 bits so that each has
///    eight columns, and they are stored 16 bytes at a time, while the next tile is being copied.
/// 5. Of a pair of products a tile has the same columns of both right factors, one behind the other
///    in shared memory: to the instructions they are one matrix.
static FailureOr<LaunchShape> lower(func::FuncOp kernel, ScheduleAttr schedule,
                                    const GPUChip &chip) {
  std::optional<WgmmaProduct> product = matchWgmmaKernel(kernel);
  if (!product)
    return emitScheduleError(kernel, "expected a product of two matrices for strategy 'wgmma'"),
           failure();
  WgmmaTile tile = tileOf(schedule, product->numParts());
  ThreadBuilder b(kernel.getLoc(), kernel.getContext());
  b.setInsertionPoint(kernel.getBody().front().getTerminator());
  LaunchShape shape;
  // 1. Sizes, for the host too.
  const ProductAxes &axes = product->axes();
  const TiledAxes &tiled = product->tiled;
  auto constant = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(b, value); };
  SmallVector<Value> extents;
  for (unsigned axis = 0; axis < axes.axes.size(); ++axis)
    extents.push_back(
        getValueOrCreateConstantIndexOp(b, b.getLoc(), axes.sizeValue(b, b.getLoc(), axis)));
  Value batch = constant(1);
  for (unsigned axis : tiled.outer)
    batch = arith::MulIOp::create(b, batch, extents[axis]);
  Value columns = tiled.column ? extents[*tiled.column] : constant(1);
  Value tileRows = constant(1);
  for (SpannedAxis spanned : tiled.rows)
    tileRows = arith::MulIOp::create(
        b, tileRows,
        arith::CeilDivUIOp::create(b, extents[spanned.axis], constant(spanned.extent)));
  Value tileColumns = arith::CeilDivUIOp::create(b, columns, constant(tile.partColumns()));
  Value tiles = arith::MulIOp::create(b, batch, arith::MulIOp::create(b, tileRows, tileColumns));
  shape.grid.fill(b.getIndexAttr(1));
  shape.grid[0] = arith::MinUIOp::create(b, tiles, constant(chip.processors)).getResult();
  shape.block[0] = kWgmmaThreads;
  shape.dynamicSharedBytes = b.getIndexAttr(tile.sharedBytes());
  ProductSizes sizes{llvm::map_to_vector(extents, [&](Value size) { return b.toI32(size); }),
                     b.toI32(batch), b.toI32(columns)};
  // 2. Tensor maps: a copy is as wide as the pattern, along what is side by side in memory.
  SmallVector<FactorMap, 3> factors = factorMaps(*product, tile);
  for (const FactorMap &factor : factors)
    shape.maps.push_back(addMap(b, kernel, axes, factor));
  // 3. One thread's work in place of the operations.
  emitWgmmaKernel(b, kernel, *product, tile, sizes, factors,
                  ValueRange(kernel.getArguments()).take_back(shape.maps.size()));
  eraseReplaced(kernel);
  return shape;
}

constexpr Strategy forge::wgmmaStrategy = {"wgmma", kFields, kOrderFields, plan,
                                           predict, verify,  lower};
